"""Promela text to `syntax.Model`: units, and recovery after errors.

Recursive descent, one token of lookahead. A grammar table does not fit: separators are implied by line breaks, names
change their kind when they are declared, and inlines are expanded in the middle of parsing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.frontends.promela.declarations_parser import DECLARATION_STARTS
from clew.frontends.promela.inline import SYNTAX, TokenSource
from clew.frontends.promela.lexer import END, NAME, Token
from clew.frontends.promela.preprocess import PreprocessedText, preprocess, read_source
from clew.frontends.promela.statements_parser import StatementParser
from clew.frontends.promela.syntax import (
    CCode,
    CDecl,
    CState,
    Expr,
    InlineDef,
    Ltl,
    Model,
    Never,
    Proctype,
    Ref,
    TraceUnit,
    Typedef,
    Unit,
    VarDecl,
)

MAX_ERRORS = 20
_UNIT_WORDS = frozenset(
    "active proctype D_proctype init never trace notrace typedef inline ltl c_decl c_state c_track".split()
)


def parse(
    path: str,
    defines: Mapping[str, str] | None = None,
    include_dirs: Iterable[str] = (),
    undefine: Iterable[str] = (),
) -> Model:
    """The model in file `path`. Raises InputError with located diagnostics, and nothing else, for bad input."""
    return parse_text(read_source(path), path, defines, include_dirs, undefine)


def parse_text(
    text: str,
    path: str | None = None,
    defines: Mapping[str, str] | None = None,
    include_dirs: Iterable[str] = (),
    undefine: Iterable[str] = (),
) -> Model:
    """The model in `text`; `path` names it in messages and is where includes are looked for."""
    return parse_tokens(preprocess(path, text, defines, include_dirs, undefine))


def parse_tokens(text: PreprocessedText) -> Model:
    """The model of a preprocessed text."""
    parser = _Parser(TokenSource(text.tokens, text.main))
    units = parser.units()
    problems = sorted(parser.problems, key=lambda d: d.span.file != text.main)
    if problems:
        raise InputError(problems[:MAX_ERRORS])
    return Model(tuple(units), text.files)


class _Parser(StatementParser):
    def __init__(self, source: TokenSource) -> None:
        super().__init__(source)
        self.reset_body()
        self.problems: list[Diagnostic] = []

    def units(self) -> list[Unit]:
        """All units; after an error the next keyword that starts one is where parsing goes on."""
        found: list[Unit] = []
        started = False
        first = self.token
        good = self._guarded(self.advance)
        while len(self.problems) < MAX_ERRORS:
            if not good:
                current = (self.kind, self.token) if self.token is not first else None
                self.source.restart(_UNIT_WORDS, current)
                self.reset_body()
                self.recorded = None
                good = self._guarded(self.advance)
            elif self.kind == END:
                break
            else:
                started = True
                first = self.token
                good = self._guarded(lambda: self._unit(found))
        if not started and not self.problems:
            where = Span(self.source.file, 1)
            self.problems.append(Diagnostic(Severity.ERROR, SYNTAX, "the model is empty", where))
        self.problems.extend(self.source.notes)
        if not self.problems:
            self._parse_uncalled(found)
        return found

    def _parse_uncalled(self, units: list[Unit]) -> None:
        """The bodies of inlines that nobody calls, those that call others first. One that only makes sense with what
        would be put in has none: it is text, and nobody asks for it."""
        for place in reversed(range(len(units))):
            unit = units[place]
            if isinstance(unit, InlineDef) and unit.name not in self.source.called:
                self.reset_body()
                try:
                    self.source.enter_uncalled(unit.name)
                    self.advance()
                    units[place] = replace(unit, body=self.block())
                except (InputError, RecursionError):
                    continue

    def _guarded(self, action: Callable[[], None]) -> bool:
        """Run `action`; False if it met an error, which is then recorded (once per place)."""
        try:
            action()
        except InputError as problem:
            known = {(d.span, d.message) for d in self.problems}
            self.problems.extend(d for d in problem.diagnostics if (d.span, d.message) not in known)
            return False
        except RecursionError:
            where = self.token.span
            self.problems.append(Diagnostic(Severity.ERROR, SYNTAX, "nested too deeply", where, "split it up"))
            return False
        return True

    def _unit(self, found: list[Unit]) -> None:
        token = self.token
        match self.kind:
            case ";" | "->":
                self.advance()
            case "active" | "proctype" | "D_proctype":
                found.append(self._proctype())
            case "init":
                self.advance()
                priority = self.priority()
                items, end = self.body("init")
                found.append(Proctype(":init:", 1, None, False, (), priority, None, items, token.span, end))
            case "never":
                self.advance()
                found.append(self._never(token))
            case "TRACE":
                self.advance()
                self.in_trace = True
                items, end = self.body(f"the {token.text}")
                self.in_trace = False
                found.append(TraceUnit(token.text == "notrace", items, token.span, end))
            case "ltl":
                found.append(self._ltl())
            case "typedef":
                found.append(self._typedef())
            case "inline":
                found.append(self._inline())
            case "c_decl" | "c_code":
                precondition, text = self.source.raw_block(token)
                foreign = CDecl(text, token.span) if self.kind == "c_decl" else CCode(text, precondition, token.span)
                found.append(foreign)
                self.advance()
            case "c_state" | "c_track":
                found.append(self._c_state())
            case kind if kind in DECLARATION_STARTS:
                found.append(self.declaration())
            case _:
                self.fail("a declaration, proctype, init, never, ltl, inline or typedef", self._unit_hint())

    def _never(self, token: Token) -> Never:
        name = self.expect_name("a name").text if self.kind == NAME else None
        items, end = self.body("the never claim")
        return Never(name, items, token.span, end)

    def _unit_hint(self) -> str:
        text = self.token.text
        if self.kind == NAME:
            return f"'{text}' is not a type known here"
        if self.kind == "}":
            return "there are more '}' than '{'"
        if self.kind in ("if", "do", "atomic", "printf", "assert", "run"):
            return "statements must stand inside a proctype or init"
        return ""

    def _proctype(self) -> Proctype:
        token = self.token
        active = 0
        active_name: str | None = None
        if self.kind == "active":
            active = 1
            self.advance()
            if self.kind == "[":
                self.advance()
                if self.kind == NAME:
                    active_name = self.token.text
                    self.advance()
                else:
                    active = self.constant_expression()
                self.expect("]", "after the number of processes")
        if self.kind not in ("proctype", "D_proctype"):
            self.fail("'proctype' after 'active'")
        deterministic = self.kind == "D_proctype"
        self.advance()
        if self.kind != NAME:
            hint = f"proctype '{self.token.text}' is defined before" if self.kind == "PNAME" else self._name_hint()
            self.fail("the name of the proctype", hint)
        name = self.token
        self.source.declare(name.text, "PNAME")
        self.advance()
        self.open_parenthesis(f"after 'proctype {name.text}'")
        params: list[VarDecl] = [] if self.kind == ")" else self.declaration_list()
        for declarator in (d for param in params for d in param.declarators):
            if declarator.init is not None:
                raise self.error(declarator.span, f"parameter '{declarator.name}' cannot have an initial value")
        self.close_parenthesis("after the parameters")
        priority = self.priority()
        provided = self._provided()
        items, end = self.body(f"proctype {name.text}")
        return Proctype(
            name.text, active, active_name, deterministic, tuple(params), priority, provided, items, token.span, end
        )

    def _provided(self) -> Expr | None:
        if self.kind != "provided":
            return None
        self.advance()
        self.open_parenthesis("after 'provided'")
        value = self.full_expression()
        self.close_parenthesis("after the condition of 'provided'")
        return value

    def _ltl(self) -> Ltl:
        token = self.token
        self.advance()
        name = None
        if self.kind == NAME:
            name = self.token.text
            self.advance()
        elif self.kind != "{":
            self.fail("a name or '{' after 'ltl'", self._name_hint())
        formula, text = self.formula()
        return Ltl(name, formula, text, token.span)

    def _typedef(self) -> Typedef:
        token = self.token
        self.advance()
        name = self.expect_name("the name of the type")
        if self.kind != "{":
            self.fail("'{' before the fields")
        self.source.in_sequence = True
        self.advance()
        fields = self.declaration_list()
        if self.kind != "}":
            self.fail("';' or '}' after the field")
        self.source.in_sequence = False
        self.source.declare(name.text, "UNAME")
        self.advance()
        return Typedef(name.text, tuple(fields), token.span)

    def _inline(self) -> InlineDef:
        token = self.token
        self.advance()
        if self.kind not in (NAME, "INAME"):
            self.fail("the name of the inline", self._name_hint())
        name = self.token
        self.advance()
        self.open_parenthesis(f"after 'inline {name.text}'")
        params: list[str] = []
        while self.kind != ")":
            if params:
                self.expect(",", "between the parameters")
            ref: Ref = self.reference()
            if ref.index is not None or ref.field is not None:
                raise self.error(ref.span, "a parameter of an inline is just a name")
            params.append(ref.name)
        self.source.parentheses -= 1
        self.source.define_inline(name, tuple(params))
        self.advance()
        return InlineDef(name.text, tuple(params), token.span)

    def _c_state(self) -> CState:
        token = self.token
        self.advance()
        strings: list[str] = []
        while self.kind == "STRING" and len(strings) < 3:
            strings.append(self.token.text[1:-1])
            self.advance()
        if len(strings) < 2:
            self.fail(f"a string after '{token.text}'", f"{token.text} takes two or three strings")
        return CState(token.text == "c_track", tuple(strings), token.span)
