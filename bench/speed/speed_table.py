"""The table of times and memory, its means, and the section of the results file."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import date

from bench.spin.build import FULL_SEARCH, spin_version

from . import pan, runs
from .figures import geometric_mean, header, row, significant
from .runs import Measured

COLUMNS = (
    "model",
    "states",
    "pan, s",
    "Clew, s",
    "faster",
    "2 workers, s",
    "faster",
    "pan, B/state",
    "COLLAPSE, B/state",
    "Clew, B/state",
    "2 workers, B/state",
    "smaller than pan",
    "than COLLAPSE",
)
RATIOS = {
    "time of pan / Clew, 1 worker": (runs.PAN, runs.CLEW, "seconds"),
    "time of pan / Clew, 2 workers": (runs.PAN, runs.CLEW_TWO, "seconds"),
    "memory of pan / Clew": (runs.PAN, runs.CLEW, "bytes_per_state"),
    "memory of pan -DCOLLAPSE / Clew": (runs.COLLAPSE, runs.CLEW, "bytes_per_state"),
    "time of LTSmin / Clew, 1 worker": (runs.LTSMIN, runs.CLEW, "seconds"),
    "memory of LTSmin / Clew": (runs.LTSMIN, runs.CLEW, "bytes_per_state"),
}


def cells(measured: Measured) -> str:
    """The row of one model."""
    figure = measured.ratio
    return row(
        [
            measured.model + ("" if measured.agreed else " (COUNTS DIFFER)"),
            f"{measured.states:,}",
            significant(measured.seconds(runs.PAN)),
            significant(measured.seconds(runs.CLEW)),
            significant(figure(runs.PAN, runs.CLEW, "seconds")),
            significant(measured.seconds(runs.CLEW_TWO)),
            significant(figure(runs.PAN, runs.CLEW_TWO, "seconds")),
            *(
                significant(measured.bytes_per_state(tool))
                for tool in (runs.PAN, runs.COLLAPSE, runs.CLEW, runs.CLEW_TWO)
            ),
            significant(figure(runs.PAN, runs.CLEW, "bytes_per_state")),
            significant(figure(runs.COLLAPSE, runs.CLEW, "bytes_per_state")),
        ]
    )


def summary(table: Sequence[Measured]) -> str:
    """Geometric means and the worst model for each ratio; models whose counts differ are left out."""
    lines = ["", header(("ratio", "models", "geometric mean", "smallest", "of"))]
    for name, (tool, than, figure) in RATIOS.items():
        ratios = {
            measured.model: ratio
            for measured in table
            if measured.agreed and (ratio := measured.ratio(tool, than, figure)) is not None
        }
        if ratios:
            worst = min(ratios, key=lambda model: ratios[model])
            mean = geometric_mean(ratios.values())
            lines.append(row([name, str(len(ratios)), significant(mean), significant(ratios[worst]), worst]))
    busy = min(table, key=lambda measured: measured.busy)
    lines += ["", f"Processor time was at least {busy.busy:.0%} of wall time in every run ({busy.model})."]
    return "\n".join(lines)


def section(table: Sequence[Measured], settings: str, least: int) -> str:
    """The text for the results file."""
    rounds = min(measured.fewest_rounds for measured in table)
    flags = " ".join([*pan.FLAGS, *FULL_SEARCH])
    return f"""## Native engine against Spin's verifier, {date.today().isoformat()}

{spin_version()}, `gcc {flags}`, usual hash table, depth limit fitted; {platform.machine()}. Clew: {settings}.
Medians of {rounds} interleaved rounds; COLLAPSE, which is there for its memory, runs once. {len(table)} models with at
least {least:,} states that Spin finishes in the limits of `scan`.
Time is that of the search alone, by each tool's own clock; memory is resident memory of the searching process at its
peak.

```
python -m bench.speed scan CORPUS...
python -m bench.speed time --write CORPUS...
```
{summary(table)}

{header(COLUMNS)}
{chr(10).join(map(cells, table))}"""
