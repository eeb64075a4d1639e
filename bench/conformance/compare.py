"""Setting the two answers side by side: a category, and as precise a reason as can be had."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from bench.common.clew_command import COMPARED_KINDS, ClewCommand, ClewResult
from bench.common.quick_c import FEW_STATES

from .spin_peer import SpinResult

AGREE = "agree"
BOTH_REJECT = "both reject"
SPIN_ABORTS = "Spin aborts"
TOO_LARGE = "too large"
UNTRACKED = "part of no state"  # Clew gives no verdict when embedded C keeps data outside the state
KNOWN = "known difference"
DISAGREE = "DISAGREE"
CODE_GENERATOR_LIMITS = ("breaks from d_step seq", "jump into d_step sequence")
"""Complaints about legal programs: a d_step that ends in a block, or one that a loop leads to."""
CATEGORIES = (AGREE, BOTH_REJECT, SPIN_ABORTS, TOO_LARGE, KNOWN, DISAGREE)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One model at one granularity."""

    model: Path
    granularity: str
    category: str
    reason: str
    spin: SpinResult
    clew: ClewResult | None


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A difference that has been looked into. `model` is a glob on the model's path or name."""

    model: str
    explanation: str
    granularity: str = "*"

    def covers(self, model: Path, granularity: str) -> bool:
        matches = fnmatch(model.name, self.model) or fnmatch(str(model), "*/" + self.model.lstrip("/"))
        return matches and fnmatch(granularity, self.granularity)


def known_differences(file: Path) -> list[KnownDifference]:
    """Read the `[[difference]]` tables of the file beside this module."""
    with file.open("rb") as stream:
        entries = tomllib.load(stream).get("difference", [])
    return [KnownDifference(**entry) for entry in entries]


def settled_by_spin(spin: SpinResult, max_states: int) -> str:
    """The category when Spin's answer alone leaves nothing to compare, else empty. Where it counts more states than are
    asked for, Clew must not be done with fewer."""
    return TOO_LARGE if spin.outcome == "limit" and not _is_larger(spin, max_states) else ""


def _is_larger(spin: SpinResult, max_states: int) -> bool:
    return spin.limit == "states" or (spin.stored or 0) > max_states


def ask_and_compare(
    model: Path,
    granularity: str,
    spin: SpinResult,
    clew: ClewCommand,
    max_states: int,
    known: Iterable[KnownDifference] = (),
    *,
    quick: bool = False,
) -> Comparison:
    """Ask Clew what Spin was asked. `quick`: small models by way of tcc; if they differ, again without."""
    if quick and spin.outcome != "limit" and (spin.stored or 0) <= FEW_STATES:
        compared = compare(model, granularity, spin, clew.quickly().verify(model, granularity), max_states, known)
        if compared.category != DISAGREE or not spin.accepted:
            return compared
    return compare(model, granularity, spin, clew.verify(model, granularity), max_states, known)


def compare(
    model: Path,
    granularity: str,
    spin: SpinResult,
    clew: ClewResult | None,
    max_states: int,
    known: Iterable[KnownDifference] = (),
) -> Comparison:
    """The category of one pair of answers; `clew` may be None when `settled_by_spin` says so."""
    settled = settled_by_spin(spin, max_states)
    if settled or clew is None:
        reason = spin.message or (f"{spin.stored} states" if spin.stored else f"Spin stopped: {spin.limit}")
        unasked = TOO_LARGE if _is_larger(spin, max_states) else SPIN_ABORTS
        return Comparison(model, granularity, settled or unasked, reason, spin, clew)
    category, reason = _judge_larger(clew, max_states) if _is_larger(spin, max_states) else _judge(spin, clew)
    if category == DISAGREE:
        for difference in known:
            if difference.covers(model, granularity):
                return Comparison(model, granularity, KNOWN, f"{difference.explanation} [{reason}]", spin, clew)
    return Comparison(model, granularity, category, reason, spin, clew)


def _judge_larger(clew: ClewResult, max_states: int) -> tuple[str, str]:
    if clew.outcome == "limit":
        return TOO_LARGE, f"more than {max_states} states"
    return DISAGREE, f"Spin counts more than {max_states} states; Clew: {clew.outcome} {clew.stored} {clew.message}"


def _judge(spin: SpinResult, clew: ClewResult) -> tuple[str, str]:
    if clew.outcome == "defect":
        return DISAGREE, f"defect of Clew: {clew.message}"
    if not spin.accepted:
        if clew.outcome == "rejects":
            return BOTH_REJECT, f"Spin: {spin.message} / Clew: {clew.message}"
        if any(limit in spin.message for limit in CODE_GENERATOR_LIMITS):
            return SPIN_ABORTS, spin.message
        return DISAGREE, f"Clew accepts what {spin.outcome.split('-')[0]} rejects: {spin.message}"
    if clew.outcome == "rejects":
        return DISAGREE, f"Clew rejects what Spin accepts: {clew.message}"
    if spin.outcome == "aborts":
        return SPIN_ABORTS, f"{spin.message} / Clew: {clew.outcome} {clew.stored} {_kinds(clew.errors)}"
    if clew.outcome == "limit":
        return DISAGREE, f"Spin counts {spin.stored} states, Clew does not finish: {clew.message}"
    return _judge_counts(spin, clew)


def _judge_counts(spin: SpinResult, clew: ClewResult) -> tuple[str, str]:
    reasons = []
    if spin.reliable:
        if spin.stored != clew.stored:
            reasons.append(f"stored {spin.stored} (Spin) {clew.stored} (Clew)")
        elif spin.steps != clew.transitions:
            reasons.append(f"transitions {spin.steps} (Spin) {clew.transitions} (Clew)")
    if clew.errors is None and UNTRACKED in clew.message:
        return (DISAGREE, "; ".join(reasons)) if reasons else (AGREE, f"no verdicts: {clew.message}")
    if clew.errors is None:
        reasons.append(f"no verdicts: {clew.message}")
    else:
        reasons += _verdict_differences(spin, clew.errors)
    if reasons:
        return DISAGREE, "; ".join(reasons)
    return AGREE, "" if spin.reliable else "counts not compared: run-time errors"


def _verdict_differences(spin: SpinResult, found: dict[str, list[str]]) -> list[str]:
    """Where the kinds of errors differ. After a run-time error only that error is compared."""
    kinds = COMPARED_KINDS if spin.reliable else ("runtime-error",)
    reasons = []
    for kind in kinds:
        if kind in spin.errors and kind not in found:
            reasons.append(f"Spin alone reports {kind}: {'; '.join(spin.errors[kind][:2])}")
        elif kind in found and kind not in spin.errors:
            reasons.append(f"Clew alone reports {kind}: {'; '.join(found[kind][:2])}")
    return reasons


def _kinds(errors: dict[str, list[str]] | None) -> str:
    return "no verdicts" if errors is None else ",".join(errors) or "no errors"
