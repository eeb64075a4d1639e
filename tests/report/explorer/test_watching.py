"""Watch expressions over shown values."""

from __future__ import annotations

import pytest

from clew.report.explorer.watching import WatchError, read_expression, symbols_in

VALUES = {
    "x": "3",
    "flag": "true",
    "link[0]": "[(req,3), (ack,1)]",
    "P(1).x": "-7",
    "P(1).phase": "idle",
    "held": "{(p1,m1), (p2,m2)}",
    "items": "Sequence(1, 2)",
}


def value(text: str) -> str:
    return read_expression(text, VALUES, symbols_in(VALUES.values())).shown(VALUES)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x", "3"),
        ("x + 2 * 4", "11"),
        ("-x - 1", "-4"),
        ("P(1).x / 2", "-3"),  # towards zero, as in C
        ("P(1).x % 2", "-1"),
        ("P(1).x + x", "-4"),
        ("x == 3 && !flag", "false"),
        ("not flag or x > 2", "true"),
        ("x > 5 -> flag", "true"),
        ("len(link[0])", "2"),
        ("link[0][1]", "(ack, 1)"),
        ("(ack, 1) in link[0]", "true"),
        ("(p1, m2) in held", "false"),
        ("P(1).phase == idle", "true"),
        ('P(1).phase == "busy"', "false"),
        ("items[0] < items[1]", "true"),
    ],
)
def test_values(text: str, shown: str) -> None:
    assert value(text) == shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x / 0", "division by zero"),
        ("link[0][2]", "there is no element 2"),
        ("phase", ""),
        ("flag[0]", "'true' has no elements"),
        ("P(1).phase + 1", "'idle' is not a number"),
    ],
)
def test_what_has_no_value_says_why(text: str, reason: str) -> None:
    if reason:
        assert value(text) == f"✗ {reason}"
    else:
        with pytest.raises(WatchError):
            value(text)


def test_a_variable_that_does_not_exist_in_a_state() -> None:
    found = read_expression("P(1).x", VALUES)
    assert found.shown({}) == "·"
    assert read_expression("P(1).x > 0", VALUES).shown({}) == "✗ does not exist here"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing to evaluate"),
        ("x +", "stops in the middle"),
        ("x y", "did not expect 'y'"),
        ("(x", "expected ')'"),
        ("lnk", "no variable 'lnk'"),
        ("x $ 1", "did not expect '$'"),
        ("(" * 100 + "x" + ")" * 100, "too deeply nested"),
        ("!" * 1000 + "x", "too deeply nested"),
    ],
)
def test_bad_expressions_say_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(WatchError, match=None) as caught:
        read_expression(text, VALUES)
    assert reason in str(caught.value)


def test_a_misspelt_name_is_guessed() -> None:
    with pytest.raises(WatchError, match="did you mean flag"):
        read_expression("flg", VALUES)
