"""Composing a contract with a scenario gives the intersection of their traces: against a direct product of automata."""

from __future__ import annotations

import random
from collections.abc import Iterator

from clew.core.registry import LoadOptions
from clew.frontends.modelprogram.language import read_programs
from clew.frontends.modelprogram.scenarios import read_scenario
from clew.frontends.modelprogram.space import ModelSpace

SYMBOLS = ("A", "B", "C")
LENGTH = 4
Word = tuple[tuple[str, int], ...]

CONTRACT = """
from clew.model import *
TABLE = Map(%s)
s = 0
""" + "".join(
    f"""
@action
def {name}(x: range(2)):
    global s
    s = TABLE["{name}", s, x]
@guard("{name}")
def _(x): return ("{name}", s, x) in TABLE
"""
    for name in SYMBOLS
)


Contract = dict[tuple[str, int, int], int]
Scenario = set[tuple[int, str, int | None, int]]


def pair(chance: random.Random) -> tuple[Contract, Scenario, list[str]]:
    contract = {
        (name, s, x): chance.randrange(3)
        for name in SYMBOLS
        for s in range(3)
        for x in range(2)
        if chance.random() < 0.5
    }
    vocabulary = chance.sample(SYMBOLS, chance.randint(1, 2))
    scenario = {
        (chance.randrange(3), chance.choice(vocabulary), chance.choice([0, 1, None]), chance.randrange(3))
        for _ in range(chance.randint(1, 5))
    }
    return contract, scenario, vocabulary


def direct(contract: Contract, scenario: Scenario, vocabulary: list[str]) -> Iterator[Word]:
    """All traces up to some length, by definition."""
    waiting: list[tuple[Word, int, frozenset[int]]] = [((), 0, frozenset({0}))]
    for word, s, places in waiting:
        yield word
        if len(word) == LENGTH:
            continue
        for (name, source, x), target in contract.items():
            if source != s:
                continue
            after = places
            if name in vocabulary:
                after = frozenset(t for p, n, y, t in scenario if p in places and n == name and y in (None, x))
                if not after:
                    continue
            waiting.append(((*word, (name, x)), target, after))


def composed(space: ModelSpace) -> Iterator[Word]:
    (first,) = space.initial()
    waiting: list[tuple[Word, object]] = [((), first)]
    for word, state in waiting:
        yield word
        if len(word) < LENGTH:
            for move in space.moves(state):  # type: ignore[arg-type]
                waiting.append(((*word, (move.symbol, move.args[0])), space.fire(state, move).state))  # type: ignore[arg-type]


def test_traces_of_a_composition_are_those_of_both() -> None:
    chance = random.Random(24)
    lengths = set()
    for _ in range(1000):
        contract, scenario, vocabulary = pair(chance)
        text = CONTRACT % repr(contract)
        steps = ", ".join(f"t({p}, {n}({'_' if y is None else y}), {t})" for p, n, y, t in sorted(scenario, key=str))
        words = ", ".join(f'"{word}"' for word in vocabulary)
        fsm = f"FSM(0, AcceptingStates(), Transitions({steps}), Vocabulary({words}))"
        program = read_programs([compile(text, "m.py", "exec")], [("m.py", text)], LoadOptions())
        program.parts.append(read_scenario(fsm, "s.fsm"))
        found, expected = set(composed(ModelSpace(program))), set(direct(contract, scenario, vocabulary))
        assert found == expected
        lengths.add(max(map(len, found)))
    assert lengths == set(range(LENGTH + 1))
