"""Atomic sequences and handshakes. Figures `stored, matched` are Spin's, from sheet 35, sections 4 and 5."""

from __future__ import annotations

import pytest

from clew.core.interpreter import NetworkSpace
from clew.core.network import Network
from clew.core.types import BYTE
from tests.core.build import (
    BREAK,
    ELSE,
    SKIP,
    TIMEOUT,
    Atomic,
    Choice,
    Element,
    Loop,
    Model,
    d_step,
    eq,
    let,
    local,
    op,
    recv,
    run,
    send,
    when,
)
from tests.core.counts import count, violations


def g_model(body: list[Element], hidden: bool = True) -> Network:
    """A process over one global: `G`, or `G_HIDDEN` if nothing reads it."""
    m = Model()
    m.variables.append(G_HIDDEN if hidden else G)
    m.process("P", body)
    return m.network()


G = Model().var("g")
G_HIDDEN = Model().var("g", hidden=True)


def test_g1_a_skip_and_the_removal_are_steps() -> None:
    assert count(g_model([SKIP])) == (3, 0)


def test_a1_states_inside_atomic_are_not_counted() -> None:
    g = G_HIDDEN
    assert count(g_model([Atomic([let(g, 1), let(g, 2), let(g, 3)]), let(g, 4)])) == (4, 0)


@pytest.mark.parametrize(
    ("first", "figures"),
    [(["g=1", "h==1", "g=2"], (11, 4)), (["h==1", "g=1", "g=2"], (8, 2))],
    ids=["A3 blocks inside and loses the right", "A4 blocks in front"],
)
def test_a3_a4_loss_of_the_right(first: list[str], figures: tuple[int, int]) -> None:
    m = Model()
    g, h = m.var("g", hidden=True), m.var("h")
    made: dict[str, Element] = {"g=1": let(g, 1), "h==1": when(eq(h, 1)), "g=2": let(g, 2)}
    m.process("P", [Atomic([made[text] for text in first]), let(g, 4)])
    m.process("Q", [let(h, 1)])
    assert count(m.network()) == figures


def test_a5_d_step_is_one_step_and_takes_the_first_alternative() -> None:
    g = G_HIDDEN
    assert count(g_model([d_step(let(g, 1), let(g, 2), let(g, 3)), let(g, 4)])) == (4, 0)


def test_a7_alternatives_inside_atomic_are_walked_as_a_tree() -> None:
    g = G
    body: list[Element] = [Atomic([Choice([[let(g, 1)], [let(g, 2)], [let(g, 3)]]), let(g, op(g, "+", 1))]), let(g, 0)]
    assert count(g_model(body, hidden=False)) == (6, 2)


def test_a11_two_walks_to_one_state_are_a_match() -> None:
    g = G_HIDDEN
    assert count(g_model([Atomic([let(g, 1), Choice([[let(g, 2)], [let(g, 3)]])]), let(g, 4)])) == (4, 1)


def test_a12_a_loop_that_ends_inside_atomic() -> None:
    g = G
    loop = Loop([[when(op(g, "<", 3)), let(g, op(g, "+", 1))], [ELSE, BREAK]])
    assert count(g_model([Atomic([let(g, 1), loop]), let(g, 4)], hidden=False)) == (4, 0)


@pytest.mark.parametrize(("atomic", "figures"), [(True, (9, 2)), (False, (12, 4))])
def test_a13_creation_inside_atomic(atomic: bool, figures: tuple[int, int]) -> None:
    m = Model()
    g = m.var("g", hidden=True)
    m.process("Q", [let(g, 1)], active=0)
    both: list[Element] = [run("Q"), run("Q")]
    m.process(":init:", [Atomic(both)] if atomic else both)
    assert count(m.network()) == figures


def test_a14_timeout_inside_atomic_lets_others_move_first() -> None:
    m = Model()
    g = m.var("g")
    m.process("P", [Atomic([let(g, 1), when(TIMEOUT), let(g, 2)])])
    m.process("Q", [when(eq(g, 1)), let(g, 5)])
    assert count(m.network()) == (7, 0)


def test_a_hidden_variable_still_tells_walks_apart_inside_atomic() -> None:
    m = Model()
    g, h = m.var("g"), m.var("h", hidden=True)
    m.process("P", [Atomic([Choice([[let(h, 1)], [let(h, 2)]]), let(g, h)])])
    assert count(m.network()) == (5, 0)


def test_a_loop_inside_atomic_is_walked_once() -> None:
    g = G
    space = NetworkSpace(g_model([Atomic([Loop([[let(g, 1)], [let(g, 2)], [BREAK]])])], hidden=False))
    assert count(space.network)[0] == 1 + 3 * 2


# --- handshakes


def test_r1_a_handshake_is_one_step() -> None:
    m = Model()
    q, g = m.chan("q", 0), m.var("g", hidden=True)
    x = local("R", "x")
    m.process("S", [send(q, 1), send(q, 2)])
    m.process("R", [recv(q, x), recv(q, x), let(g, x)], [x])
    assert count(m.network()) == (6, 0)


@pytest.mark.parametrize(
    ("sender_atomic", "receiver_atomic", "figures"),
    [(True, False, (10, 3)), (False, True, (8, 2)), (True, True, (6, 1))],
    ids=["R2", "R3a", "R3b"],
)
def test_r2_r3_control_passes_to_the_receiver(
    sender_atomic: bool, receiver_atomic: bool, figures: tuple[int, int]
) -> None:
    m = Model()
    q, g, h = m.chan("q", 0), m.var("g", hidden=True), m.var("h", hidden=True)
    sender: list[Element] = [send(q, 1), let(g, 2), let(g, 3)]
    m.process("S", [Atomic([let(g, 1), *sender])] if sender_atomic else sender)
    receiver: list[Element] = [recv(q, None), let(h, 1), let(h, 2)]
    m.process("R", [Atomic(receiver)] if receiver_atomic else receiver)
    assert count(m.network()) == figures


@pytest.mark.parametrize(("with_receiver", "figures"), [(True, (6, 1)), (False, (4, 0))])
def test_r4_else_beside_a_handshake(with_receiver: bool, figures: tuple[int, int]) -> None:
    m = Model()
    q, g = m.chan("q", 0), m.var("g", hidden=True)
    m.process("S", [Choice([[send(q, 1), let(g, 1)], [ELSE, let(g, 2)]])])
    if with_receiver:
        m.process("R", [recv(q, None)])
    assert count(m.network()) == figures


def test_r6_an_offer_nobody_takes_does_not_stop_a_timeout() -> None:
    m = Model()
    q, g = m.chan("q", 0), m.var("g", hidden=True)
    m.process("S", [send(q, 1)])
    m.process("R", [when(TIMEOUT), let(g, 1), recv(q, None)])
    assert count(m.network()) == (6, 0)


def test_r7_the_message_must_match() -> None:
    m = Model()
    q, g = m.chan("q", 0), m.var("g", hidden=True)
    m.process("S", [Choice([[send(q, 1)], [send(q, 2)]]), let(g, 1)])
    m.process("R", [recv(q, 2), let(g, 2)])
    assert count(m.network()) == (8, 2)


def test_r8_a_send_waits_for_its_receiver() -> None:
    m = Model()
    q, g = m.chan("q", 0), m.var("g")
    m.process("S", [send(q, 1)])
    m.process("R", [let(g, 1), let(g, 2), let(g, 3), recv(q, None)])
    assert count(m.network()) == (7, 0)


def test_r9_a_d_step_may_begin_with_the_receive() -> None:
    m = Model()
    q, g = m.chan("q", 0), m.var("g")
    x = local("R", "x")
    m.process("S", [send(q, 1)])
    m.process("R", [d_step(recv(q, x), let(g, x), let(g, op(g, "+", 1)))], [x])
    network = m.network()
    assert count(network) == (4, 0)
    space = NetworkSpace(network)
    (start,) = space.initial()
    (move,) = space.moves(start)
    after = space.fire(start, move).state
    assert after is not None
    assert space.describe(after).values["g"] == "2"


def test_r10_never_with_itself() -> None:
    m = Model()
    q = m.chan("q", 0)
    m.process("S", [Loop([[send(q, 1)], [recv(q, None)]])])
    assert count(m.network()) == (1, 0)


def test_every_receiver_that_matches_is_a_successor() -> None:
    m = Model()
    q = m.chan("q", 0)
    m.process("S", [send(q, 1)])
    m.process("R", [recv(q, None)], active=2)
    space = NetworkSpace(m.network())
    (start,) = space.initial()
    assert [move.partner for move in space.moves(start)] == [2, 1]


def test_a_handshake_send_in_a_d_step_is_an_error() -> None:
    m = Model()
    q = m.chan("q", 0)
    m.process("S", [d_step(send(q, 1), SKIP)])
    m.process("R", [recv(q, None)])
    assert violations(m.network())["runtime-error"] == ("a handshake inside an indivisible sequence", 1)


def test_blocking_inside_a_d_step_is_an_error() -> None:
    g = G
    found = violations(g_model([SKIP, d_step(let(g, 1), when(eq(g, 2)))], hidden=False))
    assert found["runtime-error"] == ("block in d_step: no alternative can be executed", 2)


def test_the_message_is_cut_to_the_field_before_it_is_matched() -> None:
    m = Model()
    q = m.chan("q", 0, BYTE)
    x = m.var("x")
    m.process("S", [send(q, 256 + 7)])
    m.process("R", [recv(q, 7), let(x, 1)])
    assert count(m.network())[0] == 5
