"""A relational program as a model for SMV checkers: one Boolean for each bit, one alternative for each procedure with
its arguments, assertions as CTLSPEC with quantifiers written out."""

from __future__ import annotations

from itertools import product

from clew.core.relational import expressions as x
from clew.core.relational import program as p
from clew.core.relational.encode import Encoder, Values
from clew.core.relational.formulas import Formulas, Node
from clew.core.relational.sorts import Rel, Scalar, tuples
from clew.frontends.relational.straight import Straight, bit_name


def smv(program: p.RelationalProgram) -> str:
    """The text. Raises InputError for what needs a fixpoint."""
    return _Writer(program).text()


class _Writer:
    def __init__(self, program: p.RelationalProgram) -> None:
        self.program = program
        self.straight = Straight(program)
        self.formulas: Formulas = self.straight.formulas
        self.encoder: Encoder[Node] = Encoder(self.formulas, self.straight.look_up, self._temporal)

    def text(self) -> str:
        bits = [*self._bits(), p.BAD]
        steps = [self._step(q, bits) for q in self.program.toplevel]
        invariant = self._formula(self._well_formed())
        specs = [f"CTLSPEC {self._formula(self._claim(a.formula))}; -- {a.name}" for a in self.program.assertions]
        lines = [f"-- {self.program.name}: written by Clew", "MODULE main", "VAR"]
        lines += [f"  {bit} : boolean;" for bit in bits]
        lines += ["INVAR", f"  {invariant};", "TRANS"]
        lines += ["  " + "\n  | ".join(one for step in steps for one in step) + ";"]
        return "\n".join([*lines, *specs]) + "\n"

    def _bits(self) -> list[str]:
        found = []
        for variable in self.program.variables:
            places = tuples(variable.type.columns) if isinstance(variable.type, Rel) else range(variable.type.sort.bits)
            found += [bit_name(variable.name, place) for place in places]
        return found

    def _well_formed(self) -> Node:
        found = self.formulas.true
        for variable in self.program.variables:
            found = self.formulas.and_(found, self.encoder.well_formed(variable, self.straight.state[variable.name]))
        return found

    def _step(self, procedure: p.Procedure, bits: list[str]) -> list[str]:
        alternatives = []
        sizes = [range(q.type.sort.size) for q in procedure.parameters if isinstance(q.type, Scalar)]
        for atoms in product(*sizes):
            given = {
                q.number: self.encoder.circuits.constant(atom, q.type.sort.bits)  # type: ignore[union-attr]
                for q, atom in zip(procedure.parameters, atoms, strict=True)
            }
            after = self.straight.after(procedure, given)
            values = dict[str, Node]()
            for name, value in after.items():
                cells = enumerate(value) if isinstance(value, tuple) else value.items()
                values.update({p.BAD if name == p.BAD else bit_name(name, place): node for place, node in cells})
            parts = [f"(next({bit}) <-> {self._formula(values[bit])})" for bit in bits]
            alternatives.append("(" + " & ".join(parts) + ")")
        return alternatives

    def _claim(self, formula: x.Expr) -> Node:
        return self.encoder.formula(formula, {})

    def _temporal(self, formula: x.Temporal, given: Values[Node]) -> Node:
        """A temporal formula becomes a leaf that is written as it stands."""
        parts = [self._formula(self.encoder.formula(operand, given)) for operand in formula.operands]
        if formula.operator in ("AU", "EU"):
            return self.formulas.variable(f"{formula.operator[0]} [{parts[0]} U {parts[1]}]")
        return self.formulas.variable(f"{formula.operator} ({parts[0]})")

    def _formula(self, node: Node) -> str:
        match node.operator:
            case "true" | "false":
                return node.operator.upper()
            case "!":
                return f"!{self._formula(node.operands[0])}"
            case "&" | "<->":
                left, right = (self._formula(operand) for operand in node.operands)
                return f"({left} {node.operator} {right})"
        return node.operator if node.operator.replace("_", "").isalnum() else f"({node.operator})"
