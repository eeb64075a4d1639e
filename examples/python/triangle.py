"""Colouring the sides of a triangle: which side is which, and which colour is which, does not matter.

expect: holds
states: 27
classes: 6
"""

from clew.model import Abstract, Map, accepting, action, guard


class Side(Abstract):
    LEFT, RIGHT, BASE = range(3)


class Color(Abstract):
    RED, BLUE = range(2)


colors = Map()


@action
def AssignColor(side: Side, color: Color):
    global colors
    colors = colors.add(side, color)


@guard("AssignColor")
def _(side):
    return side not in colors


@accepting
def all_colored():
    return len(colors) == len(Side)
