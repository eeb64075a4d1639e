"""Verdicts do not rest on what Spin takes on trust; counts do, so that they can be compared."""

from __future__ import annotations

import pytest

import clew

BELIEVED = {
    "a subscript that is a global": """
        byte g;
        active proctype P() { byte a[2]; byte y, z; a[1] = 1; y = a[g]; z = a[g]; assert(y == z) }
        active proctype Q() { g = 1 }
    """,
    "a hidden variable that is read": """
        hidden byte h; byte g;
        active proctype P() { if :: h = 1 :: h = 2 fi; g = 1; g = h; assert(g != 2) }
    """,
    "a global said to be local that is not": """
        local byte l;
        active proctype P() { byte y, z; y = l; z = l; assert(y == z) }
        active proctype Q() { l = 1 }
    """,
    "a channel claimed for one receiver that has two": """
        chan q = [1] of { byte };
        active proctype P() { xr q; byte y, z; y = len(q); z = len(q); assert(y == z) }
        active proctype Q() { xs q; q!1 }
    """,
}


@pytest.mark.parametrize("text", BELIEVED.values(), ids=BELIEVED)
def test_verdict_does_not_rest_on_trust(text: str) -> None:
    assert clew.check("model.pml", text=text).verdict == "violated"


def test_nothing_holds_behind_a_runtime_error() -> None:
    text = "byte g; active proctype P() { g = 1 / g; assert(false) }"
    verdicts = {d.property.kind: d.verdict for d in clew.check("model.pml", text=text).result.decisions}
    assert verdicts == {"assertion": "unknown", "deadlock": "unknown", "runtime-error": "violated"}
