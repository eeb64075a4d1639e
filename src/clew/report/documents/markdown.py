"""A summary in the Markdown of code hosts: for job summaries, pull requests and issues."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clew.report.diagnostics import diagnostics_text
from clew.report.documents.material import Judged, Material
from clew.report.mermaid import mermaid
from clew.report.result_text import LIMITS
from clew.report.sequence import Action, sequence_chart
from clew.report.style import number, plural, seconds, size
from clew.report.trace_text import TraceOptions, trace_text

MARKS = {"holds": "✅", "violated": "❌", "unknown": "❔", "error": "🚫"}
WORDS = {"holds": "holds", "violated": "violated", "unknown": "unknown", "error": "cannot be checked"}
_SHOWN_STEPS = 60
_MOST_ARROWS = 60  # hosts refuse larger charts
_FENCE = re.compile(r"`{3,}")


def markdown(materials: Sequence[Material]) -> str:
    """One section for each model; several models begin with a table of all."""
    lines: list[str] = []
    if len(materials) > 1:
        lines += ["# Clew", "", "| | model | verdict | states | time |", "|---|---|---|--:|--:|"]
        lines += [_row(material) for material in materials]
        lines.append("")
    for material in materials:
        lines += _section(material)
    return "\n".join(lines).rstrip() + "\n"


def _row(material: Material) -> str:
    mark, word = MARKS[material.verdict], WORDS[material.verdict]
    figures = material.statistics
    states = number(figures["states"]) if figures.get("states") else ""
    time = seconds(figures["seconds"]) if figures else ""
    return f"| {mark} | {_inline(material.model)} | {word} | {states} | {time} |"


def _section(material: Material) -> Iterator[str]:
    yield f"## {MARKS[material.verdict]} {_inline(material.model)}: {WORDS[material.verdict]}"
    yield ""
    if material.properties:
        yield "| | property | verdict | why |"
        yield "|---|---|---|---|"
        for found in material.properties:
            why = "; ".join(dict.fromkeys(part for part in (found.reason, found.evidence) if part))
            yield f"| {MARKS[found.verdict]} | `{_code(found.name)}` | {WORDS[found.verdict]} | {_inline(why)} |"
        yield ""
    if material.is_result:
        yield _figures(material)
        yield ""
    for limit in material.limits:
        yield f"Stopped by {LIMITS.get(limit, limit)}: what is not decided is unknown."
        yield ""
    for found in material.properties:
        if found.trace is not None:
            yield from _trace(material, found)
    if material.warnings:
        yield from _folded("Messages", diagnostics_text(material.warnings, sources=material.sources), "text")
    if material.run and any(found.trace is not None for found in material.properties):
        yield f"Run `{material.run}`: `clew trace {material.run} --replay` executes its trace again."
        yield ""


def _figures(material: Material) -> str:
    figures = material.statistics
    parts = [plural(figures["states"], "state")] if figures["states"] else []
    if figures["transitions"] is not None:  # not every engine counts everything
        parts.append(plural(figures["transitions"], "transition"))
    if figures["depth"] is not None:
        parts.append(f"depth {number(figures['depth'])}")
    parts.append(seconds(figures["seconds"]))
    if figures["peak_bytes"]:
        parts.append(size(figures["peak_bytes"]))
    whole = "" if figures["complete"] else " (not everything was explored)"
    return f"{', '.join(parts)}{whole} · {material.answer['engine']} engine, {material.answer['language']}"


def _trace(material: Material, found: Judged) -> Iterator[str]:
    assert found.trace is not None
    options = TraceOptions(at_most=_SHOWN_STEPS, witness=found.shows == "witness")
    title = f"{_inline(found.title)}: {plural(len(found.trace), 'step')}"
    yield from _folded(title, trace_text(found.trace, sources=material.sources, options=options), "text")
    chart = sequence_chart(found.trace)
    has_messages = any(not isinstance(event, Action) for event in chart.events)
    if len(chart.lanes) > 1 and has_messages and len(chart.events) <= _MOST_ARROWS:
        yield from _folded("The same as a sequence chart", mermaid(chart), "mermaid")


def _folded(title: str, text: str, language: str) -> Iterator[str]:
    longest = max((len(fence) for fence in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    yield from (f"<details><summary>{title}</summary>", "", f"{fence}{language}", text.rstrip("\n"), fence, "")
    yield from ("</details>", "")


def _inline(text: str) -> str:
    """Plain text where Markdown and HTML would see marks."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]#|~])", r"\\\1", text).replace("\n", " ")


def _code(text: str) -> str:
    """Inside a code span of a table."""
    return text.replace("`", "'").replace("|", "\\|").replace("\n", " ")
