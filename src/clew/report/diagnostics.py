"""The one printer of diagnostics: `file:line:col: error: message`, the source line, a caret, a hint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from clew.core.diagnostics import NOWHERE, Diagnostic, Severity, Span
from clew.report.style import PLAIN, Style, columns, plural

SCHEMA = "clew.diagnostics/1"
INTERRUPTED = Diagnostic(Severity.ERROR, "interrupted", "interrupted before anything was known", NOWHERE)
OUT_OF_TIME = Diagnostic(
    Severity.ERROR, "max-time", "the time limit was reached while the model was being read", NOWHERE
)

_LOOK = {Severity.ERROR: ("bold", "red"), Severity.WARNING: ("bold", "yellow"), Severity.NOTE: ("bold", "cyan")}
_TAB = "    "
_LONGEST = 160  # characters of a source line that are shown
_LONGEST_TEXT = 2000  # of a message, or of a hint


def diagnostics_text(
    diagnostics: Iterable[Diagnostic], style: Style = PLAIN, sources: Mapping[str, str] | None = None
) -> str:
    """All diagnostics in the order given, with excerpts from `sources` or the files themselves."""
    lines: list[str] = []
    cache = {name: text.splitlines() for name, text in (sources or {}).items()}
    for diagnostic in diagnostics:
        lines.extend(_lines(diagnostic, style, cache))
    return "\n".join(lines)


def diagnostics_summary(diagnostics: Iterable[Diagnostic]) -> str:
    """`2 errors, 1 warning`; empty if there is nothing."""
    found = list(diagnostics)
    counts = ((s.value, sum(d.severity is s for d in found)) for s in Severity)
    return ", ".join(plural(count, name) for name, count in counts if count)


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """The form used in `warnings` and in `clew.diagnostics/1`."""
    return {
        "severity": diagnostic.severity.value,
        "code": diagnostic.code,
        "message": diagnostic.message,
        **_span_json(diagnostic.span),
        "hint": diagnostic.hint,
        "related": [{**_span_json(span), "message": text} for span, text in diagnostic.related],
    }


def diagnostic_from_json(data: Mapping[str, Any]) -> Diagnostic:
    """The inverse of diagnostic_json."""
    related = tuple((_span_from_json(one), str(one["message"])) for one in data.get("related", ()))
    severity, span = Severity(data["severity"]), _span_from_json(data)
    return Diagnostic(severity, str(data["code"]), str(data["message"]), span, str(data.get("hint", "")), related)


def diagnostics_json(diagnostics: Iterable[Diagnostic], model: str) -> dict[str, Any]:
    """A `clew.diagnostics/1` object."""
    return {"schema": SCHEMA, "model": model, "diagnostics": [diagnostic_json(d) for d in diagnostics]}


def _span_json(span: Span) -> dict[str, Any]:
    if span == NOWHERE:
        return {"file": None, "line": None, "column": None, "length": None}
    place = (span.line, span.column, span.length) if span.line else (None, None, None)
    return {"file": span.file, "line": place[0], "column": place[1], "length": place[2]}


def _span_from_json(data: Mapping[str, Any]) -> Span:
    if data.get("file") is None:
        return NOWHERE
    return Span(str(data["file"]), data["line"] or 0, data["column"] or 1, data["length"] or 1)


def _lines(diagnostic: Diagnostic, style: Style, cache: dict[str, list[str]]) -> Iterator[str]:
    look = _LOOK[diagnostic.severity]
    severity = style.paint(f"{diagnostic.severity.value}:", *look)
    message = style.paint(_readable(diagnostic.message), "bold")
    code = style.paint(f"[{diagnostic.code}]", "dim") if diagnostic.code else ""
    yield f"{_place(diagnostic.span)}{severity} {message} {code}".rstrip()
    yield from _excerpt(diagnostic.span, style, look, cache)
    for span, text in diagnostic.related:
        yield f"{_place(span)}{style.paint('note:', *_LOOK[Severity.NOTE])} {text}"
        yield from _excerpt(span, style, _LOOK[Severity.NOTE], cache)
    if diagnostic.hint:
        yield f"  {style.paint('hint:', 'cyan')} {_readable(diagnostic.hint)}"


def _readable(text: str) -> str:
    """A message may quote a word of a file that is no model: megabytes of it."""
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT // 2]} … {text[-_LONGEST_TEXT // 4 :]}"


def _place(span: Span) -> str:
    return "clew: " if span == NOWHERE else f"{span}: "


def _excerpt(span: Span, style: Style, look: tuple[str, ...], cache: dict[str, list[str]]) -> Iterator[str]:
    source = _source_line(span, cache)
    if source is None or not source.strip():
        return
    column = min(max(span.column, 1), len(source) + 1) - 1
    before = source[:column].replace("\t", _TAB)
    marked = source[column : column + max(span.length, 1)].replace("\t", _TAB)
    after = source[column + max(span.length, 1) :].replace("\t", _TAB)
    gutter = f"{span.line:>5} "
    before, marked, after = _shortened(before, marked, after)
    yield f"{style.paint(gutter + '│', 'dim')} {before}{marked}{after}"
    carets = "^" + "~" * (columns(marked) - 1)
    yield f"{style.paint(' ' * len(gutter) + '│', 'dim')} {' ' * columns(before)}{style.paint(carets, *look)}"


def _shortened(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """The part of a very long line that is around the mark."""
    if len(before) > _LONGEST // 2 and len(before) + len(marked) + len(after) > _LONGEST:
        before = "…" + before[-(_LONGEST // 3) :]
    if len(marked) > _LONGEST:
        marked = marked[:_LONGEST]
    room = max(_LONGEST - len(before) - len(marked), 0)
    return before, marked, after if len(after) <= room else after[:room] + "…"


def _source_line(span: Span, cache: dict[str, list[str]]) -> str | None:
    if span.line < 1:
        return None
    if span.file not in cache:
        try:
            cache[span.file] = Path(span.file).read_text(encoding="utf-8", errors="replace").splitlines()
        except (OSError, ValueError):
            cache[span.file] = []
    lines = cache[span.file]
    return lines[span.line - 1] if span.line <= len(lines) else None
