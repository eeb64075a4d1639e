"""The inputs for which recursive procedures are solved: those that occur, and more where more are fewer nodes.

What occurs together with a value that no step of the procedure changes (a graph that is walked through) makes a set of
inputs large as a diagram, and knowing it hardly helps: so procedures are solved for every value of such variables. More
inputs change no result.
"""

from __future__ import annotations

from collections.abc import Iterable

from clew.core.relational import program as p
from clew.core.relational.expressions import Global


def untouched(program: p.RelationalProgram, procedures: Iterable[str]) -> tuple[p.Variable, ...]:
    """The state variables that none of these procedures may change."""
    touched = set[str]()
    for name in procedures:
        for stmt in p.statements(program.procedure(name).body):
            match stmt:
                case p.Declare():  # there is no frame condition: what it does not mention may become anything
                    return ()
                case p.Assign(Global() as target) | p.AssignRow(Global() as target):
                    touched.add(target.name)
    return tuple(v for v in program.variables if v.name not in touched)
