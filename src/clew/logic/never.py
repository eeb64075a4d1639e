"""Automata as never claims of Promela."""

from __future__ import annotations

from clew.logic.automata import Automaton
from clew.logic.degeneralize import accepting_states, state_based


def never_claim(automaton: Automaton, comment: str = "") -> str:
    """A never claim that accepts the same words. The texts of the atoms must be Promela expressions."""
    automaton = state_based(automaton)
    accepting = accepting_states(automaton)
    names = [_name(automaton, s, s in accepting) for s in range(automaton.states)]
    lines = ["never {" + (f" /* {comment.replace('*/', '* /')} */" if comment else "")]
    # The claim starts at its first state, and ends behind `skip`, which means that it has matched.
    last = {s for s in accepting if _loops_for_ever(automaton, s)}
    order = sorted(range(automaton.states), key=lambda s: (s in last, s != automaton.initial, s))
    for state in order:
        lines.append(f"{names[state]}:")
        edges = automaton.edges[state]
        if not edges:
            lines.append("\tfalse")
            continue
        if state in last:
            lines.append("\tskip")
            continue
        lines.append("\tdo")
        for edge in edges:
            lines.append(f"\t:: {_guard(automaton, automaton.cubes(edge))} -> goto {names[edge.target]}")
        lines.append("\tod;")
    return "\n".join([*lines, "}", ""])


def _name(automaton: Automaton, state: int, accepting: bool) -> str:
    if state == automaton.initial:
        return "accept_init" if accepting else "T0_init"
    if accepting and _loops_for_ever(automaton, state):
        return "accept_all"
    return f"accept_S{state}" if accepting else f"T0_S{state}"


def _loops_for_ever(automaton: Automaton, state: int) -> bool:
    match automaton.edges[state]:
        case [edge] if edge.target == state and edge.condition == automaton.possible:
            return True
    return False


def _guard(automaton: Automaton, cubes: list[tuple[int, int]]) -> str:
    def literals(positive: int, negative: int) -> str:
        found = []
        for i, atom in enumerate(automaton.atoms):
            if positive >> i & 1:
                found.append(f"({atom.text})")
            elif negative >> i & 1:
                found.append(f"!({atom.text})")
        return " && ".join(found) or "true"

    alternatives = [literals(*cube) for cube in cubes]
    return f"({alternatives[0]})" if len(alternatives) == 1 else f"({' || '.join(f'({a})' for a in alternatives)})"
