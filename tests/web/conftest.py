"""A server without a network: requests go straight to the application behind its guard."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from clew.host.checking import ModelOptions
from clew.host.live_checks import LiveChecks
from clew.report.explorer.subject import Subject
from clew.web.app import application
from clew.web.guard import Guard
from clew.web.session import CheckPlace, Session

TOKEN = "a-token-that-nobody-guesses"
PORT = 4711
LOCK = """\
byte inside; bool busy;
active [2] proctype user() {
  do :: !busy -> busy = true; inside++; assert(inside == 1); inside--; busy = false od
}
"""
# A billion states, and each step takes long: however slow everything else is, no limit is hit.
ENDLESS = """\
int a, b, c, i;
active proctype count() {
  do
  :: d_step { do :: i < 100 -> i++ :: else -> break od; i = 0; a = (a + 1) % 1000 }
  :: b = (b + 1) % 1000
  :: c = (c + 1) % 1000
  od
}
"""


class Page:
    """What a browser that has the address can ask."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.client = TestClient(
            Guard(application(session), TOKEN, PORT), base_url=f"http://127.0.0.1:{PORT}", raise_server_exceptions=False
        )

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(f"/{TOKEN}/{path}", **more)

    def post(self, path: str, data: Any = None, **more: Any) -> Any:
        return self.client.post(f"/{TOKEN}/{path}", json={} if data is None else data, **more)

    def when(self, number: int, far: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The check when it has come so far; the limit is only there so that a mistake does not hang."""
        for _ in range(12_000):
            found: dict[str, Any] = self.get(f"api/checks/{number}").json()
            if far(found):
                return found
            time.sleep(0.05)
        pytest.fail(f"the check is still {found['state']}: {found}")

    def ended(self, number: int) -> dict[str, Any]:
        return self.when(number, lambda check: check["state"] not in ("running", "stopping"))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "lock.pml"
    path.write_text(LOCK)
    return path


def session_of(path: Path, runs: Path, *words: str) -> Session:
    read = lambda: Subject.of_file(str(path), ModelOptions())  # noqa: E731
    return Session(read, LiveChecks(runs), CheckPlace(str(path), words))


@pytest.fixture
def page(model: Path, tmp_path: Path) -> Iterator[Page]:
    session = session_of(model, tmp_path / "runs")
    yield Page(session)
    session.checks.end_all()


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[Page]:
    """About a model whose check does not end by itself."""
    path = tmp_path / "endless.pml"
    path.write_text(ENDLESS)
    session = session_of(path, tmp_path / "runs", "--max-memory", "1G")
    yield Page(session)
    session.checks.end_all()
