"""The names of a Promela text for editors: read from tokens alone, so that a text with errors has names, too.

Two passes. `_Reader` goes through the tokens of a file and of what it includes, opens a scope at every unit and brace,
declares names and notes the places of all others. Then each of those is looked up, in the order of the text.
Branches of conditionals (`#if`) are all read: an editor shows what is not compiled, too.
"""

from __future__ import annotations

from pathlib import Path

from clew.core.diagnostics import Span
from clew.core.outline import Definition, EntityKind, Outline
from clew.frontends.promela.inline import KEYWORDS
from clew.frontends.promela.lexer import CONST, NAME, NUMBER, Token, split_number, tokenize
from clew.frontends.promela.preprocess import decoded

_BASIC = frozenset("bit bool byte chan int mtype pid short unsigned".split())
_VISIBILITY = frozenset(("hidden", "show", "local"))
_FOREIGN = frozenset(("c_code", "c_decl", "c_expr"))
_LABEL_BEFORE = frozenset(("{", "}", ";", "->", "::", ":"))
_UNITS = frozenset("active proctype D_proctype init never trace notrace ltl typedef inline".split())
WORDS = frozenset(KEYWORDS) | {"_", "_pid", "_last", "_nr_pr", "_priority", "STDIN"}
MAX_FILES = 200


class _Declared:
    """A definition that is still being read: its last line is not known yet."""

    __slots__ = ("kind", "last", "name", "owner", "place", "record", "span", "type")

    def __init__(self, name: str, kind: EntityKind, span: Span, owner: str, type_: str, record: str, place: int):
        self.name, self.kind, self.span, self.owner, self.type = name, kind, span, owner, type_
        self.record = record  # the typedef of a variable
        self.place = place  # locals are known behind their declaration
        self.last = span.line


class _Scope:
    __slots__ = ("names", "owner", "parent", "unit")

    def __init__(self, parent: _Scope | None, owner: str, unit: _Declared | None = None) -> None:
        self.parent, self.owner, self.unit = parent, owner, unit
        self.names: dict[str, list[int]] = {}


class _Use:
    """A name to be looked up. `how`: as a variable, or as a label, field or local of `base`."""

    __slots__ = ("base", "how", "name", "place", "scope", "span")

    def __init__(self, name: str, span: Span, scope: _Scope, how: str, place: int, base: Span | str | None) -> None:
        self.name, self.span, self.scope, self.how, self.place, self.base = name, span, scope, how, place, base


def outline_of(path: str, text: str, include: tuple[str, ...] = ()) -> Outline:
    reader = _Reader(include)
    reader.file(path, text)
    return reader.outline()


class _Reader:
    def __init__(self, include: tuple[str, ...]) -> None:
        self.include = include
        self.declared: list[_Declared] = []
        self.uses: list[_Use] = []
        self.globals = _Scope(None, "")
        self.labels: dict[tuple[str, str], int] = {}
        self.fields: dict[tuple[str, str], int] = {}
        self.locals: dict[tuple[str, str], list[int]] = {}
        self.seen: set[str] = set()
        self.scope = self.globals
        self.parentheses = 0
        self.place = 0

    # --- files ----------------------------------------------------------------------------------------------------

    def file(self, path: str, text: str) -> None:
        self.seen.add(path)
        tokens: list[Token] = []
        for token in tokenize(text, path):
            tokens.extend(split_number(token) if token.kind == NUMBER else (token,))
        outer = getattr(self, "tokens", None)
        self.tokens = tokens
        at = 0
        while at < len(tokens):
            following = self._unit_or_token(at)
            at = max(following, at + 1)
        if outer is not None:
            self.tokens = outer

    def _directive(self, at: int) -> int:
        """A line that begins with `#`."""
        end = at + 1
        while end < len(self.tokens) and not self.tokens[end].newline:
            end += 1
        words = self.tokens[at + 1 : end]
        match words[0].text if words else "":
            case "define" if len(words) > 1 and words[1].kind == NAME:
                self._define(at + 2, end)
            case "include" if len(words) > 1 and words[1].text.startswith('"'):
                self._include(words[1].text[1:-1])
            case "ifdef" | "ifndef" | "undef" | "if" | "elif":
                for word in words[1:]:
                    if word.kind == NAME and word.text != "defined":
                        self._use(word, "macro", self.globals)
            case _:
                pass
        return end

    def _define(self, at: int, end: int) -> None:
        """`at` is the name of the macro."""
        name = self.tokens[at]
        scope = _Scope(self.globals, name.text)
        if name.text not in self.globals.names:
            self._declare(name, "macro", self.globals)
        at += 1
        if at < end and self._text(at) == "(" and not self.tokens[at].space:
            while at < end and self._text(at) != ")":
                if self.tokens[at].kind == NAME:
                    self._declare(self.tokens[at], "parameter", scope, owner=name.text)
                at += 1
        outer, self.scope = self.scope, scope
        for place in range(at, end):
            if self._is_name(place):
                self._used(place, "text")
        self.scope = outer

    def _include(self, name: str) -> None:
        here = Path(self.tokens[0].file).parent if self.tokens else Path()
        for folder in (here, *map(Path, self.include)):
            path = str(folder / name)
            if path in self.seen or len(self.seen) > MAX_FILES:
                return
            try:
                text = decoded(Path(path).read_bytes())
            except (OSError, ValueError):
                continue
            outer, self.parentheses = self.parentheses, 0
            self.file(path, text)
            self.parentheses = outer
            return

    # --- declaring and using --------------------------------------------------------------------------------------

    def _declare(
        self, token: Token, kind: EntityKind, scope: _Scope, type_: str = "", record: str = "", owner: str | None = None
    ) -> _Declared:
        self.place += 1
        owner = scope.owner if owner is None else owner
        found = _Declared(token.text, kind, token.span, owner, type_, record, self.place)
        number = len(self.declared)
        self.declared.append(found)
        if kind == "label":
            self.labels.setdefault((owner, token.text), number)
        elif kind == "field":
            self.fields.setdefault((owner, token.text), number)
        else:
            scope.names.setdefault(token.text, []).append(number)
            if owner:
                self.locals.setdefault((owner, token.text), []).append(number)
        return found

    def _use(self, token: Token, how: str, scope: _Scope | None = None, base: Span | str | None = None) -> None:
        self.place += 1
        self.uses.append(_Use(token.text, token.span, scope or self.scope, how, self.place, base))

    def _open(self, owner: str | None = None, unit: _Declared | None = None) -> None:
        self.scope = _Scope(self.scope, self.scope.owner if owner is None else owner, unit)

    def _close(self, line: int) -> None:
        """A closing brace; with the outermost one of a unit the unit ends."""
        if self.scope.parent is not None and self.scope.unit is None:
            self.scope = self.scope.parent
            if self.scope.unit is not None:
                self.scope.unit.last = line
                self.scope = self.scope.parent or self.globals

    # --- tokens ---------------------------------------------------------------------------------------------------

    def _text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _is_name(self, at: int) -> bool:
        if not 0 <= at < len(self.tokens) or self.tokens[at].kind != NAME:
            return False
        text = self.tokens[at].text
        return text not in WORDS or (text == "in" and not self._is_in_of_for(at))

    def _is_in_of_for(self, at: int) -> bool:
        """`for (m in q)`; elsewhere `in` is a name."""
        start = next((place for place in range(at - 1, max(at - 20, 0), -1) if self._text(place) == "("), 0)
        return self._text(start - 1) == "for" and start < at - 1

    def _unit_or_token(self, at: int) -> int:
        token = self.tokens[at]
        text = token.text
        if text == "#" and token.newline:
            return self._directive(at)
        if text in _UNITS and token.newline and text not in ("ltl", "trace", "notrace"):
            self.scope, self.parentheses = self.globals, 0  # whatever has been left open before
        match text:
            case "proctype" | "D_proctype":
                return self._proctype(at + 1)
            case "init" if self.scope is self.globals:
                return self._unit(token, "process", at + 1)
            case "never" | "trace" | "notrace" | "ltl" if self.scope is self.globals:
                named = self._is_name(at + 1)
                return self._unit(self.tokens[at + 1] if named else token, "property", at + (2 if named else 1))
            case "inline" if self._is_name(at + 1):
                return self._parameters(self._declared_unit(at + 1, "procedure"), at + 2, typed=False)
            case "typedef" if self._is_name(at + 1):
                return self._typedef(at + 1)
            case "{":
                self._open()
            case "}":
                self._close(token.line)
            case "(":
                self.parentheses += 1
            case ")":
                self.parentheses = max(self.parentheses - 1, 0)
            case "of" if self._text(at + 1) == "{":
                return self._message(at + 2)
            case _ if text in _FOREIGN:
                return self._foreign(at + 1)
            case _ if text in _BASIC:
                return self._declaration(at, "variable")
            case _ if self._is_name(at):
                return self._name(at)
            case _:
                pass
        return at + 1

    def _name(self, at: int) -> int:
        token, before, behind = self.tokens[at], self._text(at - 1), self._text(at + 1)
        if self._is_name(at + 1) and self._is_type(token.text) and before != ".":
            return self._declaration(at, "variable")
        if (
            behind == ":"
            and self.parentheses == 0
            and self.scope.owner
            and not self._is_process(token.text)
            and (token.newline or before in _LABEL_BEFORE or before in ("else", "do", "if", "atomic", "d_step"))
        ):
            self._declare(token, "label", self.scope)
            return at + 2
        self._used(at, "name")
        return at + 1

    def _used(self, at: int, how: str) -> None:
        """A name that is no declaration: part of what, if of anything?"""
        token, before = self.tokens[at], self._text(at - 1)
        match before:
            case ".":
                self._use(token, "field", base=self._base(at - 2))
            case "goto":
                self._use(token, "label", base=self.scope.owner)
            case "@":
                self._use(token, "label", base=self._base_name(at - 2))
            case ":" if self._is_process(self._base_name(at - 2)):
                self._use(token, "local", base=self._base_name(at - 2))
            case _:
                self._use(token, how)

    def _is_type(self, name: str) -> bool:
        return any(self.declared[n].kind == "type" for n in self.globals.names.get(name, ()))

    def _is_process(self, name: str | None) -> bool:
        found = self.globals.names.get(name or "", ())
        return any(self.declared[n].kind == "process" for n in found)

    def _base(self, at: int) -> Span | None:
        """The name whose part is meant: `a` of `a.x` and of `a[i].x`."""
        at = self._opening(at)
        return self.tokens[at].span if 0 <= at < len(self.tokens) and self.tokens[at].kind == NAME else None

    def _base_name(self, at: int) -> str | None:
        at = self._opening(at)
        return self.tokens[at].text if 0 <= at < len(self.tokens) and self.tokens[at].kind == NAME else None

    def _opening(self, at: int) -> int:
        """From a closing bracket to the name in front of the opening one."""
        if self._text(at) != "]":
            return at
        depth = 0
        while at >= 0:
            depth += {"]": 1, "[": -1}.get(self._text(at), 0)
            at -= 1
            if depth == 0:
                return at
        return -1

    # --- units and declarations -----------------------------------------------------------------------------------

    def _declared_unit(self, at: int, kind: EntityKind) -> _Declared:
        unit = self._declare(self.tokens[at], kind, self.globals, owner="")
        self.scope = self.globals
        self._open(unit.name, unit)
        return unit

    def _unit(self, token: Token, kind: EntityKind, following: int) -> int:
        unit = self._declare(token, kind, self.globals, owner="")
        self.scope = self.globals
        self._open(unit.name, unit)
        return following

    def _proctype(self, at: int) -> int:
        if not self._is_name(at):
            return at
        return self._parameters(self._declared_unit(at, "process"), at + 1, typed=True)

    def _parameters(self, unit: _Declared, at: int, *, typed: bool) -> int:
        if self._text(at) != "(":
            return at
        at += 1
        kinds: list[str] = []
        while at < len(self.tokens) and self._text(at) not in (")", "{"):
            if typed and (self._text(at) in _BASIC or (self._is_name(at) and self._is_name(at + 1))):
                known = len(self.declared)
                at = self._declaration(at, "parameter")
                kinds.extend(f"{d.type} {d.name}" for d in self.declared[known:])
                continue
            if not typed and self._is_name(at):
                self._declare(self.tokens[at], "parameter", self.scope)
                kinds.append(self._text(at))
            at += 1
        unit.type = f"({', '.join(kinds)})"
        return at + 1 if self._text(at) == ")" else at

    def _typedef(self, at: int) -> int:
        unit = self._declared_unit(at, "type")
        unit.type = "typedef"
        at += 1
        if self._text(at) == "{":
            at += 1
            while at < len(self.tokens) and self._text(at) != "}":
                if self._text(at) in _BASIC or (self._is_name(at) and self._is_name(at + 1)):
                    at = self._declaration(at, "field")
                else:
                    at += 1
            unit.last = self.tokens[min(at, len(self.tokens) - 1)].line
            at += 1
        self.scope = self.globals
        return at

    def _declaration(self, at: int, kind: EntityKind) -> int:
        """From the type to behind the last declarator."""
        token = self.tokens[at]
        type_ = token.text
        record = ""
        if type_ not in _BASIC:
            self._use(token, "name")
            record = type_
        at += 1
        if type_ == "mtype":
            if self._text(at) == ":" and at + 1 < len(self.tokens):
                type_ = f"mtype:{self._text(at + 1)}"
                at += 2
            if self._text(at) in ("=", "{"):
                return self._names(at, type_)
        first = True
        while first or self._text(at) == ",":
            at += 0 if first else 1
            if not first and (self._text(at) in _BASIC or self._text(at) in _VISIBILITY):
                return at  # the next group of parameters
            first = False
            if not self._is_name(at):
                return at
            found = self._declare(self.tokens[at], kind, self.scope, type_, record)
            at = self._declarator(at + 1, found)
        return at

    def _declarator(self, at: int, found: _Declared) -> int:
        if self._text(at) == "[":
            start = at
            at = self._expression(at + 1, ("]",)) + 1
            found.type += "".join(t.text for t in self.tokens[start:at])
        if self._text(at) == ":" and found.type.startswith("unsigned"):
            found.type = f"unsigned({self._text(at + 1)})"
            at += 2
        if self._text(at) == "=":
            at = self._expression(at + 1, (",", ";", "}", ")"))
        return at

    def _expression(self, at: int, ends: tuple[str, ...]) -> int:
        """Names up to one of these tokens, which is outside brackets."""
        depth = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if depth == 0 and (token.text in ends or (token.newline and token.text in _UNITS | _BASIC)):
                return at
            if token.text == "of" and self._text(at + 1) == "{":
                at = self._message(at + 2)
                continue
            depth += 1 if token.text in ("(", "[", "{") else -1 if token.text in (")", "]", "}") else 0
            if depth == 0 and token.newline and token.text == "#":
                return at
            if self._is_name(at):
                self._name(at)
            if depth == 0 and token.newline and self.tokens[at - 1].kind in (NAME, CONST) and token.kind == NAME:
                return at
            at += 1
        return at

    def _names(self, at: int, type_: str) -> int:
        """`= { a, b }` of an mtype."""
        while at < len(self.tokens) and self._text(at) in ("=", "{", ","):
            at += 1
            if self._is_name(at):
                self._declare(self.tokens[at], "constant", self.globals, type_, owner="")
                at += 1
        return at + 1 if self._text(at) == "}" else at

    def _message(self, at: int) -> int:
        """The types of a message, up to behind the closing brace."""
        while at < len(self.tokens) and self._text(at) != "}":
            if self._is_name(at) and self._text(at - 1) != ":":
                self._use(self.tokens[at], "name")
            at += 1
        return at + 1

    def _foreign(self, at: int) -> int:
        """Behind a fragment of C."""
        depth = 0
        while at < len(self.tokens):
            text = self._text(at)
            depth += 1 if text == "{" else -1 if text == "}" else 0
            at += 1
            if text == "}" and depth <= 0:
                break
        return at

    # --- looking up -----------------------------------------------------------------------------------------------

    def outline(self) -> Outline:
        found: dict[Span, int] = {d.span: number for number, d in enumerate(self.declared)}
        for use in self.uses:
            meant = self._meant(use, found)
            if meant is not None:
                found[use.span] = meant
        definitions = [Definition(d.name, d.kind, d.span, d.last, d.owner, d.type) for d in self.declared]
        return Outline(definitions, found.items())

    def _meant(self, use: _Use, found: dict[Span, int]) -> int | None:
        match use.how:
            case "label":
                return self.labels.get((str(use.base), use.name))
            case "local":
                return next(iter(self.locals.get((str(use.base), use.name), ())), None)
            case "field":
                base = found.get(use.base) if isinstance(use.base, Span) else None
                return None if base is None else self.fields.get((self.declared[base].record, use.name))
            case "macro":
                return self._global(use.name, "macro")
            case _:
                return self._visible(use)

    def _global(self, name: str, kind: str) -> int | None:
        return next((n for n in self.globals.names.get(name, ()) if self.declared[n].kind == kind), None)

    def _visible(self, use: _Use) -> int | None:
        scope: _Scope | None = use.scope
        while scope is not None and scope is not self.globals:
            earlier = [n for n in scope.names.get(use.name, ()) if self.declared[n].place < use.place]
            if earlier:
                return earlier[-1]
            scope = scope.parent
        known = self.globals.names.get(use.name)
        if known:
            return known[0]
        # the text of a macro or inline means what is declared where it is used: certain if there is one such name
        inside = use.how == "text" or self._is_inline(use.scope.owner)
        anywhere = [n for (_, name), all_ in self.locals.items() if name == use.name for n in all_]
        return anywhere[0] if inside and len(anywhere) == 1 else None

    def _is_inline(self, owner: str) -> bool:
        return any(self.declared[n].kind == "procedure" for n in self.globals.names.get(owner, ()))
