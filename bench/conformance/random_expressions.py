"""Random names, variables and expressions for generated Promela programs."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Var:
    """Something that holds a number. `template` has one `{}` per subscript, `sizes` the bounds of those."""

    template: str
    type: str
    sizes: tuple[int, ...] = ()
    readable: bool = True
    writable: bool = True
    shared: bool = True

    @property
    def plain(self) -> bool:
        """A scalar with a simple name: may be a loop index or bound in a receive."""
        return not self.sizes and "." not in self.template


@dataclass(frozen=True, slots=True)
class Chan:
    """A channel name in scope; the capacity is None when it is a parameter that may be any of several."""

    name: str
    fields: tuple[str, ...]
    capacity: int | None
    shared: bool = True

    @property
    def buffered(self) -> bool:
        return self.capacity is not None and self.capacity > 0


@dataclass(slots=True)
class Scope:
    """What may be written at one place of the program.

    `closed` forbids expressions whose value could grow each time control passes, so that state spaces stay small.
    """

    variables: list[Var]
    channels: list[Chan]
    features: frozenset[str]
    rng: random.Random
    remote: list[str] = field(default_factory=list)
    enabled: list[str] = field(default_factory=list)
    closed: bool = False
    atomic: bool = False
    d_step: bool = False
    in_loop: bool = False
    escaped: bool = False

    def has(self, feature: str) -> bool:
        return feature in self.features

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability


INT_TYPES = ("bit", "bool", "byte", "pid", "short", "int", "unsigned")


def subscript(scope: Scope, size: int) -> str:
    """An index into an array of `size` elements; in range unless the program is meant to fail."""
    if scope.has("bad_index") and scope.chance(0.15):
        return str(size)
    bytes_ = [v for v in scope.variables if v.type in ("byte", "bit", "unsigned") and v.plain and v.readable]
    if bytes_ and scope.chance(0.35):
        name = scope.rng.choice(bytes_).template
        return f"{name} % {size}"
    return str(scope.rng.randrange(size))


def access(scope: Scope, variable: Var) -> str:
    """The text that names one element of `variable`."""
    return variable.template.format(*(subscript(scope, size) for size in variable.sizes))


def readable(scope: Scope, types: tuple[str, ...] = INT_TYPES) -> list[Var]:
    return [v for v in scope.variables if v.readable and v.type in types]


def writable(scope: Scope, types: tuple[str, ...] = INT_TYPES) -> list[Var]:
    return [v for v in scope.variables if v.writable and v.type in types]


def constant(scope: Scope) -> str:
    rng = scope.rng
    if scope.has("wrap") and scope.chance(0.2):
        return rng.choice(["200", "255", "256", "300", "(-1)", "32767", "65535", "(-129)"])
    return "N" if scope.has("macros") and scope.chance(0.15) else str(rng.randrange(4))


def atom(scope: Scope) -> str:
    """A variable, a constant or a special value."""
    rng = scope.rng
    special = ["_" + feature for feature in ("pid", "nr_pr", "last") if scope.has(feature)]
    special += ["_priority"] if scope.has("set_priority") else []
    if special and scope.chance(0.15):
        return rng.choice(special)
    buffered = [chan for chan in scope.channels if chan.buffered]
    if buffered and scope.has("len") and scope.chance(0.15):
        return f"len({rng.choice(buffered).name})"
    known = readable(scope)
    if known and scope.chance(0.65):
        return access(scope, rng.choice(known))
    return constant(scope)


def number(scope: Scope, depth: int = 2) -> str:
    """An integer expression; bounded by a modulus or mask where the scope is closed."""
    if not scope.closed:
        return arithmetic(scope, depth)
    shape = scope.rng.randrange(4)
    if shape == 0:
        return f"({arithmetic(scope, depth)}) % {scope.rng.choice((2, 3))}"
    if shape == 1:
        return f"({arithmetic(scope, depth)}) & {scope.rng.choice((1, 3))}"
    return constant(scope) if shape == 2 else f"({condition(scope, 1)})"


def arithmetic(scope: Scope, depth: int) -> str:
    """Any integer expression, without division by anything that could be zero."""
    rng = scope.rng
    if depth == 0 or scope.chance(0.4):
        return atom(scope)
    left = arithmetic(scope, depth - 1)
    match rng.randrange(9):
        case 0 | 1 | 2:
            return f"({left} {rng.choice('+-')} {arithmetic(scope, depth - 1)})"
        case 3:
            return f"({left} * {rng.randrange(4)})"
        case 4:
            return f"({left} {rng.choice('/%')} {rng.choice((2, 3, 7))})"
        case 5:
            return f"({left} {rng.choice('&|^')} {arithmetic(scope, depth - 1)})"
        case 6:
            return f"({left} {rng.choice(('<<', '>>'))} {rng.randrange(3)})"
        case 7 if scope.has("conditional"):
            return f"({condition(scope, 1)} -> {left} : {arithmetic(scope, depth - 1)})"
        case _:
            return f"({rng.choice('-~!')}{left})"


def condition(scope: Scope, depth: int = 2, probes: bool = False) -> str:
    """A boolean expression without parentheses around it.

    `probes` allows `full(q)` and its kin, which Promela takes only in a condition that is a statement.
    """
    rng = scope.rng
    if depth > 0 and scope.chance(0.3):
        left, right = condition(scope, depth - 1, probes), condition(scope, depth - 1, probes)
        if scope.has("macros") and scope.chance(0.3):
            return f"both(({left}), ({right}))"
        return f"({left}) {rng.choice(('&&', '||'))} ({right})"
    special = _special_conditions(scope, probes)
    if special and scope.chance(0.35):
        return rng.choice(special)
    symbols = readable(scope, ("mtype",))
    if symbols and scope.chance(0.4):
        return f"{access(scope, rng.choice(symbols))} {rng.choice(('==', '!='))} {rng.choice(MTYPES)}"
    comparison = f"{arithmetic(scope, 1)} {rng.choice(('==', '!=', '<', '<=', '>', '>='))} {atom(scope)}"
    return f"!({comparison})" if scope.chance(0.1) else comparison


MTYPES = ("red", "green", "blue")


def _special_conditions(scope: Scope, probes: bool) -> list[str]:
    """Conditions that only Promela has, for the features switched on."""
    rng = scope.rng
    found: list[str] = []
    buffered = [chan for chan in scope.channels if chan.buffered]
    if buffered and probes and scope.has("len"):
        word = rng.choice(("full", "empty", "nfull", "nempty"))
        found.append(f"{word}({rng.choice(buffered).name})")
    if buffered and scope.has("poll"):
        chan = rng.choice(buffered)
        operator = "??" if scope.has("random_receive") and scope.chance(0.4) else "?"
        found.append(f"{chan.name}{operator}[{patterns(scope, chan)}]")
    found += [] if scope.d_step else scope.remote + scope.enabled
    return found


def patterns(scope: Scope, chan: Chan) -> str:
    """Arguments of a poll: constants, `eval`, and variables that are only looked at."""
    return ", ".join(pattern(scope, kind) for kind in chan.fields)


def pattern(scope: Scope, kind: str) -> str:
    """A receive argument that binds nothing."""
    if kind == "mtype":
        return scope.rng.choice(MTYPES)
    known = readable(scope)
    if known and scope.has("eval") and scope.chance(0.4):
        return f"eval({access(scope, scope.rng.choice(known))})"
    if scope.has("wildcard") and scope.chance(0.3):
        return "_"
    return str(scope.rng.randrange(3))


def value(scope: Scope, kind: str) -> str:
    """Something to send or assign for a field of the given type."""
    if kind == "mtype":
        symbols = readable(scope, ("mtype",))
        if symbols and scope.chance(0.4):
            return access(scope, scope.rng.choice(symbols))
        return scope.rng.choice(MTYPES)
    return number(scope, 1)
