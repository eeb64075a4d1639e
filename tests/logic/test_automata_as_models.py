"""`clew check FILE.hoa`: whether an automaton accepts anything, by both engines, with a run that is judged."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main
from clew.core.engines import Answer, Limits, Request
from clew.core.registry import LoadedModel, LoadOptions, language_of, load_engine, load_language
from clew.core.replay import ReplayError
from clew.frontends.automata.language import LANGUAGE
from clew.host.compiler import find_compiler
from clew.logic.accepting import automaton_of
from clew.logic.automaton_space import accepting_trace
from clew.logic.marked_graphs import Arc, Lasso, MarkedGraph, accepting_run, fault, has_accepting_run

EXAMPLES = Path(__file__).parents[2] / "examples" / "automata"
ENGINES = [
    "reference",
    pytest.param("native", marks=pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")),
]


def loaded(path: Path) -> LoadedModel:
    text = path.read_text()
    return load_language(language_of(str(path), text)).load(str(path), text, LoadOptions())


def ask(engine: str, model: LoadedModel, limits: Limits = Limits(), **options: Any) -> Answer:  # noqa: B008
    return load_engine(engine).run(Request(model.view, model.properties, limits=limits, options=options))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_have_the_verdict_they_say(engine: str, path: Path) -> None:
    expected = re.search(r"expect: accepts (\w+)", path.read_text())
    (decision,) = ask(engine, loaded(path)).decisions
    assert expected is not None and decision.verdict == expected[1]


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("algorithm", ["cou99", "gv04", "tau03-opt", "sweep"])
def test_algorithms_find_a_run_that_is_judged(algorithm: str) -> None:
    model = loaded(EXAMPLES / "two_sets.hoa")
    (decision,) = ask("native", model, algorithm=algorithm).decisions
    automaton = automaton_of(model.view)
    assert decision.trace is not None and decision.trace.loop == 1 and automaton is not None
    with pytest.raises(ReplayError, match="not accepting"):
        accepting_trace(automaton, Lasso((1,), (1, 0)))


def test_a_limit_leaves_it_open() -> None:
    (decision,) = ask("reference", loaded(EXAMPLES / "two_sets.hoa"), Limits(states=2)).decisions
    assert (decision.verdict, decision.reason) == ("unknown", "limit hit: states")


@pytest.mark.parametrize("seed", range(200))
def test_plain_search_finds_a_run_where_there_is_one(seed: int) -> None:
    dice = random.Random(seed)
    states, sets = dice.randint(1, 8), dice.randint(0, 3)
    arcs = [
        [Arc(dice.randrange(states), dice.getrandbits(sets) if sets else 0) for _ in range(dice.randint(0, 2))]
        for _ in range(states)
    ]
    graph = MarkedGraph(sets, arcs)
    run = accepting_run(graph)
    assert (run is not None) == has_accepting_run(graph)
    assert run is None or fault(graph, run) is None


def test_the_command_shows_saves_and_replays_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--json", "--runs-dir", str(tmp_path), str(EXAMPLES / "two_sets.hoa")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["language"], said["properties"][0]["kind"]) == ("automaton", "accepting")
    assert main(["trace", "--replay", "--runs-dir", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "witness of accepts" in shown.out and "✓ this run is accepting" in shown.out
    assert "confirmed" in shown.err
    assert main(["check", "--no-run", "-q", str(EXAMPLES / "never_both.edges")]) == 1


@pytest.mark.parametrize(
    ("text", "place"),
    [("HOA: v1\nStates: 1\n--BODY--\nState: 0\n[0] 0\n--END--\n", ":4:1"), ("HOA: v1\nStates: x", ":2:9")],
)
def test_bad_files_have_a_place(text: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.hoa"
    path.write_text(text)
    assert main(["check", "--no-run", str(path)]) == 3
    assert f"bad.hoa{place}: error" in capsys.readouterr().err


def test_formulas_about_an_automaton_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-run", "--ltl", "[] a", str(EXAMPLES / "two_sets.hoa")]) == 3
    assert "an automaton is only asked whether it accepts a run" in capsys.readouterr().err


def test_editors_know_the_states() -> None:
    path = EXAMPLES / "two_sets.hoa"
    outline = LANGUAGE.outline(str(path), path.read_text(), LoadOptions())
    assert [d.name for d in outline.definitions] == ["0", "1", "2"]
    assert [span.line for span in outline.places(1)] == [16, 17, 19, 21]
    path = EXAMPLES / "never_both.edges"
    outline = LANGUAGE.outline(str(path), path.read_text(), LoadOptions())
    assert [(d.name, d.kind) for d in outline.definitions][:3] == [
        ("f", "constant"),
        ("g", "constant"),
        ("s0", "label"),
    ]


def test_lint_reads_automata() -> None:
    assert LANGUAGE.lint("a.hoa", "HOA: v2", LoadOptions())
    path = EXAMPLES / "two_sets.hoa"
    assert LANGUAGE.lint(str(path), path.read_text(), LoadOptions()) == ()
