"""A process that waits for itself in a deadlock is told from one that waits for others."""

from __future__ import annotations

import pytest

from clew.host.checking import CheckOptions, ModelOptions, check_model, load_text

WITHOUT_ELSE = "active proctype P() { byte x = 2; if :: x == 1 -> skip :: x == 0 -> skip fi }"
WITH_ELSE = "chan c = [0] of { bit }; active proctype P() { byte x; if :: x == 1 -> skip :: else fi; c!1 }"
FOR_OTHERS = """byte x;
active proctype P() { if :: x == 1 -> skip :: x == 2 -> skip fi }
active proctype Q() { byte wanted; wanted == 1; x = 1 }
"""
FOR_A_TWIN = "byte x; active [2] proctype P() { if :: x == 1 -> skip :: x == 2 -> skip fi; x = 2 }"
FOR_A_MESSAGE = "chan c = [1] of { bit }; active proctype P() { bit b; if :: c?b :: b -> skip fi }"


def notes_on(text: str, engine: str = "auto") -> tuple[str, ...]:
    result = check_model(load_text("m.pml", text, ModelOptions()), ModelOptions(), CheckOptions(engine=engine))
    assert result.verdict == "violated"
    return tuple(note for note in result.notes if "waits for ever" in note)


@pytest.mark.parametrize("engine", ["reference", "native", "symbolic"])
def test_a_choice_without_else_is_named(engine: str) -> None:
    assert notes_on(WITHOUT_ELSE, engine) == (
        "P(0) waits for ever at m.pml:1: no option is true, and no other process can change that; with an option "
        "`else` it would go on",
    )


def test_init_is_a_process_like_others() -> None:
    (note,) = notes_on("init { byte x = 2; if :: x == 1 -> skip :: x == 0 -> skip fi }")
    assert note.startswith("init(0) waits for ever at m.pml:1")


def test_a_claim_beside_the_system_is_no_process() -> None:
    assert notes_on("never { do :: skip od }\n" + FOR_OTHERS) == ()


@pytest.mark.parametrize("text", [WITH_ELSE, FOR_OTHERS, FOR_A_TWIN, FOR_A_MESSAGE])
def test_who_waits_for_others_is_not_told_to_write_else(text: str) -> None:
    assert notes_on(text) == ()
