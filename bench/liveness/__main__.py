"""Liveness checks against Spin's verifier.

    python -m bench.liveness [--rounds 3] [--only GLOB] [--reduction] [--write] CORPUS...

Formulas are in questions.toml (or another file, `--questions`): each is put into a copy of the model, which both tools
read.
The exit status is 1 if verdicts differ from each other or from the file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.speed.clew import REPOSITORY
from bench.speed.figures import header, write_section

from . import contenders
from .contenders import CLEW, CLEW_TWO, PAN, REDUCED, Contender, Limits, NotMeasured
from .questions import QUESTIONS, Question, read
from .table import COLUMNS, Measured, cells, section, summary


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.liveness", description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, nargs="*", help="folders or files")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="models and formulas (%(default)s)")
    parser.add_argument("--only", default="*", metavar="GLOB", help="models whose path or name matches")
    parser.add_argument("--rounds", type=int, default=3, help="measured searches of each tool (%(default)s)")
    parser.add_argument("--min-states", type=int, default=500_000, help="products that count in means (%(default)s)")
    parser.add_argument("--clew", type=Path, default=REPOSITORY / "clew", help="the command to run (%(default)s)")
    parser.add_argument("--cpu-limit", type=int, default=120, metavar="S", help="processor time (%(default)s s)")
    parser.add_argument("--megabytes", type=int, default=4_000, metavar="MB", help="memory (%(default)s)")
    parser.add_argument("--reduction", action="store_true", help="also measure pan with partial-order reduction")
    parser.add_argument("--write", action="store_true", help="update the section in bench/RESULTS.md")
    chosen = parser.parse_args()
    table: list[Measured] = []
    wrong = 0
    print(header(COLUMNS), flush=True)
    for question in read(chosen.questions, chosen.corpus, chosen.only):
        try:
            measured = measure(question, chosen)
        except NotMeasured as reason:
            print(f"{question.name}: {question.formula}: left out: {reason}", file=sys.stderr)
            wrong += "says" in str(reason)
            continue
        table.append(measured)
        print(cells(measured), flush=True)
    if not table:
        print("nothing to compare: no model that the questions are about was found", file=sys.stderr)
        return 3
    print(summary(table, chosen.min_states))
    if chosen.write:
        write_section(REPOSITORY / "bench" / "RESULTS.md", "liveness", section(table, chosen.rounds, chosen.min_states))
    return 0 if not wrong and all(measured.agreed for measured in table) else 1


def measure(question: Question, chosen: argparse.Namespace) -> Measured:
    """Interleaved rounds. Raises NotMeasured."""
    limits = Limits(chosen.cpu_limit, chosen.megabytes)
    measured = Measured(question)
    with tempfile.TemporaryDirectory(prefix="liveness-") as folder:
        scratch = Path(folder)
        model = scratch / "model.pml"
        model.write_text(question.text())
        run_clew = partial(contenders.clew, question, model, command=chosen.clew.resolve(), limits=limits)
        run_pan = partial(contenders.pan, question, model, limits=limits)
        tools: dict[str, Contender] = {
            CLEW: run_clew(scratch / "clew", workers=1),
            CLEW_TWO: run_clew(scratch / "clew2", workers=2),
            PAN: run_pan(scratch / "pan", flags=contenders.PAN_FLAGS),
        }
        if chosen.reduction:
            try:
                tools[REDUCED] = run_pan(scratch / "reduced", flags=contenders.REDUCED_FLAGS)
            except NotMeasured as reason:
                print(f"{question.name}: no reduction: {reason}", file=sys.stderr)
        for _ in range(chosen.rounds):
            for name, contender in tools.items():
                measured.rounds.setdefault(name, []).append(contender())
    return measured


if __name__ == "__main__":
    sys.exit(main())
