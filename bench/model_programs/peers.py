"""The dining philosophers in other tools, in one run: what a transition costs there.

PyModel 1.0 is written for Python 2. It is translated by lib2to3 (which Python up to 3.12 has) into a folder that is
thrown away, and told that `inspect.getargspec` is called otherwise now; `--pymodel` names the folder with `pma.py`,
else an installed one is used. TLC is a Java program: `--tlc` is its class path (`tla2tools.jar`). Rumur, a Murphi, and
Spin make C programs: what compiled code does is the far end of the table. Hypothesis walks at random and keeps no
states: only the cost of a step can be compared.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.model_programs.table import PLAIN, REDUCED, explored, processor_time, start_up
from bench.spin import build
from bench.spin.search import search

HERE = Path(__file__).parent
FOR_PYMODEL = HERE / "philosophers_for_pymodel.py"
PROMELA = HERE / "philosophers.pml"
TLA = HERE / "Philosophers.tla"
MURPHI = HERE / "philosophers.m"

Row = tuple[str, int, int, int, float]  # tool, size, states, transitions, processor seconds


def by_clew(size: int) -> Iterator[Row]:
    start = start_up()
    for kind in (PLAIN, REDUCED):
        found = explored(size, kind, start)
        yield f"Clew, {kind}", size, found.states, found.transitions, found.seconds


def by_pymodel(size: int, folder: Path | None) -> Row | str:
    if folder is None:
        found = importlib.util.find_spec("pymodel")
        if found is None or found.origin is None:
            return "PyModel is not installed (pip install PyModel)"
        folder = Path(found.origin).parent
    if importlib.util.find_spec("lib2to3") is None:
        return "PyModel is written for Python 2, and this Python has no lib2to3"
    with tempfile.TemporaryDirectory(prefix="pymodel-") as scratch:
        there = Path(scratch) / "pymodel"
        shutil.copytree(folder, there)
        translate = [sys.executable, "-W", "ignore", "-m", "lib2to3", "-w", "-n", str(there)]
        subprocess.run(translate, capture_output=True, check=True)
        for file in there.glob("*.py"):  # the translation takes neighbours for parts of a package
            file.write_text(re.sub(r"from \. import ", "import ", file.read_text()).replace("from .", "from "))
        shutil.copyfile(FOR_PYMODEL, there / "philosophers.py")
        run = "import inspect, runpy, sys; inspect.getargspec = inspect.getfullargspec; "
        run += "sys.argv = ['pma.py', 'philosophers', '-m', '1000000']; runpy.run_path('pma.py', run_name='__main__')"
        began = processor_time()
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", f"import sys; sys.path.insert(0, '.'); {run}"],
            cwd=there,
            env={**os.environ, "N": str(size)},
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = processor_time() - began
    counts = re.search(r"(\d+) states, (\d+) transitions", done.stdout)
    if counts is None:
        return f"PyModel failed: {(done.stderr or done.stdout).strip().splitlines()[-1:]}"
    return "PyModel 1.0, translated", size, int(counts[1]), int(counts[2]), seconds


def by_spin(size: int) -> Row | str:
    try:
        version = build.spin_version()
    except FileNotFoundError as error:
        return str(error)
    with tempfile.TemporaryDirectory(prefix="spin-") as scratch:
        folder = Path(scratch)
        trouble = build.generate(PROMELA, folder, defines=[f"N={size}"])
        trouble = trouble or build.compile_pan(PROMELA, folder, ["-O2", "-DNOREDUCE", "-DSAFETY"])
        if trouble is not None:
            return f"{version}: {trouble.message}"
        began = processor_time()
        found = search(folder, 1_000_000, ["-E", "-c0"], seconds=100, megabytes=4096)
        seconds = processor_time() - began
    report = found.report
    if report.stored is None or report.transitions is None:
        return f"{version}: {found.message}"
    return f"{version.removesuffix('.')} (pan -O2)", size, report.stored, report.transitions, seconds


def by_tlc(size: int, class_path: str | None) -> Row | str:
    """With one worker. The time includes the start of Java, some two seconds, and its compiling on the way."""
    if class_path is None or shutil.which("java") is None:
        return "TLC: say --tlc .../tla2tools.jar; it needs java"
    with tempfile.TemporaryDirectory(prefix="tlc-") as scratch:
        folder = Path(scratch)
        shutil.copy(TLA, folder)
        (folder / "Philosophers.cfg").write_text(f"CONSTANT N = {size}\nSPECIFICATION Spec\n", encoding="utf-8")
        command = ["java", "-XX:+UseSerialGC", "-cp", class_path, "tlc2.TLC", "-deadlock", "-workers", "1"]
        began = processor_time()
        done = subprocess.run(
            [*command, "-cleanup", "Philosophers"], cwd=folder, capture_output=True, text=True, check=False
        )
        seconds = processor_time() - began
    counts = re.search(r"(\d+) states generated, (\d+) distinct states found, 0 states left", done.stdout)
    if counts is None:
        return f"TLC failed: {(done.stdout or done.stderr).strip().splitlines()[-1:]}"
    return "TLC 2, one worker", size, int(counts[2]), int(counts[1]) - 1, seconds  # the initial state is generated, too


def by_rumur(size: int) -> Row | str:
    if shutil.which("rumur") is None:
        return "rumur is not installed (apt install rumur)"
    with tempfile.TemporaryDirectory(prefix="rumur-") as scratch:
        folder = Path(scratch)
        (folder / "model.m").write_text(MURPHI.read_text(encoding="utf-8").replace("@N@", str(size)), encoding="utf-8")
        generate = ["rumur", "--deadlock-detection", "off", "--threads", "1", "-o", "model.c", "model.m"]
        compile_ = ["cc", "-O2", "-std=c11", "-march=native", "-o", "model", "model.c", "-lpthread"]
        for command in (generate, compile_):
            subprocess.run(command, cwd=folder, capture_output=True, check=True)
        began = processor_time()
        done = subprocess.run([str(folder / "model")], capture_output=True, text=True, check=False)
        seconds = processor_time() - began
    counts = re.search(r"(\d+) states, (\d+) rules fired", done.stdout)
    if counts is None:
        return f"rumur failed: {done.stdout.strip().splitlines()[-1:]}"
    return "rumur (cc -O2)", size, int(counts[1]), int(counts[2]), max(seconds, 0.001)


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


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.model_programs peers", description=__doc__)
    parser.add_argument("--pymodel", type=Path, help="folder with PyModel's pma.py")
    parser.add_argument("--tlc", metavar="CLASSPATH", help="class path of TLC")
    parser.add_argument("--sizes", type=int, nargs=2, default=(7, 10), help="a small one for all, a larger for most")
    arguments = parser.parse_args(words)
    small, large = arguments.sizes
    answers: list[Row | str] = [*by_clew(small), by_spin(small), by_pymodel(small, arguments.pymodel)]
    answers += [by_tlc(small, arguments.tlc), by_rumur(small)]
    answers += [*by_clew(large), by_spin(large), by_tlc(large, arguments.tlc), by_rumur(large)]
    print("| tool | n | states | transitions | CPU s | µs/transition |")
    print("|---|--:|--:|--:|--:|--:|")
    for answer in answers:
        if not isinstance(answer, str):
            tool, size, states, transitions, seconds = answer
            per = f"{seconds / transitions * 1e6:,.1f}"
            print(f"| {tool} | {size} | {states:,} | {transitions:,} | {seconds:.2f} | {per} |")
    step = hypothesis_step()
    if step is not None:
        print(f"| Hypothesis, rule-based state machine | {small} | keeps none | random walk | | {step:.0f} |")
    for answer in dict.fromkeys(answers):
        if isinstance(answer, str):
            print(f"not compared: {answer}")
    if step is None:
        print("not compared: Hypothesis is not installed")
    return 0
