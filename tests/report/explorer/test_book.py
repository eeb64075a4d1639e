"""States on demand and graphs of them, against the search of the reference engine and against replay."""

from __future__ import annotations

import pytest

from clew import check, count
from clew.core.interpreter import NetworkSpace
from clew.core.replay import replay
from clew.host.checking import ModelOptions, load_text
from clew.report.explorer.book import StateBook
from clew.report.explorer.graphs import Graphs, Growth, by_process, colours
from clew.report.explorer.layouts import by_forces, distances, layered
from clew.report.explorer.requests import BadRequest
from clew.report.explorer.subject import Subject

LOCK = """
byte inside; bool busy;
active [2] proctype user() {
  do :: !busy -> busy = true; inside++; assert(inside == 1); inside--; busy = false od
}
ltl alone { [] (inside < 2) }
"""


def subject(text: str = LOCK, name: str = "lock.pml") -> Subject:
    model = load_text(name, text, ModelOptions())
    return Subject(model, dict(model.files), name)


def test_growing_in_slices_finds_the_states_that_the_engine_counts() -> None:
    found = subject()
    growth = Growth(found.book)
    while growth.grow(10_000, seconds=0.0):
        pass
    assert growth.complete
    assert len(growth.order) == count("lock.pml", text=LOCK, engine="reference").statistics.states


def test_slices_do_not_change_the_order() -> None:
    at_once, in_slices = Growth(subject().book), Growth(subject().book)
    at_once.grow(10_000, seconds=60)
    while in_slices.grow(10_000, seconds=0.0):
        pass
    assert at_once.order == in_slices.order


def test_a_walk_is_a_run_of_the_system() -> None:
    found = subject()
    trace = found.walk_trace(0, [0, 0, 0])
    model = load_text("lock.pml", LOCK, ModelOptions())
    assert replay(model.network, trace) == trace


def test_a_path_leads_to_its_state() -> None:
    found = subject()
    growth = Growth(found.book)
    growth.grow(10_000, seconds=60)
    for number in growth.order:
        start, choices = found.book.path_to(number)
        assert found.book.walk(start, choices)[-1] == number


def test_a_counterexample_is_found_as_a_walk() -> None:
    checked = check("lock.pml", text=LOCK, properties=["assertions"], engine="reference")
    trace = checked.trace.trace
    found = subject()
    place = found.along(trace, len(trace) - 1)
    here = found.walk(place["start"], place["choices"], ["inside"])
    assert here["watches"][0]["value"] == "2"
    wrong = [offer for offer in here["state"]["offers"] if offer["trouble"]]
    assert "assertion violated" in wrong[0]["trouble"][0]


def test_conditions_of_formulas_are_judged_in_each_state() -> None:
    (shown,) = subject().walk(0, [], [])["state"]["properties"]
    assert (shown["text"].replace("(", "").replace(")", ""), shown["holds"]) == ("inside < 2", True)


@pytest.mark.parametrize(("start", "choices"), [(0, [9]), (0, [-1]), (99, []), (-1, []), (0, [0] * 6000)])
def test_walks_that_do_not_exist_are_refused(start: int, choices: list[int]) -> None:
    with pytest.raises(BadRequest):
        subject().walk(start, choices, [])


def test_a_quotient_has_a_class_for_each_value_and_all_states() -> None:
    found = subject()
    growth = Growth(found.book)
    growth.grow(10_000, seconds=60)
    drawn = Graphs(found.book).of_classes(growth.order, by_process(found.book, "user(0)"), "layered")
    assert sum(node["size"] for node in drawn["nodes"]) == len(growth.order)
    places = {found.book.describe(n).processes[0].location for n in growth.order}
    assert len(drawn["nodes"]) == len(places)


def test_edges_of_the_graph_are_the_steps() -> None:
    found = subject()
    growth = Growth(found.book)
    growth.grow(10_000, seconds=60)
    drawn = Graphs(found.book).of_states(growth.order, "layered")
    steps = {
        (state, offer.target)
        for state in growth.order
        for offer in found.book.offers(state)
        if offer.target is not None
    }
    states = [node["states"][0] for node in drawn["nodes"]]
    assert {(states[edge["from"]], states[edge["to"]]) for edge in drawn["edges"]} == steps


def test_rare_values_share_a_colour() -> None:
    legend, found = colours(range(20), lambda number: str(min(number, 11)))
    assert legend[-1] == "11"
    assert len(legend) == 7
    assert found[19] == 7
    assert 0 in found.values()


def test_layers_are_distances() -> None:
    edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)]
    assert distances(5, edges, [0]) == [0, 1, 1, 2, 3]
    points = layered(5, edges, [0])
    assert points[0][1] < points[1][1] == points[2][1] < points[3][1] < points[4][1]


@pytest.mark.parametrize("arrange", [layered, by_forces])
def test_no_two_nodes_are_at_the_same_place(arrange) -> None:  # type: ignore[no-untyped-def]
    edges = [(n, (n * 7 + 3) % 400) for n in range(400)] + [(n, n + 1) for n in range(399)]
    points = arrange(400, edges, [0])
    assert len({(round(x, 1), round(y, 1)) for x, y in points}) == 400
    assert points == arrange(400, edges, [0])


def test_an_empty_graph_is_drawn() -> None:
    assert layered(0, [], []) == by_forces(0, [], []) == []


def test_states_have_numbers_in_the_order_they_are_found() -> None:
    model = load_text("lock.pml", LOCK, ModelOptions())
    book = StateBook(NetworkSpace(model.network))
    assert book.initial == (0,)
    assert [offer.target for offer in book.offers(0)] == [1, 2]
