"""The same philosophers in two languages: the same configurations of forks and moods (sheet 24)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.core.registry import LoadOptions
from clew.core.statespace import StateSpace
from clew.frontends.promela.language import LANGUAGE as PROMELA
from clew.host.spaces import space_of

from .models import space
from .test_exploration import PHILOSOPHERS

MOODS = ("THINKING", "WAITING", "EATING", "FINISHING")

TEXT = (Path(__file__).parents[2] / "bench/model_programs/philosophers.pml").read_text()


def described(found: StateSpace[Any, Any]) -> Iterator[dict[str, str]]:
    waiting = list(found.initial())
    seen = {found.key(state) for state in waiting}
    for state in waiting:
        yield dict(found.describe(state).values)
        for move in found.moves(state):
            after = found.fire(state, move).state
            assert after is not None
            if found.key(after) not in seen:
                seen.add(found.key(after))
                waiting.append(after)


def in_python(values: dict[str, str], n: int) -> tuple[tuple[int, ...], ...]:
    moods = tuple(MOODS.index(values[f"Philosopher({p}).mood"]) for p in range(1, n + 1))
    holders = [re.search(r"\d+", values[f"Fork({p}).holder"]) for p in range(1, n + 1)]
    return moods, tuple(int(found[0]) if found else 0 for found in holders)


def in_promela(values: dict[str, str], n: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(values[f"{name}[{p}]"]) for p in range(n)) for name in ("mood", "holder"))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_configurations_are_the_same_in_promela(n: int) -> None:
    python = {in_python(values, n) for values in described(space(PHILOSOPHERS, N=n)) if "Fork(1).holder" in values}
    model = PROMELA.load("p.pml", TEXT, LoadOptions({"N": str(n)}))
    promela = {in_promela(values, n) for values in described(space_of(model.view))}
    assert len(python) == 3**n - 1 and python == promela
