"""What a network seems to need: which processes there are at the same time, and how large values get.

The guess comes from a small sample of states. It never decides anything: a lowered system checks wherever it could be
exceeded, and an engine that can get there asks for a larger one (`Growth`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Literal

from clew.core.interpreter import NetworkSpace
from clew.core.interpreter.state import State
from clew.core.records import record
from clew.core.types import Array, ChannelRef, Enum, Int, Record, Relation, Scalar, Type, slots

SAMPLE_STATES = 300
WALKS, WALK_STEPS = 4, 150
MOST_PROCESSES = 255

Key = tuple[str, ...]  # whose variable ("": global, "#": a message), its name, fields; not which element of an array
Handle = tuple[int, Key]  # the same for one process: pid (-1: global)


@record
class Growth:
    """What was too small: the bits of values (`key`), the templates at a pid, or the channels a variable may hold."""

    kind: Literal["bits", "place", "channel"]
    key: Key = ()
    pid: int = -1
    template: int = -1
    signed: bool = False  # the type has negative values


@record
class Guess:
    """`places`: for each pid, the templates (by index) of processes that may have it. `bits`: width and sign of values.
    `channels`: the numbers that a variable for channels may hold."""

    places: tuple[tuple[int, ...], ...] = ()
    bits: dict[Key, tuple[int, bool]] = field(default_factory=dict)
    channels: dict[Handle, frozenset[int]] = field(default_factory=dict)

    def grown(self, growth: Growth, all_channels: int) -> Guess:
        match growth.kind:
            case "bits":
                width, signed = self.bits.get(growth.key, (1, False))
                wider = width + 1 if width < 4 else width * 2
                return replace(self, bits={**self.bits, growth.key: (wider, signed or growth.signed)})
            case "channel":
                handle = (growth.pid, growth.key)
                return replace(self, channels={**self.channels, handle: frozenset(range(all_channels + 1))})
            case "place":
                places = [*self.places, *(() for _ in range(growth.pid + 1 - len(self.places)))]
                places[growth.pid] = tuple(sorted({*places[growth.pid], growth.template}))
                return replace(self, places=tuple(places))


def narrowed(type_: Type, key: Key, guess: Guess) -> Type:
    """The type with as few bits as the guess allows."""
    match type_:
        case Array(element, size):
            return Array(narrowed(element, key, guess), size)
        case Record(name, fields):
            return Record(name, tuple((n, narrowed(t, (*key, n), guess)) for n, t in fields))
        case Int(name, bits, signed):
            width, negative = guess.bits.get(key, (1, False))
            if not signed:
                return Int(name, min(width, bits))
            return Int(name, bits, signed=True) if width + (not negative) >= bits else Int(name, width, negative)
        case Enum(name, labels, bits):
            return Enum(name, labels, min(guess.bits.get(key, (1, False))[0], bits))
        case ChannelRef(bits):
            return ChannelRef(min(guess.bits.get(key, (1, False))[0], bits))
        case Relation():
            return type_


def leaves(type_: Type, key: Key) -> Iterator[tuple[Key, Scalar]]:
    """The key and type of each slot, in order."""
    match type_:
        case Array(element, size):
            for _ in range(size):
                yield from leaves(element, key)
        case Record(_, fields):
            for name, inner in fields:
                yield from leaves(inner, (*key, name))
        case Relation():
            for _ in range(slots(type_)):
                yield key, Int("bool", 1)
        case _:
            yield key, type_


def sampled(space: NetworkSpace) -> Guess:
    """A guess from the first states of a breadth-first search and a few random walks (always the same ones)."""
    program = space.program
    places: dict[int, set[int]] = {}
    ranges: dict[Key, tuple[int, int]] = {}
    channels: dict[Handle, set[int]] = {}

    def note(pid: int, key: Key, type_: Scalar, value: int) -> None:
        low, high = ranges.get(key, (0, 1))
        ranges[key] = min(low, value), max(high, value)
        if isinstance(type_, ChannelRef):
            channels.setdefault((pid, key), set()).add(value)

    for state in _states(space):
        for variable in program.variables:
            for slot, (key, type_) in enumerate(leaves(variable.type, ("", variable.name)), variable.slot):
                note(-1, key, type_, state.globals[slot])
        for pid, process in enumerate(state.processes):
            places.setdefault(pid, set()).add(process.template)
            template = program.network.templates[process.template]
            for variable in template.variables:
                for slot, (key, type_) in enumerate(
                    leaves(variable.type, (template.name, variable.name)), variable.slot
                ):
                    note(pid, key, type_, process.locals[slot])
        for kind, messages in state.channels:
            for number, type_ in enumerate(program.channels[kind].fields):
                for message in messages:
                    note(-1, message_key(kind, number), type_, message[number])
    return Guess(
        tuple(tuple(sorted(places[pid])) for pid in sorted(places)),
        {key: _width(*span) for key, span in ranges.items()},
        {handle: frozenset(found) for handle, found in channels.items()},
    )


def message_key(kind: int, field_number: int) -> Key:
    return ("#", str(kind), str(field_number))


def _width(low: int, high: int) -> tuple[int, bool]:
    if low >= 0:
        return max(1, high.bit_length()), False
    return max((~low).bit_length(), high.bit_length()) + 1, True


def _states(space: NetworkSpace) -> Iterator[State]:
    starts: Sequence[State] = space.initial()
    known = dict.fromkeys(starts)
    queue = list(known)
    for state in queue:
        yield state
        for move in space.moves(state):
            after = space.fire(state, move).state
            if after is not None and after not in known and len(known) < SAMPLE_STATES:
                known[after] = None
                queue.append(after)
    chance = random.Random(0)
    for _ in range(WALKS):
        state = starts[0]
        for _ in range(WALK_STEPS):
            moves = space.moves(state)
            following = space.fire(state, chance.choice(moves)).state if moves else None
            if following is None:
                break
            state = following
            yield state
