"""What a formula costs on a model: the size of the product that a check explores."""

from __future__ import annotations

from typing import Any

from clew.host.checking import CheckOptions, ModelOptions, check_model, load_model
from clew.logic import formulas as f


def product_size(path: str, defines: dict[str, str], formula: f.Formula) -> dict[str, Any]:
    """Verdict, states and transitions, without reduction so that formulas can be compared. `complete`: false where a
    violation ended the search. Raises InputError."""
    text = str(formula)
    reading = ModelOptions(defines=defines, formulas=(text,))
    result = check_model(
        load_model(path, reading), reading, CheckOptions(properties=(f"ltl:{text}",), reduce="none", algorithm="cou99")
    )
    figures = result.statistics
    return {
        "verdict": result.decisions[0].verdict,
        "states": figures.states,
        "transitions": figures.transitions,
        "complete": figures.complete,
    }
