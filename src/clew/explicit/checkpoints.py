"""Checkpoints of the runtime: which program one belongs to, and how a program is told to write or read one."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from clew.core.diagnostics import InputError, Span
from clew.core.engines import Checkpoints
from clew.explicit.generate import Sources

_ROOM_AT = struct.Struct("<8s64sI")  # the head of the file: see checkpoint.h
_MAGIC = b"clewckp\0"


def bad_checkpoint(file: str, reason: str) -> InputError:
    return InputError.at(Span(file, 0), "bad-checkpoint", f"this checkpoint cannot be used: {reason}")


def saved_room(file: str) -> int:
    """For how many processes the program that wrote it had room. Raises InputError."""
    try:
        with Path(file).open("rb") as stream:
            head = stream.read(_ROOM_AT.size)
    except OSError as error:
        raise bad_checkpoint(file, error.strerror or str(error)) from None
    if len(head) < _ROOM_AT.size or not head.startswith(_MAGIC):
        raise bad_checkpoint(file, "it is no checkpoint, or cut off")
    room: int = _ROOM_AT.unpack(head)[2]
    if not 1 <= room <= 255:
        raise bad_checkpoint(file, "its head makes no sense")
    return room


def _fingerprint(sources: Sources) -> str:
    """Of what the program does: comments and lines name files, which may be elsewhere by now."""
    text = re.sub(r"/\*.*?\*/|^#line.*?$", "", f"{sources.model}\0{sources.beside}", flags=re.DOTALL | re.MULTILINE)
    return hashlib.sha256(text.encode()).hexdigest()


def checkpoint_arguments(wanted: Checkpoints, sources: Sources, room: int, resumes: bool) -> Iterator[str]:
    yield from ("--checkpoint", wanted.file, "--every", str(wanted.every), "--room", str(room))
    yield from ("--fingerprint", _fingerprint(sources))
    if resumes:
        yield from ("--resume", wanted.file)
