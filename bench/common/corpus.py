"""Finding Promela models in a folder of anything, and saying of every other file why it is left out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

PROMELA_SUFFIXES = frozenset(
    "pml pm prom promela pr prm spin sumo pftp ses spd sr srk1 srk2 "
    "fs_cs fs_crr fs_cp fl_cp fd_cs fd_cp fb_cs fix old x".split()
)
OTHER_SUFFIXES = {
    "tex": "LaTeX",
    "java": "Java",
    "class": "Java",
    "c": "C source",
    "py": "Python",
    "sh": "shell script",
    "mk": "makefile",
    "m": "Murphi model",
    "html": "HTML",
    "md": "documentation",
    "zip": "archive",
    "gz": "archive",
    "pdf": "document",
    "aut": "transition system",
}
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_PROCTYPE = re.compile(r"\b(?:D_)?proctype\s+\w+\s*\(")
_PROCESS = re.compile(r"\bactive\b[^;{}]*\bproctype\b|\binit\b\s*(?:priority\s+\d+\s*)?\{")
_CLAIM = re.compile(r"\bnever\b\s*\w*\s*\{|\bltl\b\s*\w*\s*\{")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_LATEX = re.compile(r"\\(?:documentclass|documentstyle|begin\{|section\{|chapter\{)")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not run, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """Models to run, in path order, and everything else that was in the folders."""

    models: list[Path]
    left_out: list[LeftOut]


def find(folders: Iterable[Path], only: str = "*") -> Corpus:
    """Look through `folders` (or single files). `only` is a glob on the path or the name of a model."""
    files, hidden = set[Path](), set[Path]()
    for folder in folders:
        _collect(folder, files, hidden)
    texts = {path: _text(path) for path in sorted(files)}
    included = _included_by(texts)
    models: list[Path] = []
    left_out = [LeftOut(folder, "hidden folder") for folder in sorted(hidden)]
    for path in texts:
        reason = _why_not(path, texts[path], included.get(path))
        if reason:
            left_out.append(LeftOut(path, reason))
        elif fnmatch(str(path), only) or fnmatch(path.name, only):
            models.append(path)
    return Corpus(models, left_out)


def _collect(folder: Path, files: set[Path], hidden: set[Path]) -> None:
    """Add what is under `folder`; folders whose name starts with a dot are noted and not entered."""
    if folder.is_file():
        files.add(folder.resolve())
        return
    if not folder.is_dir():
        raise FileNotFoundError(f"no such corpus folder: {folder}")
    for place, inner, names in os.walk(folder.resolve()):
        hidden.update(Path(place) / name for name in inner if name.startswith("."))
        inner[:] = [name for name in inner if not name.startswith(".")]
        files.update(path for path in (Path(place) / name for name in names) if path.is_file())


def _text(path: Path) -> str | None:
    """The file as text, None when it is binary."""
    data = path.read_bytes()
    return None if b"\0" in data else data.decode("utf-8", "replace")


def _included_by(texts: dict[Path, str | None]) -> dict[Path, Path]:
    """For each file that some other file of the corpus includes: one that does."""
    users: dict[Path, Path] = {}
    for path, text in texts.items():
        for name in _INCLUDE.findall(text or ""):
            target = (path.parent / name).resolve()
            if target != path and target in texts:
                users.setdefault(target, path)
    return users


def _why_not(path: Path, text: str | None, user: Path | None) -> str:
    """Empty for a model, else the reason to leave the file out."""
    suffix = path.suffix[1:].lower()
    if text is None:
        return "binary"
    if suffix in OTHER_SUFFIXES:
        return OTHER_SUFFIXES[suffix]
    bare = _STRING.sub('""', _COMMENT.sub(" ", text))
    complete = _PROCESS.search(bare) is not None
    if user is not None and not complete:
        return f"included by {user.name}"
    if _LATEX.search(text):
        return "LaTeX"
    if suffix in PROMELA_SUFFIXES:
        if complete or _PROCTYPE.search(bare) or _INCLUDE.search(text):
            return ""
        return "claim only" if _CLAIM.search(bare) else "no proctype, no init, no include"
    if complete and (_PROCTYPE.search(bare) or re.search(r"\b(?:do|if|run|chan|byte|int|printf|skip)\b", bare)):
        return ""
    if _PROCTYPE.search(bare):
        return "fragment: proctypes, but nothing starts them"
    return "claim only" if _CLAIM.search(bare) else "not Promela"
