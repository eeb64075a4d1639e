"""A trace for people: one line per step with who, where, what, and below it only what changed.

        3   client(1)  leader.pml:23  q[1]!one(5)   sends one,5 on q[1]
                                      q[1] = [one,5]

Steps of one indivisible sequence are tied together by a bracket. All widths come from the trace itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath

from clew.core.diagnostics import Span
from clew.core.records import record
from clew.core.traces import Trace, TraceState, TraceStep
from clew.report.style import PLAIN, Style, columns, one_line, pad, plural, shorten

_LONGEST_FILE_NAME = 16  # a longer one is left out where it is the only file
_WIDEST_STATEMENT = 44
_NOTHING = frozenset(("0", "false", "[]"))  # values a fresh variable has unless it is given one
_WAITING = re.compile(r"[\w\[\].]+\(\d+\) at \S+:\d+:\d+")  # of `invalid end state: P(0) at m.pml:3:8, … wait`
_WAITING_SHOWN = 3  # the final state below a trace has all of them
_FIRST_SHOWN = 10  # steps kept at the beginning when the middle is left out


@record
class TraceOptions:
    """`full`: all variables after each step. `at_most`: leave out the middle of a longer trace. `witness`: it shows
    that something holds."""

    full: bool = False
    at_most: int | None = None
    witness: bool = False


BRIEF = TraceOptions()


@record
class Columns:
    """Widths of the columns before the statement, and how files are called."""

    number: int
    process: int
    place: int
    statement: int
    files: Mapping[str, str]

    @property
    def indent(self) -> str:
        """What stands before a line that belongs to the statement above it."""
        return " " * (2 + self.number + 3 + len(self.actor("")) + self.place + 2)

    def actor(self, name: str) -> str:
        """The column of who takes a step; none where there are no processes."""
        return pad(name, self.process) + "  " if self.process else ""

    def where(self, span: Span) -> str:
        if span.line <= 0:
            return ""
        name = self.files.get(span.file, span.file)
        if len(self.files) == 1 and columns(name) > _LONGEST_FILE_NAME:
            return f"line {span.line}"
        return f"{name}:{span.line}"


def process_name(process: str, pid: int) -> str:
    """Empty for steps of systems that have no processes."""
    return f"{process}({pid})" if process else ""


def trace_text(
    trace: Trace,
    style: Style = PLAIN,
    sources: Mapping[str, str] | None = None,
    options: TraceOptions = BRIEF,
) -> str:
    """The whole trace: steps, why it ends, final state. `sources` adds the text where each process stopped."""
    table = columns_for(trace.steps, trace.final, expected=trace.length)
    lines: list[str] = []
    if options.full:
        lines += [style.paint("  initial state", "bold"), *_values(trace.initial.values, "    ", style)]
    values = dict(trace.initial.values)
    brackets = _brackets(trace.steps)
    left_out = _left_out(len(trace.steps), options.at_most)
    number = 0
    for index, step in enumerate(trace.steps):
        _apply(values, step)
        number += step.stands_for
        if index == left_out.start and len(left_out) > 0:
            lines.append(style.paint(f"  … {plural(len(left_out), 'step')} left out; clew trace shows them all", "dim"))
        if index in left_out:
            continue
        if index == trace.loop:
            lines.append(style.paint("  ── from here on the run repeats ──", "magenta"))
        shown = values if options.full else None
        if step.stands_for > 1:
            lines.append(style.paint(f"  {step.text}; --replay takes them all", "dim"))
            continue
        lines += step_lines(number, step, table, style, brackets[index], shown)
    if trace.loop is not None:
        lines.append(style.paint(f"  ── {after_the_last_step(trace)} ──", "magenta"))
    if trace.reason and not (trace.steps and trace.steps[-1].note == trace.reason):
        reason = short_reason(trace.reason, table.files)
        mark, colour = ("✓", "green") if options.witness else ("✗", "red")
        lines.append("  " + style.paint(f"{mark} {one_line(reason)}", "bold", colour))
    lines += final_state_lines(trace.final, table, style, sources)
    lines += _branch_lines(trace, style, sources, options)
    return "\n".join(lines)


def _branch_lines(
    trace: Trace, style: Style, sources: Mapping[str, str] | None, options: TraceOptions
) -> Iterator[str]:
    """The further runs that a tree consists of, each behind the step where it leaves the first one."""
    for branch in trace.branches:
        where = f"behind step {branch.at}" if branch.at else "in the first state"
        yield style.paint(f"  ── another run begins {where}: {one_line(branch.reason)} ──", "magenta")
        inner = replace(branch.trace, reason="")
        yield from (f"  {line}" for line in trace_text(inner, style, sources, options).split("\n"))


def after_the_last_step(trace: Trace) -> str:
    """How a run that never ends goes on. Needs a trace with a loop."""
    assert trace.loop is not None
    if trace.loop == len(trace):
        return "and nothing happens any more"
    return f"and goes on with step {trace.before_cycle + 1:,}"


def columns_for(steps: Iterable[TraceStep], *states: TraceState, expected: int = 0) -> Columns:
    """Widths that fit these steps and states; `expected` is how many steps may come."""
    steps = tuple(steps)
    processes = [p for state in states for p in state.processes]
    spans = [s.span for s in steps] + [s.partner_span for s in steps if s.partner_span] + [p.span for p in processes]
    files = short_names({span.file for span in spans if span.line > 0})
    names = [process_name(s.process, s.pid) for s in steps]
    names += [process_name(s.partner_process, s.partner) for s in steps if s.partner is not None]
    names += [process_name(p.name, p.pid) for p in processes]
    draft = Columns(len(str(max(len(steps), expected, 1))), 0, 0, 0, files)
    places = [draft.where(span) for span in spans]
    statements = [one_line(s.text) for s in steps if s.message is not None]
    return Columns(
        draft.number,
        max(map(columns, names), default=0),
        max(map(columns, places), default=0),
        min(max(map(columns, statements), default=0), _WIDEST_STATEMENT),
        files,
    )


def step_lines(
    number: int,
    step: TraceStep,
    table: Columns,
    style: Style = PLAIN,
    bracket: str = " ",
    values: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The lines of one step. With `values`, all of them are shown instead of the changes."""
    actor = table.actor(process_name(step.process, step.pid))
    place = pad(table.where(step.span), table.place)
    room = style.width - len(table.indent)
    first, *others = _broken(one_line(step.text) or "—", room)
    said = message_text(step)
    beside = bool(said) and not others and max(columns(first), table.statement) + 2 + columns(said) <= room
    if beside:
        first = pad(first, table.statement)
    yield (
        f"  {str(number).rjust(table.number)} {style.paint(bracket, 'dim')} "
        f"{style.paint(actor, *lane_look(step.pid))}{style.paint(place, 'dim')}  "
        f"{style.paint(first, 'bold')}{'  ' + style.paint(said, 'cyan') if beside else ''}"
    ).rstrip()
    for line in others:
        yield f"{table.indent}{style.paint(line, 'bold')}"
    if said and not beside:
        yield f"{table.indent}{style.paint(said, 'cyan')}"
    if step.partner is not None and (step.partner_text or step.partner_span):
        yield _partner_line(step, table, style)
    for line in step.output:
        yield f"{table.indent}{style.paint('prints', 'dim')} {style.paint(one_line(line.rstrip(chr(10))), 'green')}"
    if values is None:
        yield from _changes(step, table.indent, style)
    else:
        yield from _values(values, table.indent, style, {n for n, (_, new) in step.changes.items() if new is not None})
    if step.note:
        yield f"{table.indent}{style.paint('✗ ' + one_line(step.note), 'bold', 'red')}"


def message_text(step: TraceStep) -> str:
    """`sends one,5 on q[1]`, or empty."""
    message = step.message
    if message is None:
        return ""
    values = one_line(",".join(message.values))
    match message.direction:
        case "send":
            return f"sends {values} on {message.channel}"
        case "receive":
            return f"receives {values} from {message.channel}"
        case _:
            if step.partner is None:
                return f"passes {values} on {message.channel}"
            return f"hands {values} to {process_name(step.partner_process, step.partner)} on {message.channel}"


def final_state_lines(
    state: TraceState, table: Columns, style: Style = PLAIN, sources: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The variables and, per process, where it is and what stands there."""
    yield style.paint("  final state", "bold")
    yield from state_lines(state, table, style, sources)


def state_lines(
    state: TraceState, table: Columns, style: Style = PLAIN, sources: Mapping[str, str] | None = None
) -> Iterator[str]:
    """A state without a title, indented."""
    yield from _values(state.values, "    ", style)
    if not state.processes and table.process:
        yield style.paint("    no process is left", "dim")
    texts = {name: text.splitlines() for name, text in (sources or {}).items()}
    for process in state.processes:
        name = pad(process_name(process.name, process.pid), table.process)
        place = pad(table.where(process.span), table.place)
        lines = texts.get(process.span.file, [])
        line = lines[process.span.line - 1].strip() if 0 < process.span.line <= len(lines) else ""
        note = style.paint("  (has the exclusive right to move)", "dim") if state.control == process.pid else ""
        text = shorten(line, _WIDEST_STATEMENT)
        yield (
            f"    {style.paint(name, *lane_look(process.pid))}  {style.paint('at ' + place, 'dim')}  {text}{note}"
        ).rstrip()


def lane_look(pid: int) -> tuple[str, ...]:
    """A colour that stays with a process."""
    return (("blue", "magenta", "yellow", "cyan", "green")[pid % 5],)


def _apply(values: dict[str, str], step: TraceStep) -> None:
    for name, (_, new) in step.changes.items():
        if new is None:
            values.pop(name, None)
        else:
            values[name] = new


def _brackets(steps: tuple[TraceStep, ...]) -> list[str]:
    """Per step, its part of the bracket around an indivisible sequence: steps that end inside it, and the next."""
    marks = []
    for index, step in enumerate(steps):
        inside = index > 0 and steps[index - 1].transient
        last = index + 1 == len(steps)
        if step.transient and not last:
            marks.append("│" if inside else "╭")
        else:
            marks.append("╰" if inside else " ")
    return marks


def _left_out(count: int, at_most: int | None) -> range:
    if at_most is None or count <= at_most:
        return range(0)
    first = min(_FIRST_SHOWN, at_most // 2)
    return range(first, count - (at_most - first))


def _partner_line(step: TraceStep, table: Columns, style: Style) -> str:
    assert step.partner is not None
    actor = pad(process_name(step.partner_process, step.partner), table.process)
    place = pad(table.where(step.partner_span) if step.partner_span else "", table.place)
    return (
        f"{' ' * (2 + table.number)} {style.paint('↳', 'dim')} {style.paint(actor, *lane_look(step.partner))}  "
        f"{style.paint(place, 'dim')}  {style.paint(one_line(step.partner_text), 'bold')}"
    ).rstrip()


def _changes(step: TraceStep, indent: str, style: Style) -> Iterator[str]:
    """What has another value now. Of a process that starts, only what it does not have from nothing."""
    started = dict.fromkeys(owner_of(name) for name, (old, _) in step.changes.items() if old is None)
    ended = dict.fromkeys(owner_of(name) for name, (_, new) in step.changes.items() if new is None)
    born, gone = ("{} starts", "{} ends") if step.process else ("new {}", "{} gone")
    items = [born.format(owner) for owner in started if owner]
    for name, (old, new) in step.changes.items():
        if new is not None and not (old is None and owner_of(name) and new in _NOTHING):
            items.append(f"{name} = {one_line(new)}")
    items += [gone.format(owner) for owner in ended if owner]
    items += [f"({name} gone)" for name, (_, new) in step.changes.items() if new is None and not owner_of(name)]
    for line in _wrapped(items, style.width - len(indent)):
        yield f"{indent}{line}"


def owner_of(name: str) -> str:
    """`client(1)` for `client(1).x`, empty for a variable of the whole system."""
    match = re.match(r"\w+\(\d+\)(?=\.)", name)
    return match[0] if match else ""


def _broken(statement: str, width: int) -> list[str]:
    """A statement that consists of several, broken where they meet if it is too wide."""
    if columns(statement) <= width:
        return [statement]
    lines = [""]
    for part in statement.split("; "):
        if lines[-1] and columns(lines[-1]) + columns(part) + 3 > width:
            lines.append("")
        lines[-1] += ("" if not lines[-1] else " ") + part + ";"
    lines[-1] = lines[-1].removesuffix(";")
    return lines


def _values(
    values: Mapping[str, str], indent: str, style: Style, changed: set[str] | frozenset[str] = frozenset()
) -> Iterator[str]:
    items = [f"{name} = {one_line(value)}" for name, value in values.items()]
    marked = {f"{name} = {one_line(values[name])}" for name in changed if name in values}
    for line in _wrapped(items, style.width - len(indent), lambda item: _mark(item, marked, style)):
        yield f"{indent}{line}"


def _mark(item: str, marked: set[str], style: Style) -> str:
    return style.paint(item, "bold") if item in marked else item


def _wrapped(items: Iterable[str], width: int, paint: object = None) -> Iterator[str]:
    """The items, two spaces apart, in lines of at most `width` columns (an item is never broken)."""
    show = paint if callable(paint) else str
    line, used = "", 0
    for item in items:
        if line and used + 2 + columns(item) > max(width, 20):
            yield line
            line, used = "", 0
        line += ("  " if line else "") + show(item)
        used += (2 if used else 0) + columns(item)
    if line:
        yield line


def with_short_names(text: str, files: Mapping[str, str]) -> str:
    """A message with the file names in it shortened, too."""
    for name, short in files.items():
        text = text.replace(name, short)
    return text


def short_reason(text: str, files: Mapping[str, str]) -> str:
    """Why a property fails, with short names of files; of many processes that wait only the first ones."""
    text = with_short_names(text, files)
    places = list(_WAITING.finditer(text))
    if len(places) <= _WAITING_SHOWN + 1:
        return text
    shown, last = places[_WAITING_SHOWN - 1].end(), places[-1].end()
    return f"{text[:shown]} and {len(places) - _WAITING_SHOWN:,} more{text[last:]}"


def short_names(files: Iterable[str]) -> dict[str, str]:
    """File names without folders, unless two files would look the same."""
    short = {file: PurePath(file).name for file in files}
    names = list(short.values())
    return {file: name if names.count(name) == 1 else file for file, name in short.items()}
