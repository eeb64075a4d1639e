"""What each command prints with --json, of real models, against the schema file of what it says it is."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from clew.cli.arguments import PARSERS
from clew.cli.main import COMMANDS, main
from tests.cli.shapes import assert_fits

EXAMPLES = Path(__file__).parent.parent / "examples"
CACHE = EXAMPLES / "python" / "cache"
LOCK = """
bool locked;
active [2] proctype Thread() { byte unused; (!locked); locked = true; assert(false) }
"""
CONDITION = "absence of east == green after north == green"
PROPERTY = "absence of P globally"
WITHOUT_JSON = {"lsp"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two models, and the run of a check of one."""
    folder = tmp_path_factory.mktemp("models")
    (folder / "lock.pml").write_text(LOCK)
    (folder / "bad.pml").write_text("active proctype P() { x = 1 }\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["check", "--engine", "reference", "-q", "lock.pml"]) == 1
    return folder


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    capsys.readouterr()
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def assert_is(said: Any, schema: str) -> None:
    assert said["schema"] == schema
    assert_fits(said, f"{schema.removeprefix('clew.').removesuffix('/1')}.schema.json")


@pytest.mark.parametrize(
    ("words", "code", "schema"),
    [
        ("check --engine reference lock.pml", 1, "clew.result/1"),
        ("check --engine reference lock.pml bad.pml", 3, "clew.results/1"),
        ("check bad.pml", 3, "clew.diagnostics/1"),
        ("count --engine reference lock.pml", 0, "clew.result/1"),
        (f"check --engine native --no-run {EXAMPLES}/promela/lockfree_queue.pml", 0, "clew.result/1"),
        (f"check --reduce symmetry --no-run {EXAMPLES}/python/philosophers.py", 1, "clew.result/1"),
        ("simulate lock.pml", 1, "clew.trace/1"),
        ("trace last", 0, "clew.trace/1"),
        ("recheck last", 2, "clew.recheck/1"),
        ("graph lock.pml", 0, "clew.graph/1"),
        ("graph --what processes lock.pml", 0, "clew.graph/1"),
        ("lint lock.pml", 0, "clew.diagnostics/1"),
        ("lint --types lock.pml", 0, "clew.diagnostics/1"),
        ("lint lock.pml bad.pml", 1, "clew.results/1"),
        ("estimate --states 1e6 --memory 1M --store bitstate", 0, "clew.estimate/1"),
        ("property list", 0, "clew.property/1"),
        ("property choose 'p, q'", 2, "clew.property/1"),
        (f"property explain {PROPERTY!r}", 0, "clew.property/1"),
        (f"property formula {PROPERTY!r} --advice", 0, "clew.property/1"),
        (f"property formula {CONDITION!r} --advice --model {EXAMPLES}/promela/traffic_light.pml", 0, "clew.property/1"),
        ("property test --suite table5", 0, "clew.property/1"),
        (f"property audit {PROPERTY!r}", 0, "clew.property/1"),
        (f"test {CACHE}.py", 0, "clew.tests/1"),
        (f"test {CACHE}.py --against {CACHE}_service.py:Correct --runs 2 --timeout 10m", 0, "clew.test/1"),
        (f"test {CACHE}.py --against {CACHE}_service.py:Forgetful --timeout 10m", 1, "clew.test/1"),
        ("count --no-such-option lock.pml", 3, "clew.diagnostics/1"),
        ("chek lock.pml", 3, "clew.diagnostics/1"),
        (f"convert --to alloy {EXAMPLES / 'relational' / 'mutex.rel'}", 0, "clew.conversion/1"),
        ("doctor", 0, "clew.doctor/1"),
    ],
)
def test_every_command_says_what_its_schema_says(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    code: int,
    schema: str,
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    got, said = answer(capsys, *shlex.split(words))
    assert got == code
    assert_is(said, schema)


@pytest.mark.parametrize(
    "words",
    ["count bad.pml", "simulate bad.pml", "graph bad.pml", "explore bad.pml", "test bad.pml",
     "convert --to smv bad.pml", "estimate bad.pml", "recheck nothing", "trace nothing", "resume nothing"],
)  # fmt: skip
def test_bad_input_is_an_object_for_every_command(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.chdir(folder)
    code, said = answer(capsys, *words.split())
    assert code == 3
    assert_is(said, "clew.diagnostics/1")
    assert said["diagnostics"]


def test_every_command_has_json() -> None:
    with_json = {name for name in COMMANDS if "--json" in PARSERS[name]().format_help()}
    assert with_json == set(COMMANDS) - WITHOUT_JSON


def test_lines_of_progress_and_of_the_saved_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    main(["check", "--engine", "reference", "--progress", "json", "--runs-dir", "other", "lock.pml"])
    *progress, saved = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert progress
    for line in progress:
        assert_is(line, "clew.progress/1")
    assert_is(saved, "clew.saved/1")
