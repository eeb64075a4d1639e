"""Values of options as people write them: 2G, 5m, NAME=VALUE. Each function is an argparse type."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

_AMOUNTS = {"": 1, "k": 1000, "m": 10**6}
_SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_TIMES = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def amount(text: str) -> int:
    """A positive whole number; `1e6`, `1_000_000` and `10k` are understood."""
    match = re.fullmatch(r"(\d[\d_]*)(?:e(\d))?([km]?)", text.strip().lower())
    value = 0
    if match:
        value = int(match[1].replace("_", "")) * 10 ** int(match[2] or 0) * _AMOUNTS[match[3]]
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return value


def seed(text: str) -> int:
    """A whole number, which may be negative."""
    if not re.fullmatch(r"-?\d+", text.strip()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number")
    return int(text)


def port(text: str) -> int:
    """A port that a server may listen at; 0 is any free one."""
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port: a number up to 65535")
    return int(text)


def size(text: str) -> int:
    """A number of bytes: 500M, 2G, 1.5g, 1000000 (powers of 1024)."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    value = int(float(match[1]) * _SIZES[match[2]]) if match else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 500M or 2G")
    return value


def duration(text: str) -> float:
    """A number of seconds: 90, 90s, 5m, 1.5h, 1h30m."""
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*(h|min|m|s|)", text.strip().lower())
    if not parts or "".join(a + b for a, b in parts) != text.strip().lower().replace(" ", ""):
        raise argparse.ArgumentTypeError(f"'{text}' is not a time such as 90, 5m or 1h30m")
    return sum(float(a) * _TIMES[b] for a, b in parts)


def definition(text: str) -> tuple[str, str]:
    """NAME=VALUE, or NAME for NAME=1."""
    name, equals, value = text.partition("=")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value if equals else "1"


def store(text: str) -> str:
    """A store with its settings: `tree`, `bitstate:memory=400M,k=3`."""
    from clew.core.stores import parse_store

    return _understood(text, parse_store)


def hunt(text: str) -> str:
    """Settings of a hunt: `most=50000,first`."""
    from clew.core.hunting import parse_hunt

    return _understood(text, parse_hunt)


def swarm(text: str) -> str:
    """Searches of a swarm: `32`, `7-9`."""
    from clew.core.clusters import parse_swarm

    return _understood(text, parse_swarm) if text else text  # the default is none


def _understood(text: str, parse: Callable[[str], object]) -> str:
    """The text as it is, if it can be parsed."""
    try:
        parse(text)
    except ValueError as reason:
        raise argparse.ArgumentTypeError(str(reason)) from None
    return text


def formula(text: str) -> str:
    """A temporal formula, as the property that it is."""
    return f"ltl:{text}"


def branching_formula(text: str) -> str:
    """A formula of CTL, as the property that it is."""
    return f"ctl:{text}"


def goal(text: str) -> str:
    """A condition that is to be reached, as the property that it is."""
    return f"reach:{text}"


def pattern(text: str) -> str:
    """A property in words, as the property that it is."""
    return f"pattern:{text}"


def order(text: str) -> str:
    """Of variables: a word or names as they are; `@FILE`: the names in the file, separated by commas."""
    if not text.startswith("@"):
        return text
    from pathlib import Path

    try:
        return ",".join(Path(text[1:]).read_text(encoding="utf-8").replace(",", " ").split())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise argparse.ArgumentTypeError(f"cannot read {text[1:]}: {reason}") from None
