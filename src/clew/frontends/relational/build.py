"""From text to a `RelationalProgram`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from clew.core.diagnostics import DiagnosticBag, Span
from clew.core.relational.program import RelationalProgram, Switches
from clew.frontends.relational.parser import parse
from clew.frontends.relational.scope import gather
from clew.frontends.relational.statements import Statements
from clew.frontends.relational.syntax import AssertDecl

WIDTH = "relational-width"
NOTHING = "relational-nothing"


def build(
    path: str, text: str, defines: Mapping[str, str], switches: Switches, bag: DiagnosticBag
) -> RelationalProgram:
    """The program; raises InputError with everything that is wrong. Warnings stay in the bag."""
    model = parse(text, path, bag)
    bag.raise_if_errors()
    scope = gather(model, defines, path, bag)
    statements = Statements(scope)
    statements.functions()
    procedures = statements.procedures()
    assertions = statements.assertions([d for d in model.declarations if isinstance(d, AssertDecl)])
    bag.items[:] = dict.fromkeys(bag.items)  # a function is looked at wherever it is called
    bag.raise_if_errors()
    if scope.plain_int_used is not None:
        message = f"plain int is taken as int({scope.plain_int}): 0 to {(1 << scope.plain_int) - 1}"
        bag.warning(scope.plain_int_used, WIDTH, message, "write int(BITS) to say how wide it is")
    if not any(one.toplevel for one in procedures):
        bag.warning(Span(path, 1), NOTHING, "no procedure is toplevel: there are no steps")
    if not assertions:
        bag.warning(Span(path, 1), NOTHING, "no assertion: there is nothing to check")
    return RelationalProgram(
        PurePath(path).stem,
        tuple(scope.enums.values()),
        tuple(scope.variables.values()),
        procedures,
        assertions,
        switches,
        ((path, text),),
    )
