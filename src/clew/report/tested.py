"""What testing an implementation found out, for people and machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.report.style import PLAIN, Style, plural
from clew.testing.conformance import Plan, Tested
from clew.testing.expect import failure_lines
from clew.testing.minimise import Minimal
from clew.testing.suites import Suite

SCHEMA = "clew.test/1"
SUITE_SCHEMA = "clew.tests/1"


def tested_text(model: str, against: str, runs: Sequence[Tested], failed: Minimal | None, style: Style = PLAIN) -> str:
    actions = sum(len(run.actions) for run in runs)
    done = f"{plural(len(runs), 'run')}, {plural(actions, 'action')}"
    if failed is None:
        verdict = style.paint("passed", "bold", "green")
        return f"{style.paint(model, 'bold')}: {against} {verdict}: {done}; this does not show that it has no errors"
    verdict = style.paint("FAILED", "bold", "red")
    lines = [f"{style.paint(model, 'bold')}: {against} {verdict}: {done}"]
    return "\n".join((*lines, *(f"  {line}" for line in failure_lines(failed, runs[-1]))))


def suite_json(model: str, suite: Suite) -> dict[str, Any]:
    return {
        "schema": SUITE_SCHEMA,
        "model": model,
        "coverage": suite.coverage,
        "goals": suite.goals,
        "left_out": suite.left_out,
        "actions": suite.actions,
        "cases": [
            [{"action": text, "observed": text.partition("(")[0] in suite.observable} for text in case]
            for case in suite.cases
        ],
    }


def tested_json(model: str, against: str, plan: Plan, runs: Sequence[Tested], failed: Minimal | None) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "model": model,
        "against": against,
        "verdict": "failed" if failed else "passed",
        "strategy": plan.strategy,
        "seed": plan.seed,
        "runs": [_run_json(run) for run in runs],
        "failure": None if failed is None else {**_run_json(failed.run), "is_shortest": failed.is_shortest},
    }


def _run_json(run: Tested) -> dict[str, Any]:
    actions = [{"action": str(action), "observed": observed} for action, observed in run.actions]
    return {"seed": run.seed, "verdict": "passed" if run.passed else "failed", "reason": run.reason, "actions": actions}
