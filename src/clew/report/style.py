"""Colours and widths for text output. Plain by default; colour is asked for by whoever owns the terminal."""

from __future__ import annotations

import unicodedata

from clew.core.records import record

_CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36",
}  # fmt: skip


@record
class Style:
    """How text is painted: `paint("x", "bold", "red")` adds escape codes if colour is on."""

    colour: bool = False
    width: int = 100

    def paint(self, text: str, *looks: str) -> str:
        if not self.colour or not text or not looks:
            return text
        return f"\x1b[{';'.join(_CODES[look] for look in looks)}m{text}\x1b[0m"


PLAIN = Style()


def columns(text: str) -> int:
    """How many terminal columns the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, width: int) -> str:
    """The text filled with spaces to a number of columns."""
    return text + " " * (width - columns(text))


def shorten(text: str, width: int) -> str:
    """The text, cut with an ellipsis if it is wider than `width`."""
    if columns(text) <= width:
        return text
    kept = ""
    for character in text:
        if columns(kept + character) > width - 1:
            break
        kept += character
    return kept + "…"


def one_line(text: str) -> str:
    """The text with line breaks and control characters made visible."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else {"\n": "\\n", "\t": "\\t"}.get(c, f"\\x{ord(c):02x}") for c in text)


def number(value: int) -> str:
    """An integer with thousands separated, for people."""
    return f"{value:,}"


def seconds(value: float) -> str:
    """A duration for people: 40 ms, 1.25 s, 12.3 s, 3 min 20 s, 2 h 5 min."""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 10:
        return f"{value:.2f} s"
    if value < 100:
        return f"{value:.1f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 100:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def size(value: float) -> str:
    """A number of bytes for people: 640 B, 1.5 MB (powers of 1024, as --max-memory reads them)."""
    if value < 1000:
        return f"{value:.0f} B"
    for unit in ("KB", "MB", "GB"):
        value /= 1024
        if value < 999.5:
            return f"{value:.3g} {unit}"
    return f"{value / 1024:.3g} TB"


def plural(count: int, noun: str) -> str:
    return f"{number(count)} {noun}" if count == 1 else f"{number(count)} {noun}s"
