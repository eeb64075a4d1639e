"""One partition of an exhaustive search: a compiled model that keeps the states whose hash is its own (see
runtime/partition.h), and what it is told to do. Knows nothing of Ray; the cluster has one of these on each worker."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clew.core.interpreter import Move
from clew.explicit.cluster.jobs import CannotTakePart, Job, NeedsRoom
from clew.explicit.program import BadInitialState
from clew.host import children
from clew.host.machine import free_memory

Figures = dict[str, Any]
PIECE = 32 << 20  # bytes of a checkpoint that travel at once


class ProcessLost(Exception):
    """The process that held the states has ended; they are gone with it."""


class Partition:
    """Number `number` of `count`. `memory`: bytes it may use; None: its part of what is free, if there are `neighbours`
    partitions on the machine."""

    def __init__(self, job: Job, number: int, count: int, memory: int | None, neighbours: int) -> None:
        self.job = job
        self.folder = tempfile.TemporaryDirectory(prefix="clew-partition-")
        self.checkpoint = Path(self.folder.name) / "checkpoint"
        free = free_memory()
        if memory is None and free is not None:
            memory = int(free * 0.8 / neighbours)
        self.arguments = ["--partition", str(number), "--partitions", str(count)]
        self.arguments += ["--checkpoint", str(self.checkpoint), "--fingerprint", f"{number:032x}{count:032x}"]
        if memory is not None:
            self.arguments += ["--max-memory", str(memory)]
        self.messages = tempfile.TemporaryFile()  # noqa: SIM115, ends with the partition
        self.child: subprocess.Popen[bytes] | None = None

    def begin(self, resumes: bool = False) -> Figures:
        """From the initial states, or from the checkpoint that was restored. Raises CannotTakePart, NeedsRoom or
        BadInitialState; all that is asked later raises NeedsRoom or ProcessLost."""
        program = str(self.job.program())
        resume = ["--resume", str(self.checkpoint)] if resumes else []
        try:
            self.child = children.start(
                [program, *self.arguments, *resume], stdin=subprocess.PIPE, stderr=self.messages
            )
        except OSError as error:
            raise CannotTakePart(f"{program} cannot be run: {error.strerror or error}") from None
        return self._ask("start")

    def process(self) -> tuple[int, int]:
        """The ids of this process and of the one that holds the states."""
        assert self.child is not None
        return os.getpid(), self.child.pid

    def expand(self, most: int, cut: bool) -> tuple[Figures | bytes, ...]:
        """Expands so many states of the level. Figures, then a message for each partition."""
        figures = self._ask(f"expand {most} {int(cut)}")
        return figures, *(self._read(size) for size in figures.pop("sizes"))

    def receive(self, ends_level: bool, *messages: bytes) -> Figures:
        """Messages of all partitions, in their order. `ends_level`: there will be no more of them for this level."""
        figures: Figures = {}
        for sender, message in enumerate(messages):
            if message:
                figures = self._ask(f"receive {sender} {len(message)}", message)
        return self._ask("level") if ends_level else figures

    def state(self, number: int) -> tuple[str, tuple[int, int] | None]:
        """A state, and in which partition its parent is and which number it has there."""
        answer = self._ask(f"state {number}")
        return answer["words"], tuple(answer["from"]) if "from" in answer else None

    def run(self, kind: int, states: Sequence[str]) -> tuple[Move, ...]:
        """The steps along these states to a violation of that kind."""
        answer = self._ask(f"run {kind} {len(states)}", "".join(f"{words}\n" for words in states).encode())
        names: list[list[int]] = []
        while answer["type"] == "steps":
            names += answer["names"]
            answer = self._answer()
        return tuple(Move(*step) for step in (*names, *answer["path"]))

    def save(self) -> int:
        """Writes a checkpoint here; its size. 0: it could not be written."""
        answer = self._ask("save")
        return self.checkpoint.stat().st_size if answer["type"] == "checkpoint" else 0

    def saved(self, start: int) -> bytes:
        """A piece of the checkpoint."""
        with self.checkpoint.open("rb") as stream:
            stream.seek(start)
            return stream.read(PIECE)

    def restore(self, piece: bytes) -> None:
        """Adds a piece to the checkpoint from which this partition will begin."""
        with self.checkpoint.open("ab") as stream:
            stream.write(piece)

    def end(self) -> None:
        if self.child is not None:
            children.end(self.child)
        self.folder.cleanup()

    def _ask(self, order: str, attached: bytes = b"") -> Figures:
        assert self.child is not None and self.child.stdin is not None
        try:
            self.child.stdin.write(order.encode() + b"\n")
            self.child.stdin.write(attached)
            self.child.stdin.flush()
        except OSError:  # it has ended; what it said before tells why
            pass
        return self._answer()

    def _answer(self) -> Figures:
        assert self.child is not None and self.child.stdout is not None
        line = self.child.stdout.readline()
        answer: Figures = json.loads(line) if line.endswith(b"\n") else {"type": "lost"}
        match answer["type"]:
            case "room":
                raise NeedsRoom
            case "initial":
                raise BadInitialState
            case "bad-checkpoint":
                raise ProcessLost(f"its checkpoint cannot be used: {answer['reason']}")
            case "lost":
                raise self._lost()
        return answer

    def _read(self, size: int) -> bytes:
        assert self.child is not None and self.child.stdout is not None
        message = self.child.stdout.read(size)
        if len(message) != size:
            raise self._lost()
        return message

    def _lost(self) -> ProcessLost:
        assert self.child is not None
        status = self.child.wait()
        self.messages.seek(0)
        errors = self.messages.read().decode(errors="replace").strip()
        how = children.signal_name(status) if status < 0 else f"status {status}"
        return ProcessLost(f"the process that held the states ended with {how}" + (f": {errors}" if errors else ""))
