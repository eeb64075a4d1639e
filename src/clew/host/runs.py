"""Runs: what every check leaves behind, so that it can be shown and replayed without the original file.

A run is a folder `<model>-<hash>` with `result.json`, `options.json`, `trace.json` (further ones `trace-2.json` …),
`certificate.json` likewise, and `model/` with every text that was read; perhaps `samples.json`, the progress over time,
and of a search that was stopped a `checkpoint`. The hash is of the texts and options: asking the same question again
replaces the run. `last` is a file beside the runs with the name of the newest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.records import record
from clew.host.files import write_atomically

SCHEMA = "clew.run/1"
SAMPLES = "samples.json"  # progress over time
CHECKPOINT = "checkpoint"  # of a search that was stopped


@record
class Run:
    """A saved run on disk."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    def result(self) -> dict[str, Any]:
        """The `clew.result/1` object. Raises InputError if it is missing or damaged."""
        return read_json(self.folder / "result.json")

    def options(self) -> dict[str, Any]:
        """The `clew.run/1` object: command, options, and where the texts are."""
        return read_json(self.folder / "options.json")

    def traces(self) -> tuple[Path, ...]:
        """The trace files, first violated property first."""
        return self._numbered("trace")

    def certificates(self) -> tuple[Path, ...]:
        """The proofs that were found; each names what it proves."""
        return self._numbered("certificate")

    def _numbered(self, stem: str) -> tuple[Path, ...]:
        later = sorted(self.folder.glob(f"{stem}-*.json"), key=lambda path: (len(path.name), path.name))
        return tuple(path for path in (self.folder / f"{stem}.json", *later) if path.is_file())

    def samples(self) -> dict[str, Any] | None:
        """The `clew.samples/1` object: progress over time. None if the run has none."""
        path = self.folder / SAMPLES
        return read_json(path) if path.is_file() else None

    def texts(self) -> dict[str, str]:
        """Every source text by the name that traces and messages use for it."""
        saved = self.options().get("files", {})
        return {name: (self.folder / "model" / place).read_text(encoding="utf-8") for name, place in saved.items()}

    def main_file(self) -> Path:
        """The saved copy of the file that was checked."""
        options = self.options()
        try:
            place: str = options["files"][options["model"]]
        except KeyError:
            raise InputError.at(Span(str(self.folder), 0), "damaged-run", "the run does not name its model") from None
        return self.folder / "model" / place


@record
class RunContents:
    """What goes into a run; everything is plain JSON values or text."""

    command: str
    model: str
    options: Mapping[str, Any]
    files: Sequence[tuple[str, str]]  # name and text, main file first
    result: Mapping[str, Any]
    traces: Sequence[Mapping[str, Any]] = ()
    samples: Mapping[str, Any] | None = None  # progress over time
    certificates: Sequence[Mapping[str, Any]] = ()

    @property
    def name(self) -> str:
        """Depends on the question only, so that equal runs have equal names."""
        question = json.dumps([self.command, self.model, self.options, list(self.files)], sort_keys=True)
        stem = "".join(c if c.isalnum() or c in "._-" else "_" for c in Path(self.model).stem) or "model"
        return f"{stem[:40]}-{hashlib.sha256(question.encode()).hexdigest()[:8]}"


def runs_folder(chosen: str | None = None) -> Path:
    """Where new runs go: as asked for, `$CLEW_RUNS`, `.clew/runs` here if it can be written, else the user's cache."""
    if chosen:
        return Path(chosen)
    if os.environ.get("CLEW_RUNS"):
        return Path(os.environ["CLEW_RUNS"])
    here = Path(".clew/runs")
    nearest = next(place for place in (here, Path(".clew"), Path()) if place.is_dir())
    return here if os.access(nearest, os.W_OK | os.X_OK) else _user_cache()


def save_run(folder: Path, contents: RunContents, name: str | None = None, keep: Sequence[str] = ()) -> Run:
    """Writes a run and makes it the last one; `name` if it is not the usual one, `keep` files of the run it replaces.
    Raises OSError (full disk, read-only folder); nothing is left then."""
    folder.mkdir(parents=True, exist_ok=True)
    if folder.parent.name == ".clew":
        _keep_out_of_version_control(folder.parent)
    name = contents.name if name is None else name
    target = folder / name
    unfinished = folder / f".{name}.{os.getpid()}.tmp"
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        _write_contents(unfinished, contents)
        for kept in keep:
            with contextlib.suppress(FileNotFoundError):
                (target / kept).rename(unfinished / kept)
        _put_in_place(unfinished, target)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    write_atomically(folder / "last", name + "\n")
    return Run(target)


def find_run(name: str, chosen_folder: str | None = None) -> Run:
    """The run a user means: `last`, a name or its unambiguous beginning, or a folder. Raises InputError."""
    if Path(name).is_dir() and (Path(name) / "options.json").is_file():
        return Run(Path(name))
    for folder in _folders_to_search(chosen_folder):
        found = _look_in(folder, name)
        if found is not None:
            return found
    if name == "last":
        raise InputError.at(Span("last", 0), "no-run", "there is no run yet", "clew check FILE makes one")
    raise InputError.at(Span(name, 0), "no-run", "no such run", "`last` names the newest; a folder may be given, too")


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file. Raises InputError that says where it is damaged."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError.at(Span(str(path), 0), "unreadable", f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError.at(Span(str(path), 0), "not-json", "is not JSON: not even text") from None
    except json.JSONDecodeError as error:
        span = Span(str(path), error.lineno, error.colno)
        raise InputError.at(span, "not-json", f"is not JSON: {error.msg}") from None
    if not isinstance(data, dict):
        raise InputError.at(Span(str(path), 1), "not-json", "is not a JSON object")
    return data


def _write_contents(folder: Path, contents: RunContents) -> None:
    (folder / "model").mkdir(parents=True)
    places = _places([name for name, _ in contents.files])
    for name, text in contents.files:
        place = folder / "model" / places[name]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    description = {
        "schema": SCHEMA,
        "command": contents.command,
        "model": contents.files[0][0] if contents.files else contents.model,
        "language": contents.result.get("language"),
        "options": dict(contents.options),
        "files": places,
    }
    _write_json(folder / "options.json", description)
    _write_json(folder / "result.json", contents.result)
    if contents.samples is not None:
        _write_json(folder / SAMPLES, contents.samples)
    for stem, objects in (("trace", contents.traces), ("certificate", contents.certificates)):
        for number, one in enumerate(objects, start=1):
            _write_json(folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json"), one)


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", errors="backslashreplace")


def _places(names: Sequence[str]) -> dict[str, str]:
    """A place under model/ for each file, keeping their relative positions so that includes still find each other.

    Names that stay below the current folder are kept as they are."""
    if not names:
        return {}
    plain = {name: os.path.normpath(name) for name in names}
    if all(not os.path.isabs(name) and not name.startswith("..") for name in plain.values()):  # noqa: PTH117
        return {name: Path(place).as_posix() for name, place in plain.items()}
    absolute = {name: os.path.abspath(name) for name in names}  # noqa: PTH100 (resolve() would follow links)
    root = os.path.commonpath([os.path.dirname(path) for path in absolute.values()])  # noqa: PTH120
    return {name: Path(os.path.relpath(path, root)).as_posix() for name, path in absolute.items()}


def _put_in_place(unfinished: Path, target: Path) -> None:
    """Renames the finished folder to its name; an older run of that name is replaced."""
    old = target.with_name(unfinished.name + ".old")
    with contextlib.suppress(FileNotFoundError):
        target.rename(old)
    try:
        unfinished.rename(target)
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _keep_out_of_version_control(folder: Path) -> None:
    ignore = folder / ".gitignore"
    if not ignore.exists():
        write_atomically(ignore, "*\n")


def _folders_to_search(chosen: str | None) -> Iterator[Path]:
    if chosen:
        yield Path(chosen)
    elif os.environ.get("CLEW_RUNS"):
        yield Path(os.environ["CLEW_RUNS"])
    else:
        yield Path(".clew/runs")
        yield _user_cache()


def _look_in(folder: Path, name: str) -> Run | None:
    if name == "last":
        try:
            name = (folder / "last").read_text(encoding="utf-8").strip()
        except OSError:
            return None
    if name and Path(name).name == name and (folder / name / "options.json").is_file():
        return Run(folder / name)
    if not name or Path(name).name != name or not folder.is_dir():
        return None
    matching = sorted(path for path in folder.iterdir() if path.name.startswith(name) and path.is_dir())
    if len(matching) > 1:
        names = ", ".join(path.name for path in matching)
        raise InputError.at(Span(name, 0), "ambiguous-run", "several runs begin like this", names)
    return Run(matching[0]) if matching else None


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "clew" / "runs"
