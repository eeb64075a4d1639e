"""Graphs: DOT, AUT, JSON, SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from clew.report.graphs.figure import Edge, Graph, Node
from clew.report.graphs.labels import CHARACTER, HEIGHT, Places
from clew.report.graphs.layout import Box
from clew.report.graphs.svg import svg
from clew.report.graphs.writers import aut, dot, graph_json

GRAPH = Graph(
    'the "loop"',
    (
        Node(("0", "x = 0"), initial=True, key=(("x", "0"),)),
        Node(("1", "x < 2 & y"), kind="transient"),
        Node(("2",), kind="end"),
        Node(("✗ division by zero",), kind="error"),
    ),
    (
        Edge(0, 1, 'p(0): printf("hi\\n")'),
        Edge(1, 0, "p(0): x--"),
        Edge(1, 1, "p(0): skip"),
        Edge(1, 2, "p(0): a"),
        Edge(1, 2, "p(0): b", preferred=False),
        Edge(0, 3, "p(0): x/0", error=True),
    ),
)
TWO = Graph("two", (Node(("0",), True, group="a"), Node(("0",), True, group="b<c>")), ())


def test_dot_marks_initial_end_error_and_transient_states() -> None:
    text = dot(GRAPH)
    assert text.startswith('digraph "the \\"loop\\"" {\n')
    assert '  0 [label="0\\nx = 0"];\n  start0 [shape=point]; start0 -> 0;\n' in text
    assert '  1 [label="1\\nx < 2 & y", style="rounded,dashed"' in text
    assert '  2 [label="2", peripheries=2];' in text
    assert '  3 [label="✗ division by zero", color="#c62828"' in text
    assert '  0 -> 1 [label="p(0): printf(\\"hi\\\\n\\")"];' in text
    assert '  1 -> 2 [label="p(0): b", style=dashed];' in text
    assert '  0 -> 3 [label="p(0): x/0", color="#c62828"' in text


def test_dot_puts_each_group_into_a_cluster() -> None:
    assert dot(TWO).count("subgraph cluster_") == 2


def test_aut() -> None:
    lines = aut(GRAPH).splitlines()
    assert lines[:3] == ["des (0, 6, 4)", "(0, \"p(0): printf('hi\\n')\", 1)", '(1, "p(0): x--", 0)']


def test_aut_needs_one_initial_state() -> None:
    with pytest.raises(ValueError, match="one initial state, this graph has 2"):
        aut(TWO)


def test_json() -> None:
    data = graph_json(GRAPH)
    assert data["nodes"][0] == {
        "id": 0,
        "label": "0\nx = 0",
        "initial": True,
        "kind": "plain",
        "group": "",
        "values": {"x": "0"},
    }
    assert data["edges"][5]["error"] is True


@pytest.mark.parametrize("graph", [GRAPH, TWO], ids=["one", "two"])
def test_svg_is_well_formed_and_shows_everything_inside_the_picture(graph: Graph) -> None:
    pytest.importorskip("igraph")
    picture = ElementTree.fromstring(svg(graph))
    name = "{http://www.w3.org/2000/svg}"
    assert len([g for g in picture.iter(f"{name}g") if "node" in g.get("class", "")]) == len(graph.nodes)
    assert len([g for g in picture.iter(f"{name}g") if "edge" in g.get("class", "")]) == len(graph.edges)
    width, height = float(picture.get("width", 0)), float(picture.get("height", 0))
    for box in picture.iter(f"{name}rect"):
        assert 0 <= float(box.get("x", 0)) + 40 <= width
        assert 0 <= float(box.get("y", 0)) + 40 <= height


def test_svg_is_the_same_every_time() -> None:
    pytest.importorskip("igraph")
    assert svg(GRAPH) == svg(GRAPH)


def test_labels_of_edges_are_apart_from_each_other_and_from_nodes() -> None:
    places = Places([Box(100.0, 100.0, 60.0, 40.0)], 4)
    text = "P(0): x = x + 1"
    first, second = places.place(text, 200.0, 100.0), places.place(text, 210.0, 102.0)
    assert first == (200.0, 100.0)
    assert abs(second[1] - first[1]) >= HEIGHT  # a line higher or lower
    left, base = places.place(text, 60.0, 100.0)  # it would end below the node
    assert left + CHARACTER * len(text) <= 70.0 or left >= 130.0 or base < 80.0 or base - HEIGHT > 120.0


def test_where_nothing_is_free_a_label_stays_where_it_belongs() -> None:
    assert Places([Box(0.0, 0.0, 900.0, 900.0)], 1).place("x", 10.0, 10.0) == (10.0, 10.0)
    crowded = Places([], 10_000)
    assert crowded.place("x", 10.0, 10.0) == crowded.place("x", 10.0, 10.0)
