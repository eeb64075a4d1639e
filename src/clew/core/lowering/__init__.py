"""`Network → TransitionSystem`: variables for locations, channels and control; one action for each step."""

from __future__ import annotations

from clew.core.expressions import Expr, Ref
from clew.core.interpreter import NetworkSpace
from clew.core.lowering.guess import Growth, Guess, sampled
from clew.core.lowering.memory import Memory, NotLowered, check_lowerable, check_places
from clew.core.lowering.reader import Reader, Who
from clew.core.lowering.steps import Steps
from clew.core.lowering.terms import FALSE, compared, every
from clew.core.lowering.writer import Writer
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.transition_system import Interleave, TransitionSystem

__all__ = ["Lowered", "NotLowered", "lower"]


@record
class Lowered:
    """A network as a transition system. The system is exact as long as no violation of kind `bound` can be reached;
    if one can, `enlarged` makes a system with room for more."""

    network: Network
    system: TransitionSystem
    memory: Memory
    growths: dict[Violation, Growth]

    def enlarged(self, reached: frozenset[Violation]) -> Lowered:
        """Raises NotLowered if there is no end to it."""
        guess = self.memory.guess
        for growth in dict.fromkeys(self.growths[violation] for violation in self.growths if violation in reached):
            guess = guess.grown(growth, len(self.memory.queues))
        return _lowered(self.network, NetworkSpace(self.network), guess)

    def condition(self, expr: Expr) -> Expr:
        """A condition on states of the network, as a formula; where it breaks down it is false."""
        reader = Reader(self.memory)
        place = self.memory.places[0]
        term = reader.value(expr, Who(place, place.templates[0]))
        return every((term.defined, term.value))


def lower(network: Network) -> Lowered:
    """Raises NotLowered for what a transition system does not have: embedded C, priorities, hidden variables, processes
    without bound."""
    check_lowerable(network)
    space = NetworkSpace(network)
    return _lowered(network, space, sampled(space))


def _lowered(network: Network, space: NetworkSpace, guess: Guess) -> Lowered:
    check_places(guess)
    memory = Memory(network, space, guess)
    reader = Reader(memory)
    writer = Writer(memory, reader)
    steps = Steps(memory, reader, writer)
    actions = tuple(steps.actions())
    system = TransitionSystem(
        network.name,
        tuple(memory.variables),
        memory.frame,
        Interleave(actions),
        initial=every(memory.initial()),
        final=steps.ended(),
        transient=FALSE if memory.control is None else compared("!=", Ref(memory.control), 0),
        formulas=network.formulas,
        clusters=tuple(memory.clusters),
        warnings=network.warnings,
        files=network.files,
    )
    return Lowered(network, system, memory, writer.growths)
