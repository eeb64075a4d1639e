"""The surge protector of the state/event paper (IFM 2004), for small ranges; `python -m bench.surge` goes on to 50."""

from __future__ import annotations

import pytest

from bench.surge import STYLES, built, size, systems
from clew.logic import formulas as f
from clew.logic.lasso import holds_at


@pytest.mark.parametrize("n", [2, 3, 4, 12])
def test_the_automaton_over_states_and_events_does_not_grow(n: int) -> None:
    assert size(built("state/event", n)[0]) == "2/3"


def test_the_automata_of_the_other_styles_grow() -> None:
    for style in ("state", "event"):
        states = [built(style, n)[0].states for n in (2, 3, 4)]
        assert states == sorted(set(states)), style


def test_sizes_of_the_systems_are_those_of_the_paper() -> None:
    assert [systems(n)[1] for n in (2, 3)] == ["9/39", "16/94"]
    assert systems(2)[0].startswith("3/")


RUNS = [  # selections and currents, with whether the protector works
    ("m=1", "m1", "c1", True),
    ("m=1", "m1", "c2", False),
]


@pytest.mark.parametrize(("state", "select", "current", "works"), RUNS)
def test_the_styles_say_the_same(state: str, select: str, current: str, works: bool) -> None:
    """A run on which 1 is selected, then a current flows, then 1 is selected again and again."""
    told = {
        "state/event": [{"m=0", select}, {state, current}, {state, select}],
        "state": [{"m=0", "c=0"}, {state, "c=0"}, {state, f"c={current[1]}"}],
        "event": [{select}, {current}, {select}],
    }
    for style, letters in told.items():

        def truth(atom: f.Atom, place: int, letters: list[set[str]] = letters) -> bool:
            return atom.text in letters[place]

        assert holds_at(STYLES[style](2), 3, 2, truth)[0] == works, style
