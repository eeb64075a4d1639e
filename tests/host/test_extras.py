"""The command that installs an extra asks for it where this Clew came from, not a package registry."""

from __future__ import annotations

import importlib.metadata
import json
import shlex
import sys
from pathlib import Path

import pytest

from clew.host.extras import install_command


class Installed:
    def __init__(self, origin: object) -> None:
        self.origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ({"url": "file:///home/me/my%20clew", "dir_info": {"editable": True}}, ["-e", "/home/me/my clew[smt]"]),
        ({"url": "file:///home/me/clew", "dir_info": {}}, ["/home/me/clew[smt]"]),
        ({"url": "file:///tmp/clew.whl", "archive_info": {}}, ["/tmp/clew.whl[smt]"]),
        ({"url": "https://example.org/clew.whl", "archive_info": {}}, ["clew[smt] @ https://example.org/clew.whl"]),
        (None, ["clew[smt]"]),
    ],
)
def test_of_an_installed_clew(monkeypatch: pytest.MonkeyPatch, origin: object, words: list[str]) -> None:
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Installed(origin))
    assert shlex.split(install_command("smt")) == [sys.executable, "-m", "pip", "install", *words]


def test_of_sources_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Installed:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    assert install_command("smt").endswith(shlex.quote(f"{Path(__file__).parents[2]}[smt]"))
