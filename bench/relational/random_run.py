"""Compares the engine on decision diagrams with the explicit interpreter and CTL checker, on random models. Runs
that it shows are replayed, and have to show what they are shown for.

python -m bench.relational.random_run --count 1000 --least 6 --bits 12
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from bench.relational.random_models import RandomModel
from clew.core.diagnostics import DiagnosticBag, InputError
from clew.core.engines import Request
from clew.core.properties import Property
from clew.core.relational.explicit import Checker, whole
from clew.core.relational.interpreter import TooMuch, all_states
from clew.core.relational.program import RelationalProgram, Switches
from clew.core.relational.witnesses import rejudged_trace
from clew.core.replay import ReplayError
from clew.frontends.relational.build import build as read
from clew.symbolic.relational.engine import RelationalEngine
from clew.symbolic.relational.system import Options, System, build
from clew.symbolic.relational.verdicts import Verdicts

SWITCHES = (Switches(), Switches(foreach="declared"), Switches(blocking=True), Switches(bad="havoc"))


def differences(program: RelationalProgram, system: System) -> list[str]:
    """What the two disagree about: steps, stuck states, verdicts, states in which assertions fail."""
    found: list[str] = []
    graph = whole(program)
    for state, successors in graph.successors.items():
        here = system.single(state)
        images = system.after(here)
        expected = system.layout.bdd.false
        for successor in successors:
            expected |= system.single(successor)
        if images != expected:
            found.append(f"steps from {state}")
            break
        if (system.sticks & here != system.layout.bdd.false) != bool(graph.stuck[state]):
            found.append(f"stuck in {state}")
            break
    if system.count(system.universe) != len(list(all_states(program))):
        found.append("number of states")
    checker, verdicts = Checker(graph), Verdicts(system)
    for assertion in program.assertions:
        fails = system.layout.bdd.false
        for case in verdicts.cases(assertion):
            fails |= case.fails()
        wrong = [s for s in graph.successors if s is not None and not checker.holds(assertion.formula, s, {})]
        expected = system.layout.bdd.false
        for state in wrong:
            expected |= system.single(state)
        if fails != expected:
            found.append(f"{assertion.name} fails in {system.count(fails)} states, not {len(wrong)}")
    return found


def unshown(program: RelationalProgram) -> list[str]:
    """Assertions that are said to fail, but whose runs do not show it when they are replayed and judged."""
    found: list[str] = []
    for assertion in program.assertions:
        asked = Property(assertion.name, "ctl", assertion.text, assertion.span)
        try:
            (decision,) = RelationalEngine().run(Request(program, (asked,))).decisions
            if decision.trace is not None:
                rejudged_trace(program, asked, decision.trace)
        except ReplayError as error:
            found.append(f"{assertion.name}: {error}")
    return found


def compared(model: RandomModel, seed: int) -> tuple[str, list[str]]:
    """The text of a random model, and what differs."""
    text = model.text()
    switches = SWITCHES[seed % len(SWITCHES)]
    program = read(f"random{seed}.rel", text, {}, switches, DiagnosticBag())
    return text, differences(program, build(program, Options())) + unshown(program)


def sizes_text(sizes: Counter[int]) -> str:
    """How many models of how many bits."""
    return ", ".join(f"{count} of {bits}" for bits, count in sorted(sizes.items())) + " bits"


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TooMuch after so much processor time."""

    def stop(*_: object) -> None:
        raise TooMuch(f"not within {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--bits", type=int, default=7, help="of a state at most")
    parser.add_argument("--least", type=int, help="so many bits at most for the smallest models, more for others")
    parser.add_argument("--rich", action="store_true", help="with functions, do, for, temporal operators in sets")
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for each model; 0: no limit")
    arguments = parser.parse_args()
    wrong, skipped, sizes = 0, 0, Counter[int]()
    least = arguments.least or arguments.bits
    for done, seed in enumerate(range(arguments.first, arguments.first + arguments.count)):
        if done and done % 100 == 0:
            print(f"{done} models, {wrong} with differences, {skipped} left out", file=sys.stderr, flush=True)
        try:
            with limited(arguments.seconds):
                model = RandomModel(seed, least + seed % (arguments.bits + 1 - least), arguments.rich)
                text, found = compared(model, seed)
                sizes[model.bits] += 1
        except TooMuch as reason:
            skipped += 1
            print(f"model {seed}: {reason}", file=sys.stderr)
            continue
        except InputError as error:
            if any(said.code == "too-many-states" for said in error.diagnostics):
                skipped += 1
                continue
            print(f"model {seed} is not well-typed: {error}", file=sys.stderr)
            wrong += 1
            continue
        if found:
            wrong += 1
            print(f"model {seed}: {'; '.join(found)}\n{text}")
    print(f"{arguments.count} random models: {wrong} with differences, {skipped} left out as too large to enumerate")
    print(f"compared: {sizes_text(sizes)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
