"""The state space of a model program up to isomorphism."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from clew.frontends.modelprogram.program import Program
from clew.frontends.modelprogram.space import ModelSpace, State
from clew.frontends.modelprogram.state_graph import StateGraphs
from clew.frontends.modelprogram.state_words import StateWords
from clew.solvers.isomorphism import Figures, new_kernel


class CanonicalSpace(ModelSpace):
    """States that differ only in the names of elements are the same state. Runs are runs of the plain model: the state
    that was found first stands for all, and goes on as it is.

    Keys are made by compiled code if there is a compiler, else in Python; either way the same states are the same."""

    def __init__(self, program: Program, fixed: Iterable[type] = (), *, compiled: bool = True) -> None:
        super().__init__(program)
        self._figures = Figures()
        self._graphs = StateGraphs(self, fixed)
        kernel = new_kernel() if compiled else None
        self._words = None if kernel is None else StateWords(self._graphs, kernel)
        self._is_symmetric = not {*program.classes, *program.abstract} <= {*fixed}

    def key(self, state: State) -> Hashable:
        if not self._is_symmetric:
            return state
        if self._words is None:
            return self._graphs.key(state, self._figures)
        return self._words.key(state)

    @property
    def figures(self) -> Figures:
        """How the keys were made."""
        return self._figures if self._words is None else self._words.figures
