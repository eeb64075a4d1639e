"""What is there is told: every module says what it is for, every option and every folder is in the documentation."""

from __future__ import annotations

import argparse
import ast
import re
from pathlib import Path

import pytest

from clew.cli.arguments import PARSERS
from clew.core.registry import LANGUAGES

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "clew"
DOCS = "\n".join(path.read_text("utf-8") for path in ROOT.glob("docs/**/*.md"))


def test_every_module_says_what_it_is_for() -> None:
    said = {path: ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "" for path in SOURCES.rglob("*.py")}
    assert [path for path, words in said.items() if len(words.split()) < 5] == []


def test_every_file_of_c_and_javascript_begins_with_what_it_is_for() -> None:
    sources = [path for ending in ("h", "c", "js") for path in SOURCES.rglob(f"*.{ending}")]
    assert [path for path in sources if not path.read_text("utf-8").lstrip().startswith(("/*", "//"))] == []


@pytest.mark.parametrize("command", PARSERS)
def test_every_option_of_a_command_is_documented(command: str) -> None:
    parser: argparse.ArgumentParser = PARSERS[command]()
    for action in parser._actions:
        names = action.option_strings
        known = any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", DOCS) for name in names)
        assert known or not names or "--help" in names, f"{names} is in no page"


def test_every_folder_is_in_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    folders = [path.parent for path in SOURCES.rglob("__init__.py") if path.parent != SOURCES]
    told = [f for f in folders if f"`{f.relative_to(SOURCES)}/" in page or f"`{f.name}/" in page]
    assert [folder for folder in folders if folder not in told] == []


def test_options_that_only_some_languages_have_are_known_to_the_command_line() -> None:
    parser: argparse.ArgumentParser = PARSERS["check"]()
    told = {option for entry in LANGUAGES for option in entry.options}
    groups = ("the model", "types of Promela models", "relational models")
    offered = {
        name
        for group in parser._action_groups
        if group.title in groups
        for a in group._group_actions
        for name in a.option_strings
    }
    assert told - {"--no-symmetry"} == offered - {"--language"}


ANOTHER_KIND_OF_VALUE = {  # option: where it takes something else than elsewhere, and why
    ("--store", "estimate"): "several at once, to compare them",
    ("--checkpoint", "resume"): "there is one already: only how often",
    ("--suite", "property"): "test cases for formulas, which have names",
    ("--to", "property"): "one notation or several",
}


def test_the_same_option_takes_the_same_in_every_command() -> None:
    found: dict[str, dict[object, list[str]]] = {}
    for command, make in PARSERS.items():
        parser: argparse.ArgumentParser = make()
        for action in parser._actions:
            for name in action.option_strings:
                if (name, command) not in ANOTHER_KIND_OF_VALUE:
                    takes = (action.nargs, action.metavar, action.type) if name not in ("-v", "--verbose") else None
                    found.setdefault(name, {}).setdefault(takes, []).append(command)
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}
