"""Embedded C, compiled into the model and run by the reference interpreter: both count what Spin 6.5.2 counts.

Figures are stored/matched states of `gcc -DNOREDUCE -DSAFETY`, `pan -A -E -c0`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.core.diagnostics import InputError
from clew.core.engines import Answer, Engine
from clew.core.network import Network
from clew.core.replay import ReplayError
from clew.explicit.engine import ENGINE
from clew.frontends.promela.lower import Switches, lower
from clew.frontends.promela.parser import parse_text
from clew.reference.engine import ENGINE as REFERENCE
from tests.explicit.native import SAFETY, needs_compiler, network, request
from tests.promela.sheet35 import C_ROWS
from tests.promela.test_sheet35 import SWITCHES

pytestmark = needs_compiler
TEXTS = {name: text for name, text, _ in C_ROWS}
ENGINES = pytest.mark.parametrize("engine", [ENGINE, REFERENCE], ids=lambda e: e.name)


def run(engine: Engine, view: Network, keep_going: bool = True) -> Answer:
    return engine.run(request(view, SAFETY, keep_going=keep_going))


def stored_and_matched(engine: Engine, text: str, switches: Switches = SWITCHES["D"]) -> str:
    figures = engine.run(request(network(text, switches))).statistics
    assert figures.complete
    return f"{figures.states}/{figures.transitions + 1 - figures.states}"


# --- counts


@ENGINES
@pytest.mark.parametrize(
    ("text", "column", "figure"),
    [
        pytest.param(text, column, figure, id=f"{name}-{column}")
        for name, text, row in C_ROWS
        for column, figure in row.items()
    ],
)
def test_sheet_35(engine: Engine, text: str, column: str, figure: str) -> None:
    assert stored_and_matched(engine, text, SWITCHES[column]) == figure


MEMBERS = """
c_decl { typedef struct { short a[3]; double d; char *s; } Big; }
c_state "Big big" "Local P";
c_state "int n" "Local P" "4";
c_state "unsigned char arr[3]" "Global";
c_state "int seen" "Hidden" "7";
int turn;
active [2] proctype P() {
  do
  :: c_expr { PP->n > 0 && PP->big.a[1] < 2 } ->
     c_code { PP->n--; PP->big.a[1]++; PP->big.d += 0.5; now.arr[PP->_pid]++; }
  :: turn == _pid -> c_code { now.turn = !now.turn; printf("turn %d\\n", now.turn); puts("x"); }
  :: c_expr { PP->big.d > 0.75 } -> break
  od }
"""
TYPES = """
typedef T { byte a; bit b; unsigned u : 3; int arr[2] };
unsigned u : 3; bit b; bool f; short s; mtype = { red, green }; mtype m = red; bit bs[4]; T t; T ts[2];
active proctype P() { unsigned lu : 4;
  do
  :: s > -300 ->
     c_code { now.u += 3; now.b++; now.s -= 70; PP->lu--; now.bs[2] = now.u; now.m = now.u & 3;
              now.t.b = 3; now.t.u = 9; now.t.arr[1] = now.s; now.ts[1].arr[0] += now.bs[2]; }
  :: f = !f
  :: m == red && u > 2 && t.u == 1 && ts[1].arr[0] > 5 -> break
  od }
"""
NAMES = """
c_decl {
  struct node { int v; struct node *next; };
  typedef struct node state;
  struct queue { int a; };
  typedef struct { int x; } store;
  int next(int i);
  int emit, search, options, G, AT;
}
typedef queue2 { byte a; bit b };
typedef head { byte a; queue2 q };
head model; byte processes; byte at; byte h; byte last = 3;
c_code {
  static struct queue qq;
  int next(int i) { return i + now.last; }
}
active [2] proctype find() {
  byte p; byte q = 5;
  do
  :: at < 4 -> c_code { Pfind->p = next(Pfind->p) & 7; now.model.q.a += Pfind->_pid + 1; now.model.q.b++; now.at++; }
  :: at >= 4 -> break
  od;
  skip; d_step { c_code { now.model.a = Pfind->q; }; q++ }
}
"""
PRECONDITION = """
byte x;
active [2] proctype P() { byte y;
  do :: x < 5 -> x++ :: y < 3 -> c_code [now.x < 4] { PP->y++; } :: y == 3 -> break od;
  c_expr [PP->y > 1] { now.x > 2 };
  x = c_expr { now.x * 2 };
}
"""
CREATION = """
chan r = [0] of { byte }; chan b = [1] of { byte, short }; byte sum;
c_decl { int total; int noted[4]; }
c_track "&total" "sizeof(total)";
c_track "noted" "sizeof(noted)" "Matched";
proctype W(byte id) { byte x; short y = -1;
  do
  :: r?x -> c_code { total = (total + PW->x) & 7; noted[PW->id & 3] = PW->x; now.sum = total; }
  :: b!x,c_expr{ PW->y } -> y = -3
  :: atomic { b?x,y -> c_code { PW->x = (PW->x + 1) & 1; }; c_code { total ^= 1; } }
  :: c_expr { total > 4 || PW->y < -2 } -> break
  od }
init { pid k; atomic { k = run W(1); run W(2) }; r!1; (_nr_pr == 1); assert(sum < 9) }
"""
PROVIDED = """
byte g;
proctype P() provided (c_expr { now.g < 3 }) { do :: g++ :: g == 5 -> break od }
init { run P(); run P(); do :: g > 0 -> g-- :: g == 4 -> break :: timeout -> break od }
"""


@ENGINES
@pytest.mark.parametrize(
    ("text", "figure"),
    [
        pytest.param(MEMBERS, "125/131", id="members"),
        pytest.param(TYPES, "26/11", id="types"),
        pytest.param(NAMES, "265/168", id="names of the runtime"),
        pytest.param(PRECONDITION, "1250/1224", id="preconditions"),
        pytest.param(CREATION, "3023/3537", id="creation and handshakes"),
        pytest.param(PROVIDED, "12/13", id="provided"),
    ],
)
def test_counts_like_spin(engine: Engine, text: str, figure: str) -> None:
    assert stored_and_matched(engine, text) == figure


# --- verdicts


@ENGINES
def test_a_false_precondition_is_a_failed_assertion(engine: Engine) -> None:
    answer = run(engine, network(PRECONDITION))
    decision = answer.decisions[0]
    assert decision.verdict == "violated"
    assert decision.reason == "the precondition of embedded C is false: now.x < 4"
    assert decision.trace is not None
    assert decision.trace.steps[-1].text == "c_code {PP->y++;}"


@ENGINES
def test_a_counterexample_through_c_is_replayed_and_shows_what_was_printed(engine: Engine) -> None:
    text = """int x;
    active proctype P() { do :: x < 10 -> c_code { now.x += 2; Printf("x is %d\\n", now.x); } od }
    active proctype Q() { x == 6; assert(false) }"""
    decision = run(engine, network(text)).decisions[0]
    assert decision.verdict == "violated"
    assert decision.trace is not None
    assert [line for step in decision.trace.steps for line in step.output] == ["x is 2\n", "x is 4\n", "x is 6\n"]


@ENGINES
def test_numbers_of_c_are_shown_in_traces(engine: Engine) -> None:
    text = """c_decl { int ext; typedef struct { char *p; } R; R r; }
    c_track "&ext" "sizeof(int)"; c_track "&r" "sizeof(R)";
    c_state "double d" "Global" "0.5"; c_state "int mine" "Local P"; c_state "char some[3]" "Global";
    active proctype P() { c_code { ext++; now.d *= 3; PP->mine = ext * 3; r.p = (char *)&r; }; assert(false) }"""
    trace = run(engine, network(text)).decisions[0].trace
    assert trace is not None
    assert trace.initial.values == {"d": "0.5", "ext": "0", "P(0).mine": "0"}
    assert trace.steps[0].changes == {"d": ("0.5", "1.5"), "ext": ("0", "1"), "P(0).mine": ("0", "3")}


@ENGINES
def test_untracked_data_never_gives_holds(engine: Engine) -> None:
    view = network(TEXTS["L2a"])
    assert [d.code for d in view.warnings] == ["promela-untracked"]
    answer = run(engine, view)
    assert {d.verdict for d in answer.decisions} == {"unknown"}
    assert "part of no state: ext" in answer.decisions[0].reason


@ENGINES
def test_a_run_that_untracked_data_makes_unrepeatable_is_bad_input(engine: Engine) -> None:
    text = """c_decl { int ext; } byte x;
    active proctype P() {
      do :: x < 3 -> c_code { ext++; } :: x < 3 -> x++ :: c_expr { ext > 2 } -> assert(false) od }"""
    with pytest.raises(InputError, match="cannot be repeated") as caught:
        run(engine, network(text))
    assert isinstance(caught.value.__cause__, ReplayError)


@ENGINES
def test_unmatched_memory_is_matched_when_a_verdict_is_asked_for(engine: Engine) -> None:
    text = TEXTS["L2b"]
    view = network(text, Switches(sound=True))
    assert [d.code for d in view.warnings] == ["promela-unmatched"]
    answer = run(engine, view)
    assert answer.statistics.states == 9
    assert {d.verdict for d in answer.decisions} == {"holds"}


# --- bad input


@ENGINES
def test_errors_of_the_compiler_are_placed_in_the_model(engine: Engine) -> None:
    text = """byte x;

c_decl {
  int ok;

  int also_ok;
}
c_track "&ok" "4";
active proctype P() {
  c_code {
    /* over

       lines */
    now.x = 2;
    now.y = 3;
  };
  c_expr { PQ->z }
}
"""
    with pytest.raises(InputError) as caught:
        run(engine, network(text))
    found = [(d.span.file, d.span.line) for d in caught.value.diagnostics]
    assert found == [("model.pml", 15), ("model.pml", 17)]
    assert "no member named" in caught.value.diagnostics[0].message


@ENGINES
def test_a_function_that_is_missing_is_named(engine: Engine) -> None:
    with pytest.raises(InputError, match="'missing' is not defined"):
        run(engine, network("c_decl { int missing(int); } active proctype P() { c_code { missing(1); } }"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('c_state "int x" "Local Q"; active proctype P() { skip }', "there is no proctype 'Q'"),
        ('c_track "&x" "4" "Sometimes"; active proctype P() { skip }', '"Sometimes" is not a way to track memory'),
    ],
)
def test_declarations_that_make_no_sense(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        network(text)


@ENGINES
def test_c_that_exits_is_bad_input(engine: Engine) -> None:
    with pytest.raises(InputError, match="embedded C ended the program"):
        run(engine, network("active proctype P() { c_code { exit(0); } }"))


def test_c_that_crashes_ends_the_search_without_a_verdict() -> None:
    answer = run(ENGINE, network("active proctype P() { c_code { abort(); } }"))
    assert answer.limits_hit == ("crash",)
    assert {d.verdict for d in answer.decisions} == {"unknown"}


@ENGINES
def test_hidden_variables_of_a_few_bits(engine: Engine) -> None:
    text = "hidden unsigned h : 3; byte g; active proctype P() { c_code { h = 5; now.g = h; }; g == 5 -> g = 1 }"
    assert stored_and_matched(engine, text) == "5/0"


def test_c_that_crashes_ends_the_interpreter_with_a_message() -> None:
    text = "int x; active proctype P() { c_code { abort(); } }"
    with pytest.raises(InputError, match=r"embedded C crashed \(SIGABRT\)"):
        run(REFERENCE, network(text))


@ENGINES
def test_headers_beside_the_model_are_found_and_watched(engine: Engine, tmp_path: Path) -> None:
    model, header = tmp_path / "model.pml", tmp_path / "limit.h"
    text = """c_decl {
  \\#include "limit.h"
}
byte x; active proctype P() { do :: c_expr { now.x < LIMIT } -> x++ :: c_expr { now.x == LIMIT } -> break od }"""
    states = []
    for limit in (2, 4):
        header.write_text(f"#define LIMIT {limit}\n")
        view = lower(parse_text(text, str(model)), "model").network
        states.append(engine.run(request(view)).statistics.states)
    assert states[0] < states[1]
