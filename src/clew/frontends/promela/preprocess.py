"""The C preprocessor as Spin uses it (`gcc -std=gnu99 -E -x c`), giving tokens with their original positions.

Written here rather than taken from `pcpp`: that library hands out the tokens of an expansion with positions inside the
macro's definition, drops columns at spliced lines, and its output would have to be lexed a second time; and Spin's
implied semicolons depend on which tokens gcc prints on a new line, which it does not tell. One pass over one token
list does both jobs in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.core.records import record
from clew.frontends.promela.conditions import evaluate
from clew.frontends.promela.lexer import CONST, FIXED_NAME, NAME, NUMBER, STRING, Token, split_number, tokenize
from clew.frontends.promela.macros import CODE, Expander, Macro, parse_define

MAX_INCLUDE_DEPTH = 200
_PREDEFINED = """
linux 1|unix 1|__linux 1|__linux__ 1|__gnu_linux__ 1|__unix 1|__unix__ 1|__x86_64 1|__x86_64__ 1|__amd64 1|__amd64__ 1
_LP64 1|__LP64__ 1|__ELF__ 1|__STDC__ 1|__STDC_VERSION__ 199901L|__STDC_HOSTED__ 1|__GNUC__ 12|__GNUC_MINOR__ 2
__CHAR_BIT__ 8|__SCHAR_MAX__ 0x7f|__SHRT_MAX__ 0x7fff|__INT_MAX__ 0x7fffffff|__LONG_MAX__ 0x7fffffffffffffffL
__SIZEOF_SHORT__ 2|__SIZEOF_INT__ 4|__SIZEOF_LONG__ 8|__SIZEOF_POINTER__ 8
__DATE__ "??? ?? ????"|__TIME__ "??:??:??"
"""


@record
class PreprocessedText:
    """What the parser reads: tokens in order, and every file read as (name, text), the main one first."""

    tokens: list[Token]
    files: tuple[tuple[str, str], ...]
    main: str


def preprocess(
    path: str | None,
    text: str,
    defines: Mapping[str, str] | None = None,
    include_dirs: Iterable[str] = (),
    undefine: Iterable[str] = (),
) -> PreprocessedText:
    """Expand macros, includes and conditionals of `text`, the content of `path` (None: not from a file).

    A key of `defines` may have parameters, as in `-D'F(x)=x+1'`. Raises InputError with everything found wrong.
    """
    run = _Preprocessor(tuple(include_dirs))
    run.predefine(defines or {}, undefine)
    run.main = path or "<text>"
    try:
        run.process_file(run.main, text, None)
    except RecursionError:
        run.error(Span(run.main, 1), "macros or files nested too deeply")
    if any(d.severity is Severity.ERROR for d in run.problems):
        raise InputError(run.problems)
    return PreprocessedText(_as_printed(run.output, run.breaks), tuple(run.files.items()), run.main)


def read_source(path: str) -> str:
    """The text of a file; bytes that are not UTF-8 are taken as Latin-1. Raises InputError."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError.at(Span(path, 1), "promela-file", f"cannot read '{path}': {reason}") from None
    return decoded(data)


def decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text


@dataclass(slots=True)
class _Conditional:
    """An open `#if`: `active` now, `taken` already, whether `#else` was seen, and where it began."""

    active: bool
    taken: bool
    outer: bool
    otherwise: bool
    place: Token


@dataclass(slots=True)
class _Reading:
    """A file being read. `shift` and `name` are the effect of line markers in it."""

    path: str
    name: str
    tokens: list[Token]
    position: int = 0
    shift: int = 0
    conditionals: list[_Conditional] = field(default_factory=list)


class _Preprocessor:
    def __init__(self, include_dirs: tuple[str, ...]) -> None:
        self.include_dirs = include_dirs
        self.macros: dict[str, Macro] = {}
        self.expander = Expander(self.macros)
        self.problems: list[Diagnostic] = []
        self.files: dict[str, str] = {}
        self.once: set[str] = set()
        self.output: list[Token] = []
        self.breaks: set[int] = set()  # where in the output another file begins or goes on
        self.reading: list[_Reading] = []
        self.counter = 0
        self.main = ""
        self.directives: dict[str, Callable[[Token, list[Token]], None]] = {
            "define": self._define, "undef": self._undef, "include": self._include, "error": self._error,
            "line": self._line, "pragma": self._pragma, "warning": _ignored, "ident": _ignored, "sccs": _ignored,
            "import": self._include, "assert": _ignored, "unassert": _ignored,
        }  # fmt: skip

    def error(self, where: Span, message: str, hint: str = "") -> None:
        self.problems.append(Diagnostic(Severity.ERROR, CODE, message, where, hint))

    def predefine(self, defines: Mapping[str, str], undefine: Iterable[str]) -> None:
        for entry in _PREDEFINED.replace("\n", "|").strip("|").split("|"):
            macro = parse_define(tokenize(entry, "<built-in>"), Token("#", "#", "<built-in>", 1, 1, 1, True, False))
            self.macros[macro.name] = macro
        here = Token(NAME, "", "<built-in>", 1, 1, 1, True, False)

        def builtin(name: str, value: Callable[[Token], Token]) -> None:
            self.macros[name] = Macro(name, None, False, (), here, value)

        def literal(kind: str, text: str) -> Token:
            return Token(kind, text, "<built-in>", 1, 1, 1, False, True)

        def next_count(_: Token) -> Token:
            self.counter += 1
            return literal(CONST, str(self.counter - 1))

        builtin("__LINE__", lambda use: literal(CONST, str(use.line)))
        builtin("__FILE__", lambda use: literal(STRING, '"' + self.reading[-1].name + '"'))
        builtin("__BASE_FILE__", lambda use: literal(STRING, '"' + self.main + '"'))
        builtin("__INCLUDE_LEVEL__", lambda use: literal(CONST, str(len(self.reading) - 1)))
        builtin("__COUNTER__", next_count)
        for name, value in defines.items():
            place = Token("#", "#", "<command-line>", 1, 1, 1, True, False)
            try:
                macro = parse_define(tokenize(f"{name} {value}", "<command-line>"), place)
            except InputError as problem:
                self.problems.extend(problem.diagnostics)
            else:
                self.macros[macro.name] = macro
        for name in undefine:
            self.macros.pop(name, None)

    # --- files and tokens -----------------------------------------------------------------------------------------

    def process_file(self, path: str, text: str, place: Token | None) -> None:
        if len(self.reading) >= MAX_INCLUDE_DEPTH:
            assert place is not None
            self.error(place.span, "#include nested too deeply", "does the file include itself without a guard?")
            return
        self.files.setdefault(path, text)
        reading = _Reading(path, path, tokenize(text, path, self.problems))
        self.reading.append(reading)
        self.breaks.add(len(self.output))
        macros = self.macros
        while (token := self._next()) is not None:
            if token.kind == NAME and token.text in macros:
                self._expand(token)
            else:
                self.output.append(token)
        for conditional in reading.conditionals:
            self.error(conditional.place.span, "unterminated conditional: #endif is missing")
        self.reading.pop()
        self.breaks.add(len(self.output))

    def _expand(self, token: Token) -> None:
        try:
            expansion = self.expander.expand(token, self._next, self._at_parenthesis)
        except InputError as problem:
            self.problems.extend(problem.diagnostics)
            return
        if expansion:
            expansion[0].newline = token.newline
            expansion[0].space = True
        reading = self.reading[-1]
        self.output.extend(expansion)
        if reading.position < len(reading.tokens):
            reading.tokens[reading.position].space = True

    def _next(self) -> Token | None:
        """The next token of the current file that is not part of a directive or of a skipped group."""
        reading = self.reading[-1]
        tokens = reading.tokens
        while reading.position < len(tokens):
            token = tokens[reading.position]
            if token.newline and token.kind == "#":
                self._directive(reading)
                continue
            reading.position += 1
            if reading.shift or reading.name != reading.path:
                token.line = max(1, token.line + reading.shift)
                token.file = reading.name
            return token
        return None

    def _at_parenthesis(self) -> bool:
        reading = self.reading[-1]
        while reading.position < len(reading.tokens):
            token = reading.tokens[reading.position]
            if token.newline and token.kind == "#":
                self._directive(reading)
                continue
            return token.kind == "("
        return False

    # --- directives -----------------------------------------------------------------------------------------------

    def _directive(self, reading: _Reading) -> None:
        """Obey the directive at the current position and, if it starts a skipped group, pass over that."""
        sign, line = _take_line(reading)
        self._obey(sign, line, reading)
        while reading.conditionals and not reading.conditionals[-1].active and reading.position < len(reading.tokens):
            token = reading.tokens[reading.position]
            if token.newline and token.kind == "#":
                sign, line = _take_line(reading)
                self._obey(sign, line, reading)
            else:
                reading.position += 1

    def _obey(self, sign: Token, line: list[Token], reading: _Reading) -> None:
        if not line:
            return
        skipping = bool(reading.conditionals) and not reading.conditionals[-1].active
        word, rest = line[0], line[1:]
        try:
            if word.text in ("if", "ifdef", "ifndef"):
                outer = not skipping
                truth = outer and self._truth(word, rest)
                reading.conditionals.append(_Conditional(outer and truth, truth, outer, False, sign))
            elif word.text in ("elif", "else", "endif"):
                self._continue_conditional(word, rest, reading)
            elif skipping:
                pass
            elif word.kind == CONST:
                self._line(word, line)
            elif word.text in self.directives and word.kind == NAME:
                self.directives[word.text](word, rest)
            else:
                self.error(word.span, f"invalid preprocessing directive #{word.text}")
        except InputError as problem:
            self.problems.extend(problem.diagnostics)

    def _continue_conditional(self, word: Token, rest: list[Token], reading: _Reading) -> None:
        if not reading.conditionals:
            self.error(word.span, f"#{word.text} without #if")
            return
        current = reading.conditionals[-1]
        if word.text == "endif":
            reading.conditionals.pop()
        elif current.otherwise:
            self.error(word.span, f"#{word.text} after #else")
        elif word.text == "else":
            current.active = current.outer and not current.taken
            current.taken = current.otherwise = True
        elif current.taken or not current.outer:
            current.active = False
        else:
            current.active = current.taken = self._truth(word, rest)

    def _truth(self, word: Token, rest: list[Token]) -> bool:
        if word.text in ("ifdef", "ifndef"):
            if not rest or rest[0].kind != NAME:
                self.error(word.span, f"no macro name given in #{word.text}")
                return False
            return (rest[0].text in self.macros) == (word.text == "ifdef")
        plain: list[Token] = []
        position = 0
        while position < len(rest):
            token = rest[position]
            position += 1
            if token.kind != NAME or token.text != "defined":
                plain.append(token)
                continue
            bracketed = position < len(rest) and rest[position].kind == "("
            position += bracketed
            if position == len(rest) or rest[position].kind != NAME:
                raise InputError.at(token.span, CODE, "operator 'defined' requires a name")
            plain.append(Token(CONST, str(int(rest[position].text in self.macros)), "", 1, 1, 1, False, True))
            position += 1
            if bracketed:
                if position == len(rest) or rest[position].kind != ")":
                    raise InputError.at(token.span, CODE, "missing ')' after 'defined'")
                position += 1
        return evaluate(self.expander.expand_all(plain), word.span)

    def _define(self, word: Token, rest: list[Token]) -> None:
        macro = parse_define(rest, word)
        self.macros[macro.name] = macro

    def _undef(self, word: Token, rest: list[Token]) -> None:
        if not rest or rest[0].kind != NAME:
            self.error(word.span, "no macro name given in #undef")
        else:
            self.macros.pop(rest[0].text, None)

    def _error(self, word: Token, rest: list[Token]) -> None:
        self.error(word.span, "#error " + " ".join(t.text for t in rest))

    def _pragma(self, word: Token, rest: list[Token]) -> None:
        if [t.text for t in rest] == ["once"]:
            self.once.add(self.reading[-1].path)
        else:
            self.error(word.span, "#pragma is not understood in Promela")

    def _line(self, word: Token, line: list[Token]) -> None:
        line = self.expander.expand_all(line)
        if not line or line[0].kind != CONST or not line[0].text.isdigit():
            self.error(word.span, "#line needs a line number")
            return
        reading = self.reading[-1]
        reading.shift = int(line[0].text[:9]) - (word.line + 1)
        if len(line) > 1 and line[1].kind == STRING:
            reading.name = line[1].text[1:-1]

    def _include(self, word: Token, rest: list[Token]) -> None:
        if rest and rest[0].kind == NAME:
            rest = self.expander.expand_all(rest)
        if rest and rest[0].kind == STRING:
            name, local = rest[0].text[1:-1], True
        elif rest and rest[0].text.startswith("<") and any(">" in t.text for t in rest):
            spelled = "".join((" " if t.space else "") + t.text for t in rest).strip()
            name, local = spelled[1 : spelled.index(">", 1)], False
        else:
            self.error(word.span, '#include expects "FILE" or <FILE>')
            return
        folders = [str(Path(self.reading[-1].path).parent)] if local else []
        for folder in [*folders, *self.include_dirs]:
            candidate = Path(folder) / name
            path = name if folder == "." else str(candidate)
            try:
                found = candidate.is_file()
            except (OSError, ValueError):
                found = False
            if found:
                if path not in self.once:
                    self.process_file(path, read_source(path), word)
                return
        self.error(rest[0].span, f"included file '{name}' not found", "folders to look in are named with -I DIR")


def _ignored(word: Token, rest: list[Token]) -> None:
    """A directive without effect on the model."""


def _take_line(reading: _Reading) -> tuple[Token, list[Token]]:
    """The `#` at the current position and the rest of its line."""
    tokens = reading.tokens
    start = reading.position
    end = start + 1
    while end < len(tokens) and not tokens[end].newline:
        end += 1
    reading.position = end
    return tokens[start], tokens[start + 1 : end]


def _as_printed(tokens: list[Token], breaks: set[int]) -> list[Token]:
    """Numbers cut up, names made ordinary again, and `newline` set where gcc's output starts a new line: where the
    line of a token (of the macro use, for an expansion) is another than that of the token before it, or the file."""
    result: list[Token] = []
    line = -1
    for position, token in enumerate(tokens):
        if (token.line != line and token.space) or position in breaks:
            line = token.line
            token.newline = True
        else:
            token.newline = False
        kind = token.kind
        if kind == NUMBER:
            result.extend(split_number(token))
        else:
            if kind == FIXED_NAME:
                token.kind = NAME
            result.append(token)
    return result
