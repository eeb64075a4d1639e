"""What the page asks: the model, walks, graphs, traces; and what happens to requests that make no sense."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clew.core.registry import LANGUAGES
from clew.report.inline_page import VIEWER, page_file
from clew.web.app import EXPLORER
from tests.web.conftest import LOCK, Page, session_of


def test_the_model_is_described(page: Page) -> None:
    about = page.get("api/about").json()
    assert about["language"] == "promela"
    assert about["files"][0]["text"] == LOCK
    assert [found["name"] for found in about["properties"]][:2] == ["assertions", "deadlock"]


def test_a_step_leads_to_the_state_it_names(page: Page) -> None:
    first = page.post("api/walk", {"start": 0, "choices": [], "watches": ["inside + 1"]}).json()
    assert first["watches"][0]["value"] == "1"
    offer = first["state"]["offers"][1]
    second = page.post("api/walk", {"start": 0, "choices": [1]}).json()
    assert second["state"]["id"] == offer["target"]
    assert [step["text"] for step in second["steps"]] == [offer["text"]]


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("api/walk", {}),
        ("api/walk", {"start": "x"}),
        ("api/walk", {"start": 0, "choices": "abc"}),
        ("api/walk", {"start": 0, "choices": [77]}),
        ("api/walk", {"start": None}),
        ("api/path", {"state": 10**9}),
        ("api/grow", {"most": 0}),
        ("api/graph", {"what": "all"}),
        ("api/colours", {"states": [0], "by": "nothing_here"}),
        ("api/colours", {"states": [-3], "by": "inside"}),
        ("api/checks", {"options": "'unclosed"}),
        ("api/checks", {"options": "--json"}),
        ("api/traces/0/watch", {"text": "x"}),
        ("api/traces/walk:0.x/walk", {"position": 0}),
    ],
)
def test_requests_that_make_no_sense_are_answered_with_a_reason(page: Page, path: str, data: object) -> None:
    answer = page.post(path, data)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_what_is_not_json_is_refused(page: Page) -> None:
    assert page.client.post("/" + page.client.base_url.path + "x").status_code == 403
    answer = page.post("api/walk", [1, 2])
    assert (answer.status_code, answer.json()["error"]) == (400, "the request is not a JSON object")


@pytest.mark.parametrize("path", ["api/nothing", "page/../app.py", "page/secrets.txt", "api/checks/7"])
def test_what_is_not_there(page: Page, path: str) -> None:
    assert page.get(path).status_code in (400, 404)


def test_every_module_of_the_page_is_served(page: Page) -> None:
    for name in (*VIEWER, *EXPLORER):
        assert page.get(f"page/{name}").headers["content-type"].startswith("text/javascript")
        assert set(re.findall(r'from "clew/(.*?)"', page_file(name))) <= {*VIEWER, *EXPLORER}


def test_a_walk_is_shown_as_a_trace_and_exported(page: Page) -> None:
    view = page.get("api/traces/walk:0.0.0").json()
    assert (view["schema"], view["kind"], len(view["steps"])) == ("clew.view/1", "walk", 2)
    watch = page.post("api/traces/walk:0.0.0/watch", {"text": "busy"}).json()
    assert watch["values"][0] == "false"
    assert page.get("api/traces/walk:0.0.0/as/mermaid").text.startswith("sequenceDiagram")
    assert page.get("api/traces/walk:0.0.0/as/html").text.startswith("<!doctype html>")
    assert page.get("api/traces/walk:0.0.0/as/pdf").status_code == 400


def test_a_model_edited_underneath_is_noticed_and_read_again(page: Page, model: Path) -> None:
    assert page.get("api/status").json()["edited"] == []
    model.write_text(LOCK.replace("[2]", "[3]"))
    assert page.get("api/status").json()["edited"] == [str(model)]
    assert page.post("api/walk", {"start": 0, "generation": 1}).json()["state"]["offers"].__len__() == 2
    assert page.post("api/reload").json()["generation"] == 2
    assert len(page.post("api/walk", {"start": 0}).json()["state"]["offers"]) == 3
    assert page.post("api/walk", {"start": 0, "generation": 1}).status_code == 409


def test_a_model_broken_underneath_leaves_the_one_read_before(page: Page, model: Path) -> None:
    model.write_text("active proctype {")
    status = page.post("api/reload").json()
    assert status["generation"] == 1
    assert status["trouble"][0]["severity"] == "error"
    assert page.post("api/walk", {"start": 0}).status_code == 200
    model.unlink()
    assert page.get("api/status").json()["edited"] == [str(model)]


def test_the_whole_graph_is_drawn_after_growing(page: Page) -> None:
    while page.post("api/grow", {"most": 2000}).json()["going_on"]:
        pass
    graph = page.post("api/graph", {"what": "all"}).json()
    assert graph["complete"]
    assert graph["states"] == len(graph["nodes"])
    parts = page.post("api/graph", {"what": "all", "by": ["busy", "process:user(0)"]}).json()
    assert len(parts["nodes"]) < graph["states"]
    here = page.post("api/class", {"state": 0, "by": ["busy", "process:user(0)"]}).json()["name"]
    assert here in ["\n".join(node["lines"][:-1]) for node in parts["nodes"]]


def test_automata_are_placed(page: Page) -> None:
    (automaton,) = page.get("api/automata").json()["automata"]
    assert automaton["name"] == "user"
    assert sum(node["initial"] for node in automaton["nodes"]) == 1


MODELS = {
    "promela": "examples/promela/token_ring.pml",
    "python": "examples/python/bounded_queue.py",
    "automaton": "examples/automata/red_for_ever.hoa",
    "relational": "examples/relational/ring_token.rel",
}


@pytest.mark.parametrize("language", [entry.name for entry in LANGUAGES])
def test_every_language_can_be_walked_through(language: str, tmp_path: Path) -> None:
    page = Page(session_of(Path(MODELS[language]), tmp_path))
    about = page.get("api/about").json()
    assert about["space"] and about["language"] == language
    here = page.post("api/walk", {"start": about["initial"][0]}).json()
    assert here["state"]["offers"]
    further = page.post("api/walk", {"start": about["initial"][0], "choices": [0]}).json()
    assert further["state"]["id"] == here["state"]["offers"][0]["target"]
