"""Mutated programs are either models or bad input with located messages; nothing else comes out."""

from __future__ import annotations

import random

import pytest

from bench.conformance.random_promela import generate
from bench.fuzz import PIECES, STRANGE, mutated, outcome
from tests.promela.sheet35 import ROWS

TEXTS = [text for _, text, _ in ROWS]
WORDS = [word for text in TEXTS for word in PIECES["tokens"].findall(text) if not word.isspace()]


@pytest.mark.parametrize("seed", range(10))
def test_only_located_messages_come_out(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        text = mutated(rng, rng.choice(TEXTS), WORDS)
        assert outcome(text) in ("model", "bad input"), text


@pytest.mark.parametrize("pieces", ["characters", "lines"])
def test_smaller_and_larger_pieces(pieces: str) -> None:
    rng = random.Random(pieces)
    for seed in range(30):
        text = mutated(rng, generate(seed), WORDS + STRANGE, pieces)
        assert outcome(text) in ("model", "bad input"), text
