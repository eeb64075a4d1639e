"""Accepted models never send or receive a message of another layout: random models of several processes, whose channels
go through messages and parameters, run by a little machine whose values carry their kinds (sheet 20, 6.5)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.typing.infer import infer

KINDS = ("byte", "mtype", "chan")
VARIABLES = {"byte": ("n",), "mtype": ("m",), "chan": ("c", "d")}
RUNS = 4  # of each accepted model


@dataclass
class Process:
    """Statements in a row: `c!a,b`, `c?a,b`, `c = d` as (kind, channel, arguments)."""

    name: str
    parameter: bool
    statements: list[tuple[str, str, list[str]]]
    given: str = ""  # the global channel it is started with
    values: dict[str, object] = field(default_factory=dict)
    at: int = 0


class Clash(Exception):
    pass


def random_model(chance: random.Random) -> tuple[list[list[str]], list[Process]]:
    layouts = [[chance.choice(KINDS) for _ in range(chance.randint(1, 2))] for _ in range(2)]
    processes = []
    for number in range(chance.randint(2, 3)):
        parameter = chance.random() < 0.4
        channels = ["g0", "g1", "c", "d"] + (["p"] if parameter else [])
        statements = [_statement(chance, layouts, channels) for _ in range(chance.randint(1, 4))]
        processes.append(Process(f"P{number}", parameter, statements, chance.choice(("g0", "g1"))))
    return layouts, processes


def _statement(chance: random.Random, layouts: list[list[str]], channels: list[str]) -> tuple[str, str, list[str]]:
    """Mostly such as fit a layout, or nothing would be accepted."""
    if chance.random() < 0.2:
        return "copy", chance.choice(("c", "d")), [chance.choice(channels)]
    channel = chance.choice(channels)
    layout = layouts[int(channel[1])] if channel[0] == "g" else chance.choice(layouts)
    kinds = [k if chance.random() < 0.95 else chance.choice(KINDS) for k in layout]
    if chance.random() < 0.05:
        kinds = kinds[:-1] or ["byte", "byte"]
    if chance.random() < 0.5:
        literals = {"byte": ["3", "n"], "mtype": ["red", "m"], "chan": channels}
        return "send", channel, [chance.choice(literals[k]) for k in kinds]
    return "receive", channel, [chance.choice(VARIABLES[k]) for k in kinds]


def text_of(layouts: list[list[str]], processes: list[Process]) -> str:
    lines = ["mtype = { red };", *(f"chan g{i} = [2] of {{ {', '.join(f)} }};" for i, f in enumerate(layouts))]
    for process in processes:
        start = f"proctype {process.name}(chan p)" if process.parameter else f"active proctype {process.name}()"
        body = [_written(*statement) for statement in process.statements]
        lines.append(f"{start} {{ chan c, d; byte n; mtype m; {'; '.join(body)} }}")
    runs = [f"run {process.name}({process.given})" for process in processes if process.parameter]
    lines.append(f"init {{ {'; '.join(runs) or 'skip'} }}")
    return "\n".join(lines)


def _written(kind: str, channel: str, arguments: list[str]) -> str:
    sign = {"send": "!", "receive": "?", "copy": " = "}[kind]
    return f"{channel}{sign}{','.join(arguments)}"


def simulate(layouts: list[list[str]], processes: list[Process], chance: random.Random) -> None:
    """One run. Raises Clash where a message does not have the layout of its channel, or of the variables."""
    queues: dict[str, list[list[object]]] = {"g0": [], "g1": []}
    for process in processes:
        process.values = {"n": 1, "m": "red", "c": None, "d": None, "g0": "@g0", "g1": "@g1"}
        process.values["p"] = f"@{process.given}"
        process.at = 0
    ready = list(processes)
    while ready:
        process = chance.choice(ready)
        if process.at == len(process.statements) or not _step(process, layouts, queues):
            ready.remove(process)
            continue
        ready = [p for p in processes if p.at < len(p.statements)]


def _step(process: Process, layouts: list[list[str]], queues: dict[str, list[list[object]]]) -> bool:
    """Whether it could be done. Using a channel without value ends the process: types say nothing of that."""
    kind, channel, arguments = process.statements[process.at]
    values = process.values
    if kind == "copy":
        values[channel] = values[arguments[0]]
        process.at += 1
        return True
    target = values[channel]
    if target is None:
        return False
    name = str(target)[1:]
    layout, queue = layouts[int(name[1])], queues[name]
    if kind == "send":
        if len(queue) == 2:
            return False
        message = [3 if a == "3" else "red" if a == "red" else values[a] for a in arguments]
        if [_kind(value) for value in message] != layout:
            raise Clash(f"{channel}!{arguments}: {message} on {layout}")
        queue.append(message)
    else:
        if not queue:
            return False
        message = queue.pop(0)
        if len(message) != len(arguments):
            raise Clash(f"{channel}?{arguments}: {message}")
        for variable, value in zip(arguments, message, strict=True):
            if variable not in VARIABLES[_kind(value)]:
                raise Clash(f"{value} received into {variable}")
            values[variable] = value
    process.at += 1
    return True


def _kind(value: object) -> str:
    if value is None or str(value).startswith("@"):
        return "chan"
    return "mtype" if value == "red" else "byte"


@pytest.mark.parametrize("seed", range(2))
def test_accepted_models_never_clash(seed: int) -> None:
    chance = random.Random(seed)
    accepted = clashes = 0
    for _ in range(150):
        layouts, processes = random_model(chance)
        text = text_of(layouts, processes)
        errors = [d for d in infer(parse_text(text, "m.pml")).diagnostics if d.severity.value == "error"]
        for _ in range(RUNS):
            try:
                simulate(layouts, processes, chance)
            except Clash as clash:
                clashes += 1
                assert errors, f"{text}\n{clash}"
        accepted += not errors
    assert accepted > 30 and clashes > 30, "the models are too easy or too wild to say anything"
