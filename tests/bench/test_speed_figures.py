"""Means, tables, sections, pictures and the file of measurements of `bench.speed`."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bench.common.clew_command import ClewResult
from bench.conformance.compare import DISAGREE
from bench.speed import ltsmin, runs
from bench.speed.counts import AGREE, UNFINISHED, judge
from bench.speed.figures import geometric_mean, header, replace_section, row, significant
from bench.speed.notebook import Notebook, stamp_of
from bench.speed.pan import rounded_up
from bench.speed.plot import Curve, Panel, Scale, picture
from bench.speed.runs import Measured, Run
from bench.speed.scan import Scanned
from bench.speed.speed_table import cells, summary


def run(seconds: float = 1.0, size: int = 1000, states: int = 10, transitions: int = 20) -> Run:
    return Run(states, transitions, seconds, seconds, seconds, size)


def measured(name: str, pan: float, clew: float) -> Measured:
    result = Measured(name)
    result.add(runs.PAN, run(pan, 4000))
    result.add(runs.CLEW, run(clew, 1000))
    return result


def test_geometric_mean_of_two_and_eight_is_four() -> None:
    assert math.isclose(geometric_mean([2, 8]), 4)


def test_there_is_no_mean_of_nothing() -> None:
    with pytest.raises(ValueError):
        geometric_mean([])


def test_figures_keep_about_three_digits() -> None:
    assert [significant(x) for x in (0.123, 9.5, 12.34, 1234.5, None)] == ["0.12", "9.50", "12.3", "1,234", "–"]


def test_a_table_has_one_rule_per_column() -> None:
    assert header(("model", "states")) == "| model | states |\n|---|--:|"
    assert row(["a", "1"]) == "| a | 1 |"


def test_a_section_is_appended_then_replaced() -> None:
    first = replace_section("# Results\n", "speed", "old")
    assert first == "# Results\n\n<!-- speed: begin -->\nold\n<!-- speed: end -->\n"
    assert replace_section(first + "more\n", "speed", "new") == first.replace("old", "new") + "more\n"


def test_a_marker_without_its_partner_is_an_error() -> None:
    with pytest.raises(ValueError, match="speed"):
        replace_section("<!-- speed: begin -->\n", "speed", "new")


def test_medians_and_ratios() -> None:
    result = Measured("m")
    for seconds in (3.0, 1.0, 8.0):
        result.add(runs.PAN, run(seconds))
        result.add(runs.CLEW, run(1.0, 500))
    assert result.seconds(runs.PAN) == 3.0
    assert result.ratio(runs.PAN, runs.CLEW, "seconds") == 3.0
    assert result.ratio(runs.PAN, runs.CLEW, "bytes_per_state") == 2.0


def test_a_tool_that_failed_once_has_no_figure() -> None:
    result = Measured("m")
    result.add(runs.COLLAPSE, run())
    result.add(runs.COLLAPSE, None)
    assert result.seconds(runs.COLLAPSE) is None
    assert result.ratio(runs.COLLAPSE, runs.CLEW, "seconds") is None


def test_different_counts_are_noticed_and_left_out_of_the_means() -> None:
    wrong = measured("wrong", 100, 1)
    wrong.add(runs.CLEW, run(states=11))
    assert not wrong.agreed
    assert "COUNTS DIFFER" in cells(wrong)
    text = summary([measured("a", 2, 1), measured("b", 8, 1), wrong])
    assert "| time of pan / Clew, 1 worker | 2 | 4.00 | 2.00 | a |" in text


def test_measurements_survive_the_file() -> None:
    result = measured("m", 2, 1)
    result.add(runs.COLLAPSE, None)
    assert Measured.from_json(json.loads(json.dumps(result.as_json()))) == result


def test_entries_of_other_sources_are_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "time.json"
    Notebook(file, "old").put("model", {"states": 1})
    assert Notebook(file, "old").get("model") == {"states": 1}
    assert Notebook(file, "new").get("model") is None
    assert Notebook(file, "new", keep=True).get("model") == {"states": 1}


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text("[1, 2]")
    with pytest.raises(ValueError, match=r"other\.json"):
        Notebook(file, "stamp")


def test_the_stamp_changes_with_the_sources(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one")
    before = stamp_of(tmp_path)
    assert stamp_of(tmp_path) == before
    (tmp_path / "a.py").write_text("two")
    assert stamp_of(tmp_path) != before


def test_a_limit_is_asked_again_when_limits_are_wider() -> None:
    cut = Scanned("m", "limit", limit="time", cpu_limit=4, megabytes=100)
    assert cut.settles(4, 100)
    assert not cut.settles(60, 100)
    assert not cut.settles(4, 200)
    assert Scanned("m", "counted", cpu_limit=4, megabytes=100).settles(60, 200)


def test_counts_agree_when_spin_has_one_transition_more() -> None:
    spin = Scanned("m", "counted", stored=10, transitions=21)
    assert judge(spin, ClewResult("counted", stored=10, transitions=20))[0] == AGREE
    category, reason = judge(spin, ClewResult("counted", stored=11, transitions=20))
    assert (category, reason) == (DISAGREE, "states: Spin 10, Clew 11")
    assert judge(spin, ClewResult("limit", "time"))[0] == UNFINISHED
    assert judge(spin, ClewResult("rejects", "no"))[0] == DISAGREE


def test_counts_are_compared_in_the_eight_digits_that_spin_prints() -> None:
    spin = Scanned("m", "counted", stored=10, transitions=1_234_567_800)
    assert judge(spin, ClewResult("counted", stored=10, transitions=1_234_567_811))[0] == AGREE
    assert judge(spin, ClewResult("counted", stored=10, transitions=1_234_567_899))[0] == DISAGREE


def test_the_depth_bound_is_a_little_above_what_is_needed() -> None:
    assert [rounded_up(depth) for depth in (0, 7, 9_999, 123_456)] == [10_000, 10_000, 10_000, 130_000]


def test_output_of_ltsmin() -> None:
    text = "prom2lts-mc: Explored 3112 states 8414 transitions, fanout: 2.704\nTotal exploration time 0.010 sec\n"
    assert ltsmin.read(text) == (3112, 8414, 0.01)
    assert ltsmin.read("prom2lts-mc: out of memory") is None


def test_powers_of_ten_are_evenly_spaced() -> None:
    scale = Scale.over([20, 5_000], 0, 300)
    assert [place for _, place in scale.ticks()] == [0, 100, 200, 300]


def test_the_picture_is_well_formed_and_shows_every_point() -> None:
    curves = [Curve("a & b", [(10, 1), (100, 2)], 0), Curve("c", [(10, 3)], 1, dashed=True), Curve("none", [], 2)]
    root = ElementTree.fromstring(picture([Panel("time", "states", curves, " s")]))
    names = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a & b" in names
    assert "none" not in names
    marks = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(marks) == 3 + 2 * 2  # the points, and two in each line of the legend


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="time"):
        picture([Panel("time", "states", [])])
