"""Mutated programs are either models or bad input with located messages; nothing else comes out."""

from __future__ import annotations

import random
import re

import pytest

from clew.core.diagnostics import InputError
from clew.core.registry import LoadOptions
from clew.frontends.promela.language import LANGUAGE
from tests.promela.sheet35 import ROWS

TOKENS = re.compile(r"\w+|\s+|[^\w\s]")
TEXTS = [text for _, text, _ in ROWS]
WORDS = [word for text in TEXTS for word in TOKENS.findall(text) if not word.isspace()]


def mutated(rng: random.Random) -> str:
    tokens = TOKENS.findall(rng.choice(TEXTS))
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(tokens))
        match rng.randrange(4):
            case 0:
                tokens[place] = ""
            case 1:
                tokens.insert(place, rng.choice(tokens))
            case 2:
                tokens[place] = rng.choice(WORDS)
            case _:
                other = rng.randrange(len(tokens))
                tokens[place], tokens[other] = tokens[other], tokens[place]
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(10))
def test_only_located_messages_come_out(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        text = mutated(rng)
        try:
            LANGUAGE.load("model.pml", text, LoadOptions())
        except InputError as error:
            assert error.diagnostics, text
            assert all(d.span.file == "model.pml" and d.span.line >= 1 for d in error.diagnostics), text
