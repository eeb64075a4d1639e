"""Graphs given arc by arc as models of the runtime: one program for all of them, which reads them from a file."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import IO

from clew.explicit.program import FLAGS, RUNTIME
from clew.host.compiler import build
from clew.logic.marked_graphs import MOST_CONDITIONS, MarkedGraph

SOURCE = '#include "graph_model.h"\n'


def graph_program(flags: tuple[str, ...] = FLAGS) -> Path:
    """The program that checks graphs. Raises CompilerError."""
    return build(SOURCE, RUNTIME, flags)


def write_graphs(file: IO[bytes], graphs: Iterable[MarkedGraph]) -> None:
    """The graphs in the form that the program reads. Raises ValueError if one has too many conditions."""
    for graph in graphs:
        if graph.conditions > MOST_CONDITIONS:
            raise ValueError(f"a graph has {graph.conditions} acceptance conditions; {MOST_CONDITIONS} is the most")
        starts = [0, *accumulate(map(len, graph.arcs))]
        words = array("Q", [len(graph.arcs), graph.conditions, starts[-1], graph.initial])
        words.extend(starts)
        words.extend(word for arcs in graph.arcs for arc in arcs for word in arc)
        file.write(words.tobytes())
