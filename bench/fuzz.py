"""Mutated Promela texts: each is either a model or bad input with located messages; nothing else comes out.

    python -m bench.fuzz [--count 10000] [--seed 1] [FILE…]

Texts are examples/promela and generated programs, or the files given. Tokens, characters and lines are dropped,
doubled, exchanged and replaced. Checked is all that happens before a search: preprocessor, parser, lowering, lint.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.conformance.random_promela import generate
from clew.core.diagnostics import InputError
from clew.core.registry import LoadOptions
from clew.frontends.promela.language import LANGUAGE

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "promela"
NAME = "model.pml"
PIECES = {
    "tokens": re.compile(r"\w+|\s+|[^\w\s]"),
    "characters": re.compile(r".", re.DOTALL),
    "lines": re.compile(r".*\n?"),
}
STRANGE = [
    "\0",
    "\f",
    "\\\n",
    "/*",
    "*/",
    '"',
    "'",
    "#",
    "#define",
    "#include",
    "\u00e9",
    "\ud800",
    "999999999999",
    "{",
    "}",
]


def mutated(rng: random.Random, text: str, words: Sequence[str], pieces: str = "tokens") -> str:
    """The text with one to three pieces dropped, doubled, replaced by one of `words`, or exchanged."""
    parts = [part for part in PIECES[pieces].findall(text) if part]
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(parts))
        match rng.randrange(4):
            case 0:
                parts[place] = ""
            case 1:
                parts.insert(place, rng.choice(parts))
            case 2:
                parts[place] = rng.choice(words)
            case _:
                other = rng.randrange(len(parts))
                parts[place], parts[other] = parts[other], parts[place]
    return "".join(parts)


def outcome(text: str) -> str:
    """`model` or `bad input`. Raises AssertionError if a message has no place in the text."""
    try:
        LANGUAGE.load(NAME, text, LoadOptions())
        found = "model"
    except InputError as error:
        assert error.diagnostics, "bad input without a message"
        assert all(d.span.file == NAME and d.span.line >= 1 for d in error.diagnostics), error.diagnostics
        found = "bad input"
    LANGUAGE.lint(NAME, text, LoadOptions())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", type=Path, nargs="*")
    chosen = parser.parse_args()
    sys.setrecursionlimit(30_000)
    texts = [file.read_text(errors="replace") for file in chosen.files or sorted(EXAMPLES.glob("*.pml"))]
    texts += [] if chosen.files else [generate(seed) for seed in range(200)]
    words = [word for text in texts for word in PIECES["tokens"].findall(text) if not word.isspace()]
    totals: Counter[str] = Counter()
    slowest = 0.0
    for number in range(chosen.seed, chosen.seed + chosen.count):
        rng = random.Random(number)
        text = mutated(
            rng, rng.choice(texts), words + STRANGE * 100, rng.choice(["tokens", "tokens", "characters", "lines"])
        )
        began = time.process_time()
        try:
            totals[outcome(text)] += 1
        except Exception:
            totals["DEFECT"] += 1
            print(f"--- number {number}\n{text}\n{traceback.format_exc()}", flush=True)
        slowest = max(slowest, time.process_time() - began)
    print(f"{chosen.count} texts: " + ", ".join(f"{n} {name}" for name, n in totals.items()), end="")
    print(f"; the slowest took {slowest:.2f} s of processor time")
    return 1 if totals["DEFECT"] else 0


if __name__ == "__main__":
    sys.exit(main())
