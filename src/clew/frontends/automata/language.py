"""Automata in the registry: what is asked of one is whether it accepts anything."""

from __future__ import annotations

from pathlib import Path

from clew.core.diagnostics import Diagnostic, InputError, Span
from clew.core.outline import Outline
from clew.core.properties import Property
from clew.core.registry import LoadedModel, LoadOptions, formula_file
from clew.core.views import SpaceView
from clew.frontends.automata.outline import KEYWORDS, outline_of
from clew.logic.automata import Automaton
from clew.logic.automaton_space import AutomatonSpace
from clew.logic.edge_list import read_edges
from clew.logic.hoa_reader import read_hoa

EDGES = ".edges"


class Automata:
    """Reads the Hanoi format (HOA v1) and, from files that end in `.edges`, lists of edges."""

    name = "automaton"
    keywords = KEYWORDS

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        _refuse_formulas(options)
        automaton = _read(path, text)
        name = Path(path).stem
        view = SpaceView(name, lambda: AutomatonSpace(automaton), automaton=automaton)
        accepts = Property("accepts", "accepting", "some run is accepting", Span(path, 1))
        return LoadedModel(name, self.name, view, (accepts,), (), ((path, text),))

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        try:
            _read(path, text)
        except InputError as error:
            return tuple(error.diagnostics)
        return ()

    def outline(self, path: str, text: str, options: LoadOptions) -> Outline:
        return outline_of(path, text, _is_list(path, text))

    def at_a_glance(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        return self.lint(path, text, options)


def _read(path: str, text: str) -> Automaton:
    return read_edges(text, path) if _is_list(path, text) else read_hoa(text, path)


def _is_list(path: str, text: str) -> bool:
    return Path(path).suffix.lower() == EDGES or not text.lstrip().startswith(("HOA:", "/*"))


def _refuse_formulas(options: LoadOptions) -> None:
    given = {"ltl": options.formulas, "ctl": options.branching, "pattern": options.patterns, "reach": options.goals}
    for kind, texts in given.items():
        if texts:
            span = Span(formula_file(0, kind), 1)
            hint = "an automaton beside a model: clew check MODEL --property monitor:FILE.hoa"
            raise InputError.at(span, "automaton-formula", "an automaton is only asked whether it accepts a run", hint)


LANGUAGE = Automata()
