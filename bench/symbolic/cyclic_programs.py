"""Random programs whose processes mostly go round for ever and wait for each other: what fairness is about."""

from __future__ import annotations

import random


def generate_cyclic(seed: int) -> str:
    """A small program: guards and assignments, handshakes, indivisible sequences, processes that come and go."""
    return _Program(random.Random(f"cyclic {seed}")).text()


class _Program:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.creates = dice.random() < 0.15

    def text(self) -> str:
        lines = ["byte x, y, z", "chan c = [0] of { byte }", "chan d = [1] of { byte }"]
        if self.creates:
            lines.append(f"proctype Worker() {{ {self._sequence()} }}")
        for number in range(self.dice.randint(2, 3)):
            provided = f" provided ({self._test()})" if self.dice.random() < 0.1 else ""
            lines.append(f"active proctype P{number}(){provided} {{ byte v; {self._loop()} }}")
        return "\n".join(lines) + "\n"

    def _loop(self) -> str:
        options = [self._sequence() for _ in range(self.dice.randint(1, 3))]
        if self.dice.random() < 0.15:
            options.append(f"{self._test()} -> break")
        if self.creates and self.dice.random() < 0.5:
            options.append("_nr_pr < 4 -> run Worker()")
        if self.dice.random() < 0.15:
            options.append(f"else -> {self._statement()}")
        return "do " + " ".join(f":: {option}" for option in options) + " od"

    def _sequence(self) -> str:
        parts = [self._statement() for _ in range(self.dice.randint(1, 3))]
        if self.dice.random() < 0.4:
            parts.insert(0, self._test())
        kind = self.dice.random()
        if kind < 0.3:
            return f"atomic {{ {'; '.join(parts)} }}"
        if kind < 0.4:
            return f"d_step {{ {self._test()}; {self._assignment()}; {self._assignment()} }}"
        return "; ".join(parts)

    def _statement(self) -> str:
        kind, value = self.dice.random(), self.dice.randrange(3)
        if kind < 0.5:
            return self._assignment()
        if kind < 0.6:
            return self._test()
        if kind < 0.7:
            return f"c!{value}"
        if kind < 0.8:
            return self.dice.choice(("c?_", f"c?{value}"))
        if kind < 0.86:
            return f"d!{value}"
        if kind < 0.92:
            return "d?_"
        if kind < 0.96:
            return "timeout"
        return "skip"

    def _assignment(self) -> str:
        name = self.dice.choice("xyz")
        return self.dice.choice((f"{name} = {self.dice.randrange(3)}", f"{name} = ({name} + 1) % 3"))

    def _test(self) -> str:
        return f"{self.dice.choice('xyz')} {self.dice.choice(('==', '!=', '<='))} {self.dice.randrange(3)}"
