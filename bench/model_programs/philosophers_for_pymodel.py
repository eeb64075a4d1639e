"""The philosophers of examples/python/philosophers.py for PyModel, which knows no objects: two tuples."""

import os

N = int(os.environ.get("N", "3"))

holder = (0,) * N  # 0: free
mood = (0,) * N


def put(values, at, value):
    return (*values[:at], value, *values[at + 1 :])


def TakeLeft(p):
    global holder, mood
    holder, mood = put(holder, p, p + 1), put(mood, p, 1)


def TakeLeftEnabled(p):
    return mood[p] == 0 and holder[p] == 0


def TakeRight(p):
    global holder, mood
    holder, mood = put(holder, (p + 1) % N, p + 1), put(mood, p, 2)


def TakeRightEnabled(p):
    return mood[p] == 1 and holder[(p + 1) % N] == 0


def ReleaseLeft(p):
    global holder, mood
    holder, mood = put(holder, p, 0), put(mood, p, 3)


def ReleaseLeftEnabled(p):
    return mood[p] == 2


def ReleaseRight(p):
    global holder, mood
    holder, mood = put(holder, (p + 1) % N, 0), put(mood, p, 0)


def ReleaseRightEnabled(p):
    return mood[p] == 3


state = ("holder", "mood")
actions = (TakeLeft, TakeRight, ReleaseLeft, ReleaseRight)
enablers = {
    TakeLeft: (TakeLeftEnabled,),
    TakeRight: (TakeRightEnabled,),
    ReleaseLeft: (ReleaseLeftEnabled,),
    ReleaseRight: (ReleaseRightEnabled,),
}
domains = {action: {"p": tuple(range(N))} for action in actions}
