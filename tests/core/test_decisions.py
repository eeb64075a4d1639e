"""Why an answer is unknown, and what further searches have left of a time limit."""

from __future__ import annotations

import time

import pytest

from clew.core.decisions import cut_short
from clew.core.engines import LEAST_SECONDS, Limits, Request, with_time_left
from clew.host.checking import ModelOptions, load_text

MODEL = load_text("m.pml", "active proctype P() { skip }", ModelOptions()).view


@pytest.mark.parametrize(
    ("limits_hit", "text"),
    [
        (("states",), "limit hit: states"),
        (("depth", "memory"), "limit hit: depth, memory"),
        (("interrupt",), "interrupted"),
        (("time", "interrupt"), "limit hit: time, interrupted"),
        (("killed",), "the search was killed"),
    ],
)
def test_a_limit_is_a_limit_and_an_interrupt_is_none(limits_hit: tuple[str, ...], text: str) -> None:
    assert cut_short(limits_hit) == text


def test_without_a_time_limit_a_further_search_has_none() -> None:
    request = Request(MODEL)
    assert with_time_left(request, time.monotonic() - 100) is request


def test_when_the_time_is_over_a_further_search_gets_next_to_none() -> None:
    request = with_time_left(Request(MODEL, limits=Limits(seconds=3.0)), time.monotonic() - 100)
    assert request.limits.seconds == LEAST_SECONDS


def test_a_further_search_gets_what_is_left() -> None:
    request = with_time_left(Request(MODEL, limits=Limits(seconds=1000.0)), time.monotonic() - 100)
    assert request.limits.seconds is not None and request.limits.seconds <= 900
