"""The test cases printed in the case study: tables 5 and 6, and the figures 2, 3, 6 and 7.

A case is a trace with an expected answer. Salamah, Gates, Roach, Mondragon, "Verifying Pattern-Generated LTL Formulas:
A Case Study" (SPIN 2005).
"""

from __future__ import annotations

from typing import Final

from clew.core.records import record
from clew.logic.patterns.catalogue import entries
from clew.logic.patterns.properties import Pattern, Scope
from clew.logic.patterns.traces import read_trace
from clew.logic.patterns.words import Lasso


@record
class Case:
    """A trace and whether the property is expected to hold on it. `note`: where print and meaning part."""

    name: str
    pattern: Pattern
    scope: Scope
    trace: Lasso
    expected: bool
    note: str = ""


_TABLE_5: Final = """
1a  | R - - - - -             | valid
1b  | (RP) - - - - -          | valid
1c  | R P - - - -             | valid
2a  | - - - - - R             | valid
2b  | - - - - - (RP)          | valid
3a  | - - - R - - -           | valid
3b  | - - - (RP) - - -        | valid
3c  | - - R - - - P R - -     | valid
4a  | - - - - - -             | valid
4b  | - - P - - P - -         | valid
5   | - - - - P R             | not valid
6a  | - - - P R - - -         | not valid
6b  | - - - R P - - -         | valid
"""

_TABLE_6: Final = """
1a     | - - - P - - - R                        | valid
1b     | - - - (LRP) - - -                      | valid
1c     | - - L - - - P - - -                    | valid
1d     | - - - P - - -                          | valid
1e     | R - - - P - - L - - -                  | valid
2a.i   | L - - P - - R - - -                    | not valid
2a.ii  | L - - T - - R - - -                    | valid
2a.iii | L - - P - - T - - R - - -              | not valid
2a.iv  | L - - - (RP) - - -                     | valid
2a.v   | L - - - R P - - -                      | valid
2a.vi  | L - - - (PT) - - - - R - - -           | not valid
2b.i   | - - - P L - - - R                      | valid
2b.ii  | - - - L - - - (RP)                     | valid
2b.iii | - - - L - - - P - - - R                | not valid
2b.iv  | - - - L - - P - - T - - R              | not valid
2b.v   | - - - L - - T - - - R                  | valid
3a     | L - - - R - - - L - - P - - R - -      | not valid
3b     | L - - - R - - P - - L - - - R - -      | valid
4a     | - - - L - - - L - - P - - R - -        | not valid
4b     | - - - L - - P - - L - - - R - -        | not valid
4c     | - - L - - - L - - R - - P - - R - -    | valid
4d     | - - L - - T - - L - - P - - - R - -    | valid in SPS
5a.i   | L T - P - - - R - - -                  | valid
5a.ii  | (LT) P - - - R - - -                   | valid
5a.iii | L - - T - P R - - -                    | valid
5b.i   | - - - L T P - - R                      | valid
5b.ii  | - - - (LT) P - - - R                   | valid
5b.iii | - - - L - - T - P R                    | valid
5c.i   | - - - L - - T - - P - - R - -          | valid
5c.ii  | - - - L - - T - - P - R - -            | valid
6a     | L - T - P - - R - - - L - - R - - L P R| not valid
6b     | L - T P - - R - L - - T - P - R - L - P - | valid
7      | - - L - - T - - L - - P - R - - -      | valid in SPS
"""


def _table(text: str, pattern: Pattern, scope: Scope, dialect: str) -> list[Case]:
    cases = []
    for line in text.strip().splitlines():
        name, trace, answer = (part.strip() for part in line.split("|"))
        notes = {
            "2a.vi": "true only of strict precedence",
            "4d": "SPS: the documentation does not say that inner intervals count",
            "7": "SPS: the documentation does not say that inner intervals count",
        }
        valid = answer == "valid" or (answer == "valid in SPS" and dialect == "sps")
        note = notes.get(name, "") if scope is Scope.BETWEEN else ""
        cases.append(Case(name, pattern, scope, read_trace(trace), valid, note))
    return cases


def table5(dialect: str) -> list[Case]:
    """Absence before R."""
    return _table(_TABLE_5, Pattern.ABSENCE, Scope.BEFORE, dialect)


def table6(dialect: str) -> list[Case]:
    """Precedence between L and R, plain and, where the dialect has it, strict."""
    patterns = [Pattern.PRECEDENCE, Pattern.STRICT_PRECEDENCE]
    kept = [p for p in patterns if (p, Scope.BETWEEN) in entries(dialect)]
    return [case for pattern in kept for case in _table(_TABLE_6, pattern, Scope.BETWEEN, dialect)]


@record
class PrintedTest:
    """A test of the figures: what the authors expected, and what Spin answered them."""

    figure: str
    dialect: str
    case: Case
    answered: bool


def _printed(figure: str, dialect: str, number: int, what: tuple[Pattern, Scope], states: str, expected: bool,
             answered: bool, note: str = "") -> PrintedTest:  # fmt: skip
    return PrintedTest(figure, dialect, Case(f"test {number}", *what, read_trace(states), expected, note), answered)


_EB, _EU = (Pattern.EXISTENCE, Scope.BETWEEN), (Pattern.EXISTENCE, Scope.AFTER_UNTIL)
_DRAWN: Final = "P and T are defined, (RP) is drawn"
_LABEL: Final = "labelled existence, but absence by its formula"

FIGURES: Final = (
    _printed("2", "prospec", 2, _EB, "L: i==3; P: i==6; R: i==9", True, True,
             "the formula is printed with a negation too many"),
    _printed("3", "prospec", 6, (Pattern.ABSENCE, Scope.BEFORE), "P: i==5; R: i==5", True, False),
    _printed("3", "sps", 26, _EB, "L: i==5 || i==12; P: i==9; R: i==16", True, False),
    _printed("6", "prospec", 26, (Pattern.ABSENCE, Scope.BETWEEN), "L: i==5; P: i==16; R: i==16", True, False, _LABEL),
    _printed("6", "prospec", 46, (Pattern.ABSENCE, Scope.AFTER_UNTIL), "L: i==5; P: i==16; R: i==16", True, False,
             _LABEL),
    _printed("7", "sps", 30, _EB, "L: i==2 || i==10; P: i==6; R: i==17", True, False),
    _printed("7", "sps", 42, _EU, "L: i==2 || i==10; P: i==6; R: i==17", True, False),
    _printed("7", "sps", 38, (Pattern.PRECEDENCE, Scope.BETWEEN),
             "L: i==2 || i==10; T: i==6; P: i==13; R: i==17", True, False),
    _printed("7", "sps", 41, (Pattern.PRECEDENCE, Scope.AFTER_UNTIL),
             "L: i==2 || i==10; T: i==6; P: i==13; R: i==17", True, False, "R is defined at 5, but drawn at 17"),
    _printed("7", "sps", 3, (Pattern.RESPONSE, Scope.GLOBAL), "P: i==5; T: i==5", False, True),
    _printed("7", "sps", 9, (Pattern.RESPONSE, Scope.BEFORE), "P: i==5; T: i==5; R: i==8", False, True),
    _printed("7", "sps", 20, (Pattern.RESPONSE, Scope.AFTER), "L: i==2; P: i==5; T: i==5", False, True, _DRAWN),
    _printed("7", "sps", 36, (Pattern.RESPONSE, Scope.BETWEEN), "L: i==2; P: i==5; T: i==5; R: i==9", False, True,
             _DRAWN),
    _printed("7", "sps", 43, (Pattern.RESPONSE, Scope.AFTER_UNTIL), "L: i==2; P: i==5; T: i==5; R: i==9", False, True,
             _DRAWN),
    _printed("7", "sps", 44, (Pattern.RESPONSE, Scope.AFTER_UNTIL), "L: i==2; P: i==5; T: i==5; R: i==limit", False,
             True, _DRAWN),
)  # fmt: skip
