"""Checks begun from the page: watched, stopped, killed; each is a real child process."""

from __future__ import annotations

import os
import signal
from typing import Any

from clew.host.live_checks import LiveCheck
from clew.web.session import check_json
from tests.web.conftest import Page


def with_samples(page: Page) -> dict[str, Any]:
    """The check when it has reported something."""
    return page.when(0, lambda check: bool(check["samples"]) or check["state"] != "running")


def test_a_check_ends_with_its_result_and_its_trace(page: Page) -> None:
    number = page.post("api/checks", {"properties": ["assertions"], "engine": "reference"}).json()["number"]
    ended = page.ended(number)
    assert (ended["state"], ended["result"]["verdict"]) == ("finished", "violated")
    (trace,) = page.get("api/traces").json()
    assert (trace["property"], trace["run"]) == ("assertions", ended["run"])
    view = page.get("api/traces/0").json()
    assert len(view["steps"]) == trace["steps"]
    place = page.post("api/traces/0/walk", {"position": trace["steps"] - 1}).json()
    assert len(place["choices"]) == trace["steps"] - 1


def test_bad_options_are_the_checks_answer(page: Page) -> None:
    page.post("api/checks", {"options": "--no-such-option"})
    ended = page.ended(0)
    assert ended["state"] == "failed"
    assert "no option --no-such-option" in ended["message"]


def test_a_running_check_reports_and_can_be_stopped(endless: Page) -> None:
    endless.post("api/checks", {"engine": "reference"})
    sample = with_samples(endless)["samples"][0]
    assert sample["states"] > 0
    endless.post("api/checks/0/stop")
    ended = endless.ended(0)
    assert (ended["state"], ended["result"]["limits_hit"]) == ("finished", ["interrupt"])


def test_a_killed_check_is_shown_as_such(endless: Page) -> None:
    endless.post("api/checks", {"engine": "reference"})
    with_samples(endless)
    child = endless.session.checks._children[0]
    os.kill(child.pid, signal.SIGKILL)
    ended = endless.ended(0)
    assert ended["state"] == "killed"
    assert "SIGKILL" in ended["message"]


def test_only_new_reports_are_sent(endless: Page) -> None:
    endless.post("api/checks", {"engine": "reference"})
    with_samples(endless)
    later = endless.get("api/checks/0?since=1").json()
    assert later["first"] == 1
    assert later["samples"] == endless.session.checks.all[0].samples[1 : 1 + len(later["samples"])]


def test_a_result_is_shown_only_when_the_check_has_ended() -> None:
    """The thread that reads the answer writes the result before it says so; pages may ask in between."""
    check = LiveCheck(0, "", "m.pml", "stopping", result={"verdict": "unknown"})
    assert check_json(check)["result"] == {}
    check.state = "finished"
    assert check_json(check)["result"] == {"verdict": "unknown"}
