"""What the peer answered before, so that a second run costs nothing."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any


def default_folder(name: str) -> Path:
    """`$XDG_CACHE_HOME/NAME`, or the same under `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / name


def key_of(*parts: str) -> str:
    """A name for a piece of work, decided by its inputs."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


class Cache:
    """One small JSON file per answer; safe for several writers since files are moved into place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> dict[str, Any] | None:
        """The answer stored under `key`, or None; a damaged file counts as absent."""
        try:
            answer = json.loads(self._path(key).read_text())
        except (OSError, ValueError):
            return None
        return answer if isinstance(answer, dict) else None

    def put(self, key: str, answer: dict[str, Any]) -> None:
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_suffix(f".{os.getpid()}.{id(answer)}")
        scratch.write_text(json.dumps(answer, indent=1, sort_keys=True))
        scratch.replace(path)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}.json"
