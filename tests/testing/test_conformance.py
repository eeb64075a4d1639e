"""Implementations tested against models: correct ones pass, mutants are caught by a shortest run, seeds replay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main
from clew.testing import Action, Adapter, Model, NotConforming, Plan
from clew.testing.conformance import run_all
from clew.testing.steppers import TooSlow, within

EXAMPLES = Path(__file__).parents[2] / "examples/python"
QUEUE = EXAMPLES / "bounded_queue.py"
CACHE = EXAMPLES / "cache.py"
SERVICE = EXAMPLES / "cache_service.py"
PATIENCE = 600.0  # seconds for an answer: no machine is that slow


class Queue(Adapter):
    def begin(self) -> None:
        self.items: deque[int] = deque()
        self.taken = 0

    def Put(self, item: int) -> None:
        self.items.append(item)

    def Take(self) -> tuple[str, int]:
        self.taken += 1
        return "Taken", self.items.popleft()


class LastOut(Queue):
    def Take(self) -> tuple[str, int]:
        return "Taken", self.items.pop()


class Forgets(Queue):
    def Put(self, item: int) -> None:
        if len(self.items) < 2:
            self.items.append(item)


class Doubles(Queue):
    def Put(self, item: int) -> None:
        self.items.extend([item] * (2 if item else 1))


class Flips(Queue):
    def Take(self) -> tuple[str, int]:
        item = self.items.popleft()
        return "Taken", 1 - item if len(self.items) == 2 else item


class Keeps(Queue):
    def Take(self) -> tuple[str, int]:
        return "Taken", self.items[0]


class Sorts(Queue):
    def Put(self, item: int) -> None:
        self.items = deque(sorted((*self.items, item)))


class Raises(Queue):
    def Take(self) -> tuple[str, int]:
        if self.taken == 2:
            raise RuntimeError("worn out")
        return super().Take()


class Silent(Queue):
    def Take(self) -> None:  # type: ignore[override]
        self.items.popleft()

    def observe(self, timeout: float) -> Action | None:
        return super().observe(0.0)  # nothing will come: it need not be waited for


class Talks(Queue):
    def Put(self, item: int) -> None:
        super().Put(item)
        if len(self.items) == 3:
            self.told("Taken", item)


class ForgetsReset(Queue):
    def begin(self) -> None:
        if not hasattr(self, "items"):
            super().begin()


class Hangs(Queue):
    now = threading.Event()

    def Take(self) -> tuple[str, int]:
        if len(self.items) == 2:
            self.now.set()
            threading.Event().wait()
        return super().Take()


def until_it_hangs(_: float, work: Callable[[], Any]) -> Any:
    """As `within`, but time is up when `Hangs` says that it hangs, however slow this machine is."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(work()), daemon=True)
    thread.start()
    while thread.is_alive() and not Hangs.now.is_set():
        thread.join(0.001)
    if Hangs.now.is_set():
        Hangs.now.clear()
        raise TooSlow("no answer")
    return answers[0]


MUTANTS = [
    (LastOut, 3), (Forgets, 6), (Doubles, 4), (Flips, 4), (Keeps, 4), (Sorts, 3), (Raises, 6), (Talks, 3), (Silent, 2),
    (ForgetsReset, None),
]  # fmt: skip


def test_a_correct_implementation_passes_a_thousand_runs() -> None:
    runs = Model(QUEUE).conforms(Queue(), runs=1000, steps=8, timeout=PATIENCE)
    assert len(runs) == 1000 and all(run.passed for run in runs)


@pytest.mark.parametrize(("mutant", "length"), MUTANTS)
def test_mutants_are_caught_by_a_shortest_run(mutant: type[Queue], length: int | None) -> None:
    """The lengths are those that the errors need, by reading them; a queue that is not reset fails sooner or later."""
    with pytest.raises(NotConforming) as caught:
        Model(QUEUE).conforms(mutant(), runs=100, timeout=PATIENCE)
    if length is not None:
        assert len(caught.value.found.run.taken) == length and caught.value.found.is_shortest


def test_an_implementation_that_hangs_is_caught_by_a_shortest_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.testing.conformance.within", until_it_hangs)
    with pytest.raises(NotConforming, match=r"Take\(\): no answer") as caught:
        Model(QUEUE).conforms(Hangs(), runs=100)
    assert len(caught.value.found.run.taken) == 3 and caught.value.found.is_shortest


def test_work_that_does_not_come_back_is_left_to_itself() -> None:
    with pytest.raises(TooSlow, match=r"no answer within 0.01 s"):
        within(0.01, threading.Event().wait)
    assert within(PATIENCE, lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        within(PATIENCE, lambda: 1 // 0)


@pytest.mark.parametrize("strategy", ["random", "coverage"])
def test_a_failure_comes_again_from_its_seed(strategy: str) -> None:
    model = Model(QUEUE).tested
    plan = Plan(runs=50, seed=3, strategy=strategy, timeout=PATIENCE)
    first = run_all(model, Raises(), plan)
    again = run_all(model, Raises(), plan)
    assert not first[-1].passed and first == again


def test_a_suite_catches_what_it_covers() -> None:
    model = Model(QUEUE)
    plan = Plan(strategy="suite", cases=model.suite().cases, timeout=PATIENCE)
    assert run_all(model.tested, Queue(), plan)[-1].passed
    assert not run_all(model.tested, Flips(), plan)[-1].passed


def test_answers_from_another_thread_are_waited_for() -> None:
    class Threaded(Queue):
        def Take(self) -> None:  # type: ignore[override]
            threading.Thread(target=lambda: self.told("Taken", self.items.popleft())).start()

    assert Model(QUEUE).conforms(Threaded(), runs=5, timeout=PATIENCE)[-1].passed


def test_an_answer_that_does_not_come_is_a_failure_that_says_so() -> None:
    with pytest.raises(NotConforming, match=r"nothing happened within 600 s; the model expects Taken\(0\)"):
        Model(QUEUE).conforms(Silent(), timeout=PATIENCE)


@pytest.mark.parametrize("name", ["Correct", "WithThreads", "Asynchronous", "Service"])
def test_the_correct_caches_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(CACHE), "--against", f"{SERVICE}:{name}", "--runs", "3", "--timeout", "10m"]) == 0
    assert "passed: 3 runs" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["Forgetful", "ForgetfulService"])
def test_the_error_in_the_cache_is_found(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "failing.suite"
    against = ["test", str(CACHE), "--against", f"{SERVICE}:{name}", "--timeout", "10m"]
    assert main([*against, "--json", "-o", str(case)]) == 1
    failure = json.loads(capsys.readouterr().out)["failure"]
    assert [step["action"].partition("(")[0] for step in failure["actions"]] == ["Write", "Evict", "Read", "Got"]
    assert failure["is_shortest"]
    assert main([*against, "--cases", str(case)]) == 1  # the test case that was written fails again


@pytest.mark.parametrize("against", ["nothing", "gone.py:X", f"{SERVICE}:Gone", f"{SERVICE}:Cache", "no_such_module:X"])
def test_implementations_that_cannot_be_made_are_refused(against: str) -> None:
    assert main(["test", str(CACHE), "--against", against]) == 3


def test_results_do_not_depend_on_the_hash_seed() -> None:
    command = [sys.executable, "-m", "clew", "test", "--json", "--timeout", "10m", str(CACHE)]
    answers = {
        subprocess.run(
            [*command, *more],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for seed in (0, 1)
        for more in (["--against", f"{SERVICE}:Forgetful"],)
    }
    assert len(answers) == 1


def test_the_pytest_plugin_shows_the_shortest_run(tmp_path: Path) -> None:
    (tmp_path / "test_cache.py").write_text(
        f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
        "import clew\nfrom cache_service import Correct, Forgetful\n"
        "class TestedCache(Correct): ...\n"  # a name that pytest looks for
        f"@clew.conforms({str(CACHE)!r}, runs=5, timeout=600)\ndef test_correct(): return TestedCache()\n"
        f"@clew.conforms({str(CACHE)!r}, timeout=600)\ndef test_forgetful(): return Forgetful()\n"
        "def test_with_fixture(clew_model):\n"
        f"    assert clew_model({str(CACHE)!r}).conforms(Correct(), runs=2, timeout=600)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_cache.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert "1 failed, 2 passed in" in answer  # and no warning
    assert "fails after 3 actions (no shorter sequence does)" in answer and "the model expects Got(" in answer


def test_the_example_of_a_suite_fails_where_the_bug_is() -> None:
    suite = EXAMPLES / "conform_to_cache.py"
    answer = subprocess.run(
        # Without the summary at the end: it repeats whole messages where the variable CI is set.
        [sys.executable, "-m", "pytest", "-q", "-rN", "-p", "no:cacheprovider", str(suite)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert "2 failed, 3 passed" in answer
    assert answer.count("as a test case: TestSuite(TestCase(Write(B, 1), Evict(), Read(B)))") == 2


def _pytest(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_a_model_lies_beside_its_test_and_what_is_wrong_is_said_without_frames_of_clew(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "cache_model.py").write_text(CACHE.read_text(encoding="utf-8"))
    (tests / "test_cache.py").write_text(
        f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
        "import clew\nfrom cache_service import Correct\n"
        '@clew.conforms("cache_model.py", runs=2, timeout=600)\ndef test_beside(): return Correct()\n'
        '@clew.conforms("gone.py")\ndef test_gone(): return Correct()\n'
        'def test_parameter(clew_model): clew_model("cache_model.py", SIZE=3)\n'
        'def test_stepper(clew_model): clew_model("cache_model.py").conforms(object())\n'
    )
    answer = _pytest(tmp_path, "tests")
    assert "3 failed, 1 passed" in answer
    assert "gone.py: error: no such file" in answer and "has no parameter 'SIZE'" in answer
    assert 'hint: N = parameter("SIZE", 3) declares one' in answer
    assert "object is no stepper: it has no method 'reset'; derive one from clew.testing.Adapter" in answer
    assert "expect.py" not in answer and "sources.py" not in answer


def test_a_check_is_a_test_that_shows_the_counterexample(tmp_path: Path) -> None:
    (tmp_path / "up.pml").write_text("byte x; active proctype P() { x = 2; assert(x < 2) }\n")
    (tmp_path / "test_up.py").write_text('import clew\ndef test_up(): clew.check("up.pml").must_hold()\n')
    answer = _pytest(tmp_path)
    assert "up.pml: VIOLATED assertions" in answer and "Shortest counterexample to assertions, 2 steps" in answer
    assert "NotHolding" in answer and "api.py" not in answer


def test_implementations_may_import_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop_for_clew.py").write_text(SERVICE.read_text(encoding="utf-8"))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "adapter.py").write_text("from shop_for_clew import Correct\n")
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-P", "-m", "clew", "test", str(CACHE), "--against", "tests/adapter.py:Correct"]
    assert subprocess.run([*command, "--runs", "1", "--timeout", "10m"], check=False).returncode == 0
