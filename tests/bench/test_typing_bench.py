"""The bench of type inference: seeded errors in the examples are found, and its models mean what the tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.typing import corpus, mutate, size
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.typing.infer import infer


def test_seeded_errors_in_the_examples_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Sheet 20, 6.4: at least 95 %, with no errors on the originals."""
    assert mutate.run([]) == 0
    out = capsys.readouterr().out
    assert all(f"| {kind} |" in out for kind in mutate.CLASSES if kind != "wrong channel")


def test_a_mutant_differs_in_one_place() -> None:
    text = "mtype = { a };\nchan q = [1] of { mtype, byte };\ninit { byte n; q!a(1); q?a,n; n = 0 }\n"
    model = parse_text(text, "m.pml")
    found = list(mutate.mutants(text, "m.pml", model, infer(model)))
    assert ("swap fields", text.replace("a(1)", "1,a")) in found
    assert ("drop field", text.replace("q?a,n", "q?a")) in found
    assert ("extra field", text.replace("q?a,n", "q?a,n,0")) in found
    assert ("number for name", text.replace("a(1)", "7,1")) in found


def test_every_explanation_of_the_corpus_can_be_read() -> None:
    assert len({e.name for e in corpus.explanations()}) == len(corpus.explanations()) > 5


def test_an_error_without_explanation_fails_the_corpus_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.pml").write_text("proctype P(byte x) { skip }\ninit { run P() }\n")
    assert corpus.run([tmp_path], False) == 1
    assert "NOT EXPLAINED" in capsys.readouterr().out


def test_long_models_have_as_many_lines_as_they_say_and_no_errors() -> None:
    text = size.long_model(1_000)
    assert 990 <= text.count("\n") <= 1_010
    assert infer(parse_text(text, "m.pml")).diagnostics == ()
