"""Partial-order reduction: what it must find, what it must leave out, when it is switched off (sheet: Bosnacki and
Holzmann, SPIN 2005)."""

from __future__ import annotations

import random

import pytest

from clew.core.diagnostics import InputError
from clew.core.engines import Answer, Request
from clew.core.network import Network
from clew.core.properties import Property
from clew.explicit.engine import ENGINE
from clew.explicit.program import Report, explore
from clew.explicit.reduction.audit import graph_of, ignoring_states, reduced_cycle, unordered_states
from clew.explicit.reduction.conditions import why_not_reduce
from clew.explicit.reduction.generated import ProvisoName, Reduction
from clew.frontends.promela.lower import Switches
from tests.explicit.native import QUICK, SAFETY, needs_compiler, network

pytestmark = needs_compiler

SOUND = Switches(sound=True)
AS_SPIN = Switches(marks_ample=True)
KINDS = frozenset({"assertion", "deadlock", "runtime-error"})

LOOP_BESIDE_ASSERTION = """
byte g;
active proctype A() { byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }
active proctype B() { g = 1; assert(g == 0) }
"""


def searched(
    view: Network, search: str = "bfs", reduction: Reduction | None = None, workers: int = 1, audit: bool = False
) -> Report:
    request = Request(
        view, search=search, keep_going=True, options={"flags": QUICK, "workers": workers, "audit": audit}
    )  # type: ignore[arg-type]
    return explore(request, KINDS, None, reduction=reduction)


def checked(
    text: str, switches: Switches = SOUND, properties: tuple[Property, ...] = SAFETY, **options: object
) -> Answer:
    how = {"flags": QUICK, "workers": 1, "reduce": "auto", **options}
    search = how.pop("search", "bfs")
    return ENGINE.run(Request(network(text, switches), properties, search, options=how))  # type: ignore[arg-type]


def generated_loop(seed: int) -> str:
    """A program with processes that loop over locals for ever, next to an assertion that fails behind a global step."""
    dice = random.Random(seed)
    loops = [
        f"active proctype L{n}() {{ byte i; do :: i < {dice.randint(1, 4)} -> i++ :: else -> i = 0 od }}"
        for n in range(dice.randint(1, 3))
    ]
    writes = " ".join(f"g = {dice.randint(2, 9)};" for _ in range(dice.randint(1, 3)))
    fails = f"active proctype B() {{ {writes} g = 1; assert(g == 0) }}"
    return "\n".join(["byte g;", *dice.sample([fails, *loops], len(loops) + 1)])


@pytest.mark.parametrize("seed", range(20))
def test_a_failing_assertion_next_to_a_local_loop_is_found_under_each_proviso_and_missed_without(seed: int) -> None:
    text = LOOP_BESIDE_ASSERTION if seed == 0 else generated_loop(seed)
    view = network(text, AS_SPIN)
    ways: list[tuple[str, ProvisoName]] = [
        ("bfs", "visited"),
        ("bfs", "queue"),
        ("bfs", "queue-live"),
        ("bfs", "chain"),
        ("dfs", "stack"),
        ("dfs", "chain"),
    ]
    chosen = [ways[seed % 6], ways[(seed + 1) % 6]] if seed else ways
    for search, proviso in chosen:
        report = searched(view, search, Reduction(proviso, True, search == "bfs"))
        assert "assertion" in report.met, (search, proviso)
    assert "assertion" not in searched(view, "bfs", Reduction("none", True, True)).met


def test_the_same_with_stubborn_sets() -> None:
    """The loop is the youngest process, hence the first that is tried, and `g` is looked at by another."""
    text = """
    byte g;
    active proctype B() { g = 1; assert(g == 0) }
    active proctype C() { g == 7 }
    active proctype A() { byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }
    """
    view = network(text, SOUND)
    ways = (
        ("bfs", "queue"),
        ("bfs", "visited"),
        ("bfs", "queue-live"),
        ("bfs", "chain"),
        ("dfs", "stack"),
        ("dfs", "chain"),
    )
    for search, proviso in ways:
        assert "assertion" in searched(view, search, Reduction(proviso)).met  # type: ignore[arg-type]
    assert "assertion" not in searched(view, "bfs", Reduction("none")).met


def test_local_steps_of_two_processes_are_not_interleaved() -> None:
    """Each process counts to 5 on its own: 7 · 7 states in all, one path with reduction."""
    text = "active [2] proctype P() { byte i; do :: i < 5 -> i++ :: else -> break od }"
    view = network(text, SOUND)
    assert searched(view).figures["states"] == 57  # and the ends of processes
    assert searched(view, "bfs", Reduction("queue")).figures["states"] == 15
    assert searched(view, "dfs", Reduction("stack")).figures["states"] == 15


def test_what_nothing_can_fail_needs_no_proviso() -> None:
    """Without assertions and possible run-time errors only deadlocks are at stake."""
    text = """
    byte g;
    active proctype A() { byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }
    active proctype B() { do :: g = 1 - g od }
    """
    figures = searched(network(text, SOUND), "bfs", Reduction("queue")).figures
    assert figures["forced"] == 0
    assert figures["states"] < 8


@pytest.mark.parametrize(
    "steps",
    [
        "d_step { i < 3; i++; if :: i == 2 -> i = 0 :: else fi }",  # there is always a way on
        "i < 3 -> i = (i + 1) % (2 * 2)",  # the divisor is no zero
        "i < 3 -> a[i % 3] = 1; i = (i + 1) % 3",
    ],
)
def test_what_is_seen_not_to_fail_needs_no_proviso(steps: str) -> None:
    text = f"""
    byte g;
    active proctype A() {{ byte i; bit a[3]; do :: {steps} od }}
    active proctype B() {{ byte i; bit a[3]; g = 1; do :: {steps} od }}
    """
    figures = searched(network(text, SOUND), "bfs", Reduction("chain")).figures
    assert figures["reduced"] > 0
    assert figures["forced"] == 0


@pytest.mark.parametrize("steps", ["d_step { g = 1; i == 2 }", "d_step { do :: g = 1 od }", "g = 8 / (i + i)"])
def test_what_gets_stuck_behind_a_local_loop_is_found(steps: str) -> None:
    text = f"""
    byte g;
    active proctype B() {{ byte i; {steps} }}
    active proctype C() {{ g == 7 }}
    active proctype A() {{ byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }}
    """
    for search, proviso in (("bfs", "chain"), ("dfs", "chain")):
        assert "runtime-error" in searched(network(text, SOUND), search, Reduction(proviso)).met  # type: ignore[arg-type]


def test_ends_of_a_buffered_channel_are_independent() -> None:
    """One sender, one receiver, no claim of xr or xs: whenever both can go, one is enough."""
    text = """
    chan q = [2] of { byte };
    active proctype S() { byte i; do :: i < 6 -> q!i; i++ :: else -> break od }
    active proctype R() { byte i, m; do :: i < 6 -> q?m; i++ :: else -> break od }
    """
    full = searched(network(text, SOUND)).figures
    reduced = searched(network(text, SOUND), "bfs", Reduction("queue")).figures
    assert reduced["states"] < full["states"] / 2
    assert (reduced["ends"], reduced["ends_digest"]) == (full["ends"], full["ends_digest"])


def test_elements_of_an_array_that_each_process_owns_are_independent() -> None:
    text = """
    byte a[3];
    active [3] proctype P() { a[_pid] = 1; a[_pid] = 2; a[_pid] = 3 }
    """
    full = searched(network(text, SOUND)).figures["states"]
    reduced = searched(network(text, SOUND), "bfs", Reduction("queue")).figures["states"]
    assert full > 5 * reduced


def test_channels_given_as_parameters_are_told_apart() -> None:
    text = """
    chan q[3] = [1] of { byte };
    proctype P(chan inp, out) { byte m; out!1; inp?m; out!2; inp?m }
    init { atomic { run P(q[0], q[1]); run P(q[1], q[2]); run P(q[2], q[0]) } }
    """
    full = searched(network(text, SOUND)).figures
    reduced = searched(network(text, SOUND), "bfs", Reduction("queue")).figures
    assert reduced["states"] < full["states"]
    assert reduced["ends_digest"] == full["ends_digest"]


def test_an_else_beside_a_handshake_notices_who_comes_to_receive() -> None:
    """Going to the place where A receives takes B's `else` away: two ends."""
    text = """
    chan q = [0] of { bit };
    byte g;
    active proctype A() { bit b; b = 1; q?b }
    active proctype B() { if :: q!1 -> g = 1 :: else -> g = 2 fi; g == 3 }
    """
    full = searched(network(text, SOUND)).figures
    assert full["ends"] == 2
    for search, proviso in (("bfs", "queue"), ("dfs", "stack")):
        reduced = searched(network(text, SOUND), search, Reduction(proviso)).figures  # type: ignore[arg-type]
        assert reduced["ends_digest"] == full["ends_digest"]


WITHDRAWS = """
chan q = [0] of { byte };
byte g;
active proctype P() { atomic { FIRST; q!1 } }
active proctype Q() { byte v; v = 1; if :: q?v :: g == 1 fi }
active proctype R() { g = 1 }
"""


def test_who_comes_to_receive_matters_to_a_sequence_that_has_begun_for_good() -> None:
    """P begins while g is 0, R sets g, Q comes and withdraws: P is stuck inside, which it never is if Q comes first."""
    view = network(WITHDRAWS.replace("FIRST", "g == 0"), SOUND)
    full = searched(view).figures
    assert full["ends"] == 3
    for search, proviso in (("bfs", "chain"), ("dfs", "stack")):
        reduced = searched(view, search, Reduction(proviso)).figures  # type: ignore[arg-type]
        assert reduced["ends_digest"] == full["ends_digest"]


def test_a_sequence_that_begins_with_private_steps_may_as_well_begin_later() -> None:
    """So Q's local step is enough in the first state, although it makes Q ready: 14 states, not 18 as above."""
    view = network(WITHDRAWS.replace("FIRST", "_pid == 0"), SOUND)
    full, reduced = searched(view).figures, searched(view, "bfs", Reduction("chain")).figures
    assert (full["states"], reduced["states"]) == (23, 14)
    assert (reduced["ends"], reduced["ends_digest"]) == (2, full["ends_digest"])


@pytest.mark.parametrize("late", ["timeout -> g = 1", "d_step { timeout -> g = 1 }"])
def test_a_timeout_notices_that_a_sequence_has_begun(late: str) -> None:
    text = WITHDRAWS.replace("FIRST", "_pid == 0").replace("{ g = 1 }", f"{{ {late} }}")
    text = text.replace("v = 1;", "v = 1; g == 1;")
    full = searched(network(text, SOUND)).figures
    reduced = searched(network(text, SOUND), "bfs", Reduction("chain")).figures
    assert (reduced["ends"], reduced["ends_digest"]) == (full["ends"], full["ends_digest"])


def test_a_handshake_waits_for_what_the_other_side_compares() -> None:
    text = """
    chan q = [0] of { byte };
    byte g, h;
    active proctype A() { q?eval(g); h = 1 }
    active proctype B() { q!1; h = 2 }
    active proctype C() { byte i; i = 1; g = 1; i = 2; g = 2 }
    """
    full = searched(network(text, SOUND)).figures
    for search, proviso in (("bfs", "queue"), ("dfs", "stack")):
        reduced = searched(network(text, SOUND), search, Reduction(proviso)).figures  # type: ignore[arg-type]
        assert (reduced["ends"], reduced["ends_digest"]) == (full["ends"], full["ends_digest"])


@pytest.mark.parametrize(
    ("search", "proviso"), [("bfs", "queue"), ("bfs", "visited"), ("bfs", "chain"), ("dfs", "stack"), ("dfs", "chain")]
)
def test_the_reduced_graph_ignores_nothing(search: str, proviso: ProvisoName) -> None:
    view = network(LOOP_BESIDE_ASSERTION, AS_SPIN)
    graph = graph_of(searched(view, search, Reduction(proviso, True, search == "bfs"), audit=True).expansions)
    assert len(graph.successors) > len(graph.settled)  # something was reduced
    assert not ignoring_states(graph)
    if proviso != "stack":
        assert not unordered_states(graph)


def test_the_audit_notices_what_is_ignored() -> None:
    view = network(LOOP_BESIDE_ASSERTION, AS_SPIN)
    graph = graph_of(searched(view, "bfs", Reduction("none", True, True), audit=True).expansions)
    assert len(ignoring_states(graph)) == len(graph.successors) == 4
    assert len(reduced_cycle(graph)) == 4


def test_queue_live_leaves_no_cycle_without_a_fully_expanded_state() -> None:
    text = """
    byte g;
    active proctype A() { byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0 od }
    active proctype B() { byte i; do :: i < 3 -> i++ :: i >= 3 -> i = 0; g = 1 - g od }
    active proctype C() { do :: g == 1 -> g = 0 od }
    """
    view = network(text, SOUND)
    live = graph_of(searched(view, "bfs", Reduction("queue-live"), audit=True).expansions)
    assert not reduced_cycle(live)
    plain = graph_of(searched(view, "bfs", Reduction("queue"), audit=True).expansions)
    assert reduced_cycle(plain)  # nothing can fail here, so nothing forces a full expansion


def test_evidence_names_the_reduction_and_its_proviso() -> None:
    answer = checked("active [2] proctype P() { byte i; do :: i < 5 -> i++ :: else -> break od }")
    assert [d.evidence.text for d in answer.decisions] == [
        "exhaustive: 15 states, partial-order reduced (proviso chain)"
    ] * 3
    reduced = answer.statistics.reduced
    assert reduced is not None and (reduced.proviso, reduced.sound) == ("chain", True)


def test_finding_nothing_without_a_proviso_proves_nothing() -> None:
    answer = checked(LOOP_BESIDE_ASSERTION, AS_SPIN, proviso="none", compat=("spin",))
    assert [d.verdict for d in answer.decisions] == ["unknown"] * 3
    assert "states may have been missed" in answer.decisions[0].reason


def test_a_counterexample_found_with_reduction_is_replayed_and_said_to_be_so() -> None:
    """The reduced search takes the two local steps first."""
    text = """
    byte g;
    active proctype B() { g = 1; assert(g == 0) }
    active proctype C() { g == 7 }
    active proctype A() { byte i; i = 1; i = 2 }
    """
    answer = checked(text)
    trace = answer.decisions[0].trace
    assert trace is not None and len(trace) >= 2
    assert any("shortest of the reduced search" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("byte x; active proctype P() { c_code { now.x = 1; } }", "embedded C"),
        ("active proctype P() priority 2 { skip } active proctype Q() { skip }", "priorities"),
        ("byte x; active proctype P() provided (x == 0) { x = 1 }", "a provided clause"),
        ("byte x; active proctype P() { x = _last }", "_last"),
        ("active proctype P() { enabled(1) } active proctype Q() { skip }", "enabled()"),
        ("active proctype Q() { l: skip; skip } active proctype P() { (Q[0]@l) -> skip }", "remote references"),
        ("byte x; active proctype P() { x = pc_value(0) }", "pc_value()"),
    ],
)
def test_reduction_is_off_where_a_step_depends_on_every_other(text: str, reason: str) -> None:
    assert why_not_reduce(network(text, SOUND)) == reason


@pytest.mark.parametrize(("steps", "reduced"), [(64, True), (65, False), (130, False)])
def test_no_step_of_a_wide_choice_is_forgotten(steps: int, reduced: bool) -> None:
    """Sets of the steps that leave a location are words; the assertion is in the last of the choice."""
    ring = "".join(f" :: x == {i} -> x = {i + 1}" for i in range(steps - 1))
    wide = f"active proctype A() {{ do {ring} :: x == 3 && y == 2 -> assert(false) od }}"
    answer = checked(f"byte x, y; {wide} active proctype B() {{ y = 1; y = 2 }}", keep_going=True)
    assert {d.property.kind: d.verdict for d in answer.decisions}["assertion"] == "violated"
    assert (answer.statistics.reduced is not None) == reduced


def test_switching_off_is_said() -> None:
    answer = checked("byte x; active proctype P() provided (x == 0) { x = 1 }")
    assert "partial-order reduction is off: a provided clause" in answer.notes
    assert answer.statistics.reduced is None


LTL = """
byte g; bool done;
active proctype A() { byte i; do :: i < 3 -> i++ :: i >= 3 -> break od; g = 1 }
active proctype C() { byte i; do :: i < 3 -> i++ :: else -> i = 0 od }
active proctype B() { byte k; do :: k < 4 -> k++ :: else -> break od; g == 1; done = true }
"""


def temporal(formula: str, **options: object) -> tuple[str, Answer]:
    text = f"{LTL}\nltl f {{ {formula} }}"
    answer = checked(text, properties=(Property("f", "ltl", formula),), **options)
    return answer.decisions[0].verdict, answer


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("[] (done -> g == 1)", "holds"),
        ("<> done", "violated"),  # C may go round for ever
        ("[] !done", "violated"),
        ("[] (g == 1 -> [] (g == 1))", "holds"),
        ("(g == 0) U (g == 1 || [] (g == 0))", "holds"),
    ],
)
def test_formulas_have_the_same_verdict_with_and_without(formula: str, verdict: str) -> None:
    reduced, answer = temporal(formula)
    assert reduced == verdict == temporal(formula, reduce="none")[0]
    assert answer.statistics.reduced is not None


def test_a_formula_with_next_is_not_reduced_unless_it_does_not_notice() -> None:
    _, answer = temporal("X (g == 0)")
    assert "partial-order reduction is off for f: the formula notices repetition (X)" in answer.notes
    assert answer.statistics.reduced is None
    _, answer = temporal("<> (g == 1 || X (g == 1))")  # says no more than <> (g == 1), but for the first state
    assert answer.statistics.reduced is not None


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"fair": "weak"}, "fairness counts the moves of each process"),
        ({"ends": "infinite"}, "--ends infinite"),
        ({"algorithm": "se05"}, "algorithm se05"),
    ],
)
def test_temporal_searches_that_are_not_reduced_say_so(options: dict[str, str], reason: str) -> None:
    _, answer = temporal("[] (done -> g == 1)", **options)
    assert f"partial-order reduction is off for f: {reason}" in answer.notes


def test_a_temporal_reduction_leaves_no_cycle_without_a_fully_expanded_state() -> None:
    from clew.explicit.monitor import Watch
    from clew.logic.questions import question

    text = f"{LTL}\nltl f {{ [] (done -> g == 1) }}"
    view = network(text, SOUND)
    asked = question(view, Property("f", "ltl", ""), None, "none")
    assert asked.monitor is not None
    request = Request(view, options={"flags": QUICK, "audit": True})
    report = explore(request, frozenset(), None, watch=Watch(asked.monitor), reduction=Reduction("stack"))
    graph = graph_of(report.expansions)
    assert len(graph.full) < len(graph.successors)
    assert not reduced_cycle(graph)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"proviso": "stack"}, "needs a depth-first search"),
        ({"proviso": "visited", "workers": 2}, "needs one worker"),
        ({"proviso": "queue", "reduce": "none"}, "needs a reduction"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked(LOOP_BESIDE_ASSERTION, **options)


WIDE = """
byte g;
active [3] proctype S() {
    byte v;
    if OPTIONS fi;
    do :: v > 0 -> d_step { v--; g = (g + 1) % 8 } :: v == 0 -> assert(g < 8); break od
}
active proctype L() { byte i; do :: i < 3 -> i++ :: i == 3 -> i = 0 od }
""".replace("OPTIONS", " ".join(f":: d_step {{ g = (g + {n}) % 8; v = {n} }}" for n in range(10)))


def test_with_proviso_chain_several_workers_explore_what_one_does() -> None:
    """Levels of thousands of states, in many of which the proviso makes the difference."""
    view = network(WIDE, SOUND)
    figures = []
    for workers in (1, 3):
        found = searched(view, "bfs", Reduction("chain"), workers).figures
        figures.append(
            {n: found[n] for n in ("states", "transitions", "depth", "reduced", "forced", "offered", "taken")}
        )
    assert figures[0]["reduced"] > 1000 < figures[0]["forced"]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_workers_and_orders_agree_on_deadlocks(search: str, workers: int) -> None:
    """Philosophers that take their forks in the same order: one deadlock."""
    text = """
    byte fork[4];
    active [4] proctype P() {
        byte n;
        do :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 }; n = 1; n = 2;
              atomic { fork[(_pid + 1) % 4] == 0 -> fork[(_pid + 1) % 4] = 1 }; n = 0;
              fork[_pid] = 0; fork[(_pid + 1) % 4] = 0
        od }
    """
    full = searched(network(text, SOUND)).figures
    proviso: ProvisoName = "stack" if search == "dfs" and workers == 1 else "queue"
    reduced = searched(network(text, SOUND), search, Reduction(proviso), workers).figures
    assert reduced["states"] < full["states"]
    assert (reduced["ends"], reduced["ends_digest"]) == (full["ends"], full["ends_digest"]) == (1, full["ends_digest"])
