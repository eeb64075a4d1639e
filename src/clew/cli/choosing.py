"""The questions of `clew property choose`: may this run happen?"""

from __future__ import annotations

import sys
from typing import Any

from clew.cli.console import Console
from clew.core.diagnostics import InputError, Span
from clew.logic.patterns.choice import Choice, Meaning
from clew.logic.patterns.text import any_condition, parse_propositions
from clew.logic.patterns.traces import show_trace
from clew.report.style import plural
from clew.report.timeline import states_text

PLACE = Span("<propositions>", 1)
ANSWERS = {"y": True, "yes": True, "n": False, "no": False, "?": None}
HELP = "y: yes, it may; n: no, that would be wrong; ?: I cannot say; q: show what is left"


class Dialogue:
    """Asks until one meaning is left, nothing more can be asked, or the user ends it. `asked`: runs and answers."""

    def __init__(self, text: str, console: Console, quiet: bool) -> None:
        try:
            self.choice = Choice(parse_propositions(text, any_condition, PLACE))
        except ValueError as error:
            raise InputError.at(PLACE, "propositions", str(error), "for example: clew property choose 'P, T'") from None
        self.console = console
        self.print = console.say if quiet else console.print
        self.asked: list[dict[str, Any]] = []

    def run(self) -> list[Meaning]:
        """What is left."""
        self.print(f"{plural(len(self.choice.left), 'meaning')} to choose from. {HELP}.")
        self.print("Of each run the last state goes on for ever.")
        while (trace := self.choice.question()) is not None:
            self.print(f"\n{states_text(self.choice.atoms, trace)}")
            word = self._ask()
            if word is None:
                break
            self.asked.append({"trace": show_trace(trace), "allowed": ANSWERS[word]})
            self.choice.answer(ANSWERS[word])
        self.print("")
        return self.choice.left

    def _ask(self) -> str | None:
        while True:
            stream = self.console.err if self.print == self.console.say else self.console.out
            stream.write("may this run happen? ")
            stream.flush()
            line = sys.stdin.readline()
            word = line.strip().lower()
            if not line:
                self.print("")
            if not line or word == "q":
                return None
            if word in ANSWERS:
                return word
            self.print(f"  {HELP}")
