"""Temporal properties of Promela models, decided by both engines: verdicts, sizes, runs that end, fairness, judges."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.conformance.random_formulas import with_formulas
from bench.conformance.random_promela import generate
from bench.spin.temporal import Verifier
from clew.cli.main import main
from clew.core.diagnostics import InputError
from clew.core.engines import Answer, Limits, Progress, Request
from clew.core.registry import LoadedModel, LoadOptions, load_engine
from clew.core.replay import ReplayError
from clew.core.results import Decision
from clew.explicit.program import ProgramError, Report
from clew.frontends.promela.language import LANGUAGE
from clew.host.compiler import find_compiler
from clew.logic.questions import question
from clew.logic.witnesses import Lasso, rejudged, witness
from tests.explicit.native import QUICK
from tests.promela.temporal_models import CASES, COUNTER, STOPS, STUCK, TWO, Case

HAVE_SPIN = shutil.which("spin") is not None and shutil.which("gcc") is not None
ENGINES = [
    "reference",
    pytest.param("native", marks=pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")),
]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled models of the tests go to a folder of their own."""
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path_factory.getbasetemp() / "clew-cache"))


def loaded(text: str, *formulas: str) -> LoadedModel:
    return LANGUAGE.load("m.pml", text, LoadOptions(formulas=formulas))


def ask(engine: str, model: LoadedModel, *names: str, limits: Limits = Limits(), **options: Any) -> Answer:  # noqa: B008
    known = (*model.properties, *model.further)
    chosen = tuple(p for name in names for p in known if p.name == name)
    flags = {"flags": QUICK} if engine == "native" else {}
    return load_engine(engine).run(Request(model.view, chosen, limits=limits, options={**options, **flags}))


def decide(engine: str, text: str, formula: str, **options: Any) -> Decision:
    (decision,) = ask(engine, loaded(text, formula), formula, **options).decisions
    return decision


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_are_those_of_spin(engine: str, case: Case) -> None:
    model = loaded(case.text)
    chosen = (0, 1) if engine == "reference" else (CASES.index(case) % 2,)  # compiling takes time
    for n in chosen:
        (decision,) = ask(engine, model, case.property, fair=("none", "weak")[n]).decisions
        assert decision.verdict == case.verdicts[n]


@pytest.mark.skipif(not HAVE_SPIN, reason="not compared with Spin: spin or gcc is not installed")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_spin_says_so(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "m.pml"
    path.write_text(case.text)
    (tmp_path / "spin").mkdir()
    spin = Verifier(path, tmp_path / "spin")
    ask_spin = {"acceptance": spin.acceptance, "progress": spin.progress}.get(case.property)
    for fair, expected in zip((False, True), case.verdicts, strict=True):
        said = spin.claim(None, fair=fair) if ask_spin is None else ask_spin(fair=fair)
        assert said.verdict == expected, said.message


@pytest.mark.parametrize("engine", ENGINES)
def test_size_of_a_product(engine: str) -> None:
    """Sheet 35, K4: Spin stores 22 states; here the automata of the formula happen to agree."""
    answer = ask(engine, loaded(COUNTER + " ltl p { []<> (g == 5) }"), "p")
    assert answer.statistics.states == 22
    evidence = answer.decisions[0].evidence
    assert evidence.kind == "exhaustive"
    assert evidence.text.startswith("exhaustive: product of 22 states, automaton of 2 states, 3 edges")


def test_depth_of_a_product() -> None:
    """Two steps for each number, one out of the loop and one to end, beside an automaton that waits."""
    text = "byte g; active proctype P() { do :: g < 5 -> g++ :: else -> break od }"
    assert ask("reference", loaded(text, "[] (g < 7)"), "[] (g < 7)").statistics.depth == 12


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("formula", "verdict"), [("[]<> (g == 5)", "holds"), ("<>[] (g == 5)", "violated")])
def test_a_run_that_was_found_ends_the_search(engine: str, formula: str, verdict: str) -> None:
    answer = ask(engine, loaded(COUNTER, formula), formula)
    assert (answer.decisions[0].verdict, answer.statistics.complete) == (verdict, verdict == "holds")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_depth_limit_is_said_not_to_apply(engine: str) -> None:
    answer = ask(engine, loaded(COUNTER + " ltl p { []<> (g == 5) }"), "p", limits=Limits(depth=2))
    assert "the depth limit does not apply to temporal properties" in answer.notes
    assert answer.statistics.complete


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    ("servers", "fair", "figures"),
    [(1, "none", (783, 2371, 511)), (1, "weak", (783, 2371, 511)), (3, "weak", (22147, 93537, 12799))],
)
def test_client_and_server(servers: int, fair: str, figures: tuple[int, int, int]) -> None:
    """Sheet 14, Table 3: states, transitions and stack of Cou99 (3 servers: as measured on the complete graph)."""
    text = (Path(__file__).parents[2] / "bench/models/client_server.pml").read_text()
    options = LoadOptions({"SERVERS": str(servers)}, switches={"granularity": "fine"})
    answer = ask("native", LANGUAGE.load("m.pml", text, options), "served", fair=fair, algorithm="cou99")
    found = answer.statistics
    assert (found.states, found.transitions, found.depth) == figures
    assert answer.decisions[0].verdict == "holds"


@pytest.mark.parametrize("seed", range(1, 31))
def test_random_formulas_on_random_programs(seed: int) -> None:
    """The native engine agrees with the reference engine, and both give runs that their judges accept."""
    if find_compiler() is None:
        pytest.skip("there is no C compiler")
    text, names = with_formulas(generate(seed), random.Random(seed))
    model = loaded(text)
    fair = ("none", "weak")[seed % 2]
    limits = Limits(states=3_000)
    expected = ask("reference", model, *names, limits=limits, fair=fair)
    if expected.limits_hit:
        return
    algorithm = ("auto", "sweep")[seed // 2 % 2]
    found = ask("native", model, *names, fair=fair, algorithm=algorithm)
    assert [d.verdict for d in found.decisions] == [d.verdict for d in expected.decisions]
    for ours, theirs in zip(found.decisions, expected.decisions, strict=True):
        if ours.verdict == "holds":
            assert re.split(", (?:cou99|sweep)", ours.evidence.text)[0] == theirs.evidence.text.split(", components")[0]


MANY_STEPS = """
byte x, b;
active proctype Chooser() { do %s od }
active proctype Toggle() { do :: b = 1 - b od }
active proctype Waits() { x == 5; done: skip }
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("formula", "fair", "verdict"),
    [
        ("<> Waits@done", "weak", "violated"),  # x == 5 is not true all the time
        ("[]<> (b == 1)", "weak", "holds"),
        ("[]<> (b == 1)", "none", "violated"),
    ],
)
def test_states_with_more_steps_than_fit_a_batch(engine: str, formula: str, fair: str, verdict: str) -> None:
    """Which processes cannot move is known only when some of the steps are stored already."""
    text = MANY_STEPS % " ".join(f":: x = {n}" for n in range(150))
    options = {} if engine == "reference" else {"algorithm": "sweep"}
    assert decide(engine, text, formula, fair=fair, **options).verdict == verdict


# --- formulas of the command line


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("G F g == 5", "holds"),
        ("[]<> g == 5 && ! F G g == 5", "holds"),
        ("F (g == 3 && X G g > 2)", "violated"),
        ("five M true", "holds"),
        ("G (P@again -> g == 0)", "violated"),
        ('G "g < 5 | g == 5"', "holds"),
    ],
)
def test_formulas_from_outside_see_the_names_of_the_model(formula: str, verdict: str) -> None:
    text = "#define five (g == 5)\n" + COUNTER.replace("do ::", "again: do ::")
    assert decide("reference", text, formula).verdict == verdict


@pytest.mark.parametrize(
    ("formula", "line", "column", "words"),
    [
        ("[] h == 1", 1, 4, "undeclared variable 'h'"),
        ("[] (g == 1 &&\n <> P@nowhere)", 2, 5, "no label 'nowhere'"),
        ("[] (g == 1", 1, 4, "never closed"),
        ("[] g == ", 1, 8, "expression"),
        ("", 1, 1, "empty"),
    ],
)
def test_errors_in_formulas_have_a_place(formula: str, line: int, column: int, words: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded(COUNTER, formula)
    found = caught.value.diagnostics[0]
    assert words in found.message
    assert (found.span.file, found.span.line) == ("--ltl", line)
    assert abs(found.span.column - column) <= 1


def test_a_formula_leaves_the_saved_text_alone() -> None:
    model = loaded(COUNTER, "[] g < 6")
    assert model.files == (("m.pml", COUNTER), ("--ltl", "[] g < 6"))


# --- runs that end, fairness, evidence


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("formula", "stutter", "maximal", "infinite"),
    [
        ("F G g == 2", "holds", "holds", "holds"),
        ("F g == 3", "violated", "violated", "holds"),
        ("G (g == 1 -> X g == 2)", "holds", "holds", "holds"),
        ("G (g == 2 -> X true)", "holds", "violated", "holds"),
        ("G (g == 2 -> X g == 2)", "holds", "violated", "holds"),
        ("g < 2 W g == 3", "violated", "violated", "holds"),
        ("g < 3 W g == 3", "holds", "holds", "holds"),
    ],
)
def test_what_a_run_that_ends_means(engine: str, formula: str, stutter: str, maximal: str, infinite: str) -> None:
    ends = ("stutter", "maximal", "infinite")
    assert [decide(engine, STOPS, formula, ends=e).verdict for e in ends] == [stutter, maximal, infinite]


@pytest.mark.parametrize("engine", ENGINES)
def test_infinite_runs_only_and_stuck(engine: str) -> None:
    answer = ask(engine, loaded(STUCK, "F g == 9"), "F g == 9", ends="infinite")
    assert answer.decisions[0].verdict == "holds"
    assert answer.notes == ("runs that end were left out (--ends infinite), and the system can get stuck",)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_ends_repeats_its_last_state(engine: str) -> None:
    trace = decide(engine, STOPS, "G F g == 1").trace
    assert trace is not None
    assert trace.loop == len(trace) == 3


STRONG = """byte turn, n;
active proctype A() { do :: turn = 1; turn = 0 od }
active proctype B() { do :: turn == 0 -> n = 1 - n od }"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("order", [1, -1])
def test_a_process_of_lower_priority_does_not_wait_unfairly(engine: str, order: int) -> None:
    """It may never move, so the cycle of the other is fair. Spin -f finds it only where the other has the lower pid."""
    low = "active proctype Q() priority 1 { g = 7 }"
    high = "active proctype P() priority 3 { do :: g = 1 - g od }"
    text = "byte g;" + " ".join([low, high][::order])
    assert decide(engine, text, "<> (g == 5)", fair="weak").verdict == "violated"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kept", ["provided (g < 2) { byte x; do :: x = 1 - x od }", "{ do :: (g < 2) od }"])
def test_a_process_kept_from_moving_by_its_clause_does_not_wait_unfairly(engine: str, kept: str) -> None:
    """Spin finds the second only: with -f it overlooks cycles beside a `provided` that is false."""
    text = f"byte g; active proctype A() {kept} active proctype C() {{ g = 2; do :: (g > 0); skip od }}"
    assert decide(engine, text, "<> [] (g != 2)", fair="weak").verdict == "violated"


@pytest.mark.parametrize("engine", ENGINES)
def test_strong_fairness_is_more(engine: str) -> None:
    """B can move again and again, but not all the time."""
    formula = "G F n == 1"
    verdicts = [decide(engine, STRONG, formula, fair=fair).verdict for fair in ("none", "weak", "strong")]
    assert verdicts == ["violated", "violated", "holds"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_strongly_fair_run_stays_where_a_process_cannot_move(engine: str) -> None:
    """Only in the states that A can stay in without B is a run without `n == 1` fair."""
    staying = "do :: turn = 1; turn = 0 :: turn = 1 -> do :: turn = 2 - turn / 2 :: turn = 0; break od od"
    text = STRONG.replace("do :: turn = 1; turn = 0 od", staying)
    decision = decide(engine, text, "G F n == 1", fair="strong")
    assert decision.verdict == "violated" and decision.trace is not None


def guarded_commands(dice: random.Random) -> str:
    """A few processes that wait for each other's bits: runs fair in one way and not in the other abound."""
    bits = [f"b{n}" for n in range(dice.randint(2, 4))]
    processes = []
    for name in "ABC"[: dice.randint(2, 3)]:
        options = []
        for _ in range(dice.randint(1, 3)):
            guard = " && ".join(f"{bit} == {dice.randrange(2)}" for bit in dice.sample(bits, dice.randint(1, 2)))
            changes = [
                f"{bit} = {dice.choice(('0', '1', '1 - ' + bit))}" for bit in dice.sample(bits, dice.randint(1, 2))
            ]
            body = f"{guard} -> {'; '.join(changes)}"
            options.append(f":: atomic {{ {body} }}" if dice.random() < 0.5 else f":: {body}")
        processes.append(f"active proctype {name}() {{ do {' '.join(options)} od }}")
    return "\n".join([f"bit {', '.join(bits)};", *processes])


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("seed", range(1, 16))
def test_strong_fairness_by_both_engines(seed: int) -> None:
    """Each run found is judged, too."""
    dice = random.Random(seed)
    model = loaded(guarded_commands(dice), "[] <> (b0 == 1)", "<> [] (b1 == 0) || [] <> (b0 != b1)")
    names = [asked.name for asked in model.properties if asked.kind == "ltl"]
    expected = ask("reference", model, *names, fair="strong")
    found = ask("native", model, *names, fair="strong", workers=seed % 2 + 1)
    assert [d.verdict for d in found.decisions] == [d.verdict for d in expected.decisions]


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_strong_fairness_has_algorithms_of_its_own() -> None:
    model = loaded(STRONG, "G F n == 1")
    request = Request(model.view, (model.properties[-1],), options={"fair": "strong", "algorithm": "cou99"})
    assert load_engine("native").refuses(request) == "strong fairness is decided by auto and sweep only"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tautology_needs_no_search(engine: str) -> None:
    decision = decide(engine, COUNTER, "F g == 1 || G !(g == 1)")
    assert (decision.verdict, decision.evidence.kind) == ("holds", "tautology")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_leaves_it_open(engine: str) -> None:
    decision = decide(engine, COUNTER, "G F g == 5", limits=Limits(states=5))
    assert (decision.verdict, decision.reason) == ("unknown", "limit hit: states")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_condition_without_a_value_leaves_it_open(engine: str) -> None:
    text = "byte a[2], g; active proctype P() { do :: g = (g + 1) % 4 od }"
    decision = decide(engine, text, "G a[g] == 0")
    assert (decision.verdict, decision.reason) == (
        "unknown",
        "nothing is explored behind a run-time error, in the model or in the formula",
    )


def test_a_claim_that_is_more_than_an_automaton() -> None:
    text = COUNTER + " never { byte k; do :: k < 3 -> k++ :: k == 3 -> break od }"
    model = loaded(text)
    (decision,) = ask("reference", model, "never_0").decisions
    assert (decision.verdict, decision.reason) == ("violated", "the never claim reached its end")
    assert decision.trace is not None and decision.trace.loop is None
    if find_compiler() is not None:
        request = Request(model.view, (decision.property,))
        assert load_engine("native").refuses(request) == "a never claim with variables is left to the reference engine"


# --- the judges


def test_judges_refuse_runs_that_are_none() -> None:
    model = loaded(TWO, "G F y == 1")
    asked = model.properties[-1]
    wanted = question(model.view, asked, None, "none")
    (decision,) = ask("reference", model, asked.name).decisions
    trace = decision.trace
    assert trace is not None and trace.loop is not None
    assert rejudged(model.view, wanted, trace) == trace
    weak = question(model.view, asked, None, "weak")
    with pytest.raises(ReplayError, match="not fair to process 1"):
        rejudged(model.view, weak, trace)
    with pytest.raises(ReplayError, match="could leave"):
        witness(model.view, wanted, Lasso(()))
    with pytest.raises(ReplayError, match="does not come back"):
        rejudged(model.view, wanted, replace(trace, steps=trace.steps[:-1]))


def test_judges_refuse_runs_on_which_the_formula_holds() -> None:
    model = loaded(TWO, "G F y == 1", "G x < 2")
    first, second = model.properties[-2:]
    (decision,) = ask("reference", model, first.name).decisions
    assert decision.trace is not None
    with pytest.raises(ReplayError, match="the formula holds"):
        rejudged(model.view, question(model.view, second, None, "none"), decision.trace)


def test_judges_follow_claims() -> None:
    model = loaded(TWO + " never { do :: true :: y == 1 -> accept: do :: true od od } ltl p { []<> (y == 1) }")
    formula, claim = model.properties[-2:]
    (decision,) = ask("reference", model, formula.name).decisions
    assert decision.trace is not None
    with pytest.raises(ReplayError, match="the never claim does not match"):
        rejudged(model.view, question(model.view, claim, None, "none"), decision.trace)


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_reports_of_progress_do_not_disturb_a_long_run() -> None:
    """Progress is reported whenever the clock is looked at, which is more than once while this run is printed."""
    text = "int x; active proctype P() { do :: x < 1500 -> x++ :: x == 1500 -> x = 0 od }"
    model = loaded(text, "<> [] (x == 0)")
    (asked,) = (p for p in model.properties if p.kind == "ltl")
    options = {"flags": (*QUICK, "-DREPORT_SECONDS=0")}
    reports: list[Progress] = []
    (decision,) = load_engine("native").run(Request(model.view, (asked,), options=options), reports.append).decisions
    assert decision.verdict == "violated"
    assert decision.trace is not None and len(decision.trace) == 3002
    assert reports


def test_a_run_that_was_found_but_not_reported_is_an_internal_error() -> None:
    with pytest.raises(ProgramError, match="accepting run"):
        Report({"verdict": "nonempty", "met": 0, "limits": 0}).check(frozenset())
    with pytest.raises(ProgramError, match="deadlock"):
        Report({"met": 4, "limits": 0}).check(frozenset({"deadlock"}))


COUNTERS = "byte x; active [2] proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }"


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    ("formula", "last"),
    [("[] !(x == 3)", 3), ("(x < 3) W (x == 7)", 3), ("[] (x <= 6)", 255)],
)
def test_a_run_is_shown_as_far_as_to_where_the_formula_is_violated(engine: str, formula: str, last: int) -> None:
    if engine == "native" and find_compiler() is None:
        pytest.skip("there is no C compiler")
    model = LANGUAGE.load("m.pml", COUNTERS, LoadOptions(formulas=(formula,)))
    (decision,) = ask(engine, model, formula).decisions
    assert decision.verdict == "violated" and decision.trace is not None
    assert decision.trace.loop is None
    assert decision.trace.final.values["x"] == str(last)


def test_the_reference_engine_shows_the_fewest_steps_to_a_violation() -> None:
    """Three times `x < 5; x++`."""
    model = LANGUAGE.load("m.pml", COUNTERS, LoadOptions(formulas=("[] !(x == 3)",)))
    (decision,) = ask("reference", model, "[] !(x == 3)").decisions
    assert decision.trace is not None and len(decision.trace) == 6


def test_what_may_still_come_is_shown_by_a_cycle() -> None:
    model = LANGUAGE.load("m.pml", COUNTERS, LoadOptions(formulas=("<> (x == 9)",)))
    (decision,) = ask("reference", model, "<> (x == 9)").decisions
    assert decision.trace is not None and decision.trace.loop is not None


def test_where_only_infinite_runs_count_a_beginning_shows_nothing() -> None:
    model = LANGUAGE.load("m.pml", COUNTERS, LoadOptions(formulas=("[] !(x == 3)",)))
    (decision,) = ask("reference", model, "[] !(x == 3)", ends="infinite").decisions
    assert decision.trace is not None and decision.trace.loop is not None


def test_a_formula_below_an_operator_on_numbers_says_what_joins_formulas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "and.pml"
    model.write_text("byte x; active proctype P() { x = 1 }\nltl p { [] (x < 2 & X (x < 2)) }\n")
    assert main(["check", "--no-run", str(model)]) == 3
    said = capsys.readouterr().err
    assert "temporal operator 'X' inside a condition" in said and "formulas are joined by && and ||" in said
