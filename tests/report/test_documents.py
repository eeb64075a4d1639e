"""Reports of checks: pages, JUnit, SARIF, Markdown. All are made of what a run keeps."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from lxml import etree

from clew.cli.main import main
from clew.core.engines import Progress
from clew.core.results import Statistics
from clew.host.samples import Samples, read_samples, samples_json
from clew.report.documents.findings import check_sarif
from clew.report.documents.html import html_report
from clew.report.documents.junit import junit
from clew.report.documents.markdown import markdown
from clew.report.documents.material import Material
from clew.report.documents.plots import plot_svg, plots

ROOT = Path(__file__).parents[2]
JUNIT = etree.XMLSchema(etree.parse(ROOT / "src/clew/report/schema/junit.xsd"))
MODELS = {  # what is said of each: verdict of the whole
    "wrong.pml": "byte x\nactive proctype P() {\n  do\n  :: x < 3 -> x++\n  :: else -> assert(x < 3)\n  od\n}\n",
    "right.pml": "byte x\nactive proctype P() {\n  x = 1;\n  assert(x == 1)\n}\n",
    "model.py": "from clew.model import *\nn = 0\n@action\ndef Up():\n    global n\n    n += 1\n"
    "@guard('Up')\ndef _(): return n < 3\n",
    "bad.pml": "byte x\n",
    "cycle.pml": "bool b\nltl p { <> b }\nactive proctype P() {\n  do\n  :: skip\n  od\n}\n",
}
SHORT = {
    "wrong.pml": "violated",
    "right.pml": "holds",
    "model.py": "violated",
    "bad.pml": "error",
    "cycle.pml": "violated",
}


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """All four reports of all models, checked by one command."""
    monkeypatch.chdir(tmp_path)
    for name, text in MODELS.items():
        (tmp_path / name).write_text(text)
    forms = ("html", "junit", "sarif", "markdown")
    options = [word for form in forms for word in (f"--{form}", f"report.{form}")]
    assert main(["check", "-q", "--engine", "reference", *options, *MODELS]) == 3
    return {form: (tmp_path / f"report.{form}").read_text() for form in forms}


def test_junit_has_a_suite_for_each_model_and_fits_its_schema(reports: dict[str, str]) -> None:
    document = etree.fromstring(reports["junit"].encode())
    JUNIT.assertValid(document)
    suites = {suite.get("name"): suite for suite in document}
    assert list(suites) == list(MODELS)
    for name, verdict in SHORT.items():
        counts = {what: int(suites[name].get(what)) for what in ("failures", "errors")}
        assert counts == {"failures": verdict == "violated", "errors": verdict == "error"}, name
        for what, element in (
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ):
            assert int(suites[name].get(what)) == len(suites[name].findall(f".//{element}"))
    total = sum(int(suite.get("tests")) for suite in document)
    assert int(document.get("tests")) == total == len(document.findall(".//testcase"))
    failure = suites["wrong.pml"].find(".//failure")
    assert failure.get("message") == "assertion violated: x < 3" and "x = 3" in failure.text


def test_sarif_leads_to_the_end_of_the_counterexample(reports: dict[str, str]) -> None:
    (log,) = json.loads(reports["sarif"])["runs"]
    wrong = next(r for r in log["results"] if r["ruleId"] == "assertion")
    place = wrong["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("wrong.pml", 5)
    (flow,) = wrong["codeFlows"][0]["threadFlows"]
    assert len(flow["locations"]) >= 4 and wrong["level"] == "error"
    assert {"deadlock", "ltl"} <= {r["ruleId"] for r in log["results"]}
    assert any("bad.pml" in json.dumps(r.get("locations", "")) for r in log["results"])


def test_markdown_has_a_row_for_each_model_and_folded_traces(reports: dict[str, str]) -> None:
    rows = [line for line in reports["markdown"].split("\n") if re.match(r"\| (✅|❌|🚫) \| \w+\\?_?\w*\.", line)]
    assert len(rows) == len(MODELS)
    assert "| ❌ | `assertions` | violated | assertion violated: x &lt; 3" in reports["markdown"]
    assert reports["markdown"].count("<details>") == reports["markdown"].count("</details>") >= 4


def test_the_page_is_alone_and_shows_each_trace(reports: dict[str, str]) -> None:
    page = reports["html"]
    assert "<h1>5 models: 1 cannot be checked, 3 violated, 1 holds</h1>" in page
    assert page.count('class="trace-place"') == 3 and page.count("mountTraceView(document") == 3
    outside = [link for link in re.findall(r'(?:src|href)="([^"]*)"', page) if not link.startswith("#")]
    assert not outside and "http://" not in page.replace("http://www.w3.org/", "")


def test_a_saved_run_gives_the_same_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("wrong.pml", "cycle.pml"):
        (tmp_path / name).write_text(MODELS[name])
        for form in ("html", "junit", "sarif", "markdown"):
            assert main(["check", "-q", f"--{form}", "now", name]) == 1
            assert main(["trace", "last", f"--{form}", "later"]) == 0
            now, later = (tmp_path / file for file in ("now", "later"))
            assert re.sub(r"[\d.]+ m?s\b", "", now.read_text()) == re.sub(r"[\d.]+ m?s\b", "", later.read_text())


def test_a_page_with_a_trace_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.pml").write_text(MODELS["wrong.pml"])
    assert main(["check", "-q", "wrong.pml"]) == 1
    assert main(["trace", "--to", "html", "-o", "trace.html"]) == 0
    assert "wrong.pml: assertions" in (tmp_path / "trace.html").read_text()


def test_a_report_that_cannot_be_written_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "right.pml"
    model.write_text(MODELS["right.pml"])
    assert main(["check", "-q", "--no-run", "--junit", str(tmp_path / "gone/report.xml"), str(model)]) == 3
    assert "cannot be written" in capsys.readouterr().err


NASTY = "a <b> & \"c\" 'd' ]]> </script> `e` | \\ \x1b[31m \x00 ü ✗"


def nasty() -> Material:
    """A result whose every text tries to break out of the form it is put into."""
    trace = {
        "schema": "clew.trace/1",
        "reason": NASTY,
        "loop": None,
        "initial": {"values": {NASTY: NASTY}, "processes": [], "control": None},
        "steps": [],
        "final": {"values": {NASTY: NASTY}, "processes": [], "control": None},
    }
    answer = {
        "schema": "clew.result/1", "model": NASTY, "language": NASTY, "engine": NASTY, "options": {"a": NASTY},
        "verdict": "violated", "limits_hit": ["time"], "warnings": [],
        "properties": [
            {"name": NASTY, "kind": NASTY, "verdict": "violated", "reason": NASTY,
             "evidence": {"kind": "none", "text": NASTY}, "trace": trace},
            {"name": NASTY, "kind": NASTY, "verdict": "unknown", "reason": NASTY,
             "evidence": {"kind": "none", "text": ""}, "trace": None},
        ],
        "statistics": {"states": 1, "stored": 1, "transitions": 0, "depth": 0, "seconds": 0.5, "peak_bytes": 0,
                       "bytes_per_state": 0.0, "complete": False, "reduction": None},
    }  # fmt: skip
    return Material(NASTY, answer, {"model.pml": NASTY}, [Progress(n, n, n, n, n, n) for n in range(5)], NASTY)


def test_no_text_breaks_out_of_its_place() -> None:
    document = etree.fromstring(junit([nasty()]).encode())
    JUNIT.assertValid(document)
    assert document.find(".//error").get("message").startswith("a <b> & \"c\" 'd' ]]> </script>")
    page = html_report([nasty()])
    assert page.count("</script>") == page.count("<script ") and "<b>" not in page.replace("<figcaption><b>", "")
    summary = markdown([nasty()])
    table = [line for line in summary.split("\n") if line.startswith("| ") and "violated" in line]
    assert len(table) == 1 and table[0].split("violated")[1].count("<") == 0  # in code, hosts see no tags
    json.dumps(check_sarif([nasty()]))


# --- the course of a search


def reports_of(count: int, apart: float = 0.125) -> list[Progress]:
    return [Progress(10 * n, 20 * n, n, n, n * apart, 1000) for n in range(count)]


def test_samples_stay_few_and_keep_the_ends() -> None:
    samples = Samples(most=20)
    for progress in reports_of(1000):
        samples(progress)
    kept = samples.finished(Statistics(states=20_000, seconds=200.0))
    assert 10 <= len(kept) <= 22 and kept[0].states == 0 and kept[-1].states == 20_000
    gaps = [after.seconds - before.seconds for before, after in itertools.pairwise(kept)]
    assert max(gaps[:-1]) <= 4 * min(gaps[:-1])  # evenly spread but for the last report
    assert read_samples(json.loads(json.dumps(samples_json(kept)))) == kept


def test_a_second_search_begins_anew() -> None:
    samples = Samples()
    for progress in (*reports_of(5), *reports_of(3)):
        samples(progress)
    assert [p.states for p in samples.finished(Statistics())] == [0, 10, 20]


def test_plots_show_what_was_measured() -> None:
    found = {plot.title: plot for plot in plots(reports_of(11, 1.0))}
    assert list(found) == ["states", "states/s", "waiting", "depth", "memory"]
    assert [y for _, y in found["states/s"].points] == [10.0] * 10
    picture = etree.fromstring(plot_svg(found["states"]).encode())
    assert picture.get("aria-label") == "states found so far over time: at the end 100, at most 100"
    assert len(picture.findall("circle")) == 11
    assert plots(reports_of(2)) == ()


def test_figures_that_an_engine_does_not_count_are_left_out(tmp_path: Path) -> None:
    """The states of a relational model are counted as sets: its transitions are not 0."""
    model, report = ROOT / "examples" / "relational" / "mutex.rel", tmp_path / "report.md"
    assert main(["check", "-q", "--no-run", "--markdown", str(report), str(model)]) == 0
    text = report.read_text()
    assert "\n37 states, " in text
    assert "transition" not in text and "depth" not in text


@pytest.mark.parametrize(
    ("model", "engine", "figures"),
    [("relational/mutex.rel", "enumerative", "512 states, 1,088 transitions, "),
     ("automata/red_for_ever.hoa", "reference", "2 states, 3 transitions, ")],
)  # fmt: skip
def test_transitions_without_a_depth(model: str, engine: str, figures: str, tmp_path: Path) -> None:
    """An engine that labels a whole graph counts its transitions, and knows no depth."""
    report = tmp_path / "report.md"
    words = ["check", "-q", "--no-run", "--engine", engine, "--markdown", str(report), str(ROOT / "examples" / model)]
    assert main(words) == 0
    assert f"\n{figures}" in report.read_text()
    assert "depth" not in report.read_text()
