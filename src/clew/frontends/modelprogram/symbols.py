"""The actions of a model program, prepared for exploration: what all its parts say of a symbol, put together.

The loops over arguments are generated as Python, one function for each symbol: they are where a search spends its time.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeGuard

from clew.core.diagnostics import InputError, Span
from clew.core.records import record
from clew.frontends.modelprogram.elements import Instance, running
from clew.frontends.modelprogram.program import Contribution, Parameter, Part, Program
from clew.frontends.modelprogram.values import in_order

GENERATED = "<arguments of an action>"

Guard = tuple[Callable[..., Any], tuple[int, ...]]  # and the places of the arguments it is asked with
Values = Callable[[tuple[Any, ...]], Iterable[Any]]
Source = Values | type[Instance]  # a class: a new object of it


class Move(NamedTuple):
    """An action with its arguments."""

    symbol: str
    args: tuple[Any, ...]

    @property
    def pid(self) -> int:
        """Whoever takes part in an action, it is the model as a whole that moves."""
        return 0


@record
class Symbol:
    """An action symbol. `enumerate` appends the ways to take it, `makes` are the classes of its new objects."""

    name: str
    bodies: tuple[Callable[..., Any], ...]
    enumerate: Callable[[list[Move]], int]
    makes: tuple[type[Instance], ...]
    observable: bool
    cleanup: bool
    span: Span
    blame: dict[int, str]

    def what_failed(self, error: BaseException) -> str:
        """Whether an exception came out of a guard or out of a domain."""
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == GENERATED:
                return self.blame.get(trace.tb_lineno, f"action '{self.name}'")
            trace = trace.tb_next
        return f"action '{self.name}'"


def prepared(program: Program, name: str) -> Symbol:
    """What all parts say of an action symbol, put together."""
    parts = [part for part in program.parts if name in part.actions]
    known = [part.actions[name] for part in parts]
    count = max(len(contribution.parameters) for contribution in known)
    for contribution in known:
        if len(contribution.parameters) != count and not contribution.any_arity:
            raise InputError.at(contribution.span, "arity", f"action '{name}' has {count} parameters elsewhere")
    sources = tuple(_source(name, at, parts, known) for at in range(count))
    guards = [list(_guards_at(known, level)) for level in range(count + 1)]
    text, names, blame = _enumeration(name, [p.name for p in known[0].parameters], sources, guards)
    exec(compile(text, GENERATED, "exec"), names)
    return Symbol(
        name,
        tuple(contribution.body for contribution in known),
        names["enumerate"],
        tuple(source for source in sources if _is_class(source)),
        any(contribution.observable for contribution in known),
        any(contribution.cleanup for contribution in known),
        known[0].span,
        blame,
    )


def _enumeration(
    symbol: str, parameters: Sequence[str], sources: Sequence[Source], guards: Sequence[Sequence[Guard]]
) -> tuple[str, dict[str, Any], dict[int, str]]:
    """A function that appends every way to take the action in the state that is loaded, and gives the number of guards
    it has asked: nested loops over the domains, each guard as soon as its arguments are there. With the names it uses
    and, for each of its lines, what fails if the line does."""
    names: dict[str, Any] = {"Move": Move, "symbol": symbol, "new": tuple.__new__, "made": _made, "ordered": _ordered}
    lines = ["def enumerate(found):", " asked = 0"]
    blame: dict[int, str] = {}
    for level, tests in enumerate(guards):
        if level > 0:
            source, earlier = sources[level - 1], "".join(f"a{n}, " for n in range(level - 1))
            names[f"d{level}"] = source
            values = f"made(d{level})" if _is_class(source) else f"ordered(d{level}(({earlier})))"
            lines.append(f"{' ' * level}for a{level - 1} in {values}:")
            blame[len(lines)] = f"the domain of parameter '{parameters[level - 1]}' of '{symbol}'"
        for number, (test, places) in enumerate(tests):
            names[f"g{level}_{number}"] = test
            asked = f"g{level}_{number}({', '.join(f'a{n}' for n in places)})"
            lines += [f"{' ' * level} asked += 1", f"{' ' * level} if not {asked}:"]
            blame[len(lines)] = f"a guard of '{symbol}'"
            lines.append(f"{' ' * level}  {'continue' if level else 'return asked'}")
    inside = " " * (len(sources) + 1)
    lines.append(f"{inside}found.append(new(Move, (symbol, ({''.join(f'a{n}, ' for n in range(len(sources)))}))))")
    lines.append(" return asked")
    return "\n".join(lines), names, blame


def _made(cls: type[Instance]) -> Iterator[Instance]:
    """One new object, which is forgotten again."""
    element = cls()
    running.written.pop()
    yield element
    del cls._live[element]
    element.__dict__["_row"] = None  # what it was before is overwritten


def _ordered(values: Iterable[Any]) -> tuple[Any, ...]:
    return in_order(values) if type(values) is frozenset else tuple(values)


def _guards_at(known: Sequence[Contribution], level: int) -> Iterator[Guard]:
    """The guards that can be asked as soon as so many arguments are chosen."""
    for contribution in known:
        for test, places in contribution.guards:
            if max(places, default=-1) + 1 == level:
                yield test, places


def _chooser(places: tuple[int, ...]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    if not places:
        return lambda args: ()
    if len(places) == 1:
        return lambda args: (args[places[0]],)
    return itemgetter(*places)


def _source(symbol: str, at: int, parts: Sequence[Part], known: Sequence[Contribution]) -> Source:
    """Where the values of a parameter come from: the first part that says so. If others say so too, their domains must
    contain the value."""
    pairs = [(part, c) for part, c in zip(parts, known, strict=True) if not c.any_arity]
    said = [(part, c.parameters[at], c) for part, c in pairs if _says(c.parameters[at])]
    if not said:
        name = known[0].parameters[at].name
        message = f"parameter '{name}' of action '{symbol}' has no domain"
        raise InputError.at(
            known[0].span, "no-domain", message, 'annotate it: Domain("variable"), range(3), an enum, New(Class)'
        )
    part, first, contribution = said[0]
    if first.new is not None:
        return first.new
    values = _values_of(part, first, contribution)
    others = [_values_of(p, more, c) for p, more, c in said[1:] if more.domain is not None]
    if not others:
        return values
    return lambda args: [v for v in values(args) if all(v in set(other(args)) for other in others)]


def _is_class(source: object) -> TypeGuard[type[Instance]]:
    return isinstance(source, type)


def _says(parameter: Parameter) -> bool:
    return parameter.domain is not None or parameter.new is not None


def _values_of(part: Part, parameter: Parameter, contribution: Contribution) -> Values:
    assert parameter.domain is not None
    source = parameter.domain.source
    if isinstance(source, str):
        holder, name = part.holder, source
        return lambda args: holder[name]
    if isinstance(source, type) and issubclass(source, Instance):
        cls = source
        return lambda args: cls.instances()
    if callable(source):
        names = [p.name for p in contribution.parameters]
        wanted = [names.index(name) for name in inspect.signature(source).parameters if name in names]
        chosen = _chooser(tuple(wanted))
        function: Callable[..., Any] = source
        return lambda args: function(*chosen(args))
    values = in_order(source) if isinstance(source, frozenset) else tuple(source)
    return lambda args: values
