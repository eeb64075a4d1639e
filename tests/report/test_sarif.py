"""SARIF logs: the parts that the standard (SARIF 2.1.0, OASIS) requires, and positions."""

from __future__ import annotations

import json

from clew.core.diagnostics import NOWHERE, Diagnostic, Severity, Span
from clew.report.sarif import Finding, finding, sarif_log

WRONG = Diagnostic(
    Severity.ERROR,
    "some-code",
    "is wrong",
    Span("a b.pml", 3, 5, 2),
    "make it right",
    ((Span("c.pml", 1), "said here"),),
)


def test_a_diagnostic_has_rule_level_message_and_places() -> None:
    log = sarif_log([finding(WRONG)], {"some-code": "what it means"})
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    assert run["tool"]["driver"]["rules"] == [{"id": "some-code", "shortDescription": {"text": "what it means"}}]
    (result,) = run["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("some-code", 0, "error")
    assert result["message"]["text"] == "is wrong\nmake it right"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.pml"
    assert place["region"] == {"startLine": 3, "startColumn": 5, "endColumn": 7}
    assert result["relatedLocations"][0]["message"]["text"] == "said here"
    json.dumps(log)


def test_the_way_to_a_finding_is_a_code_flow() -> None:
    steps = ((Span("a.pml", 1), "first"), (Span("a.pml", 2), "then"))
    log = sarif_log([Finding("deadlock", "error", "stuck", Span("/m/a.pml", 2), steps=steps)])
    (result,) = log["runs"][0]["results"]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [place["location"]["message"]["text"] for place in flow] == ["first", "then"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "file:///m/a.pml"


def test_a_finding_about_no_place_has_no_location() -> None:
    log = sarif_log([Finding("r", "note", "text", NOWHERE)])
    assert "locations" not in log["runs"][0]["results"][0]
    assert sarif_log([])["runs"][0]["results"] == []
