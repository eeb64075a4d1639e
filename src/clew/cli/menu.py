"""The menu of the interactive simulation."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Any

from clew.cli.console import Console
from clew.cli.walker import Walker
from clew.core.traces import TraceStep
from clew.report.style import pad
from clew.report.trace_text import lane_look, message_text, process_name

HELP = """\
  a number  take that step          Enter  take the step if there is only one
  b         go back one step        r      take a step at random
  s         show the whole state    q      quit
  h         this text"""


class Menu:
    """Shows what can happen next and does what the user types, until `q` or the end of input."""

    def __init__(self, walker: Walker, console: Console) -> None:
        self.walker = walker
        self.console = console
        self.chance = random.Random(1)

    def run(self) -> None:
        self.console.print(self.console.style.paint("h explains the keys, q quits", "dim"))
        while True:
            choices = self.walker.simulation.choices()
            self._show(choices)
            while True:
                word = self._ask()
                if word is None or word == "q":
                    return
                if self._do(word, choices):
                    break

    def _ask(self) -> str | None:
        self.console.out.write(f"step {len(self.walker.simulation) + 1}> ")
        self.console.out.flush()
        line = sys.stdin.readline()
        if not line:
            self.console.print()
            return None
        return line.strip().lower()

    def _do(self, word: str, choices: Sequence[tuple[Any, TraceStep]]) -> bool:
        """Whether the simulation moved, so that the menu has to be shown again."""
        match word:
            case "b":
                if self.walker.simulation.back():
                    return True
                self._complain("this is the beginning")
            case "s":
                self.walker.show_state()
            case "h" | "?" | "help":
                self.console.print(HELP)
            case "r" if choices:
                self.walker.take(self.chance.choice(choices)[0])
                return True
            case "" if len(choices) == 1:
                self.walker.take(choices[0][0])
                return True
            case _ if word.isdecimal() and 1 <= int(word) <= len(choices):
                self.walker.take(choices[int(word) - 1][0])
                return True
            case _ if choices:
                self._complain(f"type a number from 1 to {len(choices)}, or h for help")
            case _:
                self._complain("nothing can be done here: b goes back, q quits")
        return False

    def _show(self, choices: Sequence[tuple[Any, TraceStep]]) -> None:
        style, table = self.console.style, self.walker.table
        for message in self.walker.news():
            self.console.print("  " + style.paint(f"✗ {message}", "bold", "red"))
        if not choices:
            self.console.print(style.paint("  no step is possible here", "yellow"))
        width = len(str(len(choices)))
        for number, (_, step) in enumerate(choices, start=1):
            name = style.paint(pad(process_name(step.process, step.pid), table.process), *lane_look(step.pid))
            place = style.paint(pad(table.where(step.span), table.place), "dim")
            said = message_text(step)
            text = pad(step.text, table.statement) if said else step.text
            said = "  " + style.paint(said, "cyan") if said else ""
            self.console.print(f"  [{number:>{width}}] {name}  {place}  {text}{said}".rstrip())

    def _complain(self, text: str) -> None:
        self.console.print(f"  {self.console.style.paint(text, 'yellow')}")
