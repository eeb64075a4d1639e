"""Automata as text in the Hanoi Omega-Automata format, version 1: writing."""

from __future__ import annotations

from clew.logic.automata import Automaton
from clew.logic.degeneralize import accepting_states
from clew.logic.diagrams import Cube


def write_hoa(automaton: Automaton, name: str = "", by_state: bool = False) -> str:
    """The automaton in HOA v1. `by_state` puts the marks on states; needs a state-based automaton."""
    condition = "&".join(f"Inf({i})" for i in range(automaton.sets)) or "t"
    kinds = {0: "all", 1: "Buchi"}
    lines = ["HOA: v1"]
    if name:
        lines.append(f"name: {_quoted(name)}")
    lines += [
        f"States: {automaton.states}",
        f"Start: {automaton.initial}",
        " ".join([f"AP: {len(automaton.atoms)}", *(_quoted(atom.text) for atom in automaton.atoms)]),
        f"acc-name: {kinds.get(automaton.sets, f'generalized-Buchi {automaton.sets}')}",
        f"Acceptance: {automaton.sets} {condition}",
        f"properties: trans-labels explicit-labels {'state-acc' if by_state else 'trans-acc'}",
        "--BODY--",
    ]
    accepting = accepting_states(automaton) if by_state and automaton.sets else set()
    for state, edges in enumerate(automaton.edges):
        lines.append(f"State: {state}" + (" {0}" if state in accepting else ""))
        for edge in edges:
            marks = "" if by_state else _marks(edge.marks)
            lines.append(f"[{_label(automaton, automaton.cubes(edge))}] {edge.target}{marks}")
    return "\n".join([*lines, "--END--", ""])


def _marks(marks: int) -> str:
    return f" {{{' '.join(str(i) for i in range(marks.bit_length()) if marks >> i & 1)}}}" if marks else ""


def _label(automaton: Automaton, cubes: list[Cube]) -> str:
    alternatives = []
    for positive, negative in cubes:
        literals = [
            str(i) if positive >> i & 1 else f"!{i}"
            for i in range(len(automaton.atoms))
            if (positive | negative) >> i & 1
        ]
        alternatives.append("&".join(literals) or "t")
    return " | ".join(alternatives)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
