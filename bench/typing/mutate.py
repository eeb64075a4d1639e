"""Seeded errors in channels, and the share of them that inference finds.

Each model without type errors is changed in one place at a time, by text: fields of a message exchanged that are of
different kinds, a field left off, one too many, an argument of `run` left off, a name where a number belongs and the
other way round, another channel passed on. A mutant counts as found if there is an error that the model did not have.
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common.corpus import find
from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.frontends.promela import syntax as ast
from clew.frontends.promela.features import children
from clew.frontends.promela.lexer import NAME, Token, tokenize
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.typing.infer import Typing, infer
from clew.frontends.promela.typing.nodes import CHAN, MTYPE, SCALAR, Node
from clew.frontends.promela.typing.nodes import find as representative
from clew.frontends.promela.typing.symbols import Options, Symbol
from clew.host.sources import read_source

OF_A_CLASS = 4  # mutants of each class for each model
CLASSES = ("swap fields", "drop field", "extra field", "wrong run arity", "name for number", "number for name",
           "wrong channel")  # fmt: skip
WITHOUT_NARROWING = Options(narrowing=False)


@dataclass(frozen=True, slots=True)
class Site:
    """Arguments in the text: where each begins and ends, as offsets, and where what holds them all ends."""

    node: ast.Send | ast.Receive | ast.Run
    arguments: tuple[tuple[int, int], ...]
    end: int


def run(folders: Sequence[Path]) -> int:
    examples = sorted((Path(__file__).parents[2] / "examples" / "promela").glob("*.pml"))
    corpus = find(folders).models if folders else []
    chance = random.Random(1)
    made: dict[str, int] = defaultdict(int)
    caught: dict[str, int] = defaultdict(int)
    models, missed = 0, list[str]()
    start = time.process_time()
    for path in [*examples, *corpus]:
        known = _without_errors(path)
        if known is None:
            continue
        models += 1
        text, model, typing = known
        for kind, mutant in _chosen(mutants(text, str(path), model, typing), chance):
            verdict = _found(mutant, path)
            if verdict is None:
                continue
            made[kind] += 1
            caught[kind] += verdict
            if not verdict:
                missed.append(f"{path.name}: {kind}: {_changed(text, mutant)}")
    print(f"{models} models without errors, {time.process_time() - start:.0f} s")
    print("| class | mutants | found | share |\n|---|---|---|---|")
    for kind in CLASSES:
        if made[kind]:
            print(f"| {kind} | {made[kind]} | {caught[kind]} | {caught[kind] / made[kind]:.1%} |")
    total, found = sum(made.values()), sum(caught.values())
    print(f"| all | {total} | {found} | {found / total:.1%} |")
    for line in missed:
        print(f"  missed: {line}")
    return 0 if found >= 0.95 * total else 1


def _without_errors(path: Path) -> tuple[str, ast.Model, Typing] | None:
    try:
        text = read_source(str(path))
        model = parse_text(text, str(path))
    except InputError:
        return None
    typing = infer(model, WITHOUT_NARROWING)
    return None if _errors(typing.diagnostics) or "\r" in text else (text, model, typing)


def _errors(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.severity is Severity.ERROR]


def _found(mutant: str, path: Path) -> bool | None:
    """None if the mutant is no Promela at all."""
    try:
        return bool(_errors(infer(parse_text(mutant, str(path)), WITHOUT_NARROWING).diagnostics))
    except InputError:
        return None


def _chosen(all_: Iterator[tuple[str, str]], chance: random.Random) -> Iterator[tuple[str, str]]:
    by_kind: dict[str, list[str]] = defaultdict(list)
    for kind, mutant in all_:
        by_kind[kind].append(mutant)
    for kind in CLASSES:
        found = by_kind[kind]
        yield from ((kind, mutant) for mutant in chance.sample(found, min(OF_A_CLASS, len(found))))


def _changed(before: str, after: str) -> str:
    pairs = zip(before.split("\n"), after.split("\n"), strict=True)
    return next((f"{a.strip()}  =>  {b.strip()}" for a, b in pairs if a != b), "")


def mutants(text: str, path: str, model: ast.Model, typing: Typing) -> Iterator[tuple[str, str]]:
    """Class and text of every mutant of a model."""
    names = [name for unit in model.units if isinstance(unit, ast.MtypeDecl) for name, _ in unit.names]
    channels = [(s.name, typing.type_text(s.type)) for s in typing.symbols
                if isinstance(s.type, Node) and s.owner == "" and s.role == "variable"]  # fmt: skip
    symbols = _by_place(typing)
    for site in _sites(text, path, model):
        places = site.arguments
        parts = [text[a:b] for a, b in places]

        def changed(new: Sequence[str], start: int = places[0][0], end: int = site.end) -> str:
            return text[:start] + ",".join(new) + text[end:]

        if isinstance(site.node, ast.Run):
            yield "wrong run arity", changed(parts[:-1])
            yield "wrong run arity", changed([*parts, "0"])
        else:
            kinds = _kinds(site.node, symbols)
            if kinds is not None and len(kinds) == len(parts):
                yield from (("swap fields", changed(new)) for new in _swapped(parts, kinds))
                yield from _mixed(parts, kinds, site.node, names, changed)
            if len(parts) > 1:
                yield "drop field", changed(parts[:-1])
            yield "extra field", changed([*parts, "0"])
        for number, argument in enumerate(site.node.args):
            symbol = symbols.get(argument.span) if isinstance(argument, ast.Ref) else None
            if symbol is None or not isinstance(symbol.type, Node) or symbol.name != parts[number].strip():
                continue
            mine = typing.type_text(symbol.type)
            for name, type_ in channels:
                if type_ != mine and "X" not in type_ + mine:
                    yield "wrong channel", changed([*parts[:number], name, *parts[number + 1 :]])


def _by_place(typing: Typing) -> dict[Span, Symbol]:
    """The name that is declared or used at each place."""
    return dict(typing.uses) | {symbol.span: symbol for symbol in typing.symbols}


def _swapped(parts: list[str], kinds: list[str]) -> Iterator[list[str]]:
    for i, kind in enumerate(kinds):
        for j in range(i):
            if kind != kinds[j] and "_" not in (parts[i].strip(), parts[j].strip()):
                new = list(parts)
                new[i], new[j] = new[j], new[i]
                yield new


def _mixed(
    parts: list[str], kinds: list[str], node: ast.Send | ast.Receive, names: list[str], changed: object
) -> Iterator[tuple[str, str]]:
    assert callable(changed)
    for number, (kind, argument) in enumerate(zip(kinds, node.args, strict=True)):
        if isinstance(argument, ast.Ref) and argument.name == "_":
            continue
        if kind == MTYPE:
            yield "number for name", changed([*parts[:number], "7", *parts[number + 1 :]])
        elif kind == SCALAR and names:
            yield "name for number", changed([*parts[:number], names[0], *parts[number + 1 :]])


def _kinds(node: ast.Send | ast.Receive, symbols: dict[Span, Symbol]) -> list[str] | None:
    """Of the fields of the channel, if its layout is known and has no records."""
    symbol = symbols.get(node.channel.span)
    if symbol is None:
        return None
    type_ = getattr(symbol.type, "element", symbol.type)
    if not isinstance(type_, Node) or representative(type_).kind != CHAN:
        return None
    slots = [representative(slot) for slot in representative(representative(type_).args[0]).args]
    if any(slot.kind not in (CHAN, MTYPE, SCALAR) for slot in slots):
        return None
    return [str(slot.kind) for slot in slots]


# --- places in the text -------------------------------------------------------------------------------------------


def _sites(text: str, path: str, model: ast.Model) -> Iterator[Site]:
    """Sends, receives and runs that stand in the file itself, outside inlines and macros."""
    tokens = tokenize(text, path)
    at = {(t.line, t.column): number for number, t in enumerate(tokens)}
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(token: Token) -> int:
        return starts[token.line - 1] + token.column - 1

    for node in _nodes(model):
        number = at.get((node.span.line, node.span.column)) if node.span.file == path else None
        if number is None or not node.args:
            continue
        found = _arguments(tokens, number, isinstance(node, ast.Run))
        if found is not None and len(found[0]) == len(node.args):
            pairs, last = found
            places = tuple((offset(a), offset(b) + b.length) for a, b in pairs)
            bracketed = not isinstance(node, ast.Run) and last.text == ")" and _opened(tokens, pairs)
            yield Site(node, places, offset(last) + 1 if bracketed else places[-1][1])


def _nodes(model: ast.Model) -> Iterator[ast.Send | ast.Receive | ast.Run]:
    stack: list[object] = [unit for unit in model.units if isinstance(unit, ast.Proctype)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Block) and node.kind == "inline":
            continue
        if isinstance(node, ast.Send | ast.Receive | ast.Run):
            yield node
        stack.extend(children(node))


def _arguments(tokens: list[Token], at: int, call: bool) -> tuple[list[tuple[Token, Token]], Token] | None:
    """First and last token of each argument, in one of the plain spellings `q!a,b`, `q!a(b)` and `run P(a, b)`, and the
    last token that belongs to them."""
    wanted = ("(",) if call else ("!", "!!", "?", "??")
    depth = 0
    while at < len(tokens) and not (depth == 0 and tokens[at].text in wanted):
        depth += {"[": 1, "]": -1}.get(tokens[at].text, 0)
        at += 1
        if at < len(tokens) and tokens[at].text in (";", "->", "{", "}"):
            return None
    at += 1
    found: list[tuple[Token, Token]] = []
    first = at
    depth = 0
    while at < len(tokens):
        text = tokens[at].text
        if depth == 0 and not call and text in ("(", "<", "["):
            if text != "(" or at != first + 1 or found or tokens[first].kind != NAME:
                return None
            inner = _arguments(tokens, at, True)
            return None if inner is None else ([(tokens[first], tokens[first]), *inner[0]], inner[1])
        ends = depth == 0 and (text in (")", ";", "->", "}", "::", "fi", "od", "unless", "else") or _breaks(tokens, at))
        if depth == 0 and (text == "," or ends):
            if at == first:
                return None
            found.append((tokens[first], tokens[at - 1]))
            first = at + 1
            if ends:
                return found, tokens[at]
        depth += 1 if text in ("(", "[") else -1 if text in (")", "]") else 0
        at += 1
    return None


def _opened(tokens: list[Token], pairs: list[tuple[Token, Token]]) -> bool:
    """Whether the second argument stands in parentheses: `q!a(b)`."""
    return len(pairs) > 1 and tokens[tokens.index(pairs[1][0]) - 1].text == "("


def _breaks(tokens: list[Token], at: int) -> bool:
    """A line break that ends a statement."""
    return tokens[at].newline and tokens[at - 1].text != ","
