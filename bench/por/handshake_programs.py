"""Random programs that are nearly all handshakes inside atomic sequences: what reduction finds hardest.

A sequence that comes to a send for which nobody is ready lets others move, so who becomes ready when decides what a
sequence is. Some processes send so, some come to receive and may think better of it, some meddle. Processes are small,
so that thousands of programs can be searched.
"""

from __future__ import annotations

import random

CHANNELS = ("a", "b")
LOCAL = ("v == 0", "v != 2", "v = 1 - v", "w = v", "skip")
SHARED = ("g == 0", "g == 1", "g = 1 - g", "g = 1", "g < 2")


def generate(seed: int) -> str:
    """The text of a program, the same for the same seed."""
    dice = random.Random(seed)
    lines = [f"chan {name} = [{dice.choice((0, 0, 0, 0, 0, 1))}] of {{ byte }};" for name in CHANNELS]
    lines.append("byte g;")
    kinds = [_sender, _receiver, *dice.choices((_sender, _receiver, _meddler, _meddler), k=dice.choice((0, 1, 1, 2)))]
    dice.shuffle(kinds)
    for number, kind in enumerate(kinds):
        lines += [f"active proctype P{number}() {{", "    byte v, w;", *_body(dice, kind), "}"]
    return "\n".join(lines) + "\n"


def _body(dice: random.Random, kind: object) -> list[str]:
    """Places in a row, each with a choice; steps go on to the next place, or somewhere."""
    places = dice.choice((2, 2, 3))
    lines = []
    for place in range(places):
        options = list(kind(dice, place))  # type: ignore[operator]
        if dice.random() < 0.15:
            options.append(dice.choice(("else", "else -> g = 1 - g")))
        lines.append(f"L{place}: if")
        for option in options:
            target = f"L{place + 1}" if dice.random() < 0.7 else f"L{dice.randrange(places)}"
            lines.append(f"    :: {option}; goto {target if target != f'L{places}' else 'E'}")
        lines.append("    fi;")
    return [*lines, "E: skip"]


def _sender(dice: random.Random, place: int) -> list[str]:
    return [_sequence(dice) if dice.random() < 0.75 else _other(dice) for _ in range(dice.choice((1, 1, 2)))]


def _receiver(dice: random.Random, place: int) -> list[str]:
    if place == 0 and dice.random() < 0.7:
        return [dice.choice((*LOCAL, *SHARED))]
    options = [f"{dice.choice(CHANNELS)}{dice.choice(('?v', '?w', '?0', '?1', '?eval(v)'))}"]
    if dice.random() < 0.6:
        options.append(dice.choice(SHARED) if dice.random() < 0.6 else _other(dice))
    return options


def _meddler(dice: random.Random, place: int) -> list[str]:
    return [dice.choice(SHARED) if dice.random() < 0.5 else _other(dice) for _ in range(dice.choice((1, 1, 2)))]


def _sequence(dice: random.Random) -> str:
    parts = [dice.choice(LOCAL if dice.random() < 0.6 else SHARED)] if dice.random() < 0.85 else []
    parts += [_send(dice) for _ in range(dice.choice((1, 1, 1, 2)))]
    if dice.random() < 0.2:
        parts.append(dice.choice((*LOCAL, *SHARED, "assert(v != 2)", "assert(g < 2)")))
    if dice.random() < 0.15:
        parts[-1] = f"if :: {_send(dice)} :: {dice.choice(('else', 'v == 1', 'g == 1', _send(dice)))} fi"
    return f"atomic {{ {'; '.join(parts)} }}"


def _send(dice: random.Random) -> str:
    return f"{dice.choice(CHANNELS)}{dice.choice(('!0', '!1', '!v'))}"


def _other(dice: random.Random) -> str:
    kinds = (*LOCAL, *SHARED, _send(dice), f"{dice.choice(CHANNELS)}?v", "assert(g < 2)")
    return dice.choice(kinds) if dice.random() < 0.97 else "timeout"
