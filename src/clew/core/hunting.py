"""How a hunt goes: the sizes of its tables (`--hunt SETTING=VALUE,…`). See docs/engines/stores.md."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from clew.core.records import record

ORDERS = ("first", "last", "random")


@record
class Hunt:
    """Tables from `start` to `most` bytes, `steps` sizes in a batch, a byte apart; beyond `threshold` bytes batches are
    `factor` times larger than the one before. A run has to be `shrink` steps shorter than the best one. `first`: the
    first run found is enough. `k` bits are set for each state; successors are entered in this `order`."""

    start: int = 1
    steps: int = 50
    threshold: int = 10_000
    factor: float = 1.2
    most: int = 200_000
    shrink: int = 1
    first: bool = False
    k: int = 1
    order: str = "first"

    @property
    def arguments(self) -> tuple[str, ...]:
        """For the program that hunts."""
        return (
            *("--least-bytes", str(self.start), "--most-bytes", str(self.most), "--small-steps", str(self.steps)),
            *("--big-from", str(self.threshold), "--big-step", str(self.factor), "--shrink", str(self.shrink)),
            *("--hashes", str(self.k), "--order", self.order),
            *(("--first-only",) if self.first else ()),
        )


def parse_hunt(text: str) -> Hunt:
    """Raises ValueError with the reason."""
    kinds = {field.name: field.type for field in fields(Hunt)}
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in kinds or (not equals and name != "first"):
            raise ValueError(f"'{part}' is no setting of a hunt: {', '.join(kinds)}")
        given[name] = _value(name, value)
    return replace(Hunt(), **given)


def _value(name: str, text: str) -> bool | int | float | str:
    if name == "first":
        if text not in ("", "yes", "no"):
            raise ValueError(f"first={text}: yes or no")
        return text != "no"
    if name == "order":
        if text not in ORDERS:
            raise ValueError(f"order={text}: one of {', '.join(ORDERS)}")
        return text
    try:
        value = float(text) if name == "factor" else int(text.replace("_", ""))
    except ValueError:
        raise ValueError(f"{name}={text}: not a number") from None
    if value < 1 or value > 2**40 or (name == "k" and value > 64) or (name == "steps" and value > 10**6):
        raise ValueError(f"{name}={text}: out of range")
    return value
