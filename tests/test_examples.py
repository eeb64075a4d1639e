"""Every example does what its first lines say: verdict, number of states, length of the shortest counterexample."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clew.core.engines import Answer, Request
from clew.core.registry import LoadedModel, LoadOptions, language_of, load_engine, load_language
from clew.host.compiler import find_compiler

EXAMPLES = Path(__file__).parent.parent / "examples"
MODELS = sorted(EXAMPLES.rglob("*.pml"))
PROGRAMS = [path for path in sorted(EXAMPLES.rglob("*.py")) if "\nexpect: " in path.read_text()]
SAFETY = ("assertion", "deadlock", "runtime-error", "invariant")


def header(path: Path) -> dict[str, str]:
    """The `key: value` lines of the first comment."""
    comment = path.read_text().split('"""' if path.suffix == ".py" else "*/")[path.suffix == ".py"]
    return dict(re.findall(r"^(?: \* )?([a-z-]+): +([^(\n]*[^(\s])", comment, re.MULTILINE))


def models() -> list[object]:
    """Those with embedded C need a compiler."""
    missing = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
    return [pytest.param(p, marks=[missing] if "c_code" in p.read_text() else [], id=p.stem) for p in MODELS]


def load(path: Path, granularity: str = "default", formula: str = "", words: str = "") -> LoadedModel:
    text = path.read_text()
    switches = {"granularity": granularity, "counts": "spin"}
    options = LoadOptions({}, (), switches, [formula] if formula else (), [words] if words else ())
    return load_language(language_of(str(path), text)).load(str(path), text, options)


def check(path: Path, **options: str) -> Answer:
    model = load(path)
    properties = tuple(p for p in model.properties if p.kind in SAFETY)
    return load_engine("reference").run(Request(model.view, properties, options=dict(options)))


def test_there_are_examples() -> None:
    assert len(MODELS) >= 12
    assert len(PROGRAMS) >= 6


@pytest.mark.parametrize("path", [*models(), *(pytest.param(p, id=p.stem + ".py") for p in PROGRAMS)])
def test_verdict_is_the_expected_one(path: Path) -> None:
    expected = header(path)
    answer = check(path)
    violated = [d for d in answer.decisions if d.verdict == "violated"]
    if expected["expect"] == "holds":
        assert {d.verdict for d in answer.decisions} == {"holds"}
    else:
        assert [f"violated: {d.property.kind}" for d in violated] == [expected["expect"]]
        trace = violated[0].trace
        assert trace is not None
        if "shortest" in expected:
            assert len(trace) == int(expected["shortest"])


@pytest.mark.parametrize("path", [p for p in MODELS if "ltl" in header(p)], ids=lambda p: p.stem)
def test_temporal_property_is_as_stated(path: Path) -> None:
    """`ltl: NAME holds`, or `NAME holds under weak fairness`: then not without."""
    name, verdict, *fairness = header(path)["ltl"].split()
    model = load(path)
    asked = tuple(p for p in model.properties if p.kind == "ltl")
    assert [p.name for p in asked] == [name]
    expected = {"none": "violated" if fairness else verdict, "weak": verdict}
    for fair, wanted in expected.items():
        (decision,) = load_engine("reference").run(Request(model.view, asked, options={"fair": fair})).decisions
        assert decision.verdict == wanted


def given(path: Path) -> list[tuple[str, str, str]]:
    """The `formula: TEXT => VERDICT` and `pattern: WORDS => VERDICT` lines of the first comment."""
    return re.findall(r"^ \* (formula|pattern): (.*) => (\w+)$", path.read_text().split("*/")[0], re.MULTILINE)


@pytest.mark.parametrize("path", [p for p in MODELS if given(p)], ids=lambda p: p.stem)
def test_formulas_and_patterns_are_as_stated(path: Path) -> None:
    for kind, text, verdict in given(path):
        model = load(path, formula=text) if kind == "formula" else load(path, words=text)
        chosen = tuple(p for p in model.properties if p.name == text)
        (decision,) = load_engine("reference").run(Request(model.view, chosen)).decisions
        assert decision.verdict == verdict, text


@pytest.mark.parametrize("path", [p for p in PROGRAMS if "classes" in header(p)], ids=lambda p: p.stem)
def test_classes_of_states_are_the_stated_ones(path: Path) -> None:
    figures = load_engine("reference").run(Request(load(path).view, options={"reduce": "symmetry"})).statistics
    assert figures.states == int(header(path)["classes"])
    verdicts = [[d.verdict for d in check(path, reduce=way).decisions] for way in ("none", "auto")]
    assert verdicts[0] == verdicts[1]


def branching(path: Path) -> list[tuple[str, str, str]]:
    """The `ctl:` lines of the first comment: formula, verdict, and the fairness it needs."""
    line = re.compile(r"^ \* ctl: (.*) (holds|violated)(?: under (weak|strong) fairness)?$", re.MULTILINE)
    return line.findall(path.read_text().split("*/")[0])


@pytest.mark.parametrize("engine", ["reference", "symbolic"])
@pytest.mark.parametrize("path", [p for p in MODELS if "ctl" in header(p)], ids=lambda p: p.stem)
def test_branching_properties_are_as_stated(path: Path, engine: str) -> None:
    """`ctl: FORMULA holds`, or `violated`, or `holds under weak fairness`: then not without."""
    text, stated = path.read_text(), branching(path)
    assert stated
    for formula, verdict, fairness in stated:
        options = LoadOptions(switches={"counts": "spin"}, branching=(formula,))
        model = load_language(language_of(str(path), text)).load(str(path), text, options)
        asked = tuple(p for p in model.properties if p.kind == "ctl")
        for fair, expected in {"none": "violated" if fairness else verdict, fairness or "none": verdict}.items():
            request = Request(model.view, asked, options={"fair": fair})
            assert load_engine(engine).run(request).decisions[0].verdict == expected, formula


@pytest.mark.parametrize("path", [*models(), *(pytest.param(p, id=p.stem + ".py") for p in PROGRAMS)])
def test_state_count_is_the_stated_one(path: Path) -> None:
    figures = load_engine("reference").run(Request(load(path).view)).statistics
    assert figures.complete
    assert figures.states == int(header(path)["states"].replace(",", ""))


@pytest.mark.parametrize(
    "path", [p for p in MODELS if p.stem in ("bakery", "leader_election", "sort_pipeline")], ids=lambda p: p.stem
)
def test_unmerged_state_count_is_the_stated_one(path: Path) -> None:
    figures = load_engine("reference").run(Request(load(path, "fine").view)).statistics
    assert figures.states == int(header(path)["states-plain"].replace(",", ""))
