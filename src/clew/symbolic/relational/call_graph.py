"""Who calls whom: which procedures are recursive, with whom, and what may go wrong in them."""

from __future__ import annotations

from clew.core.relational import program as p


class CallGraph:
    def __init__(self, program: p.RelationalProgram) -> None:
        self.program = program
        direct = {one.name: p.callees(one.body) for one in program.procedures}
        self.reached = {name: _closure(name, direct) for name in direct}  # by at least one call
        self._loops = {one.name: _has(one.body, p.While) for one in program.procedures}
        self._declares = {one.name: _has(one.body, p.Declare) for one in program.procedures}

    def recursive(self, procedure: p.Procedure) -> bool:
        return procedure.name in self.reached[procedure.name]

    def component(self, procedure: p.Procedure) -> tuple[p.Procedure, ...]:
        """The procedures that call each other in a circle with this one."""
        mine = self.reached[procedure.name]
        return tuple(q for q in self.program.procedures if q.name in mine and procedure.name in self.reached[q.name])

    def below(self, part: tuple[p.Procedure, ...]) -> frozenset[str]:
        """What the component calls that does not call back."""
        mine = frozenset(one.name for one in part)
        return frozenset[str]().union(*(self.reached[name] for name in mine)) - mine

    def may_recurse(self, stmt: p.Stmt) -> bool:
        called = p.callees(stmt)
        return any(name in self.reached[name] for name in called.union(*(self.reached[n] for n in called)))

    def may(self, kind: str, stmt: p.Stmt) -> bool:
        """Whether a statement may diverge or stick, as far as its text tells."""
        called = p.callees(stmt)
        inside = called.union(*(self.reached[name] for name in called))
        if kind == "sticks":
            return _has(stmt, p.Declare) or any(self._declares[name] for name in inside)
        return _has(stmt, p.While) or any(self._loops[name] or name in self.reached[name] for name in inside)


def _has(stmt: p.Stmt, kind: type) -> bool:
    return any(isinstance(inner, kind) for inner in p.statements(stmt))


def _closure(name: str, direct: dict[str, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    todo = list(direct[name])
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo.extend(direct[one])
    return frozenset(found)
