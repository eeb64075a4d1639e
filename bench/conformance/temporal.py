"""The `temporal` and `ltl` commands: acceptance cycles, claims, formulas and fairness, compared with Spin's verdicts.

`temporal FOLDER…`: every model with a formula or claim, with accept or progress labels. `ltl`: random programs with
random formulas.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.common import corpus
from bench.common.clew_command import ClewCommand, ClewLimits
from bench.spin.build import preprocessed
from bench.spin.temporal import Verdict, Verifier

from .options import REPOSITORY
from .random_formulas import with_formulas
from .random_promela import generate

_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
_LABEL = re.compile(r"\b(accept|progress)\w*\s*:[^:]")
_CLAIM = re.compile(r"\bnever\b\s*\w*\s*\{|\bltl\b\s*\w*\s*\{")


FEW_FOR_REFERENCE = 2_000
ENDS = "then nothing happens any more"


@dataclass(frozen=True, slots=True)
class Compared:
    """One property of one model, as both tools see it."""

    model: str
    what: str
    fair: str
    spin: Verdict
    clew: Verdict
    priorities: bool = False
    provisos: bool = False
    counts_processes: bool = False

    @property
    def category(self) -> str:
        if self.clew.verdict == "defect":
            return "disagree"
        if "refused" in (self.spin.verdict, self.clew.verdict):
            return "agree" if self.spin.verdict == self.clew.verdict else "refused by one"
        if self.fair == "weak" and self.spin.verdict == "holds" and self.clew.message.endswith(ENDS):
            return "run that ends"  # fair, as nobody can move; with -f Spin finds some of them only
        overlooked = self.fair == "weak" and (self.spin.verdict, self.clew.verdict) == ("holds", "violated")
        if self.priorities and overlooked:
            return "fair priority"  # Spin overlooks cycles of a process if one of lower priority has a lower pid
        if self.provisos and overlooked:
            return "fair provided"  # Spin overlooks cycles in which a process is kept from moving by its `provided`
        if "unknown" in (self.spin.verdict, self.clew.verdict):
            return "not decided"
        if self.spin.verdict != self.clew.verdict and self.counts_processes:
            return "claim counted"  # for Spin the claim is one of the _nr_pr processes
        return "agree" if self.spin.verdict == self.clew.verdict else "disagree"


@dataclass(frozen=True, slots=True)
class Clew:
    """The command, and how long it may run. `quick`: what differs with programs made by tcc is asked again without."""

    command: ClewCommand
    seconds: float
    quick: bool = False

    @classmethod
    def chosen(cls, chosen: argparse.Namespace, *options: str) -> Clew:
        path = chosen.clew.resolve()
        if chosen.quick and shutil.which("tcc"):
            os.environ.setdefault("PAN_CC", "tcc")
        limits = ClewLimits(chosen.timeout, None)
        return cls(ClewCommand(path, limits, options, warm=path == REPOSITORY / "clew"), chosen.timeout, chosen.quick)

    def quickly(self) -> Clew:
        command = self.command.quickly()
        if "reference" in command.options:
            command = replace(command, limits=replace(command.limits, max_states=FEW_FOR_REFERENCE))
        return replace(self, command=command, quick=False)

    def usual(self) -> Clew:
        """As a user would ask: any engine, the usual compiler."""
        return replace(self, command=replace(self.command, options=()))

    def verdicts(self, model: Path, wanted: list[str], fair: str) -> dict[str, Verdict]:
        """What it says of some properties."""
        argv = ["check", "--json", "--language", "promela", "--fair", fair, "--no-run", *self.command.options]
        argv += ["--max-time", str(int(self.seconds)), *(f"--property={name}" for name in wanted), str(model)]
        most = self.command.limits.max_states
        argv += ["--max-states", str(most)] if most is not None else []
        with tempfile.TemporaryDirectory(prefix="clew-run-") as scratch:
            done = self.command.run(argv, Path(scratch), len(wanted) * self.seconds + 60)
        if done.status == 3:
            return dict.fromkeys(wanted, Verdict("refused", done.stderr.strip()[-200:]))
        try:
            found: list[dict[str, Any]] = json.loads(done.stdout)["properties"]
        except (ValueError, KeyError):
            said = Verdict("defect", (done.stderr or done.stdout or f"status {done.status}").strip()[-300:])
            return dict.fromkeys(wanted, said)
        return {
            entry["name"]: Verdict(entry["verdict"], entry["evidence"]["text"] or entry["reason"]) for entry in found
        }

    def properties(self, model: Path) -> list[tuple[str, str]]:
        """Names and kinds of the formulas and claims of a model."""
        argv = ["check", "--json", "--language", "promela", "--no-run", "--max-states", "1", str(model)]
        with tempfile.TemporaryDirectory(prefix="clew-run-") as scratch:
            done = self.command.run(argv, Path(scratch), self.seconds + 60)
        try:
            found = json.loads(done.stdout)["properties"]
        except (ValueError, KeyError):
            return []
        return [(entry["name"], entry["kind"]) for entry in found if entry["kind"] in ("ltl", "never")]


def _may_be_tcc(compared: Compared) -> bool:
    """Whether the usual compiler may make a difference: a wrong verdict, or none within the few states."""
    cut_off = compared.clew.verdict == "unknown" and "states" in compared.clew.message
    return compared.category == "disagree" or (cut_off and compared.spin.verdict in ("holds", "violated"))


def compare_model(
    model: Path, clew: Clew, named: list[str], labels: set[str], seconds: float, megabytes: int | None = None
) -> Iterator[Compared]:
    """Formulas and claims by name, then accept and progress labels; each without and with weak fairness. `megabytes`:
    Spin reduces and compresses, and has so much memory."""
    text = model.read_text(errors="replace")
    features = "priority" in text, "provided" in text, "_nr_pr" in text
    with tempfile.TemporaryDirectory(prefix="temporal-") as folder:
        room = {} if megabytes is None else {"megabytes": megabytes}
        spin = Verifier(model, Path(folder), seconds=seconds, reduced=megabytes is not None, **room)
        wanted = [
            *named,
            *(["acceptance"] if "accept" in labels else []),
            *(["progress"] if "progress" in labels else []),
        ]
        for fair in ("none", "weak"):
            said = (clew.quickly() if clew.quick else clew).verdicts(model, wanted, fair)
            for name in wanted:
                match name:
                    case "acceptance":
                        other = spin.acceptance(fair=fair == "weak")
                    case "progress":
                        other = spin.progress(fair=fair == "weak")
                    case _:
                        other = spin.claim(name if len(named) > 1 else None, fair=fair == "weak")
                ours = said.get(name, Verdict("defect", "no such property in the result"))
                compared = Compared(str(model), name, fair, other, ours, *features)
                if clew.quick and _may_be_tcc(compared):
                    compared = replace(compared, clew=clew.usual().verdicts(model, [name], fair).get(name, ours))
                yield compared


def main(arguments: list[str]) -> int:
    """All models of some folders; 1 when there is a disagreement."""
    parser = _parser("temporal")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", default="*", help="a glob on the path or name of a model")
    parser.add_argument("--reduced", type=int, metavar="MB", help="Spin reduces, compresses, and has so much memory")
    chosen = parser.parse_args(arguments)
    clew = Clew.chosen(chosen)
    results: list[Compared] = []
    for model in corpus.find(chosen.folders, chosen.only).models:
        text = _STRING.sub('""', preprocessed(model))
        labels = set(_LABEL.findall(text))
        if not labels and not _CLAIM.search(text):
            continue
        named = [name for name, _ in clew.properties(model)]
        inside = text if not named else re.sub(r"\bnever\b\s*\w*\s*\{.*", "", text, flags=re.DOTALL)
        labels = set(_LABEL.findall(inside))
        for result in compare_model(model, clew, named, labels, chosen.timeout, chosen.reduced):
            results.append(result)
            _tell(result)
    return _summary(results, chosen.json)


def main_random(arguments: list[str]) -> int:
    """Random programs with random formulas; 1 when there is a disagreement."""
    parser = _parser("ltl")
    parser.add_argument("--count", type=int, default=500, help="how many programs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first; the others follow (%(default)s)")
    chosen = parser.parse_args(arguments)
    results: list[Compared] = []
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        text, named = with_formulas(generate(seed), random.Random(seed))
        if not named:
            continue
        with tempfile.TemporaryDirectory(prefix="ltl-") as folder:
            model = Path(folder) / f"random{seed}.pml"
            model.write_text(text)
            clew = Clew.chosen(chosen, "--engine", ("reference", "native")[seed % 2])
            for result in compare_model(model, clew, named, set(), chosen.timeout):
                results.append(result)
                if result.category in ("disagree", "refused by one"):
                    _tell(result)
            if any(result.category == "disagree" for result in results[-2 * len(named) :]):
                print(text)
    return _summary(results, chosen.json)


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m bench.conformance {name}", description=__doc__)
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each tool and property (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="compiled by tcc, on both sides; see README")
    parser.add_argument("--clew", type=Path, default=REPOSITORY / "clew", help="the command to test (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results to this file")
    return parser


def _tell(result: Compared) -> None:
    spin, clew = result.spin, result.clew
    print(f"{result.category:14} {Path(result.model).name} {result.what} fair={result.fair}", end=" ")
    print(f"spin: {spin.verdict} ({spin.message})  clew: {clew.verdict} ({clew.message})")
    sys.stdout.flush()


def _summary(results: list[Compared], out: Path | None) -> int:
    totals = Counter(result.category for result in results)
    verdicts = Counter(result.spin.verdict for result in results if result.category == "agree")
    print("summary: " + ", ".join(f"{count} {category}" for category, count in sorted(totals.items())))
    print("agreed:  " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    if out is not None:
        rows = [
            {"model": r.model, "property": r.what, "fair": r.fair, "spin": r.spin.verdict, "clew": r.clew.verdict}
            for r in results
        ]
        out.write_text(json.dumps(rows, indent=1))
    return 1 if totals["disagree"] else 0
