"""A search in partitions finds what one process finds: compared without a cluster, messages carried by hand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from clew.core.engines import Request
from clew.core.network import Network
from clew.explicit.cluster.exhaustive import PARTITION_FLAGS
from clew.explicit.cluster.jobs import CannotTakePart, Job, NeedsRoom, job
from clew.explicit.cluster.partition import Partition, ProcessLost
from clew.explicit.program import BadInitialState, sources_for
from clew.host.checking import ModelOptions, load_model
from clew.reference.engine import ENGINE as REFERENCE
from tests.explicit.native import QUICK, needs_compiler, network

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "promela"
TOKENS = """
chan ring[3] = [2] of { byte };
byte sent;
active [3] proctype station() {
    byte n;
    do
    :: atomic { sent < 3 && len(ring[_pid]) < 2 -> sent++; ring[_pid]!sent }
    :: ring[(_pid + 1) % 3]?n -> if :: n % 2 -> ring[_pid]!n :: else fi
    od
}
"""
CARRIED = """
hidden byte last;
byte x, y;
active proctype P() { do :: x < 40 -> x++; last = x :: y < 40 -> y++ :: x == 40 && y == 40 -> assert(false) od }
"""
GROWING = (
    "byte n; proctype child() { n++ } init { byte i; do :: i < 5 -> i++; run child() :: n == i -> n = 0; break od }"
)

pytestmark = needs_compiler


@contextlib.contextmanager
def partitions(view: Network, count: int, room: int = 12, flags: Sequence[str] = ()) -> Iterator[list[Partition]]:
    made = job(sources_for(view, room), (*QUICK, "-pthread", *PARTITION_FLAGS, *flags))
    parts = [Partition(made, number, count, 1 << 30, 1) for number in range(count)]
    try:
        yield parts
    finally:
        for part in parts:
            part.end()


def level(parts: list[Partition], slice_of: int = 1 << 20) -> list[dict[str, Any]]:
    """One level; the figures after it."""
    while True:
        answers: list[Any] = [part.expand(slice_of, False) for part in parts]
        left = any(answer[0]["left"] for answer in answers)
        figures = [
            part.receive(not left, *(answer[1 + number] for answer in answers)) for number, part in enumerate(parts)
        ]
        if not left:
            return figures


def explored(view: Network, count: int, slice_of: int = 1 << 20, flags: Sequence[str] = ()) -> tuple[int, int]:
    """States and transitions."""
    with partitions(view, count, flags=flags) as parts:
        for part in parts:
            part.begin()
        figures = level(parts, slice_of)
        while sum(part["width"] for part in figures):
            figures = level(parts, slice_of)
        return sum(part["states"] for part in figures), sum(part["transitions"] for part in figures)


def by_reference(view: Network) -> tuple[int, int]:
    answer = REFERENCE.run(Request(view, keep_going=True))
    return answer.statistics.states, answer.statistics.transitions


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("text", [TOKENS, CARRIED], ids=["channels", "hidden variable"])
def test_counts_are_those_of_the_reference_engine(text: str, count: int) -> None:
    view = network(text)
    assert explored(view, count) == by_reference(view)


@pytest.mark.parametrize("name", ["alternating_bit", "leader_election", "readers_writers", "two_phase_commit"])
def test_examples_have_the_same_counts_in_three_partitions(name: str) -> None:
    view = load_model(str(EXAMPLES / f"{name}.pml"), ModelOptions()).view
    assert isinstance(view, Network)
    assert explored(view, 3) == by_reference(view)


def test_neither_slices_of_a_level_nor_the_form_of_records_change_the_counts() -> None:
    view = network(TOKENS)
    expected = by_reference(view)
    assert explored(view, 3, slice_of=7) == expected
    assert explored(view, 3, flags=["-DSAMPLE_STATES=100"]) == expected
    assert explored(view, 2, flags=["-DSAMPLE_STATES=100", "-DTREE_IS_POSSIBLE=1"]) == expected


def test_the_run_to_a_violation_is_found_along_parents_in_several_partitions() -> None:
    with partitions(network(CARRIED), 4) as parts:
        for part in parts:
            part.begin()
        found = level(parts)
        while not any(figures["met"] for figures in found):
            found = level(parts)
        (owner,) = [number for number, figures in enumerate(found) if figures["met"]]
        states: list[str] = []
        at: tuple[int, int] | None = (owner, found[owner]["found"][0])
        owners = set()
        while at is not None:
            owners.add(at[0])
            words, at = parts[at[0]].state(at[1])
            states.append(words)
        assert len(owners) == 4
        assert len(parts[0].run(0, states[::-1])) == len(states)  # the steps between them, and the assertion


def test_a_partition_goes_on_from_its_checkpoint() -> None:
    view = network(TOKENS)
    with partitions(view, 2) as before, partitions(view, 2) as after:
        for part in before:
            part.begin()
        for _ in range(6):
            figures = level(before)
        for old, new in zip(before, after, strict=True):
            assert old.save() == len(old.saved(0))
            new.restore(old.saved(0))
        assert [part.begin(resumes=True)["states"] for part in after] == [part["states"] for part in figures]
        while sum(part["width"] for part in figures):
            figures, again = level(before), level(after)
            for name in ("states", "transitions", "width"):
                assert [part[name] for part in figures] == [part[name] for part in again]


def test_a_damaged_checkpoint_is_refused() -> None:
    with partitions(network(TOKENS), 1) as (part,):
        part.restore(b"clewckp\0 and then nothing of use")
        with pytest.raises(ProcessLost, match="checkpoint"):
            part.begin(resumes=True)


def test_a_message_that_is_no_message_ends_the_partition() -> None:
    with partitions(network(TOKENS), 2) as (part, _):
        part.begin()
        with pytest.raises(ProcessLost, match="message"):
            part.receive(True, b"", b"\xff" * 1000)


def test_too_many_processes_ask_for_more_room() -> None:
    with partitions(network(GROWING), 1, room=2) as (part,):
        part.begin()
        with pytest.raises(NeedsRoom):
            for _ in range(30):
                level([part])


def test_an_initial_state_that_cannot_be_computed_is_said() -> None:
    view = network("byte x = 1; byte y = 1 / (x - 1); active proctype P() { x++ }")
    with partitions(view, 1) as (part,), pytest.raises(BadInitialState):
        part.begin()


def test_another_version_of_the_runtime_is_refused() -> None:
    with pytest.raises(CannotTakePart, match="another version"):
        Job(("", ""), QUICK, "0").program()
