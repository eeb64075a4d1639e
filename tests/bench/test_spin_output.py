"""What the verifier of Spin 6.5.2 prints, read."""

from __future__ import annotations

from bench.spin import output

FINISHED = """
(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
	never claim         	- (not selected)
	assertion violations	- (disabled by -A flag)
	invalid end states	- (disabled by -E flag)

State-vector 196 byte, depth reached 112, errors: 0
    15779 states, stored
    42402 states, matched
    58181 transitions (= stored+matched)
       12 atomic steps
hash conflicts:         8 (resolved)

pan: elapsed time 2.04 seconds
pan: rate 788950 states/second
"""


def test_a_finished_search() -> None:
    report = output.read(FINISHED)
    assert (report.stored, report.matched, report.transitions) == (15_779, 42_402, 58_181)
    assert (report.depth, report.elapsed) == (112, 2.04)
    assert (report.errors, report.unfinished, report.fatal) == ({}, "", "")


def test_large_figures_are_printed_with_an_exponent() -> None:
    report = output.read("1.2345678e+08 states, stored\n2.5e+09 transitions (= stored+matched)\n")
    assert (report.stored, report.transitions) == (123_456_780, 2_500_000_000)


def test_a_depth_bound_that_was_too_small() -> None:
    report = output.read("error: max search depth too small\n" + FINISHED)
    assert report.unfinished == "depth"


def test_the_memory_bound_was_reached() -> None:
    assert output.read("pan: reached -DMEMLIM bound\n").unfinished == "memory"


def test_errors_by_kind() -> None:
    report = output.read("pan:1: invalid end state (at depth 7)\npan:2: assertion violated (x>0) (at depth 3)\n")
    assert report.errors == {"assertion": ["assertion violated (x>0)"], "deadlock": ["invalid end state"]}


def test_a_search_that_was_killed_has_no_time() -> None:
    assert output.read("Depth= 10 States= 1e+06 Transitions= 2e+06\n").elapsed is None
