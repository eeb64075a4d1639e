"""Findings as SARIF 2.1.0, the form that editors and code hosts read.

A finding is a rule, a message, a place, related places and, where there is one, the way that leads there (steps of a
counterexample). Diagnostics are findings; whoever has results of another kind makes findings of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, Literal
from urllib.parse import quote

from clew.core.diagnostics import NOWHERE, Diagnostic, Severity, Span
from clew.core.records import record

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
Level = Literal["error", "warning", "note", "none"]
Place = tuple[Span, str]

_LEVELS: dict[Severity, Level] = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


@record
class Finding:
    """One result. `steps`: places in the order in which they are passed, each with what happens there."""

    rule: str
    level: Level
    message: str
    span: Span
    related: tuple[Place, ...] = ()
    steps: tuple[Place, ...] = ()


def finding(diagnostic: Diagnostic) -> Finding:
    """A diagnostic as a finding; its hint is part of the message."""
    message = f"{diagnostic.message}\n{diagnostic.hint}" if diagnostic.hint else diagnostic.message
    level = _LEVELS[diagnostic.severity]
    return Finding(diagnostic.code, level, message, diagnostic.span, diagnostic.related)


def sarif_log(findings: Iterable[Finding], rules: Mapping[str, str] | None = None, version: str = "") -> dict[str, Any]:
    """A log with one run. `rules` has a sentence about a rule; rules without one are listed by their name. `version` is
    that of the tool."""
    found = list(findings)
    named = sorted({f.rule for f in found})
    position = {rule: number for number, rule in enumerate(named)}
    known = rules or {}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "clew",
                        **({"version": version} if version else {}),
                        "rules": [_rule(rule, known.get(rule, "")) for rule in named],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(f, position[f.rule]) for f in found],
            }
        ],
    }


def _rule(name: str, text: str) -> dict[str, Any]:
    return {"id": name, **({"shortDescription": {"text": text}} if text else {})}


def _result(found: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.rule,
        "ruleIndex": rule,
        "level": found.level,
        "message": {"text": found.message},
    }
    if found.span != NOWHERE:
        result["locations"] = [_location(found.span)]
    if found.related:
        result["relatedLocations"] = [{**_location(span), "message": {"text": text}} for span, text in found.related]
    if found.steps:
        places = [{"location": {**_location(span), "message": {"text": text}}} for span, text in found.steps]
        result["codeFlows"] = [{"threadFlows": [{"locations": places}]}]
    return result


def _location(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(span.file)}}
    if span.line > 0:
        column = max(span.column, 1)
        place["region"] = {
            "startLine": span.line,
            "startColumn": column,
            "endColumn": column + max(span.length, 1),
        }
    return {"physicalLocation": place}


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
