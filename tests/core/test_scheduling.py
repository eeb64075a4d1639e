"""else, timeout, unless, provided, priorities, special values, processes: sheet 35, sections 6 and 7."""

from __future__ import annotations

import pytest

from clew.core.expressions import AtLocation, Channel, Enabled, Global, Own, Ref, RemoteRef
from clew.core.interpreter import NetworkSpace
from clew.core.statements import Assert, SetPriority
from clew.core.types import BYTE, CHANNEL
from tests.core.build import (
    SKIP,
    TIMEOUT,
    Atomic,
    Choice,
    Element,
    Loop,
    Model,
    Unless,
    d_step,
    eq,
    ex,
    let,
    local,
    op,
    recv,
    run,
    send,
    when,
)
from tests.core.counts import count, violations

COUNT = Global("process_count")
PID = Own("pid")


def test_e1_timeout_when_nothing_else_can_move() -> None:
    m = Model()
    g = m.var("g")
    m.process("P", [when(TIMEOUT), let(g, 1)])
    m.process("Q", [when(eq(g, 1)), let(g, 2)])
    m.process("R", [SKIP])
    assert count(m.network()) == (9, 0)


def test_e2_all_timeouts_become_true_together() -> None:
    m = Model()
    g = m.var("g", hidden=True)
    for name in "PQ":
        m.process(name, [when(TIMEOUT), let(g, op(g, "+", 1))])
    assert count(m.network()) == (11, 1)


@pytest.mark.parametrize("variant", ["statements", "d_step"])
def test_e3_an_escape_excludes_the_body(variant: str) -> None:
    m = Model()
    g, h = m.var("g", hidden=True), m.var("h")
    body: list[Element] = [let(g, 1), let(g, 2), let(g, 3)]
    if variant == "d_step":
        body = [d_step(let(g, 1), let(g, 2)), let(g, 3)]
    m.process("P", [Unless(body, [when(eq(h, 1)), let(g, 7)]), let(g, 8)])
    m.process("Q", [let(h, 1)])
    assert count(m.network()) == ((18, 9) if variant == "statements" else (15, 7))


@pytest.mark.parametrize(("inner_first", "figures"), [(False, (15, 7)), (True, (17, 8))])
def test_e4_nested_escapes(inner_first: bool, figures: tuple[int, int]) -> None:
    m = Model()
    g, h = m.var("g", hidden=True), m.var("h")
    # Spin tries the outer escape first (15/7); with its option -J the inner one (17/8), whose rest the outer covers.
    inner = Unless([let(g, 1), let(g, 2)], [when(eq(h, 1)), let(g, 5)], rank=1)
    outer = Unless([inner], [when(eq(h, 1)), let(g, 6)], rank=2 if inner_first else 0)
    m.process("P", [outer, let(g, 8)])
    m.process("Q", [let(h, 1)])
    assert count(m.network()) == figures


def test_e6_an_escape_inside_atomic() -> None:
    m = Model()
    g, h = m.var("g", hidden=True), m.var("h")
    atomic = Atomic([let(g, 1), let(h, 1), let(g, 3)])
    m.process("P", [Unless([atomic], [when(eq(h, 1)), let(g, 7)]), let(g, 8)])
    assert count(m.network()) == (5, 0)


def test_e7_provided_is_tested_before_every_step() -> None:
    m = Model()
    g, h = m.var("g", hidden=True), m.var("h")
    m.process("P", [let(g, 1), let(g, 2), let(g, 3)], provided=eq(h, 0))
    m.process("Q", [let(h, 1), let(h, 0)])
    assert count(m.network()) == (17, 6)


def test_e8_provided_also_guards_the_removal() -> None:
    m = Model()
    h = m.var("h")
    m.process("P", [SKIP], provided=eq(h, 0))
    m.process("Q", [let(h, 1)])
    assert count(m.network()) == (6, 0)


def test_provided_that_fails_is_reported() -> None:
    m = Model()
    h = m.var("h")
    m.process("P", [SKIP], provided=op(1, "/", h))
    assert violations(m.network())["runtime-error"] == ("division by zero", 1)


@pytest.mark.parametrize(("used", "figures"), [(True, (6, 0)), (False, (10, 4))])
def test_e9_higher_priority_goes_first(used: bool, figures: tuple[int, int]) -> None:
    m = Model()
    g = m.var("g", hidden=True)
    m.process("A", [let(g, 1), let(g, 2)], priority=5 if used else 1)
    m.process("B", [let(g, 3)])
    assert count(m.network(uses_priorities=used)) == figures


def test_e10_the_priority_is_part_of_the_state() -> None:
    m = Model()
    g = m.var("g")
    choice = Choice([[SetPriority(ex(0), ex(2))], [SetPriority(ex(0), ex(3))]])
    m.process("A", [choice, let(g, 1), when(eq(g, 1))])
    assert count(m.network(uses_priorities=True)) == (8, 1)


@pytest.mark.parametrize(("waits", "figures"), [(False, (15, 6)), (True, (11, 4))])
def test_e11_raising_anothers_priority(waits: bool, figures: tuple[int, int]) -> None:
    # 15/6 is Spin's count with -DBFS. Its depth-first search says 9/0: undoing set_priority for a process that is
    # gone spoils the priority of process 0. With B waiting for ever, both say 11/4.
    m = Model()
    g = m.var("g", hidden=True)
    m.process("A", [let(g, 1), SetPriority(ex(1), ex(9)), let(g, 2), let(g, 5)])
    m.process("B", [let(g, 3), let(g, 4), *([when(0)] if waits else [])])
    assert count(m.network(uses_priorities=True)) == figures


def test_an_offer_nobody_takes_does_not_stop_lower_priorities() -> None:
    # Spin refuses priorities together with handshakes; a process counts as enabled if it can really move.
    m = Model()
    q, g = m.chan("q", 0), m.var("g")
    m.process("S", [send(q, 1), let(g, 1)], priority=5)
    m.process("R", [let(g, 2), recv(q, None)])
    assert violations(m.network(uses_priorities=True)) == {}


@pytest.mark.parametrize(("value", "figures"), [(eq(Global("last"), 0), (20, 3)), (ex(1), (25, 10))])
def test_e12_p8_the_last_mover_is_part_of_the_state(value: Ref, figures: tuple[int, int]) -> None:
    m = Model()
    g = m.var("g")
    m.process("A", [let(g, 1), let(g, 2)])
    m.process("B", [let(g, 3), when(value), let(g, 4)])
    assert count(m.network(tracks_last=value != ex(1))) == figures


def test_e13_enabled() -> None:
    m = Model()
    g = m.var("g")
    m.process("A", [when(eq(g, 1)), let(g, 2)])
    m.process("B", [when(eq(Enabled(ex(0)), 0)), let(g, 1), when(Enabled(ex(0))), let(g, 3)])
    assert count(m.network()) == (18, 2)


def test_asking_for_oneself_is_an_error() -> None:
    m = Model()
    m.process("A", [when(Enabled(PID))])
    assert violations(m.network())["runtime-error"][0] == "a process asks whether it is enabled itself"


def test_progress_labels() -> None:
    m = Model()
    m.process("P", [SKIP, when(Global("no_progress"))], labels={2: "progress"})
    assert violations(m.network())["deadlock"][1] == 1


def test_remote_references() -> None:
    m = Model()
    x = local("P", "x", initial=7)
    m.process("P", [SKIP], [x])
    here = AtLocation("P", ex(0), "L", frozenset({0}))
    nobody = RemoteRef("P", ex(5), Ref(x))
    checks = [eq(RemoteRef("P", None, Ref(x)), 7), eq(nobody, 0), eq(RemoteRef("P", PID, Ref(x)), 0)]
    m.process("Q", [when(here), *(Assert(check) for check in checks)])
    assert "assertion" not in violations(m.network())
    assert count(m.network())[0] > 4


# --- processes


@pytest.mark.parametrize(("one_template", "figures"), [(False, (7, 2)), (True, (15, 10))])
def test_p1_only_the_youngest_is_removed(one_template: bool, figures: tuple[int, int]) -> None:
    m = Model()
    if one_template:
        m.process("A", [SKIP], active=3)
    else:
        m.process("A", [SKIP])
        m.process("B", [SKIP])
    assert count(m.network()) == figures


def test_p3_pids_are_reused() -> None:
    m = Model()
    g = m.var("g", hidden=True)
    m.process("B", [let(g, PID)], active=0)
    m.process(":init:", [run("B"), when(eq(COUNT, 1)), run("B"), when(eq(COUNT, 1)), let(g, 7)])
    assert count(m.network()) == (11, 0)


def test_p4_pids_follow_the_text() -> None:
    m = Model()
    m.process(":init:", [Assert(eq(PID, 0))])
    m.process("A", [Assert(eq(PID, 1))])
    m.process("B", [Assert(op(PID, ">", 1))], active=2)
    assert count(m.network()) == (31, 34)
    assert violations(m.network()) == {}


def test_p5_too_many_processes() -> None:
    m = Model()
    m.process("B", [when(0)], active=0)
    m.process(":init:", [Loop([[run("B")]])])
    network = m.network()
    assert count(network) == (255, 0)
    assert violations(network)["runtime-error"] == ("too many processes (at most 255)", 255)


def test_p7_channels_go_with_their_process() -> None:
    m = Model()
    g = m.var("g", hidden=True)
    q = local("B", "q", 0, CHANNEL, Channel("q", 1, (BYTE,)))
    m.process("B", [send(q, 1), let(g, op(g, "+", 1))], [q], active=0)
    m.process(":init:", [run("B"), when(eq(COUNT, 1)), run("B")])
    assert count(m.network()) == (11, 0)


def test_a_saved_channel_number_of_a_dead_process_is_an_error() -> None:
    m = Model()
    saved = m.var("saved", CHANNEL)
    q = local("B", "q", 0, CHANNEL, Channel("q", 1, (BYTE,)))
    m.process("B", [let(saved, q)], [q], active=0)
    m.process(":init:", [run("B"), when(op(saved, "!=", 0)), when(eq(COUNT, 1)), send(saved, 1)])
    assert violations(m.network())["runtime-error"][0] == "there is no channel with number 1"


def test_locals_are_initialised_in_order_from_parameters_and_globals() -> None:
    m = Model()
    g = m.var("g", initial=40)
    a, b = local("P", "a"), local("P", "b", 1)
    x = local("P", "x", 2, initial=op(op(a, "+", g), "+", PID))
    y = local("P", "y", 3, initial=op(x, "*", 2))
    m.process("P", [SKIP], [a, b, x, y], active=0, parameters=2)
    child = m.var("child")
    m.process(":init:", [run("P", 256 + 1, target=child), SKIP])
    space = NetworkSpace(m.network())
    (start,) = space.initial()
    after = space.fire(start, space.moves(start)[0]).state
    assert after is not None
    assert space.describe(after).values == {
        "g": "40",
        "child": "1",
        "P(1).a": "1",
        "P(1).b": "0",
        "P(1).x": "42",
        "P(1).y": "84",
    }


def test_a_final_location_is_a_valid_end_and_others_are_named() -> None:
    m = Model()
    q = m.chan("q", 1)
    m.process("Server", [Loop([[recv(q, None)]])], labels={0: "end"})
    assert violations(m.network()) == {}
    m.process("Client", [recv(q, 1)])
    assert violations(m.network())["deadlock"] == ("invalid end state: Client(1) at test waits", 0)
