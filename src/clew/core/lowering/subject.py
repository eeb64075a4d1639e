"""What a symbolic engine works on: a view as a transition system, beside the space that its states are replayed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.core.certificates import Certificate, Damaged
from clew.core.expressions import Expr
from clew.core.interpreter import NetworkSpace
from clew.core.lowering import Lowered, lower
from clew.core.network import Network
from clew.core.properties import Violation
from clew.core.records import record
from clew.core.statespace import StateSpace
from clew.core.transition_space import TransitionSpace
from clew.core.transition_system import TransitionSystem
from clew.core.types import scalars
from clew.core.views import View


@record
class Subject:
    """`fresh` makes a space of concrete states; `encoded` and `lowered` take its states and conditions on them to the
    system. `enlarged`: the same with room for what was reached beyond it (None: nothing ever is). `grown`: what it was
    enlarged for so far, by name; `with_room` takes these names."""

    system: TransitionSystem
    fresh: Callable[[], StateSpace[Any, Any]]
    encoded: Callable[[Any], Sequence[int]]
    lowered: Callable[[Expr], Expr]
    enlarged: Callable[[frozenset[Violation]], Subject] | None = None
    grown: tuple[tuple[str, ...], ...] = ()
    bounds: frozenset[Violation] = frozenset()

    def with_room(self, names: Sequence[str]) -> Subject:
        """Enlarged for the bounds that are called so."""
        wanted = frozenset(bound for bound in self.bounds if _name(bound) in names)
        return self if self.enlarged is None else self.enlarged(wanted)


def subject_of(view: View) -> Subject:
    """Raises NotLowered if a network has no form as a transition system, TypeError for other views."""
    match view:
        case TransitionSystem():
            return Subject(view, lambda: TransitionSpace(view), lambda state: state, lambda expr: expr)
        case Network():
            return _of_network(lower(view))
    raise TypeError(f"{view.name} is neither a network nor a transition system")


def subject_for(view: View, certificate: Certificate) -> Subject:
    """The system that a certificate is about, built from the model. Raises Damaged, NotLowered, TypeError."""
    subject = subject_of(view)
    for names in certificate.grown:
        subject = subject.with_room(names)
    if bits_of(subject.system) != certificate.bits:
        raise Damaged("is about another model: the bits of a state are not the same")
    return subject


def bits_of(system: TransitionSystem) -> tuple[str, ...]:
    """The bits of a state by name."""
    slots = [found for variable in system.variables for found in scalars(variable.type, variable.name)]
    return tuple(f"{name}.{place}" for name, type_ in slots for place in range(type_.bits))


def _of_network(lowered: Lowered, grown: tuple[tuple[str, ...], ...] = ()) -> Subject:
    def enlarged(reached: frozenset[Violation]) -> Subject:
        return _of_network(lowered.enlarged(reached), (*grown, tuple(sorted(map(_name, reached)))))

    return Subject(
        lowered.system,
        lambda: NetworkSpace(lowered.network),
        lowered.memory.encoded,
        lowered.condition,
        enlarged,
        grown,
        frozenset(lowered.growths),
    )


def _name(bound: Violation) -> str:
    return f"{bound.message} ({bound.span.line}:{bound.span.column}, {bound.pid})"
