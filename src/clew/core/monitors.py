"""Automata that watch a system: they move once for each of its steps, by what is true in the state the step leaves and
by what the step does.

A run of the system is *matched* if the automaton can move beside it for ever and pass each acceptance set for ever
again, or if it can reach its `end`, whatever comes then.
"""

from __future__ import annotations

from dataclasses import replace

from clew.core.expressions import Expr, Global
from clew.core.network import Location, MonitorProcess, Network, Step
from clew.core.records import record
from clew.core.statements import Guard, Otherwise, Print, Terminate
from clew.core.temporal import LabelEvent, MessageEvent, StepEvent

Cube = tuple[int, int]  # atoms that must be true, atoms that must be false, as bits


class NotAnAutomaton(Exception):
    """A monitor does more than look at states; the text says what."""


@record
class MonitorEdge:
    """Can be taken if one of the cubes fits; bit i of `marks` says that it is in acceptance set i."""

    cubes: tuple[Cube, ...]
    marks: int
    target: int

    def fits(self, letter: int) -> bool:
        return any(letter & true == true and not letter & false for true, false in self.cubes)


@record
class Monitor:
    """States are numbers; `edges[s]` leave s. Bit i of a letter says whether `atoms[i]` is true, or happens."""

    atoms: tuple[Expr | StepEvent, ...]
    sets: int
    initial: int
    edges: tuple[tuple[MonitorEdge, ...], ...]
    end: int | None = None

    @property
    def states(self) -> int:
        return len(self.edges)

    @property
    def events(self) -> tuple[tuple[int, StepEvent], ...]:
        """The atoms that are events, with their numbers."""
        return tuple((n, a) for n, a in enumerate(self.atoms) if isinstance(a, MessageEvent | LabelEvent))

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """The atoms that are conditions on states."""
        return tuple(a for a in self.atoms if not isinstance(a, MessageEvent | LabelEvent))

    @property
    def all_marks(self) -> int:
        return (1 << self.sets) - 1


def ending_early(monitor: Monitor) -> Monitor:
    """The same, with an end: the state from which it matches, whatever comes. Runs are then followed no further than to
    where they are matched already. Not where it begins there, since then a run is not looked at at all, nor beside
    events or atoms of another kind of view, which may not be known before the step they belong to."""
    if not all(isinstance(atom, Expr) for atom in monitor.atoms):
        return monitor
    whatever = [
        number
        for number, edges in enumerate(monitor.edges)
        if any(edge.target == number and (0, 0) in edge.cubes and edge.marks == monitor.all_marks for edge in edges)
    ]
    if len(whatever) != 1 or whatever[0] == monitor.initial:
        return monitor
    return replace(monitor, end=whatever[0])


def claim_monitor(network: Network, claim: MonitorProcess) -> Monitor:
    """A never claim as an automaton. As in Spin, accept labels of the claim and of processes count alike.

    Raises NotAnAutomaton if it has variables, or statements besides conditions and prints.
    """
    return _Claim(network, claim).monitor()


class _Claim:
    def __init__(self, network: Network, claim: MonitorProcess) -> None:
        self.template = claim.template
        self.atoms: dict[Expr, int] = {}
        watched = any(location.accept for template in network.templates for location in template.locations)
        self.accepting = self._atom(Global("accepting")) if watched else 0

    def monitor(self) -> Monitor:
        if self.template.variables:
            raise NotAnAutomaton("a never claim with variables")
        locations = self.template.locations
        end = next((n for n, location in enumerate(locations) if ends_claim(location)), None)
        numbers = {
            location.number: end if end is not None and ends_claim(location) else n
            for n, location in enumerate(locations)
        }
        edges = [
            (MonitorEdge(((0, 0),), 1, n),) if ends_claim(location) else tuple(self._edges(location, numbers))
            for n, location in enumerate(locations)
        ]
        return Monitor(tuple(self.atoms), 1, numbers[self.template.initial], tuple(edges), end)

    def _edges(self, location: Location, numbers: dict[int, int]) -> list[MonitorEdge]:
        found: list[MonitorEdge] = []
        earlier = 0  # guards of the choices before this one, none of which may hold
        for choice in location.choices:
            guards, surely = 0, False
            for step in choice:
                is_else = bool(step.block) and isinstance(step.block[0], Otherwise)
                if is_else and surely:
                    continue
                true, false = (0, guards | earlier) if is_else else (self._guard(step), earlier)
                guards |= self._guard(step)
                surely |= not self._guard(step)
                found += self._marked(true, false, location.accept, numbers[step.target])
            if any(not step.block or isinstance(step.block[0], Print | Otherwise) for step in choice):
                break
            earlier |= guards
        return found

    def _marked(self, true: int, false: int, accept: bool, target: int) -> list[MonitorEdge]:
        if accept or not self.accepting:
            return [MonitorEdge(((true, false),), int(accept), target)]
        return [
            MonitorEdge(((true | self.accepting, false),), 1, target),
            MonitorEdge(((true, false | self.accepting),), 0, target),
        ]

    def _guard(self, step: Step) -> int:
        """The atom that must hold, as a bit; 0 if there is none."""
        match step.block:
            case () | (Otherwise(), *_) | (Print(), *_):
                guard = 0
            case (Guard(value), *_):
                guard = self._atom(value)
            case (first, *_):
                raise NotAnAutomaton(f"a never claim with {type(first).__name__.lower()} statements")
        for statement in step.block[1:]:
            if not isinstance(statement, Print):
                raise NotAnAutomaton(f"a never claim with {type(statement).__name__.lower()} statements")
        return guard

    def _atom(self, value: Expr) -> int:
        return 1 << self.atoms.setdefault(value, len(self.atoms))


def ends_claim(location: Location) -> bool:
    """Whether a claim that gets here is complete."""
    steps = [step for choice in location.choices for step in choice]
    return all(step.block and isinstance(step.block[0], Terminate) for step in steps)
