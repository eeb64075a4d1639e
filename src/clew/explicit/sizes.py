"""How large the structures of a `Layout` are, as C packs them: what a compiler would say, known before there is one."""

from __future__ import annotations

from collections.abc import Sequence

from clew.core.expressions import Variable
from clew.core.network import Template
from clew.core.types import Array, Record, Relation, Type
from clew.explicit.layout import Layout, Shape, stored_bits


def state_words(layout: Layout) -> int:
    """The length of a state in words of 64 bits, if it has neither embedded C nor members that others add."""
    size = len(layout.scheduler) + _variables(layout, layout.network.variables)
    size += sum(_process(layout, template) for template in layout.fixed_templates)
    size += sum(_channel(layout, shape) for shape in (*layout.global_channels, *layout.fixed_channels))
    if layout.loose_templates:
        most = max(_process(layout, template) for template in layout.loose_templates)
        size += (layout.room - layout.fixed) * most
    if layout.loose_channels:
        owned = {shape for template in layout.loose_templates for shape in layout.channels_of(template)}
        size += layout.loose_channels * max(_channel(layout, shape) for shape in owned)
    return -(-size // 8)


def _process(layout: Layout, template: Template) -> int:
    head = layout.grows + layout.network.uses_priorities + _width(layout.location_type)
    return head + _variables(layout, template.variables)


def _channel(layout: Layout, shape: Shape) -> int:
    messages = shape.capacity * sum(stored_bits(type_) // 8 for type_ in shape.fields)
    return layout.keeps_shapes + _width(layout.length_type) + messages


def _variables(layout: Layout, variables: Sequence[Variable]) -> int:
    return sum(_bytes(variable.type) for variable in layout.stored(variables))


def _bytes(type_: Type) -> int:
    match type_:
        case Array() | Relation():
            return type_.size * _bytes(type_.element)
        case Record(_, fields):
            return sum(_bytes(field) for _, field in fields)
        case _:
            return stored_bits(type_) // 8


def _width(c_type: str) -> int:
    return 1 if c_type == "uint8_t" else 2
