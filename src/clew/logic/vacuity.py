"""Properties that hold for a reason their author may not have thought of.

A formula holds *vacuously* if part of it does not matter: with p never true, `[] (p -> <> q)` holds whatever q is. A
search of the product reads off which atoms had the same value wherever it looked. If the formula with these values in
place of the atoms is true of every run, and a search of its own shows that the atoms have these values on all runs,
then the others do not matter (vacuity as in Beer, Ben-David, Eisner and Rodeh, *Efficient detection of vacuity in ACTL
formulas*, CAV 1997; not all of it is found this way). A property of infinite runs also holds if there are none.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.logic import formulas as f
from clew.logic.automata import is_empty
from clew.logic.questions import Question, asked_of, meaning
from clew.logic.translate import translate


def doubts(question: Question, was_true: int, was_false: int) -> Iterator[tuple[Question, str]]:
    """Why a property that holds may do so vacuously: questions, each with what to say if no run answers it. Bit i of
    `was_true` says that atom i of the monitor was true somewhere, bit i of `was_false` that it was false somewhere."""
    if question.ends == "infinite":
        which = "infinite run" if question.fair == "none" else "infinite fair run"
        yield asked_of(question, f.FALSE), f"vacuously: the system has no {which}"
    fixed = _enough(question, was_true, was_false)
    if fixed:
        always = f.Always(f.conjunction(atom if value else f.Not(atom) for atom, value in fixed.items()))
        said = " and ".join(f"{atom.text} is {'always' if value else 'never'} true" for atom, value in fixed.items())
        yield asked_of(question, always), f"vacuously: {said}; the rest of the formula does not matter"


def _enough(question: Question, was_true: int, was_false: int) -> dict[f.Atom, bool]:
    """As few of the atoms that did not change as make the formula true, with their values; none if all are needed."""
    if question.formula is None or question.monitor is None or question.asked.kind not in ("ltl", "pattern"):
        return {}
    every = [atom for atom in f.atoms(question.formula) if atom.text != "ended"]
    fixed: dict[f.Atom, bool] = {}
    for atom in every:
        if meaning(atom) in question.monitor.atoms:
            bit = 1 << question.monitor.atoms.index(meaning(atom))
            if bool(was_true & bit) != bool(was_false & bit):
                fixed[atom] = bool(was_true & bit)
    if not fixed or not _is_true(question.formula, fixed):
        return {}
    for atom in list(fixed):
        fewer = {known: value for known, value in fixed.items() if known is not atom}
        if _is_true(question.formula, fewer):
            fixed = fewer
    return fixed if len(fixed) < len(every) else {}


def _is_true(formula: f.Formula, fixed: dict[f.Atom, bool]) -> bool:
    """Whether the formula is true of every run once these atoms have these values."""
    known = f.replace_atoms(formula, lambda atom: f.Constant(fixed[atom]) if atom in fixed else atom)
    return is_empty(translate(f.Not(known)))
