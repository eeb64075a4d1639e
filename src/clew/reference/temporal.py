"""Whether a system has a run that an automaton beside it matches: the whole product, then its components. Plain.

A step of the product is a move of the automaton, by what is true in an ordinary state, and a step of the system to the
next ordinary state. For fairness each step remembers who moved, each state who could.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from clew.core.engines import Limits, Observer
from clew.core.interpreter import Move, NetworkSpace, Process, State
from clew.core.interpreter.letters import Letters
from clew.core.interpreter.product import CLAIM, ClaimProduct, ClaimState
from clew.core.interpreter.state import EvaluationError
from clew.core.monitors import Monitor
from clew.core.network import Network
from clew.core.results import Statistics
from clew.core.views import SpaceView
from clew.logic.automata import components
from clew.logic.questions import ENDED, Question, meaning
from clew.logic.witnesses import Lasso
from clew.reference.search import Run

MATCHED = object()  # the automaton has reached its end


class Watcher(Protocol):
    """An automaton beside a system. `all_marks`: those a cycle must have."""

    initial: Hashable
    all_marks: int

    def moves(self, state: State, at: Hashable, over: bool, events: int = 0) -> Iterable[tuple[int, Hashable]]:
        """Marks and targets of the moves beside a step that leaves a state and has these events; `over`: the run has
        ended. Raises EvaluationError."""


class FormulaWatcher:
    """An automaton over conditions."""

    def __init__(self, space: NetworkSpace, monitor: Monitor) -> None:
        self.initial: Hashable = monitor.initial
        self.all_marks = monitor.all_marks
        self._monitor = monitor
        self.was_true = self.was_false = 0
        self.letters: Letters = space.letters(monitor.atoms)
        self._ended = sum(1 << n for n, atom in enumerate(monitor.atoms) if atom == meaning(ENDED))

    def moves(self, state: State, at: Hashable, over: bool, events: int = 0) -> Iterator[tuple[int, Hashable]]:
        assert isinstance(at, int)
        letter = self._ended if over else self.letters(state) | events
        if not over:
            self.was_true |= letter
            self.was_false |= ~letter
        for edge in self._monitor.edges[at]:
            if edge.fits(letter):
                yield edge.marks, MATCHED if edge.target == self._monitor.end else edge.target


class ClaimWatcher:
    """A never claim, as the reference interpreter runs it."""

    all_marks = 1

    def __init__(self, space: NetworkSpace, network: Network, index: int) -> None:
        self._product = ClaimProduct(network, index, space)
        self._templates = space.program.templates
        self._accepting = {x.number for x in network.monitors[index].template.locations if x.accept}
        (first,) = self._product.initial()
        self.initial: Hashable = first.claim

    def moves(self, state: State, at: Hashable, over: bool, events: int = 0) -> Iterator[tuple[int, Hashable]]:
        assert isinstance(at, Process)
        if over:
            return
        here = ClaimState(state, at, CLAIM)
        mark = at.location in self._accepting or any(
            p.location in self._templates[p.template].accept for p in state.processes
        )
        for move in self._product.moves(here):
            outcome = self._product.fire(here, move)
            if any(violation.kind == "never" for violation in outcome.violations):
                yield 1, MATCHED
            elif outcome.state is None:
                raise EvaluationError("; ".join(violation.message for violation in outcome.violations))
            else:
                yield int(mark), outcome.state.claim


class Reached(NamedTuple):
    """What the system can do from an ordinary state: the next one, the steps there, who moved, what happened."""

    state: State
    path: tuple[Move, ...] = ()
    moved: int = 0
    events: int = 0


class Arc(NamedTuple):
    """A step of the product. `moved`: the processes that took it, as bits."""

    target: int
    marks: int
    moved: int
    path: tuple[Move, ...]


@dataclass(slots=True)
class Answered:
    """What a search found: a run if there is one. `stuck`: the system can get stuck where it may not end. `was_true`,
    `was_false`: atoms of the automaton, in some place."""

    lasso: Lasso | None
    statistics: Statistics
    limits_hit: tuple[str, ...]
    broke_down: bool
    stuck: bool
    was_true: int = 0
    was_false: int = 0


@dataclass(slots=True)
class _Node:
    """A state of the product and how it was reached first, in how many steps. `enabled`: the processes that can move,
    as bits."""

    state: State
    at: Hashable
    over: bool
    before: int
    path: tuple[Move, ...]
    steps: int
    enabled: int = 0
    arcs: list[Arc] = field(default_factory=list)


def find_run(
    space: NetworkSpace,
    network: Network | SpaceView,
    question: Question,
    limits: Limits,
    observer: Observer | None = None,
) -> Answered:
    """Explores the product and looks for a matched run."""
    return _Product(space, network, question, limits, observer).search()


class _Product:
    def __init__(
        self,
        space: NetworkSpace,
        network: Network | SpaceView,
        question: Question,
        limits: Limits,
        observer: Observer | None,
    ) -> None:
        self.space = space
        self.question = question
        self.run: Run[State, Move] = Run(space, frozenset(), limits, observer)
        self.watcher: Watcher
        self.letters: Letters | None = None  # where events matter
        if question.claim is not None:
            assert isinstance(network, Network)
            self.watcher = ClaimWatcher(space, network, question.claim)
        else:
            assert question.monitor is not None
            self.watcher = FormulaWatcher(space, question.monitor)
            if self.watcher.letters.have_events:
                self.letters = self.watcher.letters
        self.nodes: list[_Node] = []
        self.numbers: dict[Hashable, int] = {}
        self.known: dict[Hashable, list[Reached]] = {}
        self.broke_down = False
        self.stuck = False

    def search(self) -> Answered:
        lasso, complete = None, False
        with self.run.ended_early():
            lasso = self._explore() or self._cycle()
            complete = lasso is None
        findings = self.run.findings({}, complete)
        letters = (
            (self.watcher.was_true, self.watcher.was_false) if isinstance(self.watcher, FormulaWatcher) else (0, 0)
        )
        return Answered(lasso, findings.statistics, findings.limits_hit, self.broke_down, self.stuck, *letters)

    # --- the product

    def _explore(self) -> Lasso | None:
        """Makes all nodes and arcs; a run that leads the automaton to its end, if one is met."""
        for start in self.space.initial():
            self._node(start, self.watcher.initial, False, -1, ())
        for number, node in enumerate(self.nodes):  # grows while we walk
            self.run.watch(lambda: len(self.nodes) - number)  # noqa: B023 (called at once)
            try:
                moves = list(self.watcher.moves(node.state, node.at, node.over))
                if any(target is MATCHED for _, target in moves):
                    return Lasso(self._path(number))
                if not moves and self.letters is None:
                    continue
                for reached in self._steps(node):
                    if reached.events:
                        moves_now = list(self.watcher.moves(node.state, node.at, node.over, reached.events))
                    else:
                        moves_now = moves
                    self._connect(number, reached, moves_now)
            except EvaluationError:
                self.broke_down = True
        return None

    def _connect(self, number: int, reached: Reached, moves: Sequence[tuple[int, Hashable]]) -> None:
        node = self.nodes[number]
        for marks, target in moves:
            over = node.over or (not reached.path and self.question.ends == "maximal")
            to = self._node(reached.state, target, over, number, reached.path)
            node.arcs.append(Arc(to, marks, reached.moved, reached.path))
            self.run.transitions += 1

    def _node(self, state: State, at: Hashable, over: bool, before: int, path: tuple[Move, ...]) -> int:
        key = (self.space.key(state), at, over)
        number = self.numbers.get(key)
        if number is None:
            self.run.count_state()
            number = self.numbers[key] = len(self.nodes)
            steps = len(path) + (self.nodes[before].steps if before >= 0 else 0)
            self.nodes.append(_Node(state, at, over, before, path, steps))
            self.run.depth = max(self.run.depth, steps)
        return number

    def _steps(self, node: _Node) -> list[Reached]:
        """What the system can do from here."""
        if node.over:
            return [Reached(node.state)]
        moves = self.space.moves(node.state)
        node.enabled = _bits(move.pid for move in moves)
        if not moves:
            self.stuck |= self.space.stuck(node.state) is not None
            lasts = self.question.ends == "stutter" or (
                self.question.ends == "maximal" and self.question.formula is not None
            )
            return [Reached(node.state)] if lasts else []
        key = self.space.key(node.state)
        if key not in self.known:
            self.known[key] = list(self._collapsed(node.state))
        return self.known[key]

    def _collapsed(self, state: State) -> Iterator[Reached]:
        """Through transient states, each looked at once for each set of processes that moved, and of events, on the
        way."""
        happened = None if self.letters is None else self.letters.leaving(state)
        waiting = [Reached(state)]
        seen: set[tuple[State, int, int]] = set()
        for here, path, moved, events in waiting:
            if path:
                self.run.watch(lambda: len(self.nodes))
            for move in self.space.moves(here):
                after = self.space.fire(here, move).state
                if after is None:
                    self.broke_down = True
                    continue
                more = 0 if happened is None else happened(here, move)
                reached = Reached(after, (*path, move), moved | 1 << move.pid, events | more)
                key = (after, reached.moved, reached.events)
                if not self.space.transient(after):
                    yield reached
                elif key not in seen:
                    seen.add(key)
                    waiting.append(reached)

    # --- its components

    def _cycle(self) -> Lasso | None:
        return next((self._lasso(inside) for inside in self._accepting(range(len(self.nodes)))), None)

    def _accepting(self, among: Iterable[int]) -> Iterator[set[int]]:
        """Components with a fair cycle that has all marks; with strong fairness, without states that spoil it."""
        allowed = set(among)
        successors: list[Iterable[int]] = [
            [arc.target for arc in node.arcs if arc.target in allowed] if number in allowed else []
            for number, node in enumerate(self.nodes)
        ]
        for component in components(successors, sorted(allowed)):
            inside = set(component)
            arcs = [arc for number in component for arc in self.nodes[number].arcs if arc.target in inside]
            if not arcs or not _has_all(self.watcher.all_marks, (arc.marks for arc in arcs)):
                continue
            moved = _either(arc.moved for arc in arcs)
            enabled = [self.nodes[number].enabled for number in component]
            if self.question.fair == "weak" and _both(enabled) & ~moved:
                continue
            waiting = _either(enabled) & ~moved
            if self.question.fair == "strong" and waiting:
                yield from self._accepting(n for n in component if not self.nodes[n].enabled & waiting)
                continue
            yield inside

    def _lasso(self, inside: set[int]) -> Lasso:
        first = min(inside)
        here, cycle, begun = first, list[Move](), False
        wishes = self._wishes(inside)
        while wishes or here != first or not begun:
            for arc in self._way(here, inside, wishes, first):
                source, here, begun = here, arc.target, True
                cycle += arc.path
                wishes = [wish for wish in wishes if not wish(source, arc)]
        return Lasso(self._path(first), tuple(cycle))

    def _wishes(self, inside: set[int]) -> list[Callable[[int, Arc], bool]]:
        """What the arcs of a cycle must have: each mark, and something fair to each process."""
        wishes = [_has_mark(1 << n) for n in range(self.watcher.all_marks.bit_length())]
        if self.question.fair == "none":
            return wishes
        arcs = [arc for number in inside for arc in self.nodes[number].arcs if arc.target in inside]
        moved = _either(arc.moved for arc in arcs)
        enabled = _either(self.nodes[number].enabled for number in inside)
        for pid in range(enabled.bit_length()):
            if enabled >> pid & 1:
                wishes.append(self._fair_to(1 << pid, weak=self.question.fair == "weak", moves=bool(moved >> pid & 1)))
        return wishes

    def _fair_to(self, process: int, weak: bool, moves: bool) -> Callable[[int, Arc], bool]:
        return lambda source, arc: (
            bool(arc.moved & process) or ((weak or not moves) and not self.nodes[source].enabled & process)
        )

    def _way(self, start: int, inside: set[int], wishes: Sequence[Callable[[int, Arc], bool]], home: int) -> list[Arc]:
        """The fewest arcs to one that grants a wish; without wishes, those that lead home."""
        waiting: list[tuple[int, list[Arc]]] = [(start, [])]
        seen = {start}
        for number, way in waiting:
            for arc in self.nodes[number].arcs:
                if arc.target not in inside:
                    continue
                if any(wish(number, arc) for wish in wishes) or (not wishes and arc.target == home):
                    return [*way, arc]
                if arc.target not in seen:
                    seen.add(arc.target)
                    waiting.append((arc.target, [*way, arc]))
        raise AssertionError("a component has no way back")

    def _path(self, number: int) -> tuple[Move, ...]:
        parts: list[tuple[Move, ...]] = []
        while number >= 0:
            parts.append(self.nodes[number].path)
            number = self.nodes[number].before
        return tuple(move for part in reversed(parts) for move in part)


def _has_mark(mark: int) -> Callable[[int, Arc], bool]:
    return lambda source, arc: bool(arc.marks & mark)


def _bits(numbers: Iterable[int]) -> int:
    return _either(1 << number for number in numbers)


def _either(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def _both(masks: Sequence[int]) -> int:
    result = -1
    for mask in masks:
        result &= mask
    return result


def _has_all(wanted: int, masks: Iterable[int]) -> bool:
    return _either(masks) & wanted == wanted
