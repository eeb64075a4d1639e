"""Checkpoints of an exhaustive search on a cluster: all partitions after the same level. They are kept where the check
was started, so that any worker may be lost with its disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from clew.explicit.cluster.partition import PIECE


class SavedLevels:
    """At most two sets in `folder`: the last complete one, and the one that is being fetched."""

    def __init__(self, ray: Any, folder: Path) -> None:
        self.ray = ray
        self.folder = folder
        self.depth: int | None = None  # of the last complete set

    def save(self, actors: Sequence[Any], depth: int) -> bool:
        """Whether there is a complete set now. Raises what Ray raises if a worker is lost."""
        sizes = self.ray.get([actor.save.remote() for actor in actors])
        if not all(sizes):
            return False
        new = self._place(depth)
        shutil.rmtree(new, ignore_errors=True)
        try:
            new.mkdir(parents=True)
            for number, (actor, size) in enumerate(zip(actors, sizes, strict=True)):
                with (new / str(number)).open("wb") as file:
                    for start in range(0, size, PIECE):
                        file.write(self.ray.get(actor.saved.remote(start)))
        except OSError:
            shutil.rmtree(new, ignore_errors=True)
            return False
        old, self.depth = self.depth, depth
        if old is not None and old != depth:
            shutil.rmtree(self._place(old), ignore_errors=True)
        return True

    def restore(self, actors: Sequence[Any]) -> None:
        for number, actor in enumerate(actors):
            self.ray.get([actor.restore.remote(piece) for piece in self._pieces(number)])

    def _pieces(self, number: int) -> Iterator[bytes]:
        assert self.depth is not None
        with (self._place(self.depth) / str(number)).open("rb") as file:
            while piece := file.read(PIECE):
                yield piece

    def _place(self, depth: int) -> Path:
        return self.folder / f"level-{depth}"
