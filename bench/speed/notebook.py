"""What was measured so far, in a JSON file that is written after every entry."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def stamp_of(sources: Path) -> str:
    """A name for the sources of Clew: figures of different sources do not belong into one table."""
    digest = hashlib.sha256()
    for path in sorted(sources.rglob("*")):
        if path.suffix in (".py", ".c", ".h") and path.is_file():
            digest.update(str(path.relative_to(sources)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class Notebook:
    """Entries by key. Those made with other sources of Clew count as absent, unless `keep` says to use them."""

    def __init__(self, path: Path, stamp: str, keep: bool = False) -> None:
        self._path = path
        self._stamp = stamp
        self._keep = keep
        self._entries: dict[str, dict[str, Any]] = _read(path)

    def get(self, key: str) -> dict[str, Any] | None:
        entry = self._entries.get(key)
        if entry is None or (entry.get("stamp") != self._stamp and not self._keep):
            return None
        value: dict[str, Any] = entry["value"]
        return value

    def put(self, key: str, value: dict[str, Any]) -> None:
        self._entries[key] = {"stamp": self._stamp, "value": value}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        scratch = self._path.with_name(self._path.name + ".new")
        scratch.write_text(json.dumps(self._entries, indent=1, sort_keys=True))
        scratch.replace(self._path)


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Raises ValueError for a file that holds something else."""
    if not path.exists():
        return {}
    entries = json.loads(path.read_text())
    if not isinstance(entries, dict) or not all(isinstance(e, dict) and "value" in e for e in entries.values()):
        raise ValueError(f"{path}: not a file of measurements")
    return entries
