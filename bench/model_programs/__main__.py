"""Model programs: cost of a transition, and what reduction by isomorphism costs and gains, on the dining philosophers.

    python -m bench.model_programs [--from 4] [--to 10] [--plain-to 10]

For each size, once over every state and once up to isomorphism, each in a process of its own: states, transitions,
processor time per transition and per state, memory. The last lines compare a step with one of Hypothesis' rule-based
state machines over the same rules, if Hypothesis is installed (it walks at random and visits states again and again, so
only the cost of a step can be compared).
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

MODEL = Path(__file__).parents[2] / "examples/python/philosophers.py"


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def explored(size: int, *options: str) -> tuple[int, int, float, int]:
    """States, transitions, processor seconds (start-up taken off by the caller), bytes."""
    command = [sys.executable, "-m", "clew", "count", "--json", "--engine", "reference", "-D", f"N={size}", *options]
    began = processor_time()
    done = subprocess.run([*command, str(MODEL)], capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)["statistics"]
    return figures["states"], figures["transitions"], processor_time() - began, figures["peak_bytes"]


def row(name: str, size: int, start: float, *options: str) -> str:
    states, transitions, seconds, memory = explored(size, *options)
    seconds = max(seconds - start, 0.001)
    per = f"{seconds / transitions * 1e6:.0f} | {seconds / states * 1e6:.0f}"
    return f"| {size} | {name} | {states:,} | {transitions:,} | {seconds:.2f} | {per} | {memory / 1e6:.0f} |"


def hypothesis_step(size: int = 5, steps: int = 50, examples: int = 40) -> float | None:
    """Processor microseconds of one step of a rule-based state machine."""
    try:
        from hypothesis import HealthCheck, settings
        from hypothesis import strategies as st
        from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
    except ImportError:
        return None
    taken = [0]

    class Philosophers(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.forks, self.moods = [None] * size, [0] * size

        @rule(p=st.integers(0, size - 1))
        @precondition(lambda self: True)
        def step(self, p: int) -> None:
            taken[0] += 1
            left, right = p, (p + 1) % size
            if self.moods[p] == 0 and self.forks[left] is None:
                self.forks[left], self.moods[p] = p, 1
            elif self.moods[p] == 1 and self.forks[right] is None:
                self.forks[right], self.moods[p] = p, 2
            elif self.moods[p] == 2:
                self.forks[left], self.moods[p] = None, 3
            elif self.moods[p] == 3:
                self.forks[right], self.moods[p] = None, 0

    quiet = settings(
        max_examples=examples,
        stateful_step_count=steps,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    began = time.process_time()
    run_state_machine_as_test(Philosophers, settings=quiet)
    return (time.process_time() - began) / max(taken[0], 1) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="first", type=int, default=4)
    parser.add_argument("--to", dest="last", type=int, default=10)
    parser.add_argument("--plain-to", type=int, default=10, help="largest size without reduction")
    arguments = parser.parse_args()
    start = min(explored(2)[2] for _ in range(3))
    print("| n | search | states | transitions | CPU s | µs/transition | µs/state | MB |")
    print("|--:|---|--:|--:|--:|--:|--:|--:|")
    for size in range(arguments.first, arguments.last + 1):
        if size <= arguments.plain_to:
            print(row("every state", size, start), flush=True)
        print(row("up to isomorphism", size, start, "--reduce", "symmetry"), flush=True)
    cost = hypothesis_step()
    print(f"a step of Hypothesis: {'not installed' if cost is None else f'{cost:.0f} µs'}")


if __name__ == "__main__":
    main()
