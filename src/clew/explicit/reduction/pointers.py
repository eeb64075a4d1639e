"""Which channels an expression may mean, without looking at the order of statements.

A channel is known by its number. Values flow along assignments, arguments and messages; all messages are one pot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.core.expressions import Bind, Channel, Expr, Ref, Variable, walk
from clew.core.network import Network, Template
from clew.core.statements import Assign, Receive, Send, Start, Statement
from clew.core.types import slots
from clew.explicit.layout import Layout, initial_items, template_statements

Numbers = frozenset[int]
NONE: Numbers = frozenset()


class Pointers:
    """`numbers(expr)`: the channels that an expression may stand for; `capacities` of each."""

    def __init__(self, network: Network, layout: Layout) -> None:
        self.network = network
        self.layout = layout
        self.capacities: dict[int, set[int]] = {}
        self._messages: Numbers = NONE
        self._held: dict[Variable, Numbers] = {}
        self._create()
        statements = [s for t in layout.templates for s in template_statements(t)]
        before = -1
        while before != (before := sum(map(len, self._held.values())) + len(self._messages)):
            for statement in statements:
                self._flow(statement)
            for instance in network.instances:
                self._start(network.template(instance.template), instance.args)

    def numbers(self, expr: Expr) -> Numbers:
        """Every channel whose number the value may be."""
        return NONE.union(*(self._held.get(part.variable, NONE) for part in walk(expr) if isinstance(part, Ref)))

    # --- who has which channel in the beginning

    def _create(self) -> None:
        number = 0
        for variable in self.network.variables:
            for item in _channels(variable):
                number += 1
                self._own(variable, number, item.capacity)
        for template in self.layout.fixed_templates:
            for variable in _own_variables(template):
                for item in _channels(variable):
                    number += 1
                    self._own(variable, number, item.capacity)
        later = range(number + 1, self.layout.most_channels + 1)
        for template in self.layout.loose_templates:
            for variable in _own_variables(template):
                for item in _channels(variable):
                    for other in later:
                        self._own(variable, other, item.capacity)
        for variable in self._variables():
            for _, _, first in initial_items(variable):
                if not isinstance(first, Channel):
                    self._give(variable, self.numbers(first))

    def _own(self, variable: Variable, number: int, capacity: int) -> None:
        self._give(variable, frozenset({number}))
        self.capacities.setdefault(number, set()).add(capacity)

    def _variables(self) -> Iterator[Variable]:
        yield from self.network.variables
        for template in self.layout.templates:
            yield from template.variables

    # --- how they are handed on

    def _give(self, variable: Variable, numbers: Numbers) -> None:
        if numbers:
            self._held[variable] = self._held.get(variable, NONE) | numbers

    def _flow(self, statement: Statement) -> None:
        match statement:
            case Assign(target, value):
                self._give(target.variable, self.numbers(value))
            case Send(_, args):
                self._messages = self._messages.union(*map(self.numbers, args))
            case Receive(_, pattern):
                for item in pattern:
                    if isinstance(item, Bind) and item.target is not None:
                        self._give(item.target.variable, self._messages)
            case Start(name, args):
                self._start(self.network.template(name), args)
            case _:
                pass

    def _start(self, template: Template, args: Iterable[Expr]) -> None:
        places = [v for v in template.parameters for _ in range(slots(v.type))]
        for variable, value in zip(places, args, strict=False):
            self._give(variable, self.numbers(value))


def _own_variables(template: Template) -> list[Variable]:
    parameters = set(template.parameters)
    return [v for v in template.variables if v not in parameters]


def _channels(variable: Variable) -> list[Channel]:
    return [item for _, _, item in initial_items(variable) if isinstance(item, Channel)]
