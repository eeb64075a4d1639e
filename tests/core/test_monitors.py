"""Never claims and trace assertions beside the system: sheet 35, section 9."""

from __future__ import annotations

from clew.core.engines import Limits
from clew.core.expressions import Const
from clew.core.interpreter import claim_product, trace_product
from clew.core.network import Network
from clew.reference.search import breadth_first
from tests.core.build import BREAK, Atomic, Choice, Element, Loop, Model, eq, let, op, recv, send, when
from tests.core.counts import EVERYTHING, count, count_space


def counter(never: list[Element], atomic: bool = False) -> Network:
    m = Model()
    m.variables.append(G)
    body: list[Element] = [let(G, 1), let(G, 2), let(G, 3)]
    m.process("P", [Atomic(body), let(G, 4)] if atomic else body)
    m.monitor("never", never)
    return m.network()


G = Model().var("g")


def test_k1_the_claim_moves_first_and_may_block() -> None:
    network = counter([Loop([[when(op(G, "<", 3))], [when(eq(G, 9)), BREAK]])])
    assert count_space(claim_product(network, 0)) == (4, 0)
    assert count(network) == (5, 0)


def test_k2_the_claim_moves_alone_when_the_system_is_stuck() -> None:
    assert count_space(claim_product(counter([Loop([[when(Const(1))]])]), 0)) == (5, 1)


def test_k3_pairs_of_system_and_claim() -> None:
    m = Model()
    g = m.var("g")
    m.process("P", [Loop([[when(op(g, "<", 3)), let(g, op(g, "+", 1))], [when(eq(g, 3)), let(g, 0)]])])
    true = when(Const(1))
    m.monitor("never", [Loop([[true], [when(eq(g, 1)), BREAK]]), Loop([[true]])])
    assert count_space(claim_product(m.network(), 0)) == (16, 3)


def test_k5_the_claim_does_not_look_inside_atomic() -> None:
    network = counter([Loop([[when(op(G, "!=", 2))], [when(eq(G, 2)), BREAK]])], atomic=True)
    assert count_space(claim_product(network, 0)) == (4, 1)


def test_reaching_the_end_of_a_claim_is_a_violation() -> None:
    network = counter([Loop([[when(Const(1))], [when(eq(G, 2)), BREAK]])])
    found = breadth_first(claim_product(network, 0), EVERYTHING, Limits(), False)
    assert set(found.hits) == {("never", "")}
    assert [move.pid for move in found.hits["never", ""].path] == [-1, 0, -1, 0, -1]


def messages(kind: str, body: list[Element]) -> Network:
    m = Model()
    m.variables.append(Q)
    m.process("P", [Loop([[send(Q, 1), recv(Q, 1)], [send(Q, 2), recv(Q, 2)]])])
    m.monitor(kind, body)
    return m.network()


Q = Model().chan("q", 1)


def test_k7_a_trace_automaton_is_part_of_the_state() -> None:
    after_one = Choice([[send(Q, 1)], [send(Q, 2)]])
    network = messages("trace", [Loop([[send(Q, 1), after_one], [send(Q, 2)]])])
    space = trace_product(network, 0)
    assert count_space(space) == (5, 3)
    assert breadth_first(space, EVERYTHING, Limits(), True).hits == {}


def test_a_message_the_trace_does_not_allow() -> None:
    space = trace_product(messages("trace", [Loop([[send(Q, 1)], [recv(Q, 2)]])]), 0)
    hits = breadth_first(space, EVERYTHING, Limits(), False).hits
    assert hits["trace", ""].violation.message == "the trace assertion does not allow this send"
    assert len(hits["trace", ""].path) == 1


def test_a_notrace_that_completes() -> None:
    space = trace_product(messages("notrace", [send(Q, 2), send(Q, 1)]), 0)
    hits = breadth_first(space, EVERYTHING, Limits(), False).hits
    assert hits["trace", ""].violation.message == "the notrace assertion was matched to its end"
    assert len(hits["trace", ""].path) == 3
