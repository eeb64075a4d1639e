"""Embedded C of a `Network`: what it consists of, numbered, and its data that belongs to a state.

Data of the state in C comes in three forms: members of the system or of a process (`c_state` Global, Local), and memory
elsewhere that is copied into the state after each step and back before the next (`c_track`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from clew.core.diagnostics import InputError, Span
from clew.core.expressions import Channel, Expr, Foreign, walk
from clew.core.network import Network, Template
from clew.core.records import record
from clew.core.statements import ForeignCode, expressions, statements_in
from clew.core.temporal import propositions, whole_expressions

Scope = Literal["global", "local", "hidden"]
_SCOPES: dict[str, Scope] = {"Global": "global", "Hidden": "hidden", "Local": "local"}
_KINDS = {"Matched": True, "UnMatched": False, "unMatched": False, "StackOnly": False}


@record
class Fragment:
    """A piece of C inside a process: a statement (`runs`) or an expression."""

    number: int
    runs: bool
    text: str
    precondition: str | None
    span: Span


@record
class CMember:
    """A C variable: of the system, of each process of a template, or (hidden) outside the state."""

    scope: Scope
    template: str
    declaration: str
    initial: str | None
    span: Span

    @property
    def name(self) -> str:
        """What is declared: the last name in front of array sizes."""
        names: list[str] = re.findall(r"[A-Za-z_]\w*", self.declaration.split("[", maxsplit=1)[0])
        return names[-1] if names else ""


@record
class CTracked:
    """Memory outside the state, by its address and size (C expressions)."""

    address: str
    size: str
    matched: bool  # part of the key of a state
    span: Span


@record
class CData:
    """The data of embedded C."""

    members: tuple[CMember, ...] = ()
    tracked: tuple[CTracked, ...] = ()

    def of(self, scope: Scope, template: str = "") -> list[CMember]:
        return [m for m in self.members if m.scope == scope and m.template == template]


def fragments(network: Network) -> dict[tuple[bool, str, str | None], Fragment]:
    """The C inside processes; what is written alike is one fragment."""
    found: dict[tuple[bool, str, str | None], Fragment] = {}
    templates = (*network.templates, *(monitor.template for monitor in network.monitors))
    inside = [part for template in templates for part in _parts(template)]
    for part in (*inside, *_formula_parts(network)):
        key = fragment_key(part)
        if key not in found:
            found[key] = Fragment(len(found), key[0], part.text, part.precondition, part.span)
    return found


def fragment_key(part: Foreign | ForeignCode) -> tuple[bool, str, str | None]:
    return isinstance(part, ForeignCode), part.text, part.precondition


def has_foreign_code(network: Network) -> bool:
    """Whether there is any embedded C."""
    inside = (part for template in network.templates for part in _parts(template))
    return bool(network.foreign) or any(True for _ in inside) or any(True for _ in _formula_parts(network))


def _formula_parts(network: Network) -> Iterator[Foreign]:
    for formula in network.formulas:
        for proposition in propositions(formula.body):
            for whole in whole_expressions(proposition.meaning):
                yield from (part for part in walk(whole) if isinstance(part, Foreign))


def _parts(template: Template) -> Iterator[Foreign | ForeignCode]:
    whole: list[Expr] = [] if template.provided is None else [template.provided]
    for variable in template.variables:
        items = variable.initial if isinstance(variable.initial, tuple) else (variable.initial,)
        whole += [item for item in items if item is not None and not isinstance(item, Channel)]
    for location in template.locations:
        for choice in location.choices:
            for step in choice:
                for statement in statements_in(step.block):
                    if isinstance(statement, ForeignCode):
                        yield statement
                    whole += expressions(statement)
    for expr in whole:
        yield from (part for part in walk(expr) if isinstance(part, Foreign))


def data(network: Network) -> CData:
    """What `c_state` and `c_track` declare. Raises InputError if one makes no sense."""
    members: list[CMember] = []
    tracked: list[CTracked] = []
    for is_track, strings, span in network.foreign.states:
        first, second, third = (*strings, None)[:3]
        assert first is not None and second is not None
        if is_track:
            kind = third or "Matched"
            if kind not in _KINDS:
                message = f'"{kind}" is not a way to track memory'
                raise InputError.at(span, "c-track", message, 'write "Matched" or "UnMatched"')
            tracked.append(CTracked(first, second, _KINDS[kind], span))
            continue
        word, _, template = second.strip().partition(" ")
        scope = _SCOPES.get(word)
        template = template.strip()
        if scope is None:  # the old form: name and type
            tracked.append(CTracked(f"&({first})", f"sizeof({second})", True, span))
            continue
        if scope == "local":
            template = ":init:" if template == "init" else template
            if all(template != known.name for known in network.templates):
                raise InputError.at(span, "c-state", f"there is no proctype '{template}'")
        members.append(CMember(scope, template if scope == "local" else "", first, third, span))
    return CData(tuple(members), tuple(tracked))
