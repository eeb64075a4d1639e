"""Macros of the C preprocessor: definition, substitution, expansion.

Expansion follows gcc: a macro is switched off while its replacement is being read; a name met in that time is never
expanded again. Every token of an expansion is placed at the outermost macro use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from clew.core.diagnostics import InputError
from clew.frontends.promela.lexer import BAD, CONST, FIXED_NAME, NAME, STRING, Token, spelled_out, tokenize

CODE = "promela-preprocessor"
MAX_EXPANSION = 1_000_000  # tokens; a chain of doubling macros would fill the memory otherwise


@dataclass(slots=True, eq=False)
class Macro:
    """`params` is None for an object-like macro; a variadic one has its last parameter take all that remains."""

    name: str
    params: tuple[str, ...] | None
    variadic: bool
    body: tuple[Token, ...]
    place: Token
    builtin: Callable[[Token], Token] | None = None
    disabled: bool = False


def parse_define(line: list[Token], directive: Token) -> Macro:
    """`NAME body` or `NAME(params) body`: the tokens behind `#define`. Raises InputError."""
    if not line:
        raise InputError.at(directive.span, CODE, "no macro name given in #define")
    name = line[0]
    if name.kind != NAME or name.text == "defined":
        raise InputError.at(name.span, CODE, f"'{name.text}' cannot be a macro name")
    params: tuple[str, ...] | None = None
    variadic = False
    rest = 1
    if len(line) > 1 and line[1].kind == "(" and not line[1].space:
        params, variadic, rest = _parse_params(line, name)
    body = tuple(line[rest:])
    if body and (body[0].kind == "##" or body[-1].kind == "##"):
        raise InputError.at(name.span, CODE, "'##' cannot stand at either end of a macro")
    if params is not None:
        for position, token in enumerate(body):
            if token.kind == "#" and (position + 1 == len(body) or body[position + 1].text not in params):
                raise InputError.at(token.span, CODE, "'#' must be followed by a macro parameter")
    return Macro(name.text, params, variadic, body, name)


def _parse_params(line: list[Token], name: Token) -> tuple[tuple[str, ...], bool, int]:
    params: list[str] = []
    index = 2
    if index < len(line) and line[index].kind == ")":
        return (), False, index + 1
    while index < len(line):
        token = line[index]
        dots = [t.kind for t in line[index : index + 2]] == ["..", "."]
        if dots:
            params.append("__VA_ARGS__")
            index += 2
        elif token.kind == NAME:
            if token.text in params:
                raise InputError.at(token.span, CODE, f"duplicate macro parameter '{token.text}'")
            params.append(token.text)
            index += 1
            dots = [t.kind for t in line[index : index + 2]] == ["..", "."]
            if dots:
                index += 2
        else:
            break
        closing = line[index].kind if index < len(line) else ""
        if closing == ")":
            return tuple(params), dots, index + 1
        if closing != "," or dots:
            break
        index += 1
    raise InputError.at(name.span, CODE, f"malformed parameter list of macro '{name.text}'")


@dataclass(slots=True)
class _Context:
    """Tokens being read, `macro` is on again behind the last one."""

    tokens: list[Token]
    macro: Macro | None
    position: int = 0


@dataclass(slots=True)
class Expander:
    """Expands macro uses. `more` yields the next token of the file, `is_call` says whether that would be `(`."""

    macros: dict[str, Macro]
    produced: int = 0
    _stack: list[_Context] = field(default_factory=list)

    def expand(self, use: Token, more: Callable[[], Token | None], is_call: Callable[[], bool]) -> list[Token]:
        """The full expansion of the macro use `use`; arguments may be taken from the file."""
        saved, self._stack = self._stack, [_Context([use], None)]
        result: list[Token] = []
        try:
            while self._stack:
                context = self._stack[-1]
                if context.position == len(context.tokens):
                    self._pop()
                    continue
                token = context.tokens[context.position]
                context.position += 1
                macro = self.macros.get(token.text) if token.kind == NAME else None
                if macro is None:
                    result.append(token)
                elif macro.disabled:
                    fixed = token.at(use, token.space)
                    fixed.kind = FIXED_NAME
                    result.append(fixed)
                elif not self._enter(macro, token, use, more, is_call):
                    result.append(token)
            self.produced += len(result)
        finally:
            while self._stack:
                self._pop()
            self._stack = saved
        if self.produced > MAX_EXPANSION:
            raise InputError.at(use.span, CODE, f"the expansion of macro '{use.text}' is too large")
        return result

    def expand_all(self, tokens: list[Token]) -> list[Token]:
        """The expansion of a closed list of tokens (an argument, an `#if` line)."""
        if not any(t.kind == NAME and t.text in self.macros for t in tokens):
            return tokens
        result: list[Token] = []
        position = 0

        def more() -> Token | None:
            nonlocal position
            if position == len(tokens):
                return None
            position += 1
            return tokens[position - 1]

        def is_call() -> bool:
            return position < len(tokens) and tokens[position].kind == "("

        while (token := more()) is not None:
            macro = self.macros.get(token.text) if token.kind == NAME else None
            if macro is None:
                result.append(token)
            elif macro.disabled:
                fixed = token.at(token, token.space or token.newline)
                fixed.kind = FIXED_NAME
                result.append(fixed)
            else:
                result.extend(self.expand(token, more, is_call))
        return result

    def _pop(self) -> None:
        context = self._stack.pop()
        if context.macro is not None:
            context.macro.disabled = False

    def _enter(
        self, macro: Macro, name: Token, use: Token, more: Callable[[], Token | None], is_call: Callable[[], bool]
    ) -> bool:
        """Push the replacement of `macro`; False if it is function-like and not called."""
        if macro.builtin is not None:
            self._stack.append(_Context([macro.builtin(name).at(use, True)], None))
            return True
        if macro.params is None:
            if any(t.kind == "##" for t in macro.body):
                tokens = self._substitute(macro, [], use)
            else:
                tokens = [t.at(use, t.space) for t in macro.body]
        else:
            while self._stack and self._stack[-1].position == len(self._stack[-1].tokens):
                self._pop()
            if self._stack:
                top = self._stack[-1]
                called = top.tokens[top.position].kind == "("
            else:
                called = is_call()
            if not called:
                return False
            tokens = self._substitute(macro, self._arguments(macro, name, use, more), use)
        if tokens:
            tokens[0].space = True
        self.produced += len(tokens)
        if self.produced > MAX_EXPANSION:
            raise InputError.at(use.span, CODE, f"the expansion of macro '{use.text}' is too large")
        macro.disabled = True
        self._stack.append(_Context(tokens, macro))
        return True

    def _read(self, more: Callable[[], Token | None]) -> Token | None:
        while self._stack:
            context = self._stack[-1]
            if context.position < len(context.tokens):
                context.position += 1
                return context.tokens[context.position - 1]
            self._pop()
        return more()

    def _arguments(self, macro: Macro, name: Token, use: Token, more: Callable[[], Token | None]) -> list[list[Token]]:
        assert macro.params is not None
        self._read(more)  # the opening parenthesis
        arguments: list[list[Token]] = [[]]
        depth = 1
        while True:
            token = self._read(more)
            if token is None:
                raise InputError.at(use.span, CODE, f"unterminated argument list invoking macro '{name.text}'")
            kind = token.kind
            if kind == "(":
                depth += 1
            elif kind == ")":
                depth -= 1
                if depth == 0:
                    break
            elif kind == "," and depth == 1 and not (macro.variadic and len(arguments) == len(macro.params)):
                arguments.append([])
                continue
            arguments[-1].append(token)
        wanted = len(macro.params)
        if wanted == 0 and arguments == [[]]:
            arguments = []
        if macro.variadic and len(arguments) == wanted - 1:
            arguments.append([])
        if len(arguments) != wanted:
            message = f"macro '{name.text}' takes {wanted} argument{'s' * (wanted != 1)}, but {len(arguments)} given"
            raise InputError.at(use.span, CODE, message)
        return arguments

    def _substitute(self, macro: Macro, arguments: list[list[Token]], use: Token) -> list[Token]:
        index = {name: number for number, name in enumerate(macro.params or ())}
        expanded: dict[int, list[Token]] = {}
        body = macro.body
        result: list[Token] = []
        position = 0
        while position < len(body):
            token = body[position]
            follower = body[position + 1].kind if position + 1 < len(body) else ""
            number = index.get(token.text) if token.kind == NAME else None
            if token.kind == "#" and macro.params is not None:
                position += 1
                result.append(_stringified(arguments[index[body[position].text]], use, token.space))
            elif token.kind == "##":
                position += 1
                self._paste(macro, body[position], index, arguments, result, use)
            elif number is None:
                result.append(token.at(use, token.space))
            elif follower == "##":
                raw = arguments[number]
                if raw:
                    result.extend(t.at(use, t.space) for t in raw)
                else:
                    result.append(Token("", "", use.file, use.line, use.column, use.length, False, token.space))
            else:
                if number not in expanded:
                    expanded[number] = self.expand_all(arguments[number])
                for offset, part in enumerate(expanded[number]):
                    result.append(part.at(use, True if offset == 0 else part.space or part.newline))
            position += 1
        return [t for t in result if t.text]

    def _paste(
        self, macro: Macro, right: Token, index: dict[str, int], arguments: list[list[Token]], result: list[Token],
        use: Token,
    ) -> None:  # fmt: skip
        number = index.get(right.text) if right.kind == NAME else None
        if number is None:
            operand = [right]
        elif macro.variadic and number == len(index) - 1 and result and result[-1].kind == ",":
            # GNU: `, ## __VA_ARGS__` drops the comma when nothing is passed and pastes nothing otherwise
            if not arguments[number]:
                result.pop()
            else:
                result.extend(t.at(use, t.space) for t in self.expand_all(arguments[number]))
            return
        else:
            operand = arguments[number]
        if not operand:
            return
        left = result.pop() if result else None
        if left is None or not left.text:
            result.extend(t.at(use, t.space) for t in operand)
            return
        pasted = tokenize(left.text + operand[0].text, use.file)
        if any(t.kind == BAD for t in pasted):
            raise InputError.at(use.span, CODE, f"pasting '{left.text}' and '{operand[0].text}' gives no valid token")
        result.extend(t.at(use, left.space if offset == 0 else False) for offset, t in enumerate(pasted))
        result.extend(t.at(use, t.space) for t in operand[1:])


def _stringified(argument: list[Token], use: Token, space: bool) -> Token:
    text = spelled_out([t.at(use, t.space or t.newline) for t in _quoted(argument)]).strip()
    return Token(STRING, f'"{text}"', use.file, use.line, use.column, use.length, False, space)


def _quoted(argument: list[Token]) -> list[Token]:
    quoted: list[Token] = []
    for token in argument:
        if token.kind in (STRING, CONST) and token.text[0] in "\"'":
            copy = token.at(token, token.space or token.newline)
            copy.text = token.text.replace("\\", "\\\\").replace('"', '\\"')
            quoted.append(copy)
        else:
            quoted.append(token)
    return quoted
