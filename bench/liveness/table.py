"""Medians of the rounds, the table, its means, and the section of the results file."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from statistics import median

from bench.speed.figures import geometric_mean, header, row, significant
from bench.spin.build import spin_version

from .contenders import CLEW, CLEW_TWO, PAN, PAN_FLAGS, REDUCED, Run
from .questions import Question

COLUMNS = (
    "model, formula",
    "verdict",
    "pan, states",
    "Clew, states",
    "pan, s",
    "Clew, s",
    "faster",
    "2 workers, s",
    "gain",
    "pan with reduction, s",
    "pan, MB",
    "Clew, MB",
    "2 workers, MB",
)
RATIOS = {
    "processor time of pan / Clew, 1 worker": (PAN, CLEW, "cpu_seconds"),
    "wall time of pan / Clew, 1 worker": (PAN, CLEW, "wall_seconds"),
    "wall time of pan / Clew, 2 workers": (PAN, CLEW_TWO, "wall_seconds"),
    "wall time, 1 worker / 2 workers": (CLEW, CLEW_TWO, "wall_seconds"),
    "processor time of pan with reduction / Clew, 1 worker": (REDUCED, CLEW, "cpu_seconds"),
    "memory of pan / Clew, 1 worker": (PAN, CLEW, "bytes"),
}


@dataclass(slots=True)
class Measured:
    """The rounds of one question by contender."""

    question: Question
    rounds: dict[str, list[Run]] = field(default_factory=dict)

    def median(self, tool: str, figure: str) -> float | None:
        values = [getattr(run, figure) for run in self.rounds.get(tool, [])]
        return max(median(values), 0.001) if values else None

    def ratio(self, tool: str, than: str, figure: str) -> float | None:
        theirs, ours = self.median(tool, figure), self.median(than, figure)
        return None if theirs is None or ours is None else theirs / ours

    @property
    def agreed(self) -> bool:
        return {run.verdict for runs in self.rounds.values() for run in runs} == {self.question.verdict}


def cells(measured: Measured) -> str:
    """The row of one question."""
    question, at = measured.question, measured.median

    def states(tool: str) -> str:
        return f"{int(at(tool, 'states') or 0):,}"

    def megabytes(tool: str) -> str:
        used = at(tool, "bytes")
        return significant(None if used is None else used / 1e6)

    fair = " (fair)" if question.fair else ""
    name = f"{question.name}: `{question.formula}`{fair}".replace("|", "\\|")
    return row(
        [
            name,
            question.verdict if measured.agreed else "VERDICTS DIFFER",
            states(PAN),
            states(CLEW),
            significant(at(PAN, "cpu_seconds")),
            significant(at(CLEW, "cpu_seconds")),
            significant(measured.ratio(PAN, CLEW, "cpu_seconds")),
            significant(at(CLEW_TWO, "wall_seconds")),
            significant(measured.ratio(CLEW, CLEW_TWO, "wall_seconds")),
            significant(at(REDUCED, "cpu_seconds")),
            megabytes(PAN),
            megabytes(CLEW),
            megabytes(CLEW_TWO),
        ]
    )


def summary(table: Sequence[Measured], least: int) -> str:
    """Geometric means and the worst question for each ratio and group. Of formulas that hold, only products of at least
    so many states count."""
    lines = ["", header(("ratio", "questions", "geometric mean", "smallest", "of"))]
    groups = dict.fromkeys(measured.question.group for measured in table)
    for group in groups:
        for name, (tool, than, figure) in RATIOS.items():
            ratios = {
                measured.question.label: ratio
                for measured in table
                if measured.question.group == group
                and measured.agreed
                and (measured.question.verdict == "violated" or (measured.median(CLEW, "states") or 0) >= least)
                and (ratio := measured.ratio(tool, than, figure)) is not None
            }
            if ratios:
                worst = min(ratios, key=lambda model: ratios[model])
                mean = significant(geometric_mean(ratios.values()))
                lines.append(
                    row(
                        [
                            f"{group}: {name}",
                            str(len(ratios)),
                            mean,
                            significant(ratios[worst]),
                            worst.replace("|", "\\|"),
                        ]
                    )
                )
    return "\n".join(lines)


def section(table: Sequence[Measured], rounds: int, least: int) -> str:
    """The text for the results file."""
    return f"""## Liveness against Spin's verifier, {date.today().isoformat()}

{spin_version()}, `gcc {" ".join(PAN_FLAGS)}` with `-DNOFAIR` or, for `pan -a -f`, `-DNFAIR=4`, depth limit fitted;
{platform.machine()}. Medians of {rounds} interleaved rounds. Times and memory are those of the process that searches:
processor time, and for two workers wall time. Of formulas that hold, products of at least {least:,} states count in the
means;
for violated ones the time is that to a counterexample.

```
python -m bench.liveness --write CORPUS...
```
{summary(table, least)}

{header(COLUMNS)}
{chr(10).join(map(cells, table))}"""
