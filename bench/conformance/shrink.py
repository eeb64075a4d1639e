"""Cutting a program down while it keeps showing what it shows."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from itertools import islice

from .program import Node, Program

_GROUP = re.compile(r"(?<![\w])\(([^()]*)\)")
_HEADER = (
    (re.compile(r" provided \(.*\)$"), ""),
    (re.compile(r" priority \d+"), ""),
    (re.compile(r"active \[\d+\]"), "active"),
)


def shrink(program: Program, interesting: Callable[[Program], bool], attempts: int = 600) -> Program:
    """A program that is still `interesting` and none of whose single cuts is, unless the attempts run out."""
    current, position, shrunk = program, 0, False
    seen = {program.text()}
    while attempts > 0:
        candidate = next(islice(candidates(current), position, None), None)
        if candidate is None:
            if not shrunk:
                break
            position, shrunk = 0, False
            continue
        text = candidate.text()
        if text not in seen:
            seen.add(text)
            attempts -= 1
            if interesting(candidate):
                current, shrunk = candidate, True
                continue  # what failed before will mostly fail again: go on from here, begin anew at the end
        position += 1
    return current


def candidates(program: Program) -> Iterator[Program]:
    """All programs one cut away, the largest cuts first."""
    for index in range(len(program.processes)):
        smaller = copy.deepcopy(program)
        del smaller.processes[index]
        yield smaller
    for index in range(len(program.inlines)):
        smaller = copy.deepcopy(program)
        del smaller.inlines[index]
        yield smaller
    yield from _half_cuts(program)
    yield from _statement_cuts(program)
    yield from _declaration_cuts(program)
    yield from _header_cuts(program)
    yield from _text_cuts(program)


def _sequences(program: Program) -> list[list[Node]]:
    """Every sequence of statements, outer before inner, always in the same order."""
    found: list[list[Node]] = []

    def walk(sequence: list[Node]) -> None:
        found.append(sequence)
        for node in sequence:
            for part in node.parts:
                walk(part)

    for inline in program.inlines:
        walk(inline.body)
    for process in program.processes:
        walk(process.body)
    return found


def _half_cuts(program: Program) -> Iterator[Program]:
    """Drop one half of a longer sequence."""
    for number, sequence in enumerate(_sequences(program)):
        if len(sequence) >= 4:
            for half in (slice(len(sequence) // 2, None), slice(None, len(sequence) // 2)):
                smaller = copy.deepcopy(program)
                del _sequences(smaller)[number][half]
                yield smaller


def _statement_cuts(program: Program) -> Iterator[Program]:
    """Drop a statement, put its inside in its place, drop an option or a label."""
    for number, sequence in enumerate(_sequences(program)):
        for position, node in enumerate(sequence):
            if len(sequence) > 1:
                smaller = copy.deepcopy(program)
                del _sequences(smaller)[number][position]
                yield smaller
            for part in range(len(node.parts)):
                smaller = copy.deepcopy(program)
                place = _sequences(smaller)[number]
                place[position : position + 1] = place[position].parts[part]
                yield smaller
                if node.kind in ("if", "do") and len(node.parts) > 1:
                    smaller = copy.deepcopy(program)
                    del _sequences(smaller)[number][position].parts[part]
                    yield smaller
            if node.label:
                smaller = copy.deepcopy(program)
                _sequences(smaller)[number][position].label = ""
                yield smaller


def _declaration_cuts(program: Program) -> Iterator[Program]:
    """Drop a declaration or its initial value."""
    for index, text in enumerate(program.declarations):
        smaller = copy.deepcopy(program)
        del smaller.declarations[index]
        yield smaller
        if " = " in text and not text.startswith(("chan", "mtype =", "#")):
            smaller = copy.deepcopy(program)
            smaller.declarations[index] = text.split(" = ")[0]
            yield smaller
    for number, process in enumerate(program.processes):
        for index, text in enumerate(process.declarations):
            smaller = copy.deepcopy(program)
            del smaller.processes[number].declarations[index]
            yield smaller
            if " = " in text and not text.startswith("chan"):
                smaller = copy.deepcopy(program)
                smaller.processes[number].declarations[index] = text.split(" = ")[0]
                yield smaller


def _header_cuts(program: Program) -> Iterator[Program]:
    for number, process in enumerate(program.processes):
        for pattern, simpler in _HEADER:
            header = pattern.sub(simpler, process.header)
            if header != process.header:
                smaller = copy.deepcopy(program)
                smaller.processes[number].header = header
                yield smaller


def _text_cuts(program: Program) -> Iterator[Program]:
    """Simplify inside a simple statement: a parenthesised part becomes a constant, or loses one side."""
    for number, sequence in enumerate(_sequences(program)):
        for position, node in enumerate(sequence):
            for text in _simpler(node.head) if node.kind == "leaf" else ():
                smaller = copy.deepcopy(program)
                _sequences(smaller)[number][position].head = text
                yield smaller


def _simpler(text: str) -> Iterator[str]:
    if text not in ("skip", "break", "else"):
        yield "skip"
    for group in _GROUP.finditer(text):
        before, after = text[: group.start()], text[group.end() :]
        sides = re.split(r" (?:[-+*/%&|^]|<<|>>|&&|\|\||[<>=!]=|[<>]) ", group.group(1))
        for simple in [*(sides if len(sides) > 1 else []), "1", "0"]:
            if f"({simple})" != group.group(0):
                yield f"{before}({simple}){after}" if not before else f"{before}{simple}{after}"
