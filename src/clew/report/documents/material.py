"""What a report is made of: the answer about one model as it is saved in a run, so that a check that has just ended and
one of last week give the same report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from clew.core.diagnostics import Diagnostic, Severity
from clew.core.engines import Progress
from clew.core.records import record
from clew.core.traces import Trace, trace_from_json
from clew.host.runs import Run
from clew.host.samples import read_samples
from clew.report.diagnostics import diagnostic_from_json
from clew.report.trace_text import short_names, with_short_names


@record
class Judged:
    """One property and what is known of it."""

    name: str
    kind: str
    verdict: str
    reason: str
    evidence: str
    trace: Trace | None

    @property
    def shows(self) -> str:
        """What its trace is: `counterexample` or `witness`."""
        return "witness" if self.verdict == "holds" else "counterexample"

    @property
    def title(self) -> str:
        return f"{self.shows.capitalize()} {'of' if self.shows == 'witness' else 'to'} {self.name}"


@record
class Material:
    """`answer` is a `clew.result/1` object, or a `clew.diagnostics/1` object of a model that could not be judged."""

    model: str
    answer: Mapping[str, Any]
    sources: Mapping[str, str] = field(default_factory=dict)
    samples: Sequence[Progress] = ()
    run: str = ""  # its name, if it was kept

    @property
    def is_result(self) -> bool:
        return "verdict" in self.answer

    @property
    def verdict(self) -> str:
        """The verdict over all properties; `error` if the model could not be judged."""
        return str(self.answer["verdict"]) if self.is_result else "error"

    @property
    def properties(self) -> tuple[Judged, ...]:
        files = short_names(self.sources)
        return tuple(
            Judged(
                found["name"],
                found["kind"],
                found["verdict"],
                with_short_names(found["reason"], files),
                found["evidence"]["text"],
                None if found["trace"] is None else trace_from_json(found["trace"]),
            )
            for found in self.answer.get("properties", ())
        )

    @property
    def statistics(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.answer.get("statistics", {})
        return found

    @property
    def limits(self) -> tuple[str, ...]:
        return tuple(self.answer.get("limits_hit", ()))

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the model, or remarkable; remarks of the engine have no place."""
        found = self.answer.get("warnings", ()) if self.is_result else self.answer.get("diagnostics", ())
        return tuple(diagnostic_from_json(one) for one in found)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(one for one in self.warnings if one.severity is Severity.ERROR)


def material_of_run(run: Run) -> Material:
    """Raises InputError if the run is damaged."""
    result = run.result()
    samples = run.samples()
    try:
        kept = () if samples is None else read_samples(samples)
    except ValueError:
        kept = ()  # a report without plots is better than none
    return Material(str(result.get("model", run.name)), result, run.texts(), kept, run.name)
