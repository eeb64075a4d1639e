"""A result for people: verdict first, then each property with its evidence, the figures, and the counterexample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clew.core.decisions import BREAKDOWN
from clew.core.diagnostics import NOWHERE
from clew.core.engines import HUNTS
from clew.core.properties import TEMPORAL
from clew.core.results import Decision, Result, Statistics, Verdict
from clew.report.diagnostics import diagnostics_text
from clew.report.result_json import overall_verdict
from clew.report.style import PLAIN, Style, number, pad, plural, seconds, size
from clew.report.trace_text import TraceOptions, short_names, short_reason, trace_text

_WORDS: dict[Verdict, str] = {"holds": "holds", "violated": "VIOLATED", "unknown": "unknown"}
_LOOKS: dict[Verdict, tuple[str, ...]] = {
    "holds": ("bold", "green"),
    "violated": ("bold", "red"),
    "unknown": ("bold", "yellow"),
}
LIMITS = {
    "states": "the limit on states (--max-states)",
    "depth": "the limit on depth (--max-depth)",
    "memory": "the limit on memory (--max-memory)",
    "time": "the limit on time (--max-time)",
    "table": "the full table of the store (--store)",
    "interrupt": "an interrupt",
    "killed": "a signal that killed the search",
    "crash": "a crash of embedded C",
}
SHOWN_WARNINGS = 5  # an old model may have a hundred: they would hide the verdict; `clew lint` has all of them
SHOWN_STEPS = 100  # a longer trace is shown with its middle left out; `clew trace` has all of it


def check_text(result: Result, style: Style = PLAIN, sources: Mapping[str, str] | None = None, detail: int = 0) -> str:
    """The whole report of a check. `detail` 1 shows all variables in the trace, and all warnings."""
    lines = [headline(result, style)]
    width = max((len(d.property.name) for d in result.decisions), default=0)
    files = short_names(sources or ())
    lines += [_decision_line(decision, width, style, files) for decision in result.decisions]
    lines.append(figures_line(result.statistics, style))
    lines += _remarks(result, style)
    lines += _warnings(result, style, sources, at_most=None if detail > 0 else SHOWN_WARNINGS)
    for decision in result.decisions:
        if decision.trace is not None:
            witness = decision.verdict == "holds"
            options = TraceOptions(full=detail > 0, at_most=None if detail > 0 else SHOWN_STEPS, witness=witness)
            lines += ["", _trace_title(result, decision, style)]
            lines.append(trace_text(decision.trace, style, sources, options))
    return "\n".join(lines)


def quiet_line(result: Result, style: Style = PLAIN) -> str:
    """The one line that --quiet prints: the headline, and why if the answer is not known."""
    reasons = dict.fromkeys(d.reason for d in result.decisions if d.verdict == "unknown" and d.reason)
    text = headline(result, style)
    return f"{text} ({'; '.join(reasons)})" if reasons and overall_verdict(result) == "unknown" else text


def headline(result: Result, style: Style = PLAIN) -> str:
    """`leader.pml: holds`, or which properties do not."""
    verdict = overall_verdict(result)
    text = f"{style.paint(result.model, 'bold')}: {style.paint(_WORDS[verdict], *_LOOKS[verdict])}"
    concerned = [d.property.name for d in result.decisions if d.verdict == verdict]
    if verdict == "holds" or (verdict == "unknown" and len(concerned) == len(result.decisions)):
        return text
    return f"{text} {', '.join(concerned)}"


def count_text(result: Result, style: Style = PLAIN, sources: Mapping[str, str] | None = None) -> str:
    """The report of a count: never called the size of the state space if a limit was hit."""
    figures = result.statistics
    if result.omission is not None and not result.limits_hit:
        title = style.paint("lossy count", "bold", "yellow") + ", states may have been missed"
    elif figures.complete:
        title = style.paint("complete state space", "bold", "green")
    else:
        title = style.paint("partial count", "bold", "yellow") + ", the state space is larger"
    rows = [
        ("states", number(figures.states)),
        ("stored", number(figures.stored)),
        ("transitions", number(figures.transitions) if figures.counts_transitions else "not counted"),
        ("depth", number(figures.depth) if figures.counts_depth else "not counted"),
        ("time", seconds(figures.seconds)),
        ("memory", size(figures.peak_bytes) if figures.peak_bytes else "not measured"),
    ]
    lines = [f"{style.paint(result.model, 'bold')}: {title}"]
    width = max(len(value) for _, value in rows[:4])
    for name, value in rows:
        lines.append(f"  {pad(name, 12)} {value.rjust(width)}")
    lines += _remarks(result, style)
    lines += _warnings(result, style, sources, at_most=SHOWN_WARNINGS)
    return "\n".join(lines)


def count_line(result: Result, style: Style = PLAIN) -> str:
    """The one line of a count with --quiet: the figures, and what ended it early."""
    text = f"{style.paint(result.model, 'bold')}: {_figures(result.statistics)}"
    if result.limits_hit:
        return f"{text}, stopped by {', '.join(LIMITS.get(limit, limit) for limit in result.limits_hit)}"
    if BREAKDOWN in result.notes:
        text += ", nothing behind run-time errors"
    return f"{text}, states may have been missed" if result.omission is not None else text


def figures_line(figures: Statistics, style: Style = PLAIN) -> str:
    """`1,234 states, 5,678 transitions, depth 90, 0.12 s, 34 MB`."""
    whole = figures.complete or figures.states == 0
    text = f"  {_figures(figures)}"
    return style.paint(text if whole else f"{text} (not everything was explored)", "dim")


def _figures(figures: Statistics) -> str:
    if figures.states == 0:  # a solver counts nothing
        return seconds(figures.seconds)
    parts = [plural(figures.states, "state")]
    if figures.stored != figures.states:
        parts[0] += f" ({number(figures.stored)} stored)"
    if figures.counts_transitions:
        parts.append(plural(figures.transitions, "transition"))
    if figures.counts_depth:
        parts.append(f"depth {number(figures.depth)}")
    parts.append(seconds(figures.seconds))
    if figures.peak_bytes:
        parts.append(size(figures.peak_bytes))
    return ", ".join(parts)


def _decision_line(decision: Decision, width: int, style: Style, files: Mapping[str, str]) -> str:
    word = style.paint(pad(_WORDS[decision.verdict], 8), *_LOOKS[decision.verdict])
    explanation = decision.reason
    if decision.verdict == "violated":
        where = decision.violation.span if decision.violation is not None else NOWHERE
        in_a_file = where.line > 0 and not where.file.startswith("--")
        explanation += f" ({where.file}:{where.line})" if in_a_file and where.file not in explanation else ""
    explanation = short_reason(explanation, files)
    evidence = decision.evidence.text
    if evidence and evidence != decision.reason:
        evidence = style.paint(evidence, "dim")
        explanation = f"{explanation} · {evidence}" if explanation else evidence
    return f"  {pad(decision.property.name, width)}  {word}  {explanation}".rstrip()


def _remarks(result: Result, style: Style) -> Iterator[str]:
    for limit in result.limits_hit:
        yield f"  {style.paint('stopped by', 'yellow')} {LIMITS.get(limit, limit)}"
    if "memory" in result.limits_hit and result.statistics.states <= 1 and result.statistics.peak_bytes:
        least = f"the search takes {size(result.statistics.peak_bytes)} before it begins"
        yield f"  {style.paint('note:', 'cyan')} {least}: --max-memory has to be more"
    verdicts = {decision.verdict for decision in result.decisions}
    explores = result.options.get("search") not in HUNTS
    stopped_early = explores and not result.limits_hit and not result.statistics.complete
    found = any(decision.trace is not None for decision in result.decisions)
    if stopped_early and found and "unknown" in verdicts and not result.options.get("keep_going"):
        yield f"  {style.paint('note:', 'cyan')} --keep-going explores the rest, too"
    for note in result.notes:
        yield f"  {style.paint('note:', 'cyan')} {note}"


def _warnings(result: Result, style: Style, sources: Mapping[str, str] | None, at_most: int | None) -> Iterator[str]:
    if not result.warnings:
        return
    yield ""
    yield diagnostics_text(result.warnings[:at_most], style, sources)
    if at_most is not None and len(result.warnings) > at_most:
        more = plural(len(result.warnings) - at_most, "more warning")
        yield style.paint(f"… and {more}: clew lint {result.model}", "dim")


def _trace_title(result: Result, decision: Decision, style: Style) -> str:
    assert decision.trace is not None
    trace = decision.trace
    length = plural(trace.length, "step")
    kind = "Witness of" if decision.verdict == "holds" else "Counterexample to"
    if trace.loop is not None:
        around = trace.length - trace.before_cycle
        length = f"{plural(trace.before_cycle, 'step')}, then " + (
            f"a cycle of {around}" if around else "nothing any more"
        )
    if trace.loop is not None or decision.property.kind in ("ctl", "reach"):
        return style.paint(f"{kind} {decision.property.name}: {length}", "bold")
    # The native engine counts an atomic sequence as one step, so a run through one may not have the fewest steps.
    fewest = result.engine == "reference" or not any(step.transient for step in decision.trace.steps)
    breadth_first = result.options.get("search") == "bfs" and not result.limits_hit and result.omission is None
    one_by_one = result.engine == "reference" or decision.property.kind not in TEMPORAL  # else some are depth-first
    unreduced = result.statistics.reduced is None
    shortest = "shortest " if breadth_first and fewest and one_by_one and unreduced else ""
    title = f"{shortest}counterexample to {decision.property.name}, {length}"
    return style.paint(title[0].upper() + title[1:], "bold")
