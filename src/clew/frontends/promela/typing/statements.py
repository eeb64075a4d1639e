"""The walk over a whole model: declarations, statements, claims and formulas."""

from __future__ import annotations

from collections.abc import Iterable

from clew.frontends.promela import syntax as ast
from clew.frontends.promela.typing.expressions import Expressions
from clew.frontends.promela.typing.nodes import Node
from clew.frontends.promela.typing.symbols import Array, Record, Symbol


class Statements(Expressions):
    """Units in an order in which names are known before they are used: claims and formulas come last."""

    def model(self, model: ast.Model) -> None:
        for unit in model.units:
            self._declare_unit(unit)
        later: list[ast.Unit] = []
        for unit in model.units:
            match unit:
                case ast.Proctype():
                    self._proctype(unit)
                case ast.Never() | ast.TraceUnit() | ast.Ltl() | ast.InlineDef():
                    later.append(unit)
                case _:
                    pass
        for unit in later:
            match unit:
                case ast.Never(_, body) | ast.TraceUnit(_, body):
                    self._scoped(body)
                case ast.Ltl(_, formula, logic="ltl" | "ctl"):
                    self.truth(formula)
                case ast.InlineDef(params=params, body=body) if body:
                    self._spare_inline(params, body)
                case _:
                    pass

    def _declare_unit(self, unit: ast.Unit) -> None:
        match unit:
            case ast.MtypeDecl(subtype, names):
                kind = self.mtype(subtype or "")
                for name, span in names:
                    self.globals[name] = self.add(name, "constant", span, kind, kind.name)
            case ast.Typedef(name, groups, span):
                record = Record(name)
                for group in groups:
                    for item in group.declarators:
                        type_ = self.named_type(group, item)
                        record.fields[item.name] = self.add(item.name, "field", item.span, type_, name)
                self.records.setdefault(name, record)
                self.add(name, "typedef", span, self.records[name])
            case ast.VarDecl():
                self.declare(unit)
            case ast.Proctype(name, params=params, span=span) if name not in self.proctypes:
                self.proctypes[name] = unit
                self.add(name, "proctype", span, None)
                self.parameters[name] = [
                    self.add(item.name, "parameter", item.span, self.named_type(group, item), name)
                    for group in params
                    for item in group.declarators
                ]
            case _:
                pass

    def declare(self, unit: ast.VarDecl) -> None:
        for item in unit.declarators:
            type_ = self.named_type(unit, item)
            symbol = self.add(item.name, "variable", item.span, type_)
            symbol.initialised = item.init is not None
            self.scopes[-1][item.name] = symbol
            if self.owner:
                self.locals[self.owner].setdefault(item.name, symbol)
            match item.init:
                case None | ast.ChannelInit():
                    pass
                case ast.ArrayInit(values):
                    for value in values:
                        self._initial(symbol, value)
                case value:
                    self._initial(symbol, value)

    def _initial(self, symbol: Symbol, value: ast.Expr) -> None:
        place = symbol.type.element if isinstance(symbol.type, Array) else symbol.type
        self.flows(self.expression(value), place, value.span, f"'{symbol.name}'", symbol.span)

    def _proctype(self, unit: ast.Proctype) -> None:
        self.owner = unit.name
        parameters = {symbol.name: symbol for symbol in self.parameters[unit.name]}
        self.locals[unit.name] = dict(parameters)
        self.scopes.append(parameters)
        if unit.provided is not None:
            self.truth(unit.provided)
        self._items(unit.body)
        self.scopes.pop()
        self.owner = ""

    def _spare_inline(self, params: tuple[str, ...], body: tuple[ast.Item, ...]) -> None:
        """The body of an inline that is never called: of its parameters nothing is known."""
        self.owner = ""
        self.scopes.append({})
        for name in params:
            self.scopes[-1][name] = Symbol(name, "parameter", "", body[0].span, None)
        self._items(body)
        self.scopes.pop()

    def _scoped(self, items: Iterable[ast.Item]) -> None:
        self.scopes.append({})
        self._items(items)
        self.scopes.pop()

    def _items(self, items: Iterable[ast.Item]) -> None:
        for item in items:
            self._item(item)

    def _item(self, item: ast.Item) -> None:
        match item:
            case ast.Assign(target, value, form):
                self._assign(target, value, form, item)
            case ast.Send(channel, args):
                self.use(channel, self.send_slots(args), item.span, "!")
            case ast.Receive(channel, args):
                self.use(channel, self.receive_slots(args), item.span, "?")
            case ast.Condition(ast.Run() as run):
                self.expression(run)
            case ast.Condition(value) | ast.Assert(value):
                self.truth(value)
            case ast.If(options) | ast.Do(options):
                for option in options:
                    self._items(option.body)
            case ast.Labelled(_, statement):
                if statement is not None:
                    self._item(statement)
            case ast.Block("inline", body, name, span):
                outer, self.chain = self.chain, ((span, name), *self.chain)
                self._scoped(body)
                self.chain = outer
            case ast.Block(_, body):
                self._scoped(body)
            case ast.Unless(body, escape):
                self._item(body)
                self._item(escape)
            case ast.ForRange(index, low, high, body):
                self._range(index, low, high)
                self._scoped(body)
            case ast.Select(index, low, high):
                self._range(index, low, high)
            case ast.ForIn(index, container, body):
                self._each(index, container)
                self._scoped(body)
            case ast.VarDecl():
                self.declare(item)
            case ast.Printf(_, args):
                for arg in args:
                    self.expression(arg)
            case ast.Printm(value):
                self.expression(value)
            case ast.SetPriority(pid, value):
                self._process(pid)
                self.number(value, "a priority")
            case ast.ExclusiveUse(_, channels):
                for channel in channels:
                    self.channel(channel)
            case _:
                pass  # else, goto, break, C

    def _assign(self, target: ast.Ref, value: ast.Expr, form: str, item: ast.Assign) -> None:
        if form != "=":
            self.number(target, f"the operand of '{form}'")
            symbol = self.lookup(target.name)
            if symbol is not None:
                symbol.assigned = True
            return
        symbol, place = self.ref(target)
        if symbol is not None:
            symbol.assigned = True
        found = self.expression(value)
        self.flows(found, place, item.span, f"'{_path(target)}'", None if symbol is None else symbol.span)

    def _range(self, index: ast.Ref, low: ast.Expr, high: ast.Expr) -> None:
        symbol, place = self.ref(index)
        if symbol is not None:
            symbol.assigned = True
        for bound in (low, high):
            found = self.number(bound, "a bound of a range", pid=True)
            declared = None if symbol is None else symbol.span
            self.flows(found, place, bound.span, f"'{index.name}'", declared)

    def _each(self, index: ast.Ref, container: ast.Ref) -> None:
        """`for (m in q)` looks at each message, `for (i in a)` at each index."""
        symbol, place = self.ref(index)
        if symbol is not None:
            symbol.assigned = True
        over = self.lookup(container.name)
        if over is not None and isinstance(over.type, Array) and container.index is None and container.field is None:
            self.ref(container)
            return
        slots = self.flattened(place.name) if isinstance(place, Record) else [self.slot(place, index.span, "upper")]
        if isinstance(place, Record) and not slots:
            slots = [Node()]
        self.use(container, slots, container.span, "?")


def _path(node: ast.Ref) -> str:
    """`a.b.c` without subscripts."""
    return node.name if node.field is None else f"{node.name}.{_path(node.field)}"
