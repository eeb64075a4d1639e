"""What a cache in front of a store promises: reading a key gives what was last written to it.

expect: holds
states: 27
classes: 15

`cache_service.py` has implementations of it, one of them with a bug; docs/languages/python.md shows how it is found.
"""

from clew.model import Abstract, Map, accepting, action, guard, observable


class Key(Abstract):
    A, B = range(2)


written = Map()
asked = None


@action
def Write(key: Key, value: range(1, 3)):
    global written
    written = written.set(key, value)


@guard("Write")
def _():
    return asked is None


@action
def Evict():
    """May happen at any time and must not be noticed."""


@guard("Evict")
def _():
    return asked is None


@action
def Read(key: Key):
    global asked
    asked = key


@guard("Read")
def _():
    return asked is None


@observable
def Got(value: range(3)):
    global asked
    asked = None


@guard("Got")
def _(value):
    return asked is not None and value == written.get(asked, 0)


@accepting
def nothing_is_asked():
    return asked is None
