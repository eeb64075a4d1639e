"""Clew as a library: the same checks as the command line, with results as objects.

Bad input raises `clew.InputError`, whose `diagnostics` say what is wrong and where. Nothing is written to disk.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from clew.core.engines import Limits, Search
from clew.core.results import Decision, Result, Statistics, Verdict
from clew.core.temporal import Ends, Fairness
from clew.core.traces import Trace, TraceStep, trace_to_json
from clew.host.checking import (
    CheckOptions,
    ModelOptions,
    check_model,
    count_model,
    formulas_in,
    load_model,
    load_text,
)
from clew.host.spaces import drawn_space
from clew.report.chart_text import chart_text
from clew.report.graphs.figure import Graph
from clew.report.graphs.state_graph import state_graph
from clew.report.graphs.writers import dot
from clew.report.mermaid import mermaid
from clew.report.plantuml import plantuml
from clew.report.result_json import overall_verdict, result_json
from clew.report.result_text import check_text, count_text
from clew.report.sequence import sequence_chart
from clew.report.trace_text import TraceOptions, trace_text


class Counterexample:
    """A run of the system that shows what is wrong. Prints as text; renders in notebooks."""

    def __init__(self, trace: Trace, sources: Mapping[str, str]) -> None:
        self.trace = trace
        self.sources = sources

    @property
    def steps(self) -> tuple[TraceStep, ...]:
        return self.trace.steps

    def __len__(self) -> int:
        return len(self.trace)

    def text(self, full: bool = False) -> str:
        """One line per step and what it changed; `full` gives all variables after each step."""
        return trace_text(self.trace, sources=self.sources, options=TraceOptions(full=full))

    def show(self, full: bool = False) -> None:
        print(self.text(full))

    def chart(self) -> str:
        """A sequence chart drawn in text."""
        return chart_text(sequence_chart(self.trace))

    def mermaid(self) -> str:
        return mermaid(sequence_chart(self.trace))

    def plantuml(self) -> str:
        return plantuml(sequence_chart(self.trace))

    def to_json(self) -> dict[str, Any]:
        """The `clew.trace/1` object."""
        return trace_to_json(self.trace)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Counterexample: {len(self)} steps, {self.trace.reason or 'no reason given'}>"

    def _repr_html_(self) -> str:
        return _preformatted(self.text())


class NotHolding(AssertionError):
    """Not everything was proved; the text is the whole answer, with the counterexample."""


class Checked:
    """What a check or a count found out. Prints as the command line does; renders in notebooks."""

    def __init__(self, result: Result, sources: Mapping[str, str]) -> None:
        self.result = result
        self.sources = sources

    @property
    def verdict(self) -> Verdict:
        return overall_verdict(self.result)

    @property
    def holds(self) -> bool:
        """Whether everything was proved: false for `unknown`, too."""
        return self.verdict == "holds"

    def must_hold(self) -> Checked:
        """Itself if everything was proved. Else raises NotHolding: what a test prints when it fails is the answer."""
        __tracebackhide__ = True
        if not self.holds:
            raise NotHolding(self.text())
        return self

    @property
    def properties(self) -> tuple[Decision, ...]:
        return self.result.decisions

    @property
    def statistics(self) -> Statistics:
        return self.result.statistics

    @property
    def traces(self) -> tuple[Counterexample, ...]:
        """The counterexamples, in the order of the properties."""
        return tuple(Counterexample(d.trace, self.sources) for d in self.result.decisions if d.trace is not None)

    @property
    def trace(self) -> Counterexample:
        """The first counterexample. Raises LookupError if nothing is violated."""
        if not self.traces:
            raise LookupError(f"{self.result.model}: {self.verdict}, there is no counterexample")
        return self.traces[0]

    def text(self) -> str:
        show = check_text if self.result.decisions else count_text
        return show(self.result, sources=self.sources)

    def show(self) -> None:
        print(self.text())

    def to_json(self) -> dict[str, Any]:
        """The `clew.result/1` object."""
        return result_json(self.result)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Checked {self.result.model}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return _preformatted(self.text())


def check(
    path: str | PathLike[str],
    *,
    text: str | None = None,
    properties: Sequence[str] = (),
    engine: str = "auto",
    search: Search = "bfs",
    keep_going: bool = False,
    max_states: int | None = None,
    max_depth: int | None = None,
    max_memory: int | None = None,
    max_time: float | None = None,
    language: str | None = None,
    defines: Mapping[str, object] | None = None,
    include: Sequence[str] = (),
    granularity: str = "default",
    ends: Ends | None = None,
    fair: Fairness = "none",
    algorithm: str | None = None,
    store: str = "auto",
    hunt: str = "",
    seed: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    swarm: str = "",
    reduce: str = "auto",
) -> Checked:
    """Checks a model file (or `text`, which then goes by the name `path`). Memory in bytes, time in seconds. `store`,
    `hunt`, `seed`, `cluster`, `swarm`, `reduce`: as on the command line.

    Raises InputError for bad input. A limit that is hit, or Ctrl-C, gives a partial result (`unknown`)."""
    model_options = _model_options(language, defines, include, granularity)
    model_options = replace(
        model_options,
        formulas=formulas_in(properties),
        patterns=formulas_in(properties, "pattern"),
        branching=formulas_in(properties, "ctl"),
        goals=formulas_in(properties, "reach"),
        monitors=formulas_in(properties, "monitor"),
    )
    limits = Limits(max_states, max_depth, max_memory, max_time)
    options = CheckOptions(
        engine,
        tuple(properties),
        search,
        keep_going,
        limits,
        seed,
        workers,
        store,
        ends=ends,
        fair=fair,
        algorithm=algorithm,
        hunt=hunt,
        cluster=cluster,
        swarm=swarm,
        reduce=reduce,
    )
    name = fspath(path)
    model = load_model(name, model_options) if text is None else load_text(name, text, model_options)
    return Checked(check_model(model, model_options, options), dict(model.files))


def count(
    path: str | PathLike[str],
    *,
    text: str | None = None,
    engine: str = "auto",
    search: Search = "bfs",
    max_states: int | None = None,
    max_depth: int | None = None,
    max_memory: int | None = None,
    max_time: float | None = None,
    language: str | None = None,
    defines: Mapping[str, object] | None = None,
    include: Sequence[str] = (),
    granularity: str = "default",
    reduce: str = "none",
) -> Checked:
    """Explores the full state space of a model and decides nothing; see `statistics`. Arguments as for `check`."""
    model_options = _model_options(language, defines, include, granularity)
    limits = Limits(max_states, max_depth, max_memory, max_time)
    options = CheckOptions(engine, search=search, limits=limits, reduce=reduce)
    name = fspath(path)
    if text is None:
        model = load_model(name, model_options, counting=True)
    else:
        model = load_text(name, text, model_options, counting=True)
    return Checked(count_model(model, model_options, options), dict(model.files))


class Drawing:
    """A graph to look at. Renders in notebooks."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def dot(self) -> str:
        return dot(self.graph)

    def svg(self) -> str:
        from clew.report.graphs.svg import svg

        return svg(self.graph)

    def _repr_svg_(self) -> str:
        return self.svg()


def graph(
    path: str | PathLike[str],
    *,
    text: str | None = None,
    reduce: str = "none",
    max_states: int = 200,
    language: str | None = None,
    defines: Mapping[str, object] | None = None,
) -> Drawing:
    """The state graph of a model; `reduce="symmetry"` draws states up to isomorphism. Raises InputError, and
    TooManyStates beyond `max_states`."""
    model_options = _model_options(language, defines, (), "default")
    name = fspath(path)
    model = load_model(name, model_options) if text is None else load_text(name, text, model_options)
    return Drawing(state_graph(drawn_space(model, reduce), model.name, max_states))


def _model_options(
    language: str | None, defines: Mapping[str, object] | None, include: Sequence[str], granularity: str
) -> ModelOptions:
    values = {name: str(value) for name, value in (defines or {}).items()}
    return ModelOptions(language, values, tuple(include), granularity)


def _preformatted(text: str) -> str:
    """In columns, whatever font the notebook gives to results."""
    return f'<pre style="font-family: monospace">{html.escape(text)}</pre>'
