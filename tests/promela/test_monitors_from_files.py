"""`--property monitor:FILE`: automata in the Hanoi format, and never claims, beside a model."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bench.conformance.random_formulas import with_formulas
from bench.conformance.random_promela import generate
from clew.cli.main import main
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request
from clew.core.registry import LoadedModel, LoadOptions, load_engine
from clew.core.replay import ReplayError
from clew.core.results import Decision
from clew.frontends.promela.language import LANGUAGE
from clew.host.compiler import find_compiler
from clew.logic import formulas as f
from clew.logic.hoa import write_hoa
from clew.logic.parse import parse_ltl
from clew.logic.questions import question
from clew.logic.translate import translate
from clew.logic.witnesses import rejudged
from tests.explicit.native import QUICK

ROOT = Path(__file__).parents[2]
ENGINES = [
    "reference",
    pytest.param("native", marks=pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")),
]
SWITCH = """mtype = { off, on }; mtype light = off; chan q = [1] of { byte };
active proctype P() { do :: atomic { light == off -> light = on; q!1 } :: light == on; light = off :: q?_ od }"""


def loaded(text: str, hoa: str, *formulas: str) -> LoadedModel:
    return LANGUAGE.load("m.pml", text, LoadOptions(formulas=formulas, monitors=(("dir/bad.hoa", hoa),)))


def decide(engine: str, model: LoadedModel, kind: str, **options: Any) -> list[Decision]:
    wanted = tuple(p for p in model.properties if p.kind == kind)
    flags = {"flags": QUICK} if engine == "native" else {}
    request = Request(model.view, wanted, limits=Limits(states=20_000), options={**options, **flags})
    return list(load_engine(engine).run(request).decisions)


def automaton(formula: str) -> str:
    """The runs on which the formula does not hold."""
    return write_hoa(translate(parse_ltl(f"!({formula})", lambda text, place: f.Atom(text, text))))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("formula", "fair", "verdict"),
    [
        ('[] <> "light == off"', "none", "violated"),
        ('[] ("light == on" -> <> "q?1")', "none", "violated"),
        ('[] ("q!1" -> "light == off")', "none", "holds"),
        ('[] <> "light == on"', "weak", "holds"),
        ('X X "light == off"', "none", "violated"),
    ],
)
def test_a_monitor_is_what_no_run_may_be(engine: str, formula: str, fair: str, verdict: str) -> None:
    (decision,) = decide(engine, loaded(SWITCH, automaton(formula)), "monitor", fair=fair)
    assert (decision.property.name, decision.verdict) == ("bad.hoa", verdict)
    if verdict == "violated":
        assert decision.trace is not None and decision.reason == "the automaton in bad.hoa accepts this run"


@pytest.mark.parametrize("seed", range(1, 9))
def test_monitors_of_random_formulas_have_their_verdicts(seed: int) -> None:
    """By the reference engine on random programs; each run found is judged."""
    text, names = with_formulas(generate(seed), random.Random(seed), events=seed % 2 == 0)
    for name in names:
        body = text.split(f"ltl {name} {{")[1].split("\n")[0].rstrip(" }")
        model = LANGUAGE.load("m.pml", text, LoadOptions())
        ends = ("stutter", "infinite")[seed % 2]
        wanted = tuple(p for p in model.properties if p.name == name)
        request = Request(model.view, wanted, limits=Limits(states=2_000), options={"ends": ends})
        answer = load_engine("reference").run(request)
        if answer.limits_hit:
            continue
        beside = loaded(text.split("\nltl ")[0], automaton(body))
        (found,) = decide("reference", beside, "monitor", ends=ends)
        assert found.verdict == answer.decisions[0].verdict


def test_the_judge_refuses_runs_that_are_not_accepted() -> None:
    model = loaded(SWITCH, automaton('<> "light == on"'), '[] <> "light == off"')
    monitor = next(p for p in model.properties if p.kind == "monitor")
    (decision,) = decide("reference", model, "ltl")
    assert decision.trace is not None
    wanted = question(model.view, monitor, None, "none")
    with pytest.raises(ReplayError, match="the automaton does not match"):
        rejudged(model.view, wanted, decision.trace)


@pytest.mark.parametrize("engine", ENGINES)
def test_automata_read_only_words_that_do_not_end(engine: str) -> None:
    text = "byte g; active proctype P() { g = 1; g = 2 } never { accept: do :: true od }"
    model = loaded(text, automaton("false"))
    for kind in ("monitor", "never"):
        verdicts = [decide(engine, model, kind, ends=ends)[0].verdict for ends in ("stutter", "maximal", "infinite")]
        assert verdicts == ["violated", "holds", "holds"]


def test_an_atom_that_means_nothing_has_its_place_in_the_file() -> None:
    with pytest.raises(InputError) as caught:
        loaded(SWITCH, automaton('[] "bulb == on"'))
    found = caught.value.diagnostics[0]
    assert (found.span.file, found.span.line) == ("dir/bad.hoa", 4)
    assert "undeclared variable 'bulb'" in found.message


def test_an_atom_is_no_formula() -> None:
    model = loaded(SWITCH, automaton('"light == on -> q!1"'))
    with pytest.raises(InputError, match="an atom of an automaton"):
        question(model.view, model.properties[-1], None, "none")


def test_the_run_of_a_check_has_the_automaton(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hoa, model = tmp_path / "bad.hoa", tmp_path / "m.pml"
    hoa.write_text((ROOT / "examples/automata/red_for_ever.hoa").read_text())
    model.write_text((ROOT / "examples/promela/traffic_light.pml").read_text())
    asked = [f"--property=monitor:{hoa}", f"--runs-dir={tmp_path / 'runs'}"]
    assert main(["check", *asked, str(model)]) == 1
    assert main(["check", *asked, "--fair", "weak", "--no-run", str(model)]) == 0
    hoa.unlink()
    model.unlink()
    capsys.readouterr()
    assert main(["trace", "--replay", f"--runs-dir={tmp_path / 'runs'}"]) == 0
    assert "confirmed" in capsys.readouterr().err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "m.pml"
    model.write_text(SWITCH)
    assert main(["check", "--no-run", f"--property=monitor:{tmp_path}/none.hoa", str(model)]) == 3
    assert "none.hoa" in capsys.readouterr().err


# --- never claims

CLAIM = """
/* what no run may be */
#define lit (light == on)
never {
wait: do :: true :: lit -> goto accept_lit od;
accept_lit: do :: lit od
}
"""


def with_claim(text: str, claim: str, *formulas: str) -> LoadedModel:
    return LANGUAGE.load("m.pml", text, LoadOptions(formulas=formulas, monitors=(("dir/bad.never", claim),)))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_claim_in_a_file_is_one_of_the_model(engine: str) -> None:
    """Also with formulas beside it, and with macros that the model has."""
    for text, claim in ((SWITCH, CLAIM), ("#define lit (light == on)\n" + SWITCH, CLAIM.replace("#define", "// "))):
        model = with_claim(text, claim, "[] <> (light == off)")
        assert [p.kind for p in model.properties[-2:]] == ["ltl", "never"]
        assert model.properties[-1].name == "bad.never"
        assert [d.verdict for d in decide(engine, model, "never")] == ["violated"]
        assert [d.verdict for d in decide(engine, model, "never", fair="weak")] == ["violated"]
    never = with_claim(SWITCH, CLAIM.replace("do :: lit od", "do :: lit && !lit od"))
    assert [d.verdict for d in decide(engine, never, "never")] == ["holds"]


@pytest.mark.parametrize(
    ("claim", "line", "message"),
    [
        (CLAIM.replace("light", "bulb"), 5, "undeclared variable 'bulb'"),
        (CLAIM + "byte more;", 8, "a file with a never claim has nothing beside it"),
        ("never { do :: true }", 1, "expected"),
    ],
)
def test_mistakes_in_a_claim_have_their_place_in_the_file(claim: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        with_claim(SWITCH, claim)
    found = caught.value.diagnostics[0]
    assert (found.span.file, found.span.line) == ("dir/bad.never", line)
    assert message in found.message


def test_the_claim_of_a_formula_matches_the_runs_on_which_it_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Written by `clew property`, read by `clew check`; the run is replayed without both files."""
    claim, model = tmp_path / "dark.never", tmp_path / "m.pml"
    assert main(["property", "formula", "--to", "never", "light == off responds to light == on"]) == 0
    written = capsys.readouterr().out
    claim.write_text(written[written.index("never") : written.rindex("}") + 1])
    model.write_text(SWITCH)
    asked = [f"--property=monitor:{claim}", f"--runs-dir={tmp_path / 'runs'}"]
    assert main(["check", *asked, str(model)]) == 1
    claim.unlink()
    model.unlink()
    capsys.readouterr()
    assert main(["trace", "--replay", f"--runs-dir={tmp_path / 'runs'}"]) == 0
    assert "confirmed" in capsys.readouterr().err
