"""Random temporal formulas over the globals of a program, as `ltl` blocks."""

from __future__ import annotations

import random
import re

_GLOBAL = re.compile(r"^(?:local |hidden )?(?:bit|bool|byte|short|int) (\w+)(?: = -?\d+)?;?$", re.MULTILINE)
_CHANNEL = re.compile(r"^chan (\w+) = \[\d+\] of \{([^}]*)\}", re.MULTILINE)
_PROCESS = re.compile(r"^(?:active(?: \[\d+\])? )?proctype (\w+)\(.*?^\}", re.MULTILINE | re.DOTALL)
_LABEL = re.compile(r"^\s*(\w+):(?!:)", re.MULTILINE)
_UNARY = ("[]", "<>", "!", "[]<>", "<>[]")  # Spin is mostly built without X
_BINARY = ("U", "V", "W", "&&", "||", "->", "<->")


def atoms_of(text: str, dice: random.Random) -> list[str]:
    """Conditions on the globals that the text declares."""
    found = [f"({name} {dice.choice(('==', '!=', '<', '>'))} {dice.randrange(4)})" for name in _GLOBAL.findall(text)]
    found += [f"(len({name}) > 0)" for name, _ in _CHANNEL.findall(text)]
    return found


def channels_of(text: str) -> list[tuple[str, int]]:
    """The channels that the text declares, and how many fields their messages have."""
    return [(name, len(fields.split(","))) for name, fields in _CHANNEL.findall(text)]


def events_of(text: str, dice: random.Random) -> list[str]:
    """Events of the channels and labels that the text declares."""
    found = []
    for name, fields in channels_of(text):
        values = [dice.choice(("_", "_", str(dice.randrange(3)))) for _ in range(fields)]
        found += [f"({name}!{','.join(values)})", f"({name}?{','.join(values)})"]
    for process in _PROCESS.finditer(text):
        found += [f"reaches({process[1]}@{label})" for label in _LABEL.findall(process[0]) if label != "else"]
    return found


def formula(dice: random.Random, operators: int, atoms: list[str]) -> str:
    """A formula with about so many operators."""
    if operators <= 0:
        return dice.choice(atoms)
    if dice.random() < 0.5:
        return f"{dice.choice(_UNARY)} ({formula(dice, operators - 1, atoms)})"
    left = dice.randrange(operators)
    parts = formula(dice, left, atoms), formula(dice, operators - 1 - left, atoms)
    return f"(({parts[0]}) {dice.choice(_BINARY)} ({parts[1]}))"


def with_formulas(text: str, dice: random.Random, count: int = 2, events: bool = False) -> tuple[str, list[str]]:
    """The program with formulas behind it, and their names; none if it has nothing to speak about. Its assertions are
    made to hold: Spin's claims have some of their own. `events`: formulas speak about events, too."""
    text = text.replace("assert(", "assert(1 || ")
    atoms = atoms_of(text, dice)
    if events:
        happenings = events_of(text, dice)
        atoms = atoms[:3] + happenings if happenings else []
    if not atoms:
        return text, []
    names = [f"f{n}" for n in range(count)]
    blocks = [f"ltl {name} {{ {formula(dice, dice.randint(1, 4), atoms)} }}" for name in names]
    return text + "\n" + "\n".join(blocks) + "\n", names
