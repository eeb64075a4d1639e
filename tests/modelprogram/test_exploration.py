"""Model programs as state spaces (sheet 24): published and derived figures, objects, bounds, errors in models."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clew.core.diagnostics import InputError
from clew.core.engines import Request
from clew.core.registry import load_engine

from .models import TRIANGLE, TRIANGLE_OF_OBJECTS, load, size, space

PHILOSOPHERS = (Path(__file__).parents[2] / "examples/python/philosophers.py").read_text()

HEAD = "from clew.model import *\n"


def refusal(text: str) -> tuple[int, str, str]:
    """Where a model is refused, with which code and message: when it is read, or when it is explored."""
    with pytest.raises(InputError) as caught:
        load_engine("reference").run(Request(load(HEAD + text).view, keep_going=True))
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.span.line, diagnostic.code, diagnostic.message


@pytest.mark.parametrize(("n", "states", "transitions"), [(2, 9, 11), (3, 27, 52), (5, 243, 806), (6, 729, 2911)])
def test_philosophers_have_the_published_sizes(n: int, states: int, transitions: int) -> None:
    """With the state before Init; Ernits 2007 gives 26/52 and 242/806 for 3 and 5;
    after it there are 3^n - 1 states and n (2 · 3^(n-1) - 1) transitions."""
    assert size(PHILOSOPHERS, N=n) == (states, transitions)


def test_triangles_have_the_published_sizes() -> None:
    assert size(TRIANGLE) == (27, 54)
    assert size(TRIANGLE_OF_OBJECTS) == (15, 14)


def test_the_deadlock_of_the_philosophers_is_found_by_a_shortest_run() -> None:
    model = load(PHILOSOPHERS)
    answer = load_engine("reference").run(Request(model.view, model.properties))
    (found,) = [d for d in answer.decisions if d.verdict == "violated"]
    assert found.property.kind == "deadlock" and found.trace is not None
    assert [step.text.partition("(")[0] for step in found.trace.steps] == ["Init", "TakeLeft", "TakeLeft", "TakeLeft"]


def test_results_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    model = tmp_path / "words.py"
    model.write_text(
        HEAD
        + "words = Set()\nALL = Set('a', 'b', 'c', 'd')\n"
        + "@action\ndef add(w: Domain('ALL')):\n    global words\n    words = words.add(w)\n    assert len(words) < 4\n"
    )
    script = "import clew,sys; r = clew.check(sys.argv[1]); print(r.statistics.states, [s.text for s in r.trace.steps])"
    answers = {
        subprocess.run(
            [sys.executable, "-c", script, str(model)],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(5)
    }
    assert len(answers) == 1 and 'add("a")' in answers.pop()


def test_numbers_of_forgotten_objects_are_used_again() -> None:
    text = HEAD + (
        "class Job(Instance): done = False\njobs = Set()\n"
        "@action\ndef Make(j: New(Job)):\n    global jobs\n    jobs = jobs.add(j)\n"
        "@guard('Make')\ndef _(): return len(jobs) < 2\n"
        "@action\ndef Drop(j: Domain('jobs')):\n    global jobs\n    jobs = jobs.remove(j)\n"
    )
    assert size(text) == (4, 7)  # {}, {1}, {1, 2}, {2}
    assert size(text, canonical=True) == (3, 5)


def test_partial_guards_cut_the_enumeration_short() -> None:
    text = HEAD + (
        "n = 0\n@action\ndef Step(a: range(10), b: range(10)):\n    global n\n    n = a + b\n"
        "@guard('Step')\ndef _(a): return a == 0\n@guard('Step')\ndef _(a, b): return b < 2 and n == 0\n"
    )
    found = space(text)
    assert [found.text(move) for move in found.moves(*found.initial())] == ["Step(0, 0)", "Step(0, 1)"]
    assert found.guard_calls == 20  # ten for a, ten for the only a that is left


def test_a_model_can_be_a_class() -> None:
    text = HEAD + (
        "class Light(ModelProgram):\n    on = False\n    LIMIT = 2\n    times = 0\n"
        "    @action\n    def Toggle(self):\n        self.on = not self.on\n        self.times += 1\n"
        "    @Toggle.guard\n    def _(self): return self.times < self.LIMIT\n"
        "    @invariant\n    def few(self): return self.times <= 2\n"
        "    @accepting\n    def dark(self): return not self.on\n"
    )
    assert size(text) == (3, 2)
    model = load(text)
    answer = load_engine("reference").run(Request(model.view, model.properties))
    assert {d.property.name: d.verdict for d in answer.decisions} == dict.fromkeys(
        ("few", "assertions", "deadlock", "runtime-errors"), "holds"
    )


def test_invariants_are_judged_in_the_initial_state_too() -> None:
    text = (
        HEAD
        + "n = 3\n@action\ndef Up():\n    global n\n    n += 1\n@guard('Up')\ndef _(): return n < 5\n"
        + "@invariant\ndef small(): return n < 3\n"
    )
    model = load(text)
    answer = load_engine("reference").run(Request(model.view, model.properties[:1]))
    assert answer.decisions[0].verdict == "violated" and len(answer.decisions[0].trace.steps) == 0  # type: ignore[union-attr]


def test_a_state_filter_is_named_beside_the_verdict() -> None:
    text = HEAD + "n = 0\n@action\ndef Up():\n    global n\n    n += 1\n@state_filter\ndef small(): return n < 4\n"
    model = load(text)
    answer = load_engine("reference").run(Request(model.view, model.properties))
    assert answer.statistics.states == 4
    assert [d.verdict for d in answer.decisions] == ["holds"] * 3  # the end of the bound is no deadlock
    assert answer.decisions[0].evidence.text == "exhaustive: 4 states, within small"


def test_exceptions_and_assertions_in_actions_are_violations() -> None:
    text = (
        HEAD
        + "n = 0\n@action\ndef Half():\n    global n\n    n = 1 // n\n"
        + "@action\ndef Check():\n    assert n > 0, 'n is 0'\n"
    )
    model = load(text)
    answer = load_engine("reference").run(Request(model.view, model.properties, keep_going=True))
    reasons = {d.property.kind: d.reason for d in answer.decisions if d.verdict == "violated"}
    assert reasons["assertion"] == "assertion failed in Check: n is 0"
    assert reasons["runtime-error"] == "ZeroDivisionError in Half: integer division or modulo by zero"


def test_a_guard_with_a_side_effect_is_refused_where_it_is() -> None:
    text = "n = 0\n@action\ndef Go(): pass\n@guard('Go')\ndef _():\n    global n\n    n = 1\n    return True\n"
    assert refusal(text) == (5, "side-effect", "a condition changes 'n'; only actions may")


def test_a_guard_that_writes_an_object_is_refused_where_it_is() -> None:
    text = "class J(Instance): done = False\njs = Set(J())\n"
    text += "@action\ndef Go(j: Domain('js')):\n    global js\n    js = js\n"
    text += "@guard('Go')\ndef _(j):\n    j.done = True\n    return True\n"
    assert refusal(text) == (8, "side-effect", "a condition writes a J; only actions may")


def test_names_that_are_nearly_right_are_guessed() -> None:
    with pytest.raises(InputError) as caught:
        load(HEAD + "@action\ndef Submit(): pass\n@guard('Sumbit')\ndef _(): return True\n")
    assert caught.value.diagnostics[0].hint == "did you mean 'Submit'?"


def test_an_action_that_ends_the_program_is_a_violation() -> None:
    model = load(HEAD + "import sys\n@action\ndef Go(): sys.exit(3)\n")
    answer = load_engine("reference").run(Request(model.view, model.properties))
    assert [d.reason for d in answer.decisions if d.verdict == "violated"] == ["SystemExit in Go: 3"]


def test_a_mutable_value_is_refused_where_it_is() -> None:
    assert refusal("n = [1]\n@action\ndef Go():\n    global n\n    n = n + [1]\n")[:2] == (2, "mutable-value")
    line, code, message = refusal("n = ()\n@action\ndef Go():\n    global n\n    n = (1, [2])\n")
    assert (line, code) == (3, "mutable-value") and "a list cannot be part of a state" in message


def test_a_parameter_without_a_domain_is_refused_where_it_is() -> None:
    line, code, message = refusal("@action\ndef Go(n: int): pass\n")
    assert (line, code) == (2, "no-domain") and "parameter 'n' of action 'Go'" in message
    assert refusal("@action\ndef Go(n): pass\n")[:2] == (2, "no-domain")
    assert refusal("@action\ndef Go(n: Domain('nothing')): pass\n")[:2] == (2, "no-domain")


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("x = 1\n", 1, "no-actions"),
        ("def broken(:\n", 2, "syntax"),
        ("1 / 0\n", 2, "model-error"),
        ("@guard('Gone')\ndef _(): return True\n@action\ndef Go(): pass\n", 2, "no-such-action"),
        ("@action\ndef Go(): pass\n@guard('Go')\ndef _(x): return True\n", 4, "no-such-parameter"),
        ("@action\ndef Go():\n    global n\n    n = 1\n", 1, "no-initial-value"),
        ("n = 0\n@action\ndef Go():\n    n = 1\n", 3, "no-global"),
        ("class J: pass\n@action\ndef Go(j: New(J)): pass\n", 3, "no-domain"),
        ("import sys\nsys.exit(2)\n", 3, "model-error"),
        ("n = 0\n@action\ndef Go(x: Domain('n')):\n    global n\n    n = 1\n", 3, "model-error"),
        ("@action\ndef Go(): pass\n@guard('Go')\ndef _(): return 1 // 0\n", 5, "model-error"),
    ],
)
def test_bad_models_are_refused_with_their_place(text: str, line: int, code: str) -> None:
    assert refusal(text)[:2] == (line, code)


def test_elements_tell_a_model_nothing_but_who_they_are() -> None:
    text = "class W(Abstract): A, B = range(2)\nn = ''\n@action\ndef Go(w: W):\n    global n\n    n = str(w)\n"
    line, code, message = refusal(text)
    assert (line, code) == (7, "model-error") and message == "W is interchangeable: a model must not use its text"


@pytest.mark.parametrize("n", range(2, 9))
def test_every_table_has_one_deadlock_behind_its_formula_of_states(n: int) -> None:
    """From the state after Init: 3^n - 1 states, n (2 · 3^(n-1) - 1) steps (26/51 for 3, 242/805 for 5), and one
    state without a step, where everybody has a left fork (sheet 24)."""
    found = space(PHILOSOPHERS, N=n)
    (start,) = found.initial()
    (init,) = found.moves(start)
    first = found.fire(start, init).state
    assert first is not None
    seen, waiting, steps, stuck = {found.key(first)}, [first], 0, []
    for state in waiting:
        moves = list(found.moves(state))
        steps += len(moves)
        stuck += [] if moves else [state]
        for move in moves:
            after = found.fire(state, move).state
            assert after is not None
            if found.key(after) not in seen:
                seen.add(found.key(after))
                waiting.append(after)
    assert (len(seen), steps) == (3**n - 1, n * (2 * 3 ** (n - 1) - 1))
    (deadlock,) = stuck
    values = found.describe(deadlock).values
    assert {text for name, text in values.items() if name.endswith(".mood")} == {"WAITING"}
