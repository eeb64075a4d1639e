"""`else` of a choice that an option begins with: it looks at the options before it, those of the choice around it, too.

The figures are those of Spin 6.5.2 (`-DNOREDUCE`, `-E`)."""

from __future__ import annotations

import pytest

import clew

INNER = "if :: g == 1 -> skip :: else -> g = 5 fi"
FIGURES = {
    f"if :: {INNER} :: true -> g = 2 fi": 7,
    f"if :: true -> g = 2 :: {INNER} fi": 4,
    f"if :: {INNER} :: g == 0 -> g = 2 fi": 7,
    "if :: if :: g == 0 -> g = 4 :: else -> g = 5 fi :: g == 7 -> g = 2 fi": 4,
    "if :: if :: g == 1 -> skip :: atomic { else -> g = 5 } fi :: true -> g = 2 fi": 6,
    "if :: if :: atomic { else -> g = 5 } :: g == 1 -> skip fi :: true -> g = 2 fi": 6,
    "if :: true -> g = 2 :: if :: atomic { else -> g = 5 } :: g == 1 -> skip fi fi": 4,
    "if :: { else -> g = 5 } :: true -> g = 2 fi": 5,
    "if :: true -> g = 2 :: atomic { else -> g = 5 } fi": 4,
    f"if :: if :: {INNER} :: g == 0 -> g = 3 fi :: true -> g = 2 fi": 10,
    f"do :: {INNER} :: break od": 8,
    "do :: do :: g == 1 -> skip :: else -> break od; g = 7; break :: g == 3 -> skip :: true -> g = 2; break od": 7,
}


@pytest.mark.parametrize("engine", ["reference", "native", "symbolic"])
@pytest.mark.parametrize("body", FIGURES)
def test_the_states_are_those_of_spin(body: str, engine: str) -> None:
    found = clew.count("m.pml", text=f"byte g; active proctype P() {{ {body} }}", engine=engine)
    assert found.statistics.states == FIGURES[body]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_claim_asks_in_the_same_order(engine: str) -> None:
    """With `else` last the claim could only stay where it is, as g == 0 always holds."""
    claim = (
        "never { T0: if :: if :: g == 5 -> skip :: else -> goto accept_C fi :: g == 0 -> goto T0 fi; accept_C: skip }"
    )
    text = f"byte g; active proctype P() {{ do :: g = 0 od }} {claim}"
    assert clew.check("m.pml", text=text, engine=engine, properties=["never_0"]).verdict == "violated"


@pytest.mark.parametrize("engine", ["reference", "native", "symbolic"])
def test_reduction_and_assertions_see_it(engine: str) -> None:
    first = f"active proctype P() {{ if :: {INNER}; assert(false) :: true fi }}"
    text = f"byte g; {first} active proctype Q() {{ byte n; n = 1 }}"
    assert clew.check("m.pml", text=text, engine=engine, properties=["assertions"]).verdict == "violated"
