"""Scenarios: finite automata over action terms, written as a term, composed with a model to restrict it.

    FSM(0, AcceptingStates(2), Transitions(t(0, Submit(_), 1), t(1, Claim(_, W1), 2)), Vocabulary("Submit", "Claim"))

A scenario allows an action of its vocabulary only where it has a transition for it; other actions it lets pass. Several
transitions may fit: it is then in several states at once, so that what it allows is what some run of it allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.frontends.modelprogram.program import Contribution, Parameter, Part
from clew.frontends.modelprogram.terms import Literal, Term, fits, read_term, term_of, text_of
from clew.frontends.modelprogram.values import Set

Step = tuple[str, tuple[Term | Literal, ...], str]  # symbol's arguments and where it leads


def read_scenario(text: str, file: str) -> Part:
    """Raises InputError, located."""
    term = read_term(text, file)
    if not isinstance(term, Term) or term.symbol != "FSM" or len(term.args) not in (3, 4):
        raise _wrong(file, "expected FSM(initial, AcceptingStates(…), Transitions(…), Vocabulary(…))")
    initial, accepting, transitions = term.args[:3]
    name = file.rpartition("/")[2].partition(".")[0] or "scenario"
    ends = {text_of(state) for state in _list(accepting, "AcceptingStates", file)}
    steps: dict[str, list[tuple[str, tuple[Term | Literal, ...], str]]] = {}
    for item in _list(transitions, "Transitions", file):
        match item:
            case Term("t", (source, Term(symbol, args), target)):
                steps.setdefault(symbol, []).append((text_of(source), args, text_of(target)))
            case _:
                raise _wrong(file, f"expected t(state, action, state), found {text_of(item)}")
    for word in _list(term.args[3], "Vocabulary", file) if len(term.args) == 4 else ():
        steps.setdefault(word if isinstance(word, str) else text_of(word), [])
    holder: dict[str, Any] = {name: Set(text_of(initial))}
    words = frozenset(word for known in steps.values() for _, args, _ in known for word in _symbols(args))
    part = Part(name, holder, (name,), {}, spans={name: Span(file, 1)}, words=words)
    for symbol, known in steps.items():
        part.actions[symbol] = _contribution(holder, name, symbol, known, file)
    if ends:
        part.accepting.append(lambda: any(state in ends for state in holder[name]))
    return part


def _contribution(holder: dict[str, Any], name: str, symbol: str, steps: list[Step], file: str) -> Contribution:
    arities = {len(args) for _, args, _ in steps}
    if len(arities) > 1:
        raise _wrong(file, f"action '{symbol}' has different numbers of arguments")
    count = arities.pop() if arities else None

    def targets(args: tuple[Any, ...]) -> Iterator[str]:
        terms = [term_of(arg) for arg in args]
        for source, pattern, target in steps:
            if source in holder[name] and all(map(fits, pattern, terms)):
                yield target

    def allows(*args: Any) -> bool:
        return any(True for _ in targets(args))

    def follow(*args: Any) -> None:
        holder[name] = Set.of(targets(args))

    parameters = tuple(Parameter(f"argument {n + 1}") for n in range(count or 0))
    return Contribution(
        parameters, follow, Span(file, 1), ((allows, tuple(range(count or 0))),), any_arity=count is None
    )


def _symbols(terms: Iterable[Term | Literal]) -> Iterator[str]:
    for term in terms:
        if isinstance(term, Term):
            yield term.symbol
            yield from _symbols(term.args)


def _list(term: Term | Literal, symbol: str, file: str) -> tuple[Term | Literal, ...]:
    if not isinstance(term, Term) or term.symbol != symbol:
        raise _wrong(file, f"expected {symbol}(…), found {text_of(term)}")
    return term.args


def _wrong(file: str, message: str) -> InputError:
    return InputError.at(Span(file, 1), "bad-scenario", message)
