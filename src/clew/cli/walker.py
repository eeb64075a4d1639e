"""A simulation that is printed while it goes on."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from clew.cli.console import Console
from clew.core.registry import LoadedModel
from clew.core.simulate import Simulation
from clew.core.traces import TraceStep
from clew.report.style import plural
from clew.report.trace_text import state_lines, step_lines
from clew.report.walk_text import columns_for_view


class Walker:
    """Prints each step taken: all of it, or with --quiet only what the model prints, or with --json nothing."""

    def __init__(
        self,
        simulation: Simulation[Any, Any],
        model: LoadedModel,
        console: Console,
        most_steps: int,
        arguments: Namespace,
    ) -> None:
        self.simulation = simulation
        self.console = console
        self.sources = dict(model.files)
        self.table = columns_for_view(model.view, most_steps)
        self.full: bool = arguments.full
        self.quiet: bool = arguments.quiet
        self.silent: bool = arguments.json
        self.noted = ""  # what was said to be wrong in the last step
        self.inside = False  # an indivisible sequence is going on

    def take(self, move: Any) -> None:
        step = self.simulation.take(move)
        if self.quiet and not self.silent:
            for text in step.output:
                self.console.out.write(text)
        elif not self.silent:
            self._print(step)
        self.inside = step.transient
        self.noted = "" if self.quiet else step.note
        self.console.out.flush()

    def show_state(self) -> None:
        state = self.simulation.space.describe(self.simulation.state)
        for line in state_lines(state, self.table, self.console.style, self.sources):
            self.console.print(line)

    def news(self) -> list[str]:
        """What is wrong now and was not printed with the last step: being stuck."""
        return [violation.message for violation in self.simulation.violations if violation.message not in self.noted]

    def finish(self) -> None:
        """How the walk ended."""
        if self.silent:
            return
        simulation, style = self.simulation, self.console.style
        for message in self.news():
            self.console.print("  " + style.paint(f"✗ {message}", "bold", "red"))
        steps = plural(len(simulation), "step")
        if simulation.violations or simulation.broken:
            ending = f"stopped at an error after {steps}"
        elif simulation.choices():
            ending = f"stopped after {steps}"
        else:
            ending = f"the run ends after {steps}"
        if self.quiet:
            self.console.say(ending)
            return
        self.console.print(style.paint(f"  {ending}", "bold"))
        self.show_state()

    def _print(self, step: TraceStep) -> None:
        bracket = ("│" if self.inside else "╭") if step.transient else ("╰" if self.inside else " ")
        values = self.simulation.space.describe(self.simulation.state).values if self.full else None
        for line in step_lines(len(self.simulation), step, self.table, self.console.style, bracket, values):
            self.console.print(line)
