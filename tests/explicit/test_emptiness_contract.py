"""Small models written in C, to see what the emptiness checks make of fairness, ends, and indivisible sequences."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from clew.explicit.emptiness import ALGORITHMS
from clew.explicit.program import RUNTIME
from clew.host.compiler import build
from tests.explicit.native import QUICK, needs_compiler

pytestmark = needs_compiler

FRAME = """
#define MODEL_WORDS 1
#define MODEL_ASKS_TIMEOUT 0
#define MODEL_HAS_MARKS 1
{defines}
#include "model.h"
static int model_initial(sink *c) {{ state s = {{{{0}}}}; emit(c, next(c, &s), 0); return 1; }}
static void go(sink *c, const state *s, uint64_t to, uint64_t mark, name_t name)
{{
    state *t = next(c, s);
    t->w[0] = to;
    c->mark = mark;
    emit(c, t, name);
}}
static int model_expand(sink *c, const state *s) {{ {expand} }}
static int model_continue(sink *c, const state *s, int p) {{ (void)c; (void)s; (void)p; {carry_on} }}
static void model_ends(sink *c, const state *s) {{ (void)c; (void)s; {ends} }}
static int model_may_end(const state *s) {{ (void)s; return 1; }}
static void model_carried(state *s) {{ (void)s; }}
static void model_kinds(uint16_t *kinds, uint8_t *most) {{ (void)kinds; (void)most; }}
#include "main_empty.h"
"""


def run(conditions: int, expand: str, carry_on: str = "return 0;", ends: str = "", defines: str = "") -> dict[str, Any]:
    """For each algorithm its result, with the accepting run if there is one."""
    defines = f"#define MODEL_CONDITIONS {conditions}\n{defines}"
    program = build(FRAME.format(defines=defines, expand=expand, carry_on=carry_on, ends=ends), RUNTIME, QUICK)
    command = [str(program), "--algorithm", ",".join(ALGORITHMS)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found: dict[str, Any] = {}
    lasso = None
    for said in map(json.loads, lines):
        if said["type"] == "lasso":
            lasso = said
        else:
            found[said["algorithm"]] = {**said, "lasso": lasso}
            lasso = None
    assert set(found) == set(ALGORITHMS)
    return found


# Process 0 can always move; process 1 can once, and condition 0 is met as long as it has not.
IMPATIENT = """
    uint64_t here = s->w[0] == 0;
    c->movers = {movers};
    go(c, s, s->w[0], here | {first}, NAME(0, 0));
    if (here) go(c, s, 1, here | {second}, NAME(1, 0));
    return 1;
"""


def test_without_fairness_a_process_may_be_left_out() -> None:
    for result in run(1, IMPATIENT.format(movers="0", first="0", second="0")).values():
        assert result["verdict"] == "nonempty"
        assert (result["lasso"]["prefix"], result["lasso"]["cycle"]) == ([], [[0, 0]])


@pytest.mark.parametrize(("movers", "verdict"), [("here ? 3 : 1", "empty"), ("1", "nonempty")])
def test_weak_fairness(movers: str, verdict: str) -> None:
    """A process that can move for ever has to; one that cannot move need not."""
    model = IMPATIENT.format(movers=movers, first="2", second="4")
    found = run(3, model, defines="#define MODEL_FAIR_SHIFT 1")
    assert {r["verdict"] for r in found.values()} == {verdict}


def test_runs_that_end() -> None:
    step = "if (s->w[0] == 0) go(c, s, 1, 0, NAME(2, 5)); return s->w[0] == 0;"
    assert {r["verdict"] for r in run(1, step).values()} == {"empty"}
    for result in run(1, step, ends="go(c, s, s->w[0], 1, STUTTER);").values():
        assert result["verdict"] == "nonempty"
        assert (result["lasso"]["prefix"], result["lasso"]["cycle"]) == ([[2, 5]], [[]])


# A sequence of two steps; each meets a condition.
FIRST = "state *t = next(c, s); t->w[0] = 1; c->mark = 1; emit_inside(c, t, NAME(0, 0), 0); return 1;"


def test_marks_inside_an_indivisible_sequence() -> None:
    for result in run(2, FIRST, "go(c, s, 0, c->mark | 2, NAME(0, 1)); return 1;").values():
        assert result["verdict"] == "nonempty"
        assert (result["lasso"]["cycle"], result["lasso"]["marks"]) == ([[0, 0], [0, 1]], [3])
        assert result["loops"] == 0


def test_a_loop_inside_an_indivisible_sequence_is_reported() -> None:
    """Marks met on the way are part of what is remembered of a transient state: the way out may have one or both."""
    carry_on = """
        uint64_t mark = c->mark;
        state *t = next(c, s);
        c->mark = mark | 2;
        emit_inside(c, t, NAME(0, 1), 0);
        go(c, s, 0, mark, NAME(0, 2));
        return 1;
    """
    for result in run(2, FIRST, carry_on).values():
        assert (result["verdict"], result["loops"]) == ("nonempty", 1)
        assert result["lasso"]["cycle"] == [[0, 0], [0, 1], [0, 2]]
