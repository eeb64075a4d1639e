"""The `traces` command: random programs with random trace and notrace assertions, compared with Spin's verdicts.

Clew's two engines answer, too: the three have to agree.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from bench.common import child
from bench.common.quick_c import FLAGS, compiled_by_tcc, kept_nowhere
from bench.spin import output
from bench.spin.build import generate as spin_generate
from bench.spin.build import pan_compiler
from clew.core.diagnostics import InputError
from clew.core.engines import Limits, Request
from clew.core.registry import LoadedModel, LoadOptions, load_engine
from clew.frontends.promela.language import LANGUAGE

from .random_formulas import channels_of
from .random_promela import generate

_HANDSHAKE = re.compile(r"^chan \w+ = \[0\]", re.MULTILINE)
ENGINES = ("reference", "native")


def with_trace(text: str, dice: random.Random) -> str | None:
    """The program with a trace or notrace assertion over its channels; None if it has none. Its own assertions hold:
    Spin ends a search at whatever comes first."""
    channels = channels_of(text)
    if not channels:
        return None
    chosen = dice.sample(channels, min(len(channels), dice.randint(1, 2)))
    events = [_event(name, fields, dice) for name, fields in chosen for _ in range(3)]
    events += [f"{name}{sign}{','.join('_' * fields)}" for name, fields in chosen for sign in "!?"]
    body = _sequence(events, 2, dice)
    if dice.random() < 0.7:
        body = f"do :: {body}{''.join(f' :: {event}' for event in dice.sample(events, dice.randint(0, 3)))} od"
    return text.replace("assert(", "assert(1 || ") + f"\n{dice.choice(('trace', 'trace', 'notrace'))} {{ {body} }}\n"


def _event(name: str, fields: int, dice: random.Random) -> str:
    values = ",".join(dice.choice(("_", "_", str(dice.randrange(3)))) for _ in range(fields))
    return f"{name}{dice.choice('!?')}{values}"


def _sequence(events: list[str], depth: int, dice: random.Random) -> str:
    parts = []
    for _ in range(dice.randint(1, 3)):
        if depth and dice.random() < 0.4:
            options = " ".join(f":: {_sequence(events, depth - 1, dice)}" for _ in range(dice.randint(1, 3)))
            parts.append(f"if {options} fi")
        else:
            parts.append(dice.choice(events))
    return "; ".join(parts)


def asked_of_spin(text: str, scratch: Path, seconds: float) -> str:
    """`holds`, `violated`, `two ways` (Spin ends where the assertion can follow a message in more than one way), or
    what else came of it."""
    model = scratch / "model" / "m.pml"
    model.parent.mkdir()
    model.write_text(text)
    refusal = spin_generate(model, scratch, seconds=seconds)
    if refusal is not None:
        return f"refused: {refusal.message}"
    compiled = child.run(
        [pan_compiler(), "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"], cwd=scratch, seconds=120, merge=True
    )
    if compiled.status:
        return "refused by the C compiler"
    done = child.run(["./pan", "-E", "-m1000000", "-c0"], cwd=scratch, seconds=seconds, megabytes=4096, merge=True)
    report = output.read(done.stdout)
    if "trace" in report.errors:
        return "violated"
    if any("non-determinism in event-trace" in texts for texts in report.errors.values()):
        return "two ways"
    if done.stopped or report.fatal or report.unfinished or report.stored is None:
        return "unknown"
    if report.errors:
        return f"met: {', '.join(report.errors)}"
    return "holds"


def asked_of_clew(model: LoadedModel, engine: str, states: int) -> str:
    """The verdict on the trace assertion; `unknown` beyond so many states."""
    traced = tuple(p for p in model.properties if p.kind == "trace")
    options = {"flags": FLAGS, "workers": 1} if engine == "native" else {}
    answer = load_engine(engine).run(Request(model.view, traced, "bfs", Limits(states=states), options=options))
    return answer.decisions[0].verdict


def main(arguments: list[str]) -> int:
    """1 when two of the three contradict each other."""
    parser = argparse.ArgumentParser(prog="python -m bench.conformance traces", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many programs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first; the others follow (%(default)s)")
    parser.add_argument("--max-states", type=int, default=5_000, help="beyond, Clew is not asked (%(default)s)")
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds for each search of Spin (%(default)s)")
    chosen = parser.parse_args(arguments)
    totals: Counter[str] = Counter()
    if shutil.which("tcc"):
        os.environ.setdefault("PAN_CC", "tcc")
    with kept_nowhere(), compiled_by_tcc():
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            text = with_trace(generate(seed), random.Random(seed))
            if text is None:
                totals["without channels"] += 1
                continue
            outcome = _compared(text, chosen)
            totals[outcome] += 1
            if outcome.startswith("DISAGREE"):
                print(f"seed {seed}: {outcome}\n{text}", flush=True)
    print("summary: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(totals.items())))
    return 1 if any(outcome.startswith("DISAGREE") for outcome in totals) else 0


def _compared(text: str, chosen: argparse.Namespace) -> str:
    with tempfile.TemporaryDirectory(prefix="traces-") as scratch:
        spin = asked_of_spin(text, Path(scratch), chosen.timeout)
    try:
        model = LANGUAGE.load("m.pml", text, LoadOptions())
    except InputError:
        clew = ["refused", "refused"]
    else:
        clew = [asked_of_clew(model, engine, chosen.max_states) for engine in ENGINES]
    decided = {said for said in (spin, clew[0]) if said in ("holds", "violated")}
    offers = _HANDSHAKE.search(text) is not None  # Spin follows sends that nobody takes
    if offers and spin in ("violated", "two ways") and clew == ["holds", "holds"]:
        return "a handshake that is tried"
    refused = ("refused" in clew) != spin.startswith("refused")
    if len(set(clew)) == 2 or len(decided) == 2 or refused or (spin, clew[0]) == ("two ways", "holds"):
        return f"DISAGREE: Spin {spin}, reference {clew[0]}, native {clew[1]}"
    if spin in ("holds", "violated"):
        return f"agree: {spin}" if "unknown" not in clew else "larger, or behind a run-time error"
    return spin
