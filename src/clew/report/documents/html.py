"""One self-contained page about one or several models: verdicts and evidence, figures, the course of the search, and
every trace in a viewer. It prints as well as it shows: the viewer becomes a table of steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape

from clew.core.traces import Trace
from clew.report.diagnostics import diagnostics_text
from clew.report.documents.material import Judged, Material
from clew.report.documents.plots import plot_svg, plots
from clew.report.inline_page import mounted_view, page, page_file
from clew.report.result_text import LIMITS
from clew.report.style import number, plural, seconds, size
from clew.report.trace_text import after_the_last_step, process_name, short_names
from clew.report.trace_view import About, trace_view

MARKS = {"holds": "✓", "violated": "✗", "unknown": "?", "error": "✗"}
WORDS = {"holds": "holds", "violated": "violated", "unknown": "unknown", "error": "cannot be checked"}
_ORDER = ("error", "violated", "unknown", "holds")
_THEME = (
    '<script type="module">import { themeSwitch } from "clew/theme.js";\n'
    'document.getElementById("theme").replaceWith(themeSwitch());</script>\n'
)
# What each figure is, in a sentence; docs/json.md says more.
FIGURES = {
    "states": "states that are different, without those inside indivisible sequences",
    "stored": "entries of the table of states",
    "transitions": "steps from a state to a state",
    "depth": "the longest way that the search looked along, in steps",
    "seconds": "time of the search, without reading the model",
    "peak_bytes": "most memory that was in use",
    "bytes_per_state": "memory for a state that is stored",
}


def html_report(materials: Sequence[Material], version: str = "") -> str:
    """Several models get a table of all on top."""
    title = f"{materials[0].model}: {_word(materials[0])}" if len(materials) == 1 else _several(materials)
    body = [
        f'<header><h1>{escape(title)}</h1><span class="soft">Clew {escape(version)} '
        '<button id="theme" type="button" class="no-print">Theme</button></span></header>\n',
        "<main>\n",
    ]
    if len(materials) > 1:
        body += _overview(materials)
    for place, material in enumerate(materials):
        body += _model(material, place, alone=len(materials) == 1)
    body += ["</main>\n", _THEME]
    return page(title, [f"<style>{page_file('report.css')}</style>\n", *body], "report")


def _several(materials: Sequence[Material]) -> str:
    counts = [(sum(m.verdict == verdict for m in materials), verdict) for verdict in _ORDER]
    return f"{len(materials)} models: " + ", ".join(
        f"{count} {_verb(count, verdict)}" for count, verdict in counts if count
    )


def _verb(count: int, verdict: str) -> str:
    return "hold" if verdict == "holds" and count != 1 else WORDS[verdict]


def _overview(materials: Sequence[Material]) -> Iterator[str]:
    yield '<table><thead><tr><th>model<th>verdict<th class="number">states<th class="number">time</tr></thead><tbody>\n'
    for place, material in enumerate(materials):
        figures = material.statistics
        states = number(figures["states"]) if figures.get("states") else ""
        time = seconds(figures["seconds"]) if figures else ""
        yield (
            f'<tr><td><a href="#model-{place}">{escape(material.model)}</a><td>{_badge(material.verdict)}'
            f'<td class="number">{states}<td class="number">{time}</tr>\n'
        )
    yield "</tbody></table>\n"


def _model(material: Material, place: int, *, alone: bool) -> Iterator[str]:
    yield f'<section id="model-{place}" aria-label="{escape(material.model)}">\n'
    if not alone:
        yield f"<h2>{escape(material.model)}</h2>\n"
    yield f'<div class="summary">{_badge(material.verdict)}<div>{_summary(material)}</div></div>\n'
    if material.is_result:
        yield from _properties(material, place)
        yield from _statistics(material)
        yield from _course(material)
    for number_, found in enumerate(material.properties):
        if found.trace is not None:
            yield from _trace(material, found, f"trace-{place}-{number_}")
    if material.warnings:
        text = diagnostics_text(material.warnings, sources=material.sources)
        yield f"<h3>Messages</h3>\n<pre>{escape(text)}</pre>\n"
    yield from _texts(material)
    yield "</section>\n"


def _summary(material: Material) -> str:
    if not material.is_result:
        return escape("; ".join(one.message for one in material.errors[:1]) or "the model could not be judged")
    counts = [(sum(p.verdict == verdict for p in material.properties), verdict) for verdict in _ORDER]
    asked = len(material.properties)
    parts = [f"{count} of {asked} properties {_verb(count, verdict)}" for count, verdict in counts if count]
    text = ", ".join(parts) or "no properties were asked for"
    stopped = [LIMITS.get(limit, limit) for limit in material.limits]
    if stopped:
        text += f". Stopped by {', '.join(stopped)}: what is not decided is unknown"
    how = f"{material.answer['language']}, {material.answer['engine']} engine"
    kept = f", run <code>{escape(material.run)}</code>" if material.run else ""
    return f'{escape(text)}.<br><span class="soft">{escape(how)}{kept}</span>'


def _properties(material: Material, place: int) -> Iterator[str]:
    if not material.properties:
        return
    yield "<table><thead><tr><th>property<th>kind<th>verdict<th>why</tr></thead><tbody>\n"
    for number_, found in enumerate(material.properties):
        why = escape(found.reason)
        if found.evidence and found.evidence != found.reason:
            why += f'{"<br>" if why else ""}<span class="evidence">evidence: {escape(found.evidence)}</span>'
        if found.trace is not None:
            why += f' <a class="no-print" href="#trace-{place}-{number_}-title">the {found.shows}</a>'
        yield (
            f"<tr><td><code>{escape(found.name)}</code><td>{escape(found.kind)}<td>{_badge(found.verdict)}<td>{why}</tr>\n"
        )
    yield "</tbody></table>\n"


def _statistics(material: Material) -> Iterator[str]:
    figures = material.statistics
    shown = {"seconds": seconds, "peak_bytes": size, "bytes_per_state": size}
    labels = {"seconds": "time", "peak_bytes": "memory", "bytes_per_state": "memory per state"}
    yield '<dl class="figures">\n'
    for name, about in FIGURES.items():
        if not figures[name] and name != "seconds":
            continue  # not measured by this engine
        text = shown.get(name, number)(figures[name])
        yield f'<div title="{escape(about)}"><dt>{labels.get(name, name)}</dt><dd>{text}</dd></div>\n'
    yield "</dl>\n"
    whole = "Everything was explored." if figures["complete"] else "Not everything was explored."
    reduced = figures["reduction"]
    how = f" Reduced: {escape(reduced['name'])}." if reduced else ""
    yield f'<p class="soft">{whole}{how}</p>\n'


def _course(material: Material) -> Iterator[str]:
    drawn = plots(material.samples)
    if not drawn:
        return
    yield '<h3>The course of the search</h3>\n<div class="plots">\n'
    for plot in drawn:
        caption = f"<figcaption><b>{escape(plot.title)}</b> {escape(plot.about)}</figcaption>"
        yield f"<figure>{caption}\n{plot_svg(plot)}</figure>\n"
    yield "</div>\n"


def _trace(material: Material, found: Judged, name: str) -> Iterator[str]:
    trace = found.trace
    assert trace is not None
    view = trace_view(trace, material.sources, About(material.model, found.name, found.shows), with_exports=True)
    yield f'<h3 id="{name}-title">{escape(found.title)}: {_length(trace)}</h3>\n'
    yield f'<div class="trace-place">{mounted_view(view, name, key=name, themed=False)}</div>\n'
    yield from _steps(material, trace)


def _length(trace: Trace) -> str:
    if trace.loop is None:
        return plural(len(trace), "step")
    around = len(trace) - trace.loop
    return f"{plural(trace.loop, 'step')}, then " + (f"a cycle of {around}" if around else "nothing any more")


def _steps(material: Material, trace: Trace) -> Iterator[str]:
    """For paper."""
    files = short_names(material.sources)
    head = "<thead><tr><th>step<th>process<th>what happens<th>where<th>what it changes</tr></thead>"
    widths = "".join(f'<col style="width: {width}%">' for width in (7, 13, 26, 18, 36))
    yield f'<table class="steps-table"><colgroup>{widths}</colgroup>{head}<tbody>\n'
    for place, step in enumerate(trace.steps):
        cycle = ' class="cycle"' if trace.loop is not None and place >= trace.loop else ""
        changes = ", ".join(f"{name} = {new}" for name, (_, new) in step.changes.items() if new is not None)
        file = f"{files.get(step.span.file, step.span.file)}:" if len(files) > 1 else "line "
        where = f"{file}{step.span.line}" if step.span.line > 0 else ""
        note = f'<br><span class="error">{escape(step.note)}</span>' if step.note else ""
        who = process_name(step.process, step.pid) or "the model"
        yield (
            f"<tr{cycle}><td>{place + 1}<td>{escape(who)}"
            f"<td><code>{escape(step.text)}</code>{note}<td>{escape(where)}<td><code>{escape(changes)}</code></tr>\n"
        )
    end = after_the_last_step(trace) if trace.loop is not None else trace.reason
    if end:
        yield f'<tr><td><td colspan="4">{escape(end)}</tr>\n'
    yield "</tbody></table>\n"


def _texts(material: Material) -> Iterator[str]:
    if material.is_result:
        options = {name: value for name, value in material.answer["options"].items() if value not in (None, [], {}, "")}
        text = json.dumps(options, indent=2, ensure_ascii=False)
        yield f'<details class="no-print"><summary>Options</summary><pre>{escape(text)}</pre></details>\n'
    for name, text in material.sources.items():
        width = len(str(text.count("\n") + 1))
        lines = "\n".join(f"{place:>{width}}  {line}" for place, line in enumerate(text.splitlines(), 1))
        about = f"The text of {name}"
        yield f'<details class="no-print"><summary>{escape(about)}</summary><pre>{escape(lines)}</pre></details>\n'


def _badge(verdict: str) -> str:
    return f'<span class="verdict {verdict}">{MARKS[verdict]} {WORDS[verdict]}</span>'


def _word(material: Material) -> str:
    return WORDS[material.verdict]
