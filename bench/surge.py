"""The surge protector: one property over states and events, over states alone, and over events alone.

    python -m bench.surge [--largest 50] [--compare 12]

Chaki, Clarke, Ouaknine, Sharygina and Sinha (*State/event-based software model checking*, IFM 2004): the protector lets
no current `c` flow that is larger than the latest selection `m`, both from 0 to n. Over states and events that is
G (c_j -> m >= j) for all j. Over states alone the last current has to be a variable of the system; over events alone
the last selection is a matter of the formula. Printed are states/steps of the system with events and of that whose
states remember the last current; then for each style states/edges of the automaton of the negated property and the
processor time to build it, for the two styles that grow only up to `--compare`. Exit status 1 if the automaton over
states and events grows, or is not built in a second.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from clew.logic import formulas as f
from clew.logic.automata import Automaton
from clew.logic.translate import translate


def selected(m: int) -> f.Formula:
    return f.proposition(f"m={m}")


def at_least(j: int, n: int) -> f.Formula:
    return f.disjunction(selected(m) for m in range(j, n + 1))


def state_event(n: int) -> f.Formula:
    """A current is an event, the selection a variable."""
    return f.Always(f.conjunction(f.Implies(f.proposition(f"c{j}"), at_least(j, n)) for j in range(n + 1)))


def state_only(n: int) -> f.Formula:
    """Both are variables: if the current changes to j, the selection allowed it."""

    def changes(j: int) -> f.Formula:
        flows = f.proposition(f"c={j}")
        return f.conjunction((f.Not(flows), f.Next(flows)))

    return f.conjunction(f.Always(f.Implies(changes(j), at_least(j, n))) for j in range(1, n + 1))


def event_only(n: int) -> f.Formula:
    """Both are events: after selection i, no larger current before a selection that allows it."""
    return f.conjunction(
        f.Always(f.Implies(select(i), f.WeakUntil(f.Not(f.proposition(f"c{j}")), allowing(j, n))))
        for j in range(1, n + 1)
        for i in range(j)
    )


def select(m: int) -> f.Formula:
    return f.proposition(f"m{m}")


def allowing(j: int, n: int) -> f.Formula:
    return f.disjunction(select(m) for m in range(j, n + 1))


STYLES: dict[str, Callable[[int], f.Formula]] = {
    "state/event": state_event,
    "state": state_only,
    "event": event_only,
}


def built(style: str, n: int) -> tuple[Automaton, float]:
    """The automaton of the negation, and the processor time it took."""
    began = time.process_time()
    automaton = translate(f.Not(STYLES[style](n)))
    return automaton, time.process_time() - began


def size(automaton: Automaton) -> str:
    return f"{automaton.states}/{sum(map(len, automaton.edges))}"


def systems(n: int) -> tuple[str, str]:
    """States and steps of the system with events, and of that whose states remember the last current."""
    with_events = sum(n + 1 + m + 1 for m in range(n + 1))
    remembering = {
        ((m, c), after)
        for m in range(n + 1)
        for c in range(n + 1)
        for after in [*((to, c) for to in range(n + 1)), *((m, flows) for flows in range(m + 1))]
    }
    return f"{n + 1}/{with_events}", f"{(n + 1) ** 2}/{len(remembering)}"


def main() -> int:
    parser = argparse.ArgumentParser(description="The surge protector in three styles.")
    parser.add_argument("--largest", type=int, default=50, help="range of selections and currents (%(default)s)")
    parser.add_argument("--compare", type=int, default=12, help="that of the other styles (%(default)s)")
    options = parser.parse_args()
    print(f"{'n':>3} {'system':>10} {'of states':>12}  " + "  ".join(f"{style:>18}" for style in STYLES))
    sizes, slowest = set(), 0.0
    for n in [*range(2, 13), *range(20, options.largest + 1, 10)]:
        cells = []
        for style in STYLES:
            if style != "state/event" and n > options.compare:
                cells.append(f"{'-':>18}")
                continue
            automaton, seconds = built(style, n)
            cells.append(f"{size(automaton):>9} {seconds:6.2f} s")
            if style == "state/event":
                sizes.add(size(automaton))
                slowest = max(slowest, seconds)
        print(f"{n:>3} {systems(n)[0]:>10} {systems(n)[1]:>12}  " + "  ".join(cells), flush=True)
    return int(len(sizes) > 1 or slowest > 1)


if __name__ == "__main__":
    raise SystemExit(main())
