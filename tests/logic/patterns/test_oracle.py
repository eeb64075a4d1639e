"""The intervals of a run, by hand."""

from __future__ import annotations

import pytest

from clew.logic.patterns import oracle
from clew.logic.patterns.construct import Unclear
from clew.logic.patterns.properties import NESTED, Reading
from clew.logic.patterns.text import parse_property
from clew.logic.patterns.traces import read_trace

OUTERMOST = Reading(outermost=True)


def intervals(scope: str, trace: str, reading: Reading = NESTED) -> list[tuple[int, int | None]]:
    return [i for i, _ in oracle.intervals(parse_property(f"absence of P {scope}"), read_trace(trace), reading)]


@pytest.mark.parametrize(
    ("scope", "trace", "expected"),
    [
        ("globally", "- -", [(0, None)]),
        ("before R", "- - R - R", [(0, 2)]),
        ("before R", "R -", [(0, 0)]),
        ("before R", "- -", []),
        ("after L", "- L - L -", [(1, None)]),
        ("after L", "- -", []),
        ("between L and R", "- L - R -", [(1, 3)]),
        ("between L and R", "- L - - -", []),
        ("between L and R", "(LR) - R", []),  # L and R at once opens nothing
        ("between L and R", "L L R -", [(0, 2), (1, 2)]),
        ("between L and R", "L R L R -", [(0, 1), (2, 3)]),
        ("between L and R", "[L - R]", [(0, 2)]),
        ("between L and R", "R [L - -]", []),
        ("after L until R", "- L - -", [(1, None)]),
        ("after L until R", "L R L -", [(0, 1), (2, None)]),
        ("between L and R", "[- R L]", [(2, 4)]),  # around the cycle
    ],
)
def test_intervals(scope: str, trace: str, expected: list[tuple[int, int | None]]) -> None:
    assert intervals(scope, trace) == expected


def test_the_outermost_reading_opens_no_interval_inside_another() -> None:
    assert intervals("between L and R", "L L R L R -", OUTERMOST) == [(0, 2), (3, 4)]
    assert intervals("after L until R", "[L L]", OUTERMOST) == [(0, None)]


@pytest.mark.parametrize(
    ("text", "trace", "expected"),
    [
        ("existence of P before R", "R -", False),  # an empty interval has no P
        ("universality of P before R", "R -", True),
        ("T precedes P", "(TP) -", True),
        ("T strictly precedes P", "(TP) -", False),
        ("T responds to P", "(TP) -", True),
        ("T responds to P between L and R", "L P (TR) -", False),  # T belongs to the end
        ("T responds to P", "[P T]", True),
        ("absence of P after L", "P L -", True),
        ("absence of P after L", "(LP) -", False),
        ("absence of ConsecutiveC(A, B) globally", "A - B", True),
        ("absence of EventualC(A, B) globally", "A - B", False),
        ("existence of ParallelE(A, B) globally", "A (AB) -", False),  # not from none to both
        ("existence of ParallelE(A, B) globally", "- (AB) -", True),
        ("existence of AtLeastOneE(A, B) globally", "- B -", True),
        ("existence of ConsecutiveE(A, B) globally", "- A B -", True),
        ("existence of ConsecutiveE(A, B) globally", "- (AB) B -", False),
        ("existence of EventualE(A, B) globally", "- A - B -", True),
        ("existence of P after ConsecutiveC(A, B)", "(AP) B -", False),  # opens where the sequence ends
        ("absence of ConsecutiveC(A, B) before R", "A (BR)", True),  # not inside as a whole
        ("T precedes ConsecutiveC(A, B)", "A (TB) -", False),
        ("T precedes ConsecutiveC(A, B)", "(AT) B -", True),
        ("ConsecutiveC(A, B) responds to P", "(PA) B -", True),
        ("ConsecutiveC(A, B) responds to P", "A (PB) -", False),
    ],
)
def test_verdicts(text: str, trace: str, expected: bool) -> None:
    assert oracle.holds(parse_property(text), read_trace(trace)) is expected


def test_strict_response_needs_a_later_state() -> None:
    strict = Reading(strict_response=True)
    prop = parse_property("T responds to P")
    assert not oracle.holds(prop, read_trace("(TP) -"), strict)
    assert oracle.holds(prop, read_trace("(TP) T -"), strict)
    assert oracle.holds(prop, read_trace("[(TP)]"), strict)


def test_what_has_no_meaning_is_refused() -> None:
    with pytest.raises(Unclear):
        oracle.holds(parse_property("universality of ConsecutiveC(A, B)"), read_trace("A B"))
    with pytest.raises(Unclear):
        oracle.holds(parse_property("absence of P between ConsecutiveC(A, B) and R"), read_trace("A B"), OUTERMOST)
