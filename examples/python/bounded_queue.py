"""A first-in first-out queue with room for three items: the contract that an implementation is tested against.

expect: holds
states: 29

What `Take` gives back is an action of its own, which the implementation chooses and the model judges.
"""

from clew.model import Sequence, accepting, action, guard, observable, parameter

SIZE = parameter("SIZE", 3)

items = Sequence()
taking = False


@action
def Put(item: range(2)):
    global items
    items = items.add(item)


@guard("Put")
def _():
    return not taking and len(items) < SIZE


@action(cleanup=True)
def Take():
    global taking
    taking = True


@guard("Take")
def _():
    return not taking and len(items) > 0


@observable
def Taken(item: range(2)):
    global items, taking
    items = items.rest
    taking = False


@guard("Taken")
def _(item):
    return taking and items[0] == item


@accepting
def nothing_is_under_way():
    return not taking
