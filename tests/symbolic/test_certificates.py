"""Proofs are written down, read back, and checked by the decision procedure that did not make them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.core.certificates import Certificate, Damaged, Node, certificate_from_json, certificate_json
from clew.core.engines import Limits, Request
from clew.core.expressions import Binary, Const, Ref, Variable
from clew.core.procedures import Claim
from clew.core.properties import Property, Violation
from clew.core.registry import load_engine
from clew.core.statements import Assign
from clew.core.transition_system import Action, TransitionSystem
from clew.core.types import Int
from clew.core.views import View
from clew.host.checking import ModelOptions, load_text

EXAMPLES = Path(__file__).parents[2] / "examples"
X = Variable("x", Int("three", 3), 0)
NEVER_FIVE = Claim(Binary("!=", Ref(X), Const(5)), Violation("assertion", "x is 5"))
BY_TWOS = TransitionSystem(
    "counter",
    (X,),
    1,
    Action("add", (NEVER_FIVE, Assign(Ref(X), Binary("+", Ref(X), Const(2))))),
    Binary("==", Ref(X), Const(0)),
)
EVEN: tuple[Node, ...] = (("bit", 0), ("not", 0))


def _proof(engine: str, view: View) -> Certificate:
    """As it is read back from its JSON form."""
    request = Request(view, (Property("assertions", "assertion", ""),), limits=Limits(seconds=3600))
    (decision,) = load_engine(engine).run(request).decisions
    assert decision.verdict == "holds"
    assert decision.certificate is not None
    return certificate_from_json(json.loads(json.dumps(certificate_json(decision.certificate))))


def _checked(engine: str, proof: Certificate, view: View = BY_TWOS) -> str:
    found = load_engine(engine).recheck(view, proof, "assertion", 3600.0)  # type: ignore[attr-defined]
    return found.confirmed if found.confirmed == "yes" else f"{found.confirmed}: {found.reason}"


def test_reachable_states_are_an_invariant_for_the_solver() -> None:
    proof = _proof("symbolic", BY_TWOS)
    assert (proof.method, proof.bits) == ("invariant", ("x.0", "x.1", "x.2"))
    assert _checked("smt", proof) == "yes"


def test_a_proof_of_the_solver_is_checked_with_diagrams() -> None:
    assert _checked("symbolic", _proof("smt", BY_TWOS)) == "yes"


@pytest.mark.parametrize("checker", ["symbolic", "smt"])
@pytest.mark.parametrize(
    ("nodes", "outcome"),
    [
        (EVEN, "yes"),
        ((("constant", 1),), "no: it does not exclude the violation"),
        ((("bit", 0),), "no: it does not hold at the start"),
        ((*EVEN, ("bit", 2), ("not", 2), ("and", 1, 3)), "no: it is not kept by"),
    ],
)
def test_each_condition_counts(checker: str, nodes: tuple[Node, ...], outcome: str) -> None:
    """x is even; anything; x is odd; x is even and less than 4, which two steps leave."""
    proof = Certificate("", "invariant", ("x.0", "x.1", "x.2"), nodes)
    assert _checked(checker, proof).startswith(outcome)


def test_induction_is_checked_backwards() -> None:
    """From 1, 5 is reached after two steps; from 0 never, whatever the proof says about the number of steps."""
    proof = Certificate("smt", "induction", ("x.0", "x.1", "x.2"), steps=2)
    assert _checked("symbolic", proof) == "yes"
    from_one = replace(BY_TWOS, initial=Binary("==", Ref(X), Const(1)))
    assert _checked("symbolic", proof, from_one) == "no: the violation is 2 steps from the start"


@pytest.mark.parametrize(("maker", "checker"), [("symbolic", "smt"), ("smt", "symbolic")])
def test_a_system_that_had_to_be_enlarged(maker: str, checker: str) -> None:
    """The bits of x are too few in the first guess; whoever checks makes the same room."""
    text = "byte x; active proctype P() { do :: x < 200 -> x = x + 5; assert(x != 8) od }"
    view = load_text("grows.pml", text, ModelOptions(language="promela")).view
    proof = _proof(maker, view)
    assert _checked(checker, proof, view) == "yes"


@pytest.mark.parametrize("nodes", [[["bit", 3]], [["not", 0]], [["maybe", 0]], [["bit", 0], ["if", 0, 0]], [["not"]]])
def test_nodes_that_mean_nothing_are_refused(nodes: list[list[int | str]]) -> None:
    good = certificate_json(Certificate("smt", "invariant", ("x.0", "x.1", "x.2"), EVEN))
    assert certificate_from_json(good).nodes == EVEN
    with pytest.raises(Damaged):
        certificate_from_json({**good, "nodes": nodes})


# --- the command


def _run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(words)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLEW_RUNS", str(tmp_path / "runs"))
    return tmp_path


@pytest.fixture(scope="module")
def deadlocking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the symbolic engine: two properties are proved, and one is violated."""
    runs = tmp_path_factory.mktemp("kept") / "runs"
    assert main(["check", "--engine", "symbolic", "--runs-dir", str(runs), PHILOSOPHERS]) == 1
    return runs


def _copied(deadlocking: Path, at: Path) -> Path:
    shutil.copytree(deadlocking, at / "runs")
    return at / "runs" / (at / "runs" / "last").read_text().strip()


PHILOSOPHERS = str(EXAMPLES / "promela" / "dining_philosophers.pml")


def test_a_run_is_checked_again(deadlocking: Path, at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _copied(deadlocking, at)
    status, out, _ = _run(["recheck", "--json"], capsys)
    found = json.loads(out)
    assert (status, found["schema"]) == (0, "clew.recheck/1")
    assert [(one["name"], one["verdict"], one["outcome"]) for one in found["properties"]] == [
        ("assertions", "holds", "confirmed"),
        ("deadlock", "violated", "confirmed"),
        ("runtime-errors", "holds", "confirmed"),
    ]
    assert [one["by"].split()[0] for one in found["properties"]] == ["inductive", "replayed:", "inductive"]


def test_a_proof_that_proves_nothing_is_found_out(
    deadlocking: Path, at: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _copied(deadlocking, at) / "certificate.json"
    written = json.loads(file.read_text())
    file.write_text(json.dumps({**written, "nodes": [["constant", 0]]}))
    status, out, err = _run(["recheck"], capsys)
    assert (status, "refuted" in out, "says what is not so" in err) == (4, True, True)


@pytest.mark.parametrize("change", [{"schema": "other/1"}, {"bits": ["x.0"]}, {"nodes": 7}])
def test_a_damaged_certificate_is_bad_input(
    deadlocking: Path, at: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object]
) -> None:
    file = _copied(deadlocking, at) / "certificate.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    status, _, err = _run(["recheck"], capsys)
    assert (status, "certificate.json" in err, "Traceback" in err) == (3, True, False)


def test_without_a_certificate_another_engine_decides_again(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(["check", str(EXAMPLES / "relational" / "mutex.rel")], capsys)
    status, out, _ = _run(["recheck"], capsys)
    assert (status, out.count("decided again: enumerative, exhaustive: 512 states")) == (0, 2)


def test_what_is_unknown_stays_unknown(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(["check", "--engine", "reference", "--max-states", "3", "--property", "assertions", PHILOSOPHERS], capsys)
    status, out, _ = _run(["recheck"], capsys)
    assert (status, "nothing was decided" in out) == (2, True)


def test_a_run_that_is_not_there(at: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = _run(["recheck", "nothing"], capsys)
    assert (status, "no such run" in err) == (3, True)
