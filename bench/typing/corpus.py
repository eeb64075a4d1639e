"""Every type error in the models of a corpus, and why it is reported: `explained.toml` says of each whether it is a
mistake in the text or a false alarm. An error without explanation is shown, and the exit status is then 1."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common.corpus import find
from clew.core.diagnostics import Diagnostic, InputError
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.syntax import Model
from clew.frontends.promela.typing.infer import infer
from clew.host.sources import read_source


@dataclass(frozen=True, slots=True)
class Explanation:
    """For errors of a code whose message matches, in files whose path matches."""

    name: str
    code: re.Pattern[str]
    message: re.Pattern[str]
    path: re.Pattern[str]
    true: bool
    reason: str

    def fits(self, diagnostic: Diagnostic) -> bool:
        texts = (diagnostic.code, diagnostic.message, diagnostic.span.file)
        return all(p.search(t) for p, t in zip((self.code, self.message, self.path), texts, strict=True))


def explanations() -> list[Explanation]:
    entries = tomllib.loads(Path(__file__).with_name("explained.toml").read_text())
    return [
        Explanation(
            name,
            re.compile(rf"(?:{entry['code']})\Z"),
            re.compile(entry.get("message", "")),
            re.compile(entry.get("path", "")),
            entry["verdict"] == "true",
            entry["reason"],
        )
        for name, entry in entries.items()
    ]


def models(folders: Iterable[Path]) -> Iterator[tuple[Path, Model | InputError]]:
    for path in find(folders).models:
        try:
            yield path, parse_text(read_source(str(path)), str(path))
        except InputError as error:
            yield path, error


def _spin_says(path: Path) -> str:
    spin = shutil.which("spin")
    if spin is None:
        return "Spin is not installed"
    with tempfile.TemporaryDirectory() as folder:
        command = [spin, "-a", f"-I{path.parent}", str(path)]
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        accepted = said.returncode == 0 and (Path(folder) / "pan.c").exists()
    return "Spin accepts it" if accepted else "Spin rejects it, too"


def run(folders: Sequence[Path], list_all: bool) -> int:
    known = explanations()
    errors: Counter[str] = Counter()
    places: dict[str, set[object]] = defaultdict(set)
    touched: dict[str, set[Path]] = defaultdict(set)
    parsed, clean, rejected, unexplained = 0, 0, list[tuple[Path, InputError]](), 0
    start = time.process_time()
    for path, model in models(folders):
        if isinstance(model, InputError):
            rejected.append((path, model))
            continue
        parsed += 1
        found = infer(model).diagnostics
        wrong = [d for d in found if d.code != "promela-narrowing"]
        clean += not wrong
        for diagnostic in found:
            match = next((e for e in known if e.fits(diagnostic)), None)
            name = "NOT EXPLAINED" if match is None else match.name
            unexplained += match is None
            errors[name] += 1
            places[name].add((diagnostic.span.file.rpartition("/")[2], diagnostic.span.line, diagnostic.span.column))
            touched[name].add(path)
            if list_all or match is None:
                print(f"{diagnostic} [{diagnostic.code}] {name}")
    seconds = time.process_time() - start
    total = parsed + len(rejected)
    print(f"{total} models, {parsed} parsed, {clean} without errors of kind, length or layout, {seconds:.1f} s")
    for path, error in rejected:
        print(f"  rejected: {error.diagnostics[0]} ({_spin_says(path)})")
    print("| class | errors | places | models | verdict | why |\n|---|---|---|---|---|---|")
    for entry in known:
        if errors[entry.name]:
            verdict = "true" if entry.true else "false alarm"
            counts = f"{errors[entry.name]:,} | {len(places[entry.name]):,} | {len(touched[entry.name])}"
            print(f"| {entry.name} | {counts} | {verdict} | {entry.reason} |")
    print(f"not explained: {unexplained}")
    return 1 if unexplained else 0
