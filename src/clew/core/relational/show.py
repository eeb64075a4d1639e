"""States of a relational program for people, and back: `has = {p1->m2, p2->m1}`."""

from __future__ import annotations

from collections.abc import Mapping

from clew.core.relational import program as p
from clew.core.relational.evaluate import Value
from clew.core.relational.explicit import Place, zeros
from clew.core.relational.interpreter import State
from clew.core.relational.sorts import FORMULA, Scalar, Sort, Type


def show(type_: Type, value: Value) -> str:
    if isinstance(value, int):
        assert isinstance(type_, Scalar)
        return type_.sort.label(value)
    assert not isinstance(type_, Scalar)
    return "{" + ", ".join("->".join(map(_label, type_.columns, t)) for t in sorted(value)) + "}"


def _label(sort: Sort, atom: int) -> str:
    return sort.label(atom)


def read(type_: Type, text: str) -> Value:
    """The inverse of show. Raises ValueError."""
    if isinstance(type_, Scalar):
        return _atom(type_.sort, text)
    if not (text.startswith("{") and text.endswith("}")):
        raise ValueError(f"not a relation: {text}")
    inside = text[1:-1]
    rows = inside.split(", ") if inside else []
    return frozenset(
        tuple(_atom(sort, part) for sort, part in zip(type_.columns, row.split("->"), strict=True)) for row in rows
    )


def _atom(sort: Sort, text: str) -> int:
    for atom in range(sort.size):
        if sort.label(atom) == text:
            return atom
    raise ValueError(f"{text} is not in {sort}")


def named(program: p.RelationalProgram, place: Place) -> dict[str, str]:
    """A state as names and shown values, `bad` and `loop` last."""
    values = zeros(program) if place is None else place
    found = {v.name: show(v.type, value) for v, value in zip(program.variables, values, strict=False)}
    found[p.BAD] = show(FORMULA, values[-1])
    found[p.LOOP] = "true" if place is None else "false"
    return found


def state_of(program: p.RelationalProgram, values: Mapping[str, str]) -> Place:
    """The state that `named` showed. Raises ValueError, KeyError."""
    if values[p.LOOP] == "true":
        return None
    state: State = tuple(read(v.type, values[v.name]) for v in program.variables)
    return (*state, read(FORMULA, values[p.BAD]))


def call_text(procedure: p.Procedure, arguments: tuple[Value, ...]) -> str:
    shown = (show(q.type, value) for q, value in zip(procedure.parameters, arguments, strict=True))
    return f"{procedure.name}({', '.join(shown)})"
