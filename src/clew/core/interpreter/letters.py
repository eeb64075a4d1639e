"""Which conditions are true in a state: the letters that automata beside a system read."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.expressions import Expr
from clew.core.interpreter.evaluate import compile_expression
from clew.core.interpreter.space import NetworkSpace
from clew.core.interpreter.state import Context, State


class Letters:
    """Reads letters off states of one space: bit i says whether `atoms[i]` is true."""

    def __init__(self, space: NetworkSpace, atoms: Sequence[Expr]) -> None:
        self._space = space
        self._tests = [compile_expression(atom, space.program) for atom in atoms]

    def __call__(self, state: State) -> int:
        """Raises EvaluationError if a condition has no value here."""
        ctx = Context.reading(self._space.program, state)
        ctx.timeout = not self._space.can_move(state)
        return sum(1 << n for n, test in enumerate(self._tests) if test(ctx))
