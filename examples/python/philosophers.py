"""Dining philosophers who take the left fork first: they can starve together.

expect: violated: deadlock
shortest: 4
states: 27
classes: 11
"""

from enum import Enum

from clew.model import Domain, Instance, Set, action, guard, parameter

N = parameter("N", 3)


class Mood(Enum):
    THINKING = 0
    WAITING = 1
    EATING = 2
    FINISHING = 3


class Fork(Instance):
    holder = None


class Philosopher(Instance):
    mood = Mood.THINKING
    left = None
    right = None


philosophers = Set()


@action
def Init():
    global philosophers
    forks = [Fork() for _ in range(N)]
    philosophers = Set.of(Philosopher(left=forks[i], right=forks[(i + 1) % N]) for i in range(N))


@guard("Init")
def _():
    return not philosophers


@action
def TakeLeft(p: Domain("philosophers")):
    p.left.holder = p
    p.mood = Mood.WAITING


@guard("TakeLeft")
def _(p):
    return p.mood is Mood.THINKING and p.left.holder is None


@action
def TakeRight(p: Domain("philosophers")):
    p.right.holder = p
    p.mood = Mood.EATING


@guard("TakeRight")
def _(p):
    return p.mood is Mood.WAITING and p.right.holder is None


@action
def ReleaseLeft(p: Domain("philosophers")):
    p.left.holder = None
    p.mood = Mood.FINISHING


@guard("ReleaseLeft")
def _(p):
    return p.mood is Mood.EATING


@action
def ReleaseRight(p: Domain("philosophers")):
    p.right.holder = None
    p.mood = Mood.THINKING


@guard("ReleaseRight")
def _(p):
    return p.mood is Mood.FINISHING
