"""The extension for Visual Studio Code fits the language and the server; and what `clew lsp` says without pygls."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.core.registry import LANGUAGES
from clew.editor.settings import Settings, settings_from
from clew.frontends.promela.inline import KEYWORDS

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"


def test_the_grammar_knows_every_keyword() -> None:
    text = (FOLDER / "syntaxes" / "promela.tmLanguage.json").read_text()
    words = set(re.findall(r"\w+", json.dumps([p.get("match", "") for p in json.loads(text)["patterns"]])))
    assert set(KEYWORDS) - words - {"in"} == set()  # a name, but in `for`


def test_the_extension_has_the_files_of_each_language() -> None:
    languages = json.loads((FOLDER / "package.json").read_text())["contributes"]["languages"]
    known = {language["id"]: tuple(language["extensions"]) for language in languages}
    assert known == {entry.name: entry.extensions for entry in LANGUAGES if entry.name != "python"}


def test_the_server_understands_what_the_extension_sends() -> None:
    sent = re.search(r"SETTINGS = \[(.*)\]", (FOLDER / "extension.js").read_text())
    assert sent is not None
    names = re.findall(r'"(\w+)"', sent[1])
    values = {"defines": {"N": "3"}, "include": ["lib"], "distinctPid": True, "narrowing": False, "maxTime": 5}
    assert sorted(names) == sorted(values)
    found = settings_from(values)
    assert (found.defines, found.include, found.seconds) == ({"N": "3"}, ("lib",), 5)
    assert found.switches == {"distinct-pid": "yes", "narrowing": "off"}


def test_settings_that_make_no_sense_have_their_defaults() -> None:
    assert settings_from({"defines": 3, "include": "x", "maxTime": "long", "delay": None}) == Settings()
    assert settings_from(None) == Settings()


def test_without_pygls_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["lsp"]) == 3
    assert "[editor]" in capsys.readouterr().err
