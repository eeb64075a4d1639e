"""The same model in other languages, and drawn: SMV is judged against the interpreter by evaluating its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

import pytest

from clew.core.diagnostics import InputError
from clew.core.relational.explicit import Graph
from clew.core.relational.interpreter import State
from clew.frontends.relational.alloy import alloy
from clew.frontends.relational.smv import smv
from clew.report.relations import panels, relations_dot, relations_svg
from tests.relational.models import check, example, read

N = 2
CELLS = list(product(range(N), repeat=2))


@dataclass(frozen=True)
class Truth:
    """A Boolean with the operators that Python gives the precedence of SMV's."""

    value: bool

    def __invert__(self) -> Truth:
        return Truth(not self.value)

    def __and__(self, other: Truth) -> Truth:
        return Truth(self.value and other.value)

    def __or__(self, other: Truth) -> Truth:
        return Truth(self.value or other.value)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        assert isinstance(other, Truth)
        return Truth(self.value == other.value)


def relation_of_smv(text: str) -> str:
    """TRANS as a Python expression over dictionaries `now` and `then`."""
    trans = text.split("TRANS\n", 1)[1].split(";", 1)[0]
    python = re.sub(r"next\((\w+)\)", r'then["\1"]', trans)
    python = re.sub(r'(?<!")\b(has_\d_\d|wait_\d_\d|bad)\b(?!")', r'now["\1"]', python)
    return " ".join(python.replace("<->", "==").replace("!", "~").split())


def bits(state: State) -> dict[str, bool]:
    has, wait, bad = state
    found = {f"has_{a}_{b}": (a, b) in has for a, b in CELLS}  # type: ignore[operator]
    return {**found, **{f"wait_{a}_{b}": (a, b) in wait for a, b in CELLS}, "bad": bool(bad)}  # type: ignore[operator]


def test_smv_has_the_steps_of_the_interpreter() -> None:
    """Mutual exclusion from the empty state: 37 states, each pair of them related by both or by neither."""
    program = example("mutex", N=N)
    graph = Graph.explored(program, [(frozenset(), frozenset(), 0)])
    states = [state for state in graph.successors if state is not None]
    assert len(states) == 37
    code = compile(relation_of_smv(smv(program)), "smv", "eval")
    named = {state: {n: Truth(v) for n, v in bits(state).items()} for state in states}
    for now in states[:12]:
        for then in states:
            related = eval(code, {"now": named[now], "then": named[then]})
            assert related.value == (then in graph.successors[now])


def test_alloy_leaves_out_what_it_cannot_say() -> None:
    text = alloy(example("mutex"))
    assert "check assert1" in text
    assert "-- assert2 says that a run exists" in text


@pytest.mark.parametrize("write", [smv, alloy])
def test_recursion_is_refused_with_its_line(write: object) -> None:
    program = read("bool p;\nvoid f() { p := !p;\n f(); }\ntoplevel void g() { f(); }")
    with pytest.raises(InputError):
        write(program)  # type: ignore[operator]


def test_pictures_colour_what_changed() -> None:
    text = "enum A {2}; A->A r; toplevel void f() { r := ~r; } assert !bad && r == A1->A2 => AX r == A1->A2;"
    (decision,) = check(text).decisions
    assert decision.trace is not None
    _, after = panels(decision.trace)
    assert {(m.elements, m.change) for m in after.marks} == {(("A2", "A1"), "added"), (("A1", "A2"), "removed")}
    assert "#1a7f37" in relations_svg(decision.trace)
    assert "digraph" in relations_dot(decision.trace)
