"""Which types of a model have elements that are not interchangeable after all, because the model names some of them.

Exchanging elements is sound if nothing tells them apart. Elements refuse to give their text, number or order to model
code (`elements`); what is left is a model that says `Worker.W1`, keeps an element in a constant, lets a parameter range
over some elements of a type only, or is composed with a scenario that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.frontends.modelprogram.elements import Abstract, Element, Instance
from clew.frontends.modelprogram.program import Program
from clew.frontends.modelprogram.values import parts_of


def distinguished(program: Program) -> dict[type[Element], str]:
    """The types whose elements must keep their names, each with the element that is named."""
    found: dict[type[Element], str] = {}
    words = program.words | program.words_of_scenarios
    for abstract in program.abstract:
        named = next((element._label for element in abstract if element._label in words), None)
        if named is not None:
            found[abstract] = named
    for element in _elements(program.constants):
        found.setdefault(type(element), element._name())
    for source in _domains(program):
        inside = list(_elements([source]))
        for cls in {type(element) for element in inside}:
            if not issubclass(cls, Abstract) or len({e for e in inside if type(e) is cls}) < len(cls):
                found.setdefault(cls, next(e._name() for e in inside if type(e) is cls))
    for objects in program.classes:
        if objects.__name__ in program.words_of_scenarios:
            found.setdefault(objects, f"{objects.__name__}(…)")
    return found


def chosen_types(program: Program, names: Iterable[str]) -> list[type[Element]]:
    """The types of these names. Raises InputError if there is none."""
    known: dict[str, type[Element]] = {cls.__name__: cls for cls in (*program.classes, *program.abstract)}
    for name in names:
        if name not in known:
            have = ", ".join(known) or "none"
            raise InputError.at(
                Span(program.path, 0), "no-such-type", f"has no class of objects or abstract type '{name}'", have
            )
    return [known[name] for name in names]


def _domains(program: Program) -> Iterator[Any]:
    for part in program.parts:
        for contribution in part.actions.values():
            for parameter in contribution.parameters:
                source = parameter.domain.source if parameter.domain else None
                if isinstance(source, tuple | frozenset):
                    yield source


def _elements(values: Iterable[Any]) -> Iterator[Element]:
    todo = list(values)
    while todo:
        value = todo.pop()
        if isinstance(value, Element):
            yield value
        elif not isinstance(value, type | Instance):
            todo += parts_of(value)
