"""Properties that hold for a reason their author may not have thought of.

A formula holds *vacuously* if part of it does not matter: with p never true, `[] (p -> <> q)` holds whatever q is. A
search of the product reads off which atoms had the same value wherever it looked. If the formula with these values in
place of the atoms is true of every run, then the others do not matter (vacuity as in Beer, Ben-David, Eisner and Rodeh,
*Efficient detection of vacuity in ACTL formulas*, CAV 1997; not all of it is found this way).
"""

from __future__ import annotations

from clew.logic import formulas as f
from clew.logic.automata import is_empty
from clew.logic.questions import Question, any_run, meaning
from clew.logic.translate import translate

NO_INFINITE_RUN = "vacuously: the system has no infinite run"
NO_FAIR_RUN = "vacuously: the system has no infinite fair run"


def vacuous(question: Question, was_true: int, was_false: int) -> str:
    """Why a formula that holds does so vacuously; empty if it is not known to. Bit i of `was_true` says that atom i of
    the monitor was true somewhere, bit i of `was_false` that it was false somewhere."""
    if question.formula is None or question.monitor is None or question.asked.kind not in ("ltl", "pattern"):
        return ""
    every = [atom for atom in f.atoms(question.formula) if atom.text != "ended"]
    fixed: dict[f.Atom, bool] = {}
    for atom in every:
        if meaning(atom) in question.monitor.atoms:
            bit = 1 << question.monitor.atoms.index(meaning(atom))
            if bool(was_true & bit) != bool(was_false & bit):
                fixed[atom] = bool(was_true & bit)
    if not fixed or not _is_true(question.formula, fixed):
        return ""
    for atom in list(fixed):
        fewer = {known: value for known, value in fixed.items() if known is not atom}
        if _is_true(question.formula, fewer):
            fixed = fewer
    if not 0 < len(fixed) < len(every):
        return ""
    said = " and ".join(f"{atom.text} is {'always' if value else 'never'} true" for atom, value in fixed.items())
    return f"vacuously: where the formula looks, {said}; the rest of it does not matter"


def _is_true(formula: f.Formula, fixed: dict[f.Atom, bool]) -> bool:
    """Whether the formula is true of every run once these atoms have these values."""
    known = f.replace_atoms(formula, lambda atom: f.Constant(fixed[atom]) if atom in fixed else atom)
    return is_empty(translate(f.Not(known)))


def without_runs(question: Question) -> tuple[Question, str] | None:
    """If the property would hold of a system without infinite runs: what to ask to find out whether there are any, and
    what to say if there are none."""
    if question.ends != "infinite":
        return None
    return any_run(question), NO_INFINITE_RUN if question.fair == "none" else NO_FAIR_RUN
