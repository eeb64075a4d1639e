"""The topological sort of Ant (Chang and Jackson 2006, figure 4): all graphs, seeded bugs, drawn counterexamples."""

from __future__ import annotations

import pytest

from clew.core.relational.program import Switches
from clew.report.relations import panels, relations_svg
from clew.symbolic.relational.system import Options, build
from clew.symbolic.relational.verdicts import Verdicts
from tests.relational.models import EXAMPLES, check, example, read

TEXT = (EXAMPLES / "topological_sort.rel").read_text()


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("order", ["any", "declared"])
def test_all_assertions_hold(n: int, order: str) -> None:
    answer = check(TEXT.replace("param N = 3", f"param N = {n}"), foreach=order)
    assert {decision.verdict for decision in answer.decisions} == {"holds"}


@pytest.mark.parametrize(("n", "acyclic"), [(1, 1), (2, 3), (3, 25), (4, 543), (5, 29281)])
def test_acyclic_graphs_are_counted(n: int, acyclic: int) -> None:
    """The number of labelled directed acyclic graphs, known for every N."""
    text = f"enum Node {{{n}}}; Node->Node dependOn; toplevel void stay() {{}}\n"
    text += "assert !bad && !(some n:Node | n in n.^dependOn) => AX true;"
    program = read(text)
    system = build(program, Options())
    (case,) = Verdicts(system).cases(program.assertions[0])
    assert system.count(case.start) == acyclic


APPENDING = """    list := list + length->S;
    if (length > N) bad := true; else length++;
"""
BUGS = {
    "the test for VISITING is skipped": (
        [("visit(Y); else if (Y.label == VISITING) bad := true;", "visit(Y);")],
        ["assert5"],  # a cycle is not found
    ),
    "appended before the recursion": (
        [(APPENDING, ""), ("    S.label := VISITING;\n", f"    S.label := VISITING;\n{APPENDING}")],
        ["assert2"],  # what a node depends on comes after it
    ),
    "the loop over all nodes is forgotten": (
        [("foreach S:Node {", "foreach S:Node - Node {")],
        ["assert1", "assert2", "assert5", "assert6"],  # most nodes never come into the list
    ),
    "never marked VISITED": (
        [("    S.label := VISITED;\n", "")],
        ["assert1", "assert2", "assert4", "assert6"],  # a node that was done counts as a cycle: bad
    ),
    "wrong limit": ([("length > N", "length > N - 2")], ["assert1", "assert2", "assert4", "assert6"]),  # bad
}


@pytest.mark.parametrize("order", ["any", "declared"])
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_fails_the_expected_assertions(bug: str, order: str) -> None:
    """Each failure comes with a graph, drawn, on which the interpreter saw it."""
    changes, expected = BUGS[bug]
    text = TEXT
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    failing = [d for d in check(text, foreach=order).decisions if d.verdict == "violated"]
    assert [d.property.name for d in failing] == expected
    for decision in failing:
        assert decision.trace is not None
        first, *_ = panels(decision.trace)
        graph = {m.elements for m in first.marks if m.relation == "dependOn"}
        assert decision.trace.initial.values["dependOn"] == ("{" + ", ".join(map("->".join, sorted(graph))) + "}")
        assert "Node1" in relations_svg(decision.trace)


def test_the_summary_for_all_inputs_is_the_same_where_both_are_known() -> None:
    program = example("topological_sort", Switches(foreach="declared"), N=2)
    one, other = build(program, Options()), build(program, Options(everything=True))
    assert one.count(one.after(one.universe)) == other.count(other.after(other.universe))
