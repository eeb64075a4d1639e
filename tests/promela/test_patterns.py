"""Properties in words, checked of a model by both engines; what words mean is tested in `tests/logic/patterns`."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.cli.product_sizes import product_size
from clew.core.diagnostics import InputError
from clew.core.registry import LoadedModel, LoadOptions
from clew.frontends.promela.language import LANGUAGE
from clew.logic.parse import parse_ltl
from clew.logic.patterns.bed import promela
from clew.logic.patterns.testing import RUNNERS, questions, run, suite
from tests.promela.test_temporal import ENGINES, ask, cache

__all__ = ["cache"]  # a fixture

DOOR = """
mtype = { opened, shut };
mtype door = shut; bool moving; byte floor;
active proctype Lift() {
  do
  :: door == shut -> moving = true; floor = 1 - floor; moving = false
  :: !moving -> door = opened; door = shut
  od
}
"""
WORDS = [
    ("absence of moving between door == opened and door == shut", "holds"),
    ("universality of (door == shut) globally", "violated"),
    ("(floor == 1) responds to moving globally", "violated"),
    ("existence of moving before floor == 1", "holds"),
    ("moving precedes floor == 1, globally", "holds"),
    ("absence of ConsecutiveC(moving, door == opened) globally", "holds"),
]


def loaded(words: str) -> LoadedModel:
    return LANGUAGE.load("door.pml", DOOR, LoadOptions(patterns=(words,)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("words", "expected"), WORDS)
def test_verdicts(engine: str, words: str, expected: str) -> None:
    (decision,) = ask(engine, loaded(words), words).decisions
    assert (decision.property.kind, decision.verdict) == ("pattern", expected)


@pytest.mark.parametrize(
    ("words", "place", "message"),
    [
        ("absence of ladder between moving and floor", 12, "undeclared variable 'ladder'"),
        ("absence of", 11, "expected what the absence is about, found the end"),
    ],
)
def test_mistakes_have_their_place(words: str, place: int, message: str) -> None:
    with pytest.raises(InputError) as error:
        loaded(words)
    (first,) = error.value.diagnostics
    assert (first.span.file, first.span.column) == ("--pattern", place)
    assert first.message == message


def test_what_a_formula_costs_on_a_model(tmp_path: Path) -> None:
    """Three states, and for a formula that fails not all of the product."""
    model = tmp_path / "round.pml"
    model.write_text("byte x; active proctype P() { do :: x = (x + 1) % N od }")
    assert product_size(str(model), {"N": "3"}, parse_ltl('G "x < 3"')) == {
        "verdict": "holds", "states": 3, "transitions": 3, "complete": True,
    }  # fmt: skip
    violated = product_size(str(model), {"N": "4"}, parse_ltl('F G "x < 3"'))
    assert (violated["verdict"], violated["complete"]) == ("violated", False)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dialect", ["sps", "prospec", "prospec-fixed"])
def test_the_traces_of_the_study_as_models(dialect: str, engine: str) -> None:
    """Tables 5 and 6 of the case study, as the counter programs that Spin gets, too."""
    for table in ("table5", "table6"):
        cases = suite(table, dialect)
        model = LANGUAGE.load("bed.pml", promela(questions(cases, dialect)), LoadOptions())
        names = [f"c{number}" for number in range(len(cases))]
        verdicts = [decision.verdict == "holds" for decision in ask(engine, model, *names).decisions]
        assert verdicts == [outcome.actual for outcome in run(cases, dialect, RUNNERS["definition"])]
