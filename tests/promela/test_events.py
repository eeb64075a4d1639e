"""Events in temporal formulas: what a step does, decided by both engines and judged by the reference interpreter.

The letter at a place of a run is the state there and the step that leaves it (Chaki, Clarke, Ouaknine, Sharygina and
Sinha, *State/event-based software model checking*, IFM 2004).
"""

from __future__ import annotations

import random

import pytest

from bench.conformance.random_formulas import with_formulas
from bench.conformance.random_promela import generate
from clew.core.diagnostics import InputError
from clew.core.engines import Limits
from tests.promela.test_temporal import ENGINES, ask, cache, decide, loaded

__all__ = ["cache"]  # a fixture

# The example of section 4 of the paper: p and q are true on the left, q and r on the right.
TWO_STATES = """
mtype = { a, b, c, d };
chan happens = [0] of { mtype };
active proctype System() {
left: if
      :: happens!a -> goto left
      :: happens!b -> goto left
      :: happens!c -> goto right
      fi;
right: happens!d -> goto left
}
active proctype Environment() { do :: happens?_ od }
"""

CLIENT_SERVER = """
mtype = { req, ack };
chan up = [1] of { mtype, byte };
chan down = [0] of { mtype, byte };
byte n = 3;
active proctype Client() {
  byte x;
  do
  :: up!req(n);
asked: down?ack(x)
  :: atomic { n < 4 -> n++; up!req(2); down?ack(_) }
  od
}
active proctype Server() {
  byte y;
  do :: up?req(y) -> down!ack(y) od
}
"""

VERDICTS = [
    (TWO_STATES, "[] (happens!c -> <> System@right)", "holds"),
    (TWO_STATES, "[] (happens!b -> <> System@right)", "violated"),
    (TWO_STATES, "[] (happens!d -> <> System@right)", "holds"),  # d leaves a state where r is true
    (TWO_STATES, "[] (happens!d -> X <> System@right)", "violated"),
    (CLIENT_SERVER, "[] (up!req(_) -> <> down?ack(_))", "holds"),
    (CLIENT_SERVER, "[] !down!ack(2)", "violated"),  # inside an indivisible sequence
    (CLIENT_SERVER, "[] (down!ack(_) <-> down?ack(_))", "holds"),  # a handshake is both
    (CLIENT_SERVER, "[] (up!req(n) -> X (n != 2))", "holds"),
    (CLIENT_SERVER, "[] (reaches(Client@asked) -> up!req(_))", "holds"),
    (CLIENT_SERVER, "[] (up!req(_) -> reaches(Client@asked))", "violated"),
    (CLIENT_SERVER, "[] (reaches(Client[0]@asked) -> X (Client@asked))", "holds"),
    (CLIENT_SERVER, "[] !reaches(Client[1]@asked)", "holds"),  # process 1 is the server
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "formula", "expected"), VERDICTS, ids=[formula for _, formula, _ in VERDICTS])
def test_verdicts(engine: str, text: str, formula: str, expected: str) -> None:
    assert decide(engine, text, formula).verdict == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_happens_where_a_run_has_ended(engine: str) -> None:
    text = "chan q = [2] of { byte }; active proctype P() { q!1; q!2 }"
    for ends in ("stutter", "maximal"):
        assert decide(engine, text, "<> [] !q!_", ends=ends).verdict == "holds"
        assert decide(engine, text, "<> q!2", ends=ends).verdict == "holds"


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("[] !nobody!req(_)", "undeclared variable 'nobody'"),
        ("[] !n!req(_)", "'n' is not a channel"),
        ("[] !up!req", "messages of 'up' have 2 fields, the event has 1"),
        ("[] !up!req(unknown)", "undeclared variable 'unknown'"),
        ("[] !reaches(Client@nowhere)", "proctype Client has no label 'nowhere'"),
        ("[] !reaches(n)", "expected a proctype and a label, as in reaches(P@label), found 'n'"),
        ("[] !up!!req(1)", "an event is written with '!'"),
        ("[] (up!req(1)) + 1 > 0", "'up!req,1' is an event: it has no value in a state"),
        ("[] up?<req(_)>", "expected the message of the event, found '<'"),
    ],
)
def test_what_is_no_event_is_an_error(formula: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        loaded(CLIENT_SERVER, formula)
    assert message in [d.message for d in error.value.diagnostics]


@pytest.mark.parametrize("seed", [2, 8, 9])
def test_engines_agree_on_random_programs(seed: int) -> None:
    text, names = with_formulas(generate(seed), random.Random(seed), events=True)
    model = loaded(text)
    plain = ask("reference", model, *names, limits=Limits(states=3000), fair=("none", "weak")[seed % 2])
    native = ask("native", model, *names, fair=("none", "weak")[seed % 2])
    for ours, theirs in zip(plain.decisions, native.decisions, strict=True):
        assert ours.verdict == theirs.verdict != "unknown"
        if ours.verdict == "holds":  # same product
            assert ours.evidence.text.split(",")[0] == theirs.evidence.text.split(",")[0]
