"""Pictures of graphs: items of a row keep their order, do not overlap, and stand near what they are joined with."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clew.report.graphs.figure import Edge, Graph, Node
from clew.report.graphs.layout import layout
from clew.report.graphs.rows import across


def test_one_below_two_stands_in_the_middle() -> None:
    places = across([[0, 1], [2]], [(0, 2), (1, 2)], [10, 30, 10])
    assert places[1] - places[0] == 20  # half of each
    assert places[2] == (places[0] + places[1]) / 2


@given(st.integers(1, 6), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_nothing_overlaps_and_the_order_stays(count: int, pairs: list[tuple[int, int]]) -> None:
    rows = [list(range(count)), list(range(count, 6))]
    joined = [(one, other) for one, other in pairs if one < count <= other]
    widths = [10.0 * (item + 1) for item in range(6)]
    places = across(rows, joined, widths)
    for row in rows:
        for one, other in pairwise(row):
            assert places[other] - places[one] >= (widths[one] + widths[other]) / 2 - 1e-6


def test_a_wide_layer_is_folded() -> None:
    """One state with a hundred successors, each with a label of 10 letters: no wider than some 25 of them."""
    nodes = (Node(("0",), initial=True), *(Node((f"successor {n}",)) for n in range(100)))
    graph = Graph("fan", nodes, tuple(Edge(0, n, f"{n}") for n in range(1, 101)))
    plan = layout(graph)
    assert plan.width < 25 * 140
    places = [(box.x, box.y) for box in plan.boxes]
    assert len(set(places)) == len(places)
