"""The screen: steps that can be taken, variables and watches, source with the current lines, the sequence chart."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from clew.core.traces import TraceStep
from clew.report.chart_text import chart_text
from clew.report.explorer.watching import WatchError
from clew.report.sequence import sequence_chart
from clew.report.style import PLAIN, plural
from clew.report.trace_text import process_name
from clew.tui.walk import Walk

_STYLE = """
#title { height: 1; background: $primary; color: $text; padding: 0 1; }
#left { width: 34%; } #middle { width: 30%; } #right { width: 36%; }
#choices { height: 1fr; min-height: 5; } #past { height: 1fr; }
#values { height: 1fr; } #source { height: 1fr; } #chart { height: 1fr; }
#watch { height: 3; }
#source Static, #chart Static { width: auto; } #source, #chart { overflow-x: auto; }
.pane { border: round $foreground 50%; border-title-color: $foreground; padding: 0 1; }
"""


class Simulator(App[None]):
    """Steps with Enter, back and forth with the arrow keys."""

    CSS = _STYLE
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        ("left", "undo", "back"),
        ("right", "forward", "forward"),
        ("g", "first", "first state"),
        ("G", "last", "last state"),
        ("r", "chance", "random step"),
        ("w", "watch", "watch"),
        ("x", "unwatch", "drop a watch"),
        ("q", "quit", "quit"),
    ]

    def __init__(self, walk: Walk, name: str, sources: Mapping[str, str], seed: int = 1) -> None:
        super().__init__()
        self.walk = walk
        self.model = name
        self.sources = sources
        self.chance = random.Random(seed)
        self.moves: list[Any] = []

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal():
            with Vertical(id="left"):
                yield OptionList(id="choices", classes="pane", markup=False)
                yield _pane("past", "steps taken")
            with Vertical(id="middle"):
                yield _pane("values", "variables")
                yield Input(placeholder="watch an expression", id="watch")
            with Vertical(id="right"):
                yield _pane("source", "source")
                yield _pane("chart", "sequence chart")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#choices").border_title = "steps that can be taken"
        self.query_one("#past").border_subtitle = "← back   → forward"
        self.show()
        self.query_one("#choices").focus()

    # --- what keys do

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.walk.take(self.moves[event.option_index])
        self.show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self.walk.watch(event.value)
        except WatchError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        event.input.value = ""
        self.show()
        self.query_one("#choices").focus()

    def action_undo(self) -> None:
        self.walk.back()
        self.show()

    def action_forward(self) -> None:
        self.walk.forward()
        self.show()

    def action_first(self) -> None:
        while self.walk.back():
            pass
        self.show()

    def action_last(self) -> None:
        while self.walk.forward():
            pass
        self.show()

    def action_chance(self) -> None:
        if self.moves:
            self.walk.take(self.chance.choice(self.moves))
            self.show()

    def action_watch(self) -> None:
        self.query_one("#watch").focus()

    def action_unwatch(self) -> None:
        if self.walk.watches:
            self.walk.watches.pop()
            self.show()

    # --- what is shown

    def show(self) -> None:
        """Everything anew, for where the walk is."""
        walk = self.walk
        place = f"step {len(walk.taken)}" + (f" of {len(walk.taken) + len(walk.ahead)}" if walk.ahead else "")
        title = Text.assemble((self.model, "bold"), f"  {place}")
        for trouble in walk.troubles:
            title.append(f"  ✗ {trouble}", "bold red on white")
        self.query_one("#title", Static).update(title)
        self._show_choices()
        self._fill("past", _steps(walk), at_the_end=True)
        self._fill("values", _values(walk))
        lines, current = _source(walk, self.sources)
        self._fill("source", lines, line=current)
        chart = chart_text(sequence_chart(walk.trace, every_step=True), PLAIN) if walk.trace.steps else "no step yet"
        self._fill("chart", Text(chart), at_the_end=True)

    def _show_choices(self) -> None:
        found = list(self.walk.choices())
        self.moves = [move for move, _ in found]
        options = self.query_one("#choices", OptionList)
        options.clear_options()
        following = self.walk.ahead[-1] if self.walk.ahead else None
        for move, step in found:
            options.add_option(Option(Text(("→ " if move == following else "  ") + _named(step))))
        if not found:
            options.add_option(Option(Text("no step can be taken", "dim"), disabled=True))
        elif following in self.moves:
            options.highlighted = self.moves.index(following)
        else:
            options.highlighted = 0

    def _fill(self, name: str, text: Text, *, at_the_end: bool = False, line: int = 0) -> None:
        pane = self.query_one(f"#{name}", VerticalScroll)
        pane.query_one(Static).update(text)
        if at_the_end:
            pane.scroll_end(animate=False)
        elif line:
            pane.scroll_to(y=max(line - pane.size.height // 2, 0), animate=False)


def _pane(name: str, title: str) -> VerticalScroll:
    pane = VerticalScroll(Static(markup=False), id=name, classes="pane")
    pane.border_title = title
    pane.can_focus = False
    return pane


def _named(step: TraceStep) -> str:
    who = process_name(step.process, step.pid)
    text = f"{who}: {step.text}" if who else step.text
    if step.partner is not None:
        text += f"  with {process_name(step.partner_process, step.partner)}: {step.partner_text}"
    return text


def _steps(walk: Walk) -> Text:
    text = Text()
    for number, step in enumerate(walk.trace.steps, start=1):
        text.append(f"{number:>4} ", "dim").append(_named(step) + "\n")
        for output in step.output:
            text.append(f"       {output.rstrip()}\n", "cyan")
        if step.note:
            text.append(f"     ✗ {step.note}\n", "bold red")
    if walk.ahead:
        text.append(f"     {plural(len(walk.ahead), 'step')} ahead\n", "dim")
    return text


def _values(walk: Walk) -> Text:
    """Watches first; what the last step changed is marked, and not by colour alone."""
    text, values, last = Text(), walk.state.values, walk.last
    for expression in walk.watches:
        text.append(f"{expression.text} = ", "bold").append(f"{expression.shown(values)}\n", "bold cyan")
    if walk.watches:
        text.append("\n")
    changed = {} if last is None else last.changes
    for name, value in values.items():
        if name in changed:
            text.append(f"● {name} = {value}", "bold yellow").append(f"  was {changed[name][0]}\n", "dim")
        else:
            text.append(f"  {name} = {value}\n")
    return text


def _source(walk: Walk, sources: Mapping[str, str]) -> tuple[Text, int]:
    """The file in which something happens, the lines of the last step and of each process marked; and the line to be
    seen."""
    last = walk.last
    places: dict[tuple[str, int], list[str]] = {}
    for process in walk.state.processes:
        if process.span.line > 0:
            places.setdefault((process.span.file, process.span.line), []).append(
                process_name(process.name, process.pid)
            )
    done = None if last is None or last.span.line <= 0 else last.span
    file = done.file if done is not None else next((name for name, _ in places), next(iter(sources), ""))
    text = Text(no_wrap=True)
    here = done.line if done is not None else next((line for name, line in places if name == file), 0)
    for number, line in enumerate(sources.get(file, "").splitlines(), start=1):
        names = places.get((file, number), [])
        is_done = done is not None and number == done.line
        look = "bold black on yellow" if is_done else "bold" if names else ""
        text.append("▶" if names else " ").append(f"{number:>4} ", "dim").append(line, look)
        text.append("  ✓ taken" if is_done else "", "yellow").append(f"  ◀ {', '.join(names)}" if names else "", "cyan")
        text.append("\n")
    return text, here
