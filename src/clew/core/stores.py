"""How visited states are kept: the choice a user makes with `--store NAME[:SETTING=VALUE,…]`.

Exact stores keep every state. Lossy ones keep hashes in a table of a given size, so that a state may be taken for
another one and missed: `bitstate` (k bits for each state), `blocked` (the same within one cache line) and `compact`
(a signature of some bits in a cell).
"""

from __future__ import annotations

import math
import re
from typing import Literal

from clew.core.records import record

EXACT = ("auto", "table", "tree")
LOSSY = ("bitstate", "blocked", "compact")
HASHES = ("wide", "jenkins", "h3")
SEQUENCES = ("triple", "enhanced", "double")

DEFAULT_MEMORY = 512 << 20
SUPERTRACE = 3  # bits for each state when nothing is known of their number
MOST_HASHES = 64
NARROWEST, WIDEST = 4, 64  # bits of a signature

_SETTINGS = {
    "bitstate": ("memory", "bits", "k", "expect", "hash", "sequence"),
    "blocked": ("memory", "bits", "k", "expect", "hash"),
    "compact": ("memory", "cells", "width", "expect", "hash"),
}
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


@record
class LossyStore:
    """A table of hashes. `size` is in bits, or in cells for `compact`; `k` bits are set for each state, `width` is that
    of a signature. What does not apply is 0."""

    name: Literal["bitstate", "blocked", "compact"]
    size: int
    k: int = 0
    width: int = 0
    hash: str = "wide"
    sequence: str = "triple"

    @property
    def bits(self) -> int:
        return self.size * (self.width or 1)

    @property
    def text(self) -> str:
        """As it is given to --store, with nothing left to be chosen."""
        if self.name == "compact":
            settings = f"cells={self.size},width={self.width}"
        else:
            settings = f"bits={self.size},k={self.k}"
        if self.hash != "wide":
            settings += f",hash={self.hash}"
        if self.sequence != "triple":
            settings += f",sequence={self.sequence}"
        return f"{self.name}:{settings}"


def parse_store(text: str, memory: int | None = None) -> LossyStore | None:
    """None: an exact store. `memory` (bytes) bounds the default size of a table. Raises ValueError with the reason."""
    name, _, rest = text.partition(":")
    if name in EXACT:
        if rest:
            raise ValueError(f"the store '{name}' has no settings")
        return None
    if name not in _SETTINGS:
        raise ValueError(f"unknown store '{name}': there are {', '.join((*EXACT, *LOSSY))}")
    return _lossy(name, _settings(name, rest), memory)


def _settings(name: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if key not in _SETTINGS[name] or not equals:
            raise ValueError(
                f"'{part}' is no setting of the store '{name}': {', '.join(_SETTINGS[name])}, as NAME=VALUE"
            )
        if key in found:
            raise ValueError(f"'{key}' is given twice")
        found[key] = value
    return found


def _lossy(name: str, settings: dict[str, str], memory: int | None) -> LossyStore:
    from clew.core.omission.choosing import best_k, best_width

    expect = _number("expect", settings["expect"], 1) if "expect" in settings else None
    kind = settings.get("hash", "wide")
    if kind not in HASHES:
        raise ValueError(f"unknown hash '{kind}': there are {', '.join(HASHES)}")
    exact_size = "cells" if name == "compact" else "bits"
    if "memory" in settings and exact_size in settings:
        raise ValueError(f"give either memory or {exact_size}")
    default = DEFAULT_MEMORY if memory is None else min(DEFAULT_MEMORY, memory // 2)
    bits = 8 * (_bytes(settings["memory"]) if "memory" in settings else default)
    if name == "compact":
        width = _number("width", settings["width"], NARROWEST, WIDEST) if "width" in settings else None
        cells = _number("cells", settings["cells"], 2) if "cells" in settings else None
        if width is None:
            width = best_width(cells * WIDEST if cells else bits, expect) if expect else WIDEST
        return LossyStore("compact", _prime(cells or max(bits // width, 2)), 0, width, kind)
    if "bits" in settings:
        bits = _number("bits", settings["bits"], 1)
    if "k" in settings:
        k = _number("k", settings["k"], 1, MOST_HASHES)
    else:
        k = best_k(name, bits, expect) if expect else SUPERTRACE
    sequence = settings.get("sequence", "triple")
    if sequence not in SEQUENCES:
        raise ValueError(f"unknown sequence '{sequence}': there are {', '.join(SEQUENCES)}")
    return LossyStore("blocked" if name == "blocked" else "bitstate", bits, k, 0, kind, sequence)


def _prime(n: int) -> int:
    """The largest prime up to n: with so many cells every step of a probe sequence visits all of them."""
    while n > 3 and (n % 2 == 0 or any(n % d == 0 for d in range(3, math.isqrt(n) + 1, 2))):
        n -= 1
    return n


def _number(name: str, text: str, least: int, most: int | None = None) -> int:
    match = re.fullmatch(r"(\d[\d_]*)(?:\.(\d+))?(?:e(\d{1,2}))?", text.lower())
    value = 0
    if match:
        value = (
            int(float(f"{match[1].replace('_', '')}.{match[2] or 0}e{match[3] or 0}"))
            if match[2]
            else int(match[1].replace("_", "")) * 10 ** int(match[3] or 0)
        )
    if not match or value < least or (most is not None and value > most):
        span = f"from {least} to {most}" if most is not None else f"of at least {least}"
        raise ValueError(f"{name}={text}: not a whole number {span}")
    return value


def _bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([kmgt]?)(?:i?b)?", text.lower())
    value = int(float(match[1]) * _UNITS[match[2]]) if match else 0
    if value < 1:
        raise ValueError(f"memory={text}: not a size such as 400M")
    return value
