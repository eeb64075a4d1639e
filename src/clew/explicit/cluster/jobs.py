"""What a machine of the cluster needs to take part: the C of the model, to be compiled there. Programs are made for the
processor they run on, and machines may differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from clew.core.records import record
from clew.explicit.generate import Sources
from clew.explicit.program import RUNTIME
from clew.host.compiler import CompilerError, begin


class CannotTakePart(Exception):
    """A machine of the cluster cannot run the model; the text says why."""


class NeedsRoom(Exception):
    """The layout has no room for another process: all begin again with more."""


@record
class Job:
    """A program: the texts, the flags, and the runtime it was generated for."""

    sources: Sources
    flags: tuple[str, ...]
    runtime: str

    def program(self) -> Path:
        """Compiled on this machine, or found in its cache. Raises CannotTakePart."""
        if self.runtime != runtime_digest():
            raise CannotTakePart("another version of Clew is installed there")
        try:
            return begin(self.sources.model, RUNTIME, self.flags, beside=self.sources.beside).program()
        except (CompilerError, OSError) as error:
            raise CannotTakePart(str(error)) from None


def job(sources: Sources, flags: Iterable[str]) -> Job:
    return Job(sources, tuple(flags), runtime_digest())


@lru_cache(maxsize=1)
def runtime_digest() -> str:
    """Of the C headers that come with this Clew."""
    digest = hashlib.sha256()
    for header in sorted(RUNTIME.glob("*.h")):
        digest.update(header.name.encode() + b"\0" + header.read_bytes())
    return digest.hexdigest()
