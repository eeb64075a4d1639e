"""The object that the trace viewer draws, and the page that carries it."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

from clew.core.traces import TraceBranch, trace_from_json
from clew.report.inline_page import VIEWER, page_file, trace_page
from clew.report.trace_view import About, Watch, trace_view
from tests.report.example import LASSO, TRACE

SOURCES = {"models/ring.pml": "\n".join(f"line {n}" for n in range(1, 31))}
ABOUT = About("models/ring.pml", "assertions")


def values_after(view: dict, position: int) -> dict[str, str | None]:
    values = list(view["initial"]["values"])
    for step in view["steps"][:position]:
        for place, value in step["changes"]:
            values[place] = value
    return dict(zip((variable["name"] for variable in view["variables"]), values, strict=True))


def test_the_changes_lead_from_the_first_state_to_the_last() -> None:
    view = trace_view(TRACE, SOURCES, ABOUT)
    last = {name: value for name, value in values_after(view, len(TRACE)).items() if value is not None}
    assert last == dict(TRACE.final.values)


def test_a_local_variable_knows_its_process() -> None:
    view = trace_view(TRACE, SOURCES, ABOUT)
    owners = {variable["name"]: variable["owner"] for variable in view["variables"]}
    assert owners["x"] is None
    assert view["processes"][owners["client(1).n"]]["title"] == "client(1)"


def test_places_name_file_line_column_and_length() -> None:
    view = trace_view(TRACE, SOURCES, ABOUT)
    file, line, column, length = view["steps"][0]["place"]
    assert (view["files"][file]["name"], line, column, length) == ("models/ring.pml", 20, 3, 4)
    assert view["files"][file]["text"] == SOURCES["models/ring.pml"]
    assert view["steps"][0]["partner_place"][1] == 4


def test_the_chart_has_every_step_with_its_number() -> None:
    events = trace_view(TRACE, SOURCES, ABOUT)["chart"]["events"]
    assert {event["step"] for event in events if "step" in event} == set(range(1, len(TRACE) + 1))
    assert events[0] == {"kind": "arrow", "step": 1, "from": 1, "to": 0, "label": "c: req,3", "waited": False}


def test_a_lasso_says_where_it_begins_and_how_it_goes_on() -> None:
    view = trace_view(LASSO, SOURCES, ABOUT)
    assert view["loop"] == LASSO.loop
    assert view["goes_on"] == f"and goes on with step {LASSO.loop + 1}"


def test_branches_are_views_of_their_own() -> None:
    tree = replace(TRACE, branches=(TraceBranch(2, "EF done", TRACE),))
    (branch,) = trace_view(tree, SOURCES, ABOUT)["branches"]
    assert (branch["at"], branch["reason"], len(branch["view"]["steps"])) == (2, "EF done", len(TRACE))


def test_watches_are_kept() -> None:
    view = trace_view(TRACE, SOURCES, ABOUT, [Watch("x + 1", ("1", "2")), Watch("y", error="no such variable")])
    assert [watch["text"] for watch in view["watches"]] == ["x + 1", "y"]
    assert view["watches"][1]["error"] == "no such variable"


def test_the_page_needs_nothing_beside_it() -> None:
    view = trace_view(TRACE, SOURCES, ABOUT, with_exports=True)
    text = trace_page(view)
    assert not re.search(r"(src|href)=", text)
    imports = json.loads(re.search(r'<script type="importmap">(.*?)</script>', text)[1])["imports"]
    for address in imports.values():
        code = base64.b64decode(address.removeprefix("data:text/javascript;base64,")).decode()
        assert set(re.findall(r'from "(.*?)"', code)) <= set(imports)
    data = json.loads(re.search(r'id="trace-data">(.*?)</script>', text)[1])
    assert data == view
    assert trace_from_json(data["exports"]["trace"]) == TRACE


def test_text_of_a_model_cannot_break_out_of_the_page() -> None:
    wicked = "</script><script>alert(1)</script><!--"
    text = trace_page(trace_view(TRACE, {"models/ring.pml": wicked}, About("<b>&", wicked)))
    assert wicked not in text
    assert "<b>&" not in text


def test_every_module_of_the_viewer_is_listed() -> None:
    used = {name for module in VIEWER for name in re.findall(r'from "clew/(.*?)"', page_file(module))}
    assert used <= set(VIEWER)
