"""The topological sort of Ant (Chang and Jackson 2006, figure 4): all graphs, seeded bugs, drawn counterexamples."""

from __future__ import annotations

import pytest

from clew.core.relational.program import Switches
from clew.symbolic.relational.system import Options, build
from clew.symbolic.relational.verdicts import Verdicts
from tests.relational.models import EXAMPLES, check, example, read

TEXT = (EXAMPLES / "topological_sort.rel").read_text()


@pytest.mark.parametrize("n", [2, 3])
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


BUGS = {
    "the test for VISITING is skipped": (
        "visit(Y); else if (Y.label == VISITING) bad := true;",
        "visit(Y);",
        "assert5",
    ),
    "appended before the recursion": (
        "    S.label := VISITING;\n",
        "    S.label := VISITING;\n    list := list + length->S; length++;\n",
        "assert1",
    ),
    "the loop over all nodes is forgotten": ("foreach S:Node {", "foreach S:Node - Node {", "assert1"),
    "never marked VISITED": ("    S.label := VISITED;\n", "", "assert4"),
    "wrong limit": ("length > N", "length > N - 2", "assert4"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_fails_the_expected_assertion(bug: str) -> None:
    before, after, expected = BUGS[bug]
    text = TEXT.replace(before, after)
    assert text != TEXT
    answer = check(text, foreach="declared")
    failing = {d.property.name: d for d in answer.decisions if d.verdict == "violated"}
    assert expected in failing
    trace = failing[expected].trace
    assert trace is not None and trace.initial.values["dependOn"].startswith("{")


def test_the_summary_for_all_inputs_is_the_same_where_both_are_known() -> None:
    program = example("topological_sort", Switches(foreach="declared"), N=2)
    one, other = build(program, Options()), build(program, Options(everything=True))
    assert one.count(one.after(one.universe)) == other.count(other.after(other.universe))
