"""What is being explored: a model as it was read at one moment, and everything that is known of it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from clew.core.diagnostics import InputError
from clew.core.network import Network
from clew.core.registry import LoadedModel
from clew.core.replay import write_down
from clew.core.traces import Trace, trace_to_json
from clew.host.checking import ModelOptions, load_model, main_file
from clew.host.runs import Run
from clew.host.saved_models import load_saved_model
from clew.host.saved_traces import SavedTrace, is_witness
from clew.host.sources import read_source
from clew.host.spaces import reference_space
from clew.report.explorer.book import StateBook
from clew.report.explorer.graphs import Arrangement, Classify, Graphs, Growth, by_process, colours, together
from clew.report.explorer.propositions import state_properties
from clew.report.explorer.requests import BadRequest
from clew.report.explorer.state_json import StateWriter
from clew.report.explorer.watching import Expression, WatchError, read_expression, symbols_in
from clew.report.graphs.automata import automata
from clew.report.graphs.figure import Graph
from clew.report.graphs.layout import layout
from clew.report.inline_page import trace_page
from clew.report.mermaid import mermaid
from clew.report.plantuml import plantuml
from clew.report.sequence import sequence_chart
from clew.report.trace_text import short_names
from clew.report.trace_view import About, Watch, trace_view, watch_json

MOST_STATES = 20_000  # explored for a graph; the reference interpreter does this in a few seconds
MOST_DRAWN = 2_500  # nodes in one picture
LONGEST_WALK = 5_000


class NoSpace(Exception):
    """The states of this model cannot be walked through; says why."""


class Subject:
    """A model and its state space. Read anew it is another subject. Without a model only `texts` are known."""

    def __init__(self, model: LoadedModel | None, texts: Mapping[str, str], title: str) -> None:
        self.model = model
        self.texts = dict(texts)
        self.title = title
        self.why_no_space = "" if model is not None else "the model of this trace is not known"
        self._book: StateBook | None = None
        self._growth: Growth | None = None
        if model is not None:
            try:
                self._book = StateBook(reference_space(model))
            except InputError as error:
                self.why_no_space = "; ".join(one.message for one in error.diagnostics)
        places = {name: number for number, name in enumerate(self.texts)}
        if self._book is not None and model is not None:
            everything = (*model.properties, *model.further)
            self.properties = state_properties(model.view, self._book.space, everything)
            self._writer = StateWriter(self._book, self.properties, places)

    @classmethod
    def of_file(cls, path: str, options: ModelOptions) -> Subject:
        """Raises InputError."""
        model = load_model(path, options)
        return cls(model, dict(model.files), main_file(model))

    @classmethod
    def of_run(cls, run: Run) -> Subject:
        """From the texts saved in it. Raises InputError."""
        model = load_saved_model(run)
        return cls(model, dict(model.files), str(run.options().get("model") or main_file(model)))

    def edited(self) -> list[str]:
        """The files that are no longer as they were read."""
        found = []
        for name, text in self.texts.items():
            try:
                if read_source(name) != text:
                    found.append(name)
            except InputError:
                found.append(name)
        return found

    def files_json(self) -> list[dict[str, str]]:
        short = short_names(self.texts)
        return [{"name": name, "short": short[name], "text": text} for name, text in self.texts.items()]

    @property
    def book(self) -> StateBook:
        """Raises NoSpace."""
        if self._book is None:
            raise NoSpace(self.why_no_space)
        return self._book

    @property
    def has_space(self) -> bool:
        return self._book is not None

    @property
    def is_network(self) -> bool:
        return self.model is not None and isinstance(self.model.view, Network)

    # --- states

    def walk(self, start: int, choices: Sequence[int], watches: Sequence[str]) -> dict[str, Any]:
        """The way to a state, and the state. Raises BadRequest, NoSpace."""
        book = self.book
        with book.lock:
            self._check_walk(start, choices)
            states = book.walk(start, choices)
            steps = [
                {**self._writer.step(book.step(state, choice)), "state": after, "choice": choice}
                for state, choice, after in zip(states, choices, states[1:], strict=False)
            ]
            number = states[-1]
            here = self._writer.state(number, states[-2] if len(states) > 1 else None)
            values = book.describe(number).values
            return {
                "start": start,
                "states": states,
                "steps": steps,
                "state": here,
                "watches": [self._watched(text, values) for text in watches],
                "initial": list(book.initial),
                "more_initial": book.more_initial,
            }

    def _check_walk(self, start: int, choices: Sequence[int]) -> None:
        if not 0 <= start < len(self.book):
            raise BadRequest(f"there is no state {start}")
        if len(choices) > LONGEST_WALK:
            raise BadRequest(f"a walk has at most {LONGEST_WALK} steps")

    def path_to(self, number: int) -> dict[str, Any]:
        """A walk that leads to a state. Raises BadRequest, NoSpace."""
        with self.book.lock:
            self._check_walk(number, ())
            start, choices = self.book.path_to(number)
        return {"start": start, "choices": list(choices)}

    def walk_trace(self, start: int, choices: Sequence[int]) -> Trace:
        """A walk as a trace. Raises BadRequest, NoSpace."""
        book = self.book
        with book.lock:
            self._check_walk(start, choices)
            states = book.walk(start, choices)
            moves = [book.offer(state, choice).move for state, choice in zip(states, choices, strict=False)]
            trouble = "; ".join(book.trouble(states[-1]))
            return write_down(book.space, book.state(start), moves, trouble)

    def along(self, trace: Trace, position: int) -> dict[str, Any]:
        """The walk that a trace makes in its first steps. Raises BadRequest, NoSpace."""
        with self.book.lock:
            found = self.book.along(trace)
        if found is None:
            raise BadRequest("this trace is not a run of the model as it is now")
        start, choices = found
        taken = sum(1 for step in trace.steps[:position] if step.pid >= 0)
        return {"start": start, "choices": choices[:taken]}

    # --- expressions

    def expression(self, text: str, names: Sequence[str], values: Sequence[str]) -> Expression:
        """Raises WatchError."""
        if len(text) > 2000:
            raise WatchError("too long")
        return read_expression(text, names, symbols_in(values))

    def _watched(self, text: str, values: Mapping[str, str]) -> dict[str, str]:
        try:
            found = self.expression(text, [*self._names()], [*values.values(), *self._symbols()])
        except WatchError as reason:
            return {"text": text, "value": "", "error": str(reason)}
        return {"text": text, "value": found.shown(values), "error": ""}

    def _names(self) -> list[str]:
        """The names of all variables seen so far, in some first states."""
        book = self.book
        sample = range(min(len(book), 200))
        return list(dict.fromkeys(name for number in sample for name in book.describe(number).values))

    def _symbols(self) -> list[str]:
        book = self.book
        return [text for number in range(min(len(book), 200)) for text in book.describe(number).values.values()]

    def watch_along(self, trace: Trace, text: str) -> dict[str, Any]:
        """The values of an expression in each state of a trace."""
        states = [dict(trace.initial.values)]
        for step in trace.steps:
            after = dict(states[-1])
            for name, (_, new) in step.changes.items():
                if new is None:
                    after.pop(name, None)
                else:
                    after[name] = new
            states.append(after)
        names = list(dict.fromkeys(name for state in states for name in state))
        try:
            found = self.expression(text, names, [value for state in states for value in state.values()])
        except WatchError as reason:
            return watch_json(Watch(text, error=str(reason)))
        return watch_json(Watch(text, tuple(found.shown(state) for state in states)))

    # --- graphs

    def grow(self, most: int) -> dict[str, Any]:
        """Explores a little further, breadth first. Raises BadRequest, NoSpace."""
        if not 1 <= most <= MOST_STATES:
            raise BadRequest(f"between 1 and {MOST_STATES} states can be explored here")
        with self.book.lock:
            if self._growth is None:
                self._growth = Growth(self.book)
            going_on = self._growth.grow(most)
            return {
                "going_on": going_on,
                "states": min(len(self._growth.order), most),
                "complete": self._growth.complete and len(self._growth.order) <= most,
            }

    def graph(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """A picture of the states explored by `grow`, or of those on and around a walk. Raises BadRequest, NoSpace."""
        book = self.book
        with book.lock:
            states, complete = self._chosen(wanted)
            arrangement: Arrangement = "force" if wanted.get("layout") == "force" else "layered"
            by = [str(part) for part in wanted.get("by", ())]
            graphs = Graphs(book)
            if by:
                try:
                    drawn = graphs.of_classes(states, self._classify(by), arrangement)
                except (ValueError, WatchError) as reason:
                    raise BadRequest(str(reason)) from None
            else:
                drawn = graphs.of_states(states[:MOST_DRAWN], arrangement)
            drawn["states"] = len(states)
            drawn["complete"] = complete and (bool(by) or len(states) <= MOST_DRAWN)
            return drawn

    def _chosen(self, wanted: Mapping[str, Any]) -> tuple[list[int], bool]:
        most = min(int(wanted.get("most", MOST_DRAWN)), MOST_STATES)
        if wanted.get("what") == "all":
            if self._growth is None:
                raise BadRequest("nothing has been explored yet")
            return self._growth.states(most), self._growth.complete and len(self._growth.order) <= most
        start, choices = int(wanted.get("start", 0)), [int(choice) for choice in wanted.get("choices", ())]
        self._check_walk(start, choices)
        walked = self.book.walk(start, choices)
        found = dict.fromkeys(walked[-200:])
        for number in list(found)[-12:]:
            found.update(dict.fromkeys(o.target for o in self.book.offers(number) if o.target is not None))
        return list(found)[:MOST_DRAWN], False

    def _classify(self, by: Sequence[str]) -> Classify:
        """`process:TITLE`, or an expression. Raises WatchError."""
        return together([self._by_one(part) for part in by])

    def _by_one(self, part: str) -> Classify:
        if part.startswith("process:"):
            return by_process(self.book, part.removeprefix("process:"))
        found = self.expression(part, self._names(), self._symbols())
        return lambda number: f"{found.text} = {found.shown(self.book.describe(number).values)}"

    def class_of(self, number: int, by: Sequence[str]) -> dict[str, str]:
        """In which class of a graph a state is. Raises BadRequest, NoSpace."""
        with self.book.lock:
            self._check_walk(number, ())
            try:
                return {"name": self._classify(by)(number)}
            except WatchError as reason:
                raise BadRequest(str(reason)) from None

    def colouring(self, states: Sequence[int], by: str) -> dict[str, Any]:
        """Which value an expression has in each state, as colours. Raises BadRequest, NoSpace."""
        with self.book.lock:
            if any(not 0 <= number < len(self.book) for number in states):
                raise BadRequest("there is no such state")
            try:
                classify = self._by_one(by)
                legend, found = colours(states, lambda number: classify(number).removeprefix(f"{by} = "))
            except WatchError as reason:
                raise BadRequest(str(reason)) from None
        return {"legend": legend, "colours": [found[number] for number in states]}

    def automata(self) -> dict[str, Any]:
        """The automaton of each kind of process, placed. Raises BadRequest."""
        if self.model is None or not isinstance(self.model.view, Network):
            raise BadRequest("this model has no processes to draw")
        names = [template.name for template in self.model.view.templates]
        return {"automata": [_automaton(name, automata(self.model.view, [name])) for name in names]}


def _automaton(name: str, graph: Graph) -> dict[str, Any]:
    plan = layout(graph)
    return {
        "name": name,
        "nodes": [
            {
                "location": dict(node.key)["location"],
                "lines": list(node.lines),
                "initial": node.initial,
                "kind": node.kind,
                "at": [round(box.x, 1), round(box.y, 1)],
                "box": [round(box.width, 1), round(box.height, 1)],
            }
            for node, box in zip(graph.nodes, plan.boxes, strict=True)
        ],
        "edges": [
            {
                "from": edge.source,
                "to": edge.target,
                "label": edge.label,
                "wrong": False,
                "second": not edge.preferred,
                "route": [[round(x, 1), round(y, 1)] for x, y in route],
            }
            for edge, route in zip(graph.edges, plan.routes, strict=True)
        ],
    }


def exported(trace: Trace, form: str, view: Mapping[str, Any]) -> str:
    """A trace in a form for elsewhere. Raises BadRequest."""
    match form:
        case "mermaid":
            return mermaid(sequence_chart(trace))
        case "plantuml":
            return plantuml(sequence_chart(trace))
        case "trace":
            return json.dumps(trace_to_json(trace), indent=1, ensure_ascii=False)
        case "html":
            return trace_page(view)
    raise BadRequest(f"unknown form '{form}'")


def about(title: str, saved: SavedTrace) -> About:
    return About(title, saved.property, "witness" if is_witness(saved) else "counterexample")


def view_of(
    trace: Trace, texts: Mapping[str, str], what: About, watches: Sequence[Watch] = (), *, whole: bool = False
) -> dict[str, Any]:
    return trace_view(trace, texts, what, watches, with_exports=whole)


def sources_of(saved: SavedTrace, texts: Mapping[str, str]) -> Mapping[str, str]:
    """The texts that a trace speaks of."""
    if saved.run is not None:
        with contextlib.suppress(OSError, InputError):
            return saved.run.texts()
    return texts
