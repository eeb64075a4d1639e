"""The models of some folders, each text once, those expected to be small first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.common import corpus
from bench.common.cache import key_of
from bench.spin.build import has_embedded_c, preprocessed, spin_version

_MARK = re.compile(r"^#.*\n?", re.MULTILINE)
_SIZE = re.compile(r"\.(\d+)\.\w+$")


@dataclass(frozen=True, slots=True)
class Model:
    """A file and the key under which what is known of its text is kept; `name` tells it from the others."""

    path: Path
    name: str
    key: str
    text_size: int
    embedded_c: bool

    @property
    def expected_size(self) -> tuple[int, int]:
        """Families such as `adding.1.pm` … `adding.6.pm` number their members by size; then the text decides."""
        numbered = _SIZE.search(self.path.name)
        return (int(numbered[1]) if numbered else 1, self.text_size)


def find(folders: Iterable[Path], only: str = "*") -> list[Model]:
    """Raises FileNotFoundError for a folder that does not exist."""
    found: dict[str, Model] = {}
    names: set[str] = set()
    for path in corpus.find(folders, only).models:
        text = _MARK.sub("", preprocessed(path))
        key = key_of(spin_version(), text)
        if key not in found:
            name = path.name if path.name not in names else f"{path.parent.name}/{path.name}"
            names.add(path.name)
            found[key] = Model(path, name, key, len(text), has_embedded_c(text))
    return sorted(found.values(), key=lambda model: (model.expected_size, model.name))
