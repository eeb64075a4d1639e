"""What goes wrong around a search: it is killed, interrupted, starved, or crashes; and what a user then sees."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clew.core.engines import Limits, Progress
from clew.explicit import program
from clew.explicit.engine import ENGINE
from clew.explicit.program import ProgramError
from clew.host.interrupts import passed_on
from tests.explicit.command import ENDLESS, children_of, environment, run, start
from tests.explicit.native import SAFETY, check, explore, needs_compiler, network, request

pytestmark = needs_compiler

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to find processes")

needs_pidfd = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd_open to wait for any process")


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    path = tmp_path / "endless.pml"
    path.write_text(ENDLESS)
    return path


@pytest.fixture
def searching(endless: Path) -> Iterator[subprocess.Popen[str]]:
    """A check that has begun its search, which would go on for hours."""
    words = ("check", "--engine", "native", "--json", "--progress", "json", endless)
    with start(*words, cwd=endless.parent) as clew:
        assert clew.stderr is not None
        assert json.loads(clew.stderr.readline())["schema"] == "clew.progress/1"
        yield clew
        clew.kill()


def outcome(clew: subprocess.Popen[str]) -> tuple[dict[str, Any], str]:
    """The one JSON object on stdout, and stderr without reports of progress."""
    out, err = clew.communicate()
    return json.loads(out), "".join(line + "\n" for line in err.splitlines() if "clew.progress/1" not in line)


# --- killed


@needs_proc
def test_a_search_that_is_killed_gives_what_it_reported_last(searching: subprocess.Popen[str]) -> None:
    (search,) = children_of(searching.pid)
    os.kill(search, signal.SIGKILL)
    answer, _ = outcome(searching)
    assert (searching.returncode, answer["verdict"], answer["limits_hit"]) == (2, "unknown", ["killed"])
    assert answer["statistics"]["states"] >= 1 and not answer["statistics"]["complete"]
    assert [p["reason"] for p in answer["properties"]] == ["the search was killed"] * 3
    assert "the search was killed (SIGKILL), by hand, or by the system because" in answer["warnings"][0]["message"]


def has_ended(process: int) -> bool:
    """Waits for the process behind this descriptor."""
    ended = select.select([process], [], [], 600)[0] == [process]
    os.close(process)
    return ended


@needs_pidfd
def test_a_search_does_not_outlive_a_killed_clew(searching: subprocess.Popen[str]) -> None:
    search = os.pidfd_open(*children_of(searching.pid))
    searching.kill()
    assert has_ended(search)


def stand_in(path: Path, *lines: str) -> Path:
    """A program in the place of a compiled model."""
    path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\n")
    path.chmod(0o755)
    return path


Pretend = Callable[..., None]


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Pretend:
    """Has the engine run a shell script with these lines instead of a compiled model."""

    class Ready:
        def program(self) -> Path:
            return tmp_path / "model"

    def use(*lines: str) -> None:
        stand_in(tmp_path / "model", *lines)
        monkeypatch.setattr(program, "begin", lambda *_, **__: Ready())

    return use


PROGRESS = """echo '{"type":"progress","states":7,"transitions":9,"depth":2,"queue":1,"seconds":0.5,"bytes":4096}'"""
VIOLATION = """echo '{"type":"violation","kind":"assertion","path":[[0,0]]}'"""


def test_a_violation_reported_before_the_end_counts(pretend: Pretend) -> None:
    pretend(PROGRESS, VIOLATION, "kill -KILL $$")
    answer = check("active proctype P() { assert(false); skip }")
    assert [d.verdict for d in answer.decisions] == ["violated", "unknown", "unknown"]
    assert (answer.statistics.states, answer.statistics.transitions, answer.limits_hit) == (7, 9, ("killed",))


def test_half_a_line_is_left_out(pretend: Pretend) -> None:
    pretend(PROGRESS, """printf '{"type":"resu'""", "kill -KILL $$")
    assert explore(ENDLESS).limits_hit == ("killed",)


def test_what_is_not_a_report_is_left_out(pretend: Pretend) -> None:
    pretend("echo hello", "echo '[1]'", "echo 12", "echo '{}'", PROGRESS, "kill -KILL $$")
    assert explore(ENDLESS).statistics.states == 7


# --- crashes


@pytest.mark.parametrize("name", ["SEGV", "ABRT", "FPE", "BUS", "ILL"])
def test_a_crash_of_generated_code_is_an_internal_error(pretend: Pretend, name: str) -> None:
    pretend(PROGRESS, f"kill -{name} $$")
    with pytest.raises(ProgramError, match=f"the compiled model ended with SIG{name}"):
        explore(ENDLESS)


def test_a_crash_of_embedded_c_is_not_a_verdict() -> None:
    answer = check("byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> c_code { *(int *)0 = 1; } od }")
    assert (answer.limits_hit, answer.notes) == (("crash",), ("the embedded C crashed (SIGSEGV)",))
    assert {d.verdict for d in answer.decisions} == {"unknown"}
    assert not answer.statistics.complete


def test_an_end_without_a_result_is_an_internal_error(pretend: Pretend) -> None:
    pretend("echo something went wrong >&2", "exit 64")
    with pytest.raises(ProgramError, match="the compiled model ended with status 64: something went wrong"):
        explore(ENDLESS)


def test_a_crash_ends_the_command_with_status_4(endless: Path, tmp_path: Path) -> None:
    crash = stand_in(tmp_path / "crash", "kill -SEGV $$")
    compiler = stand_in(tmp_path / "cc", "while [ $1 != -o ]; do shift; done", f"cp {crash} $2")
    done = run("check", "--engine", "native", endless, cwd=tmp_path, changes={"CC": str(compiler)})
    assert (done.returncode, done.stdout) == (4, "")
    assert "internal error: ProgramError: the compiled model ended with SIGSEGV" in done.stderr


# --- memory


def test_address_space_that_is_too_small(endless: Path, tmp_path: Path) -> None:
    run("count", "--engine", "native", "--max-states", "10", endless, cwd=tmp_path)  # compiles
    limited = ("sh", "-c", 'ulimit -v 400000; exec "$@"', "sh")
    done = run("check", "--engine", "native", "--json", endless, cwd=tmp_path, before=limited)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["verdict"], answer["limits_hit"]) == (2, "unknown", ["memory"])
    assert answer["statistics"]["states"] > 100_000


def test_address_space_that_is_too_small_for_a_tree(tmp_path: Path) -> None:
    """Of two workers that each see room for some more nodes, one may find that the other has taken it."""
    model = tmp_path / "wide.pml"
    model.write_text("int a[24]; active [24] proctype P() { do :: a[_pid] < 99 -> a[_pid]++ od }")
    options = ("count", "--engine", "native", "--json", "--store", "tree", "--workers", "2")
    run(*options, "--max-states", "10", model, cwd=tmp_path)  # compiles
    done = run(*options, model, cwd=tmp_path, before=("sh", "-c", 'ulimit -v 200000; exec "$@"', "sh"))
    assert (done.returncode, json.loads(done.stdout)["limits_hit"]) == (2, ["memory"])


def test_no_memory_at_all(pretend: Pretend) -> None:
    pretend(PROGRESS, "echo clew: Cannot allocate memory >&2", "exit 70")
    answer = explore(ENDLESS)
    assert (answer.limits_hit, answer.statistics.states) == (("memory",), 7)
    assert answer.notes == ("the search could not get more memory; the figures are those of its last report",)


def test_a_limit_on_memory_reaches_the_search(endless: Path, tmp_path: Path) -> None:
    done = run("check", "--engine", "native", "--max-memory", "32M", endless, cwd=tmp_path)
    assert done.returncode == 2
    assert "stopped by the limit on memory (--max-memory)" in done.stdout


# --- Ctrl-C


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_during_the_search_gives_what_is_known(
    searching: subprocess.Popen[str], number: signal.Signals
) -> None:
    searching.send_signal(number)
    answer, said = outcome(searching)
    assert (searching.returncode, answer["verdict"], answer["limits_hit"]) == (2, "unknown", ["interrupt"])
    messages = [line for line in said.splitlines() if "clew.saved/1" not in line]
    assert messages == ["clew: interrupted: collecting what is known (again to stop at once)"]


@needs_pidfd
def test_a_second_interrupt_ends_the_search_at_once(tmp_path: Path) -> None:
    """The search is one that does not listen."""
    model, compiler = tmp_path / "m.pml", tmp_path / "cc"
    model.write_text(ENDLESS)
    deaf = stand_in(tmp_path / "deaf", "trap '' INT", PROGRESS, "while :; do :; done")
    stand_in(compiler, "while [ $1 != -o ]; do shift; done", f"cp {deaf} $2")
    words = ("check", "--engine", "native", "--progress", "json", model)
    with start(*words, cwd=tmp_path, changes={"CC": str(compiler)}) as clew:
        assert clew.stderr is not None
        assert "clew.progress/1" in clew.stderr.readline()
        search = os.pidfd_open(*children_of(clew.pid))
        clew.send_signal(signal.SIGINT)
        assert "interrupted" in clew.stderr.readline()
        clew.send_signal(signal.SIGINT)
        assert clew.stderr.readline() == "clew: stopped\n"
    assert clew.returncode == 2
    assert has_ended(search)


def test_an_interrupt_while_compiling_leaves_nothing(endless: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    model_begins = f'case "$*" in *model.c*) echo begun >{tmp_path}/fifo ;; esac'  # the searches are made beside it
    compiler = stand_in(tmp_path / "cc", model_begins, "exec sleep 1000")
    os.mkfifo(tmp_path / "fifo")
    changes = {"CC": str(compiler), "CLEW_CACHE": str(cache)}
    with start("check", "--engine", "native", "--json", endless, cwd=tmp_path, changes=changes) as clew:
        assert (tmp_path / "fifo").read_text() == "begun\n"
        clew.send_signal(signal.SIGINT)
        answer, said = outcome(clew)
    assert clew.returncode == 2
    assert answer["diagnostics"][0]["code"] == "interrupted"
    assert said.endswith("clew: interrupted\n")
    assert list(cache.iterdir()) == []


INTERRUPTED_AT = """
import os, signal, sys
from pathlib import Path
from clew.host import children
from clew.host.compiler import begin

cache, steps = Path(os.environ["CLEW_CACHE"]), 0

def step(frame, event, _):
    global steps, where
    if "/clew/host/" not in frame.f_code.co_filename:
        return None
    steps += event == "line"
    if steps == at:
        steps += 1
        where = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
        signal.raise_signal(signal.SIGINT)
    return step

def build():
    begin("int main(void) { return 0; }", None, ["-O1"]).program()

at, interrupted = 0, True
while interrupted:
    at, steps, interrupted = at + 1, 0, False
    sys.settrace(step)
    try:
        build()
    except KeyboardInterrupt:
        interrupted = True
    sys.settrace(None)
    left = [path.name for path in cache.glob(".*")]
    assert (left, children._running) == ([], set()), (where, left)
    for path in cache.glob("*"):
        path.unlink()
print(at)
"""


def test_an_interrupt_at_any_line_of_compiling_leaves_nothing(tmp_path: Path) -> None:
    compiler = stand_in(tmp_path / "cc", "echo >model; sleep 0.01")
    command = [sys.executable, "-P", "-c", INTERRUPTED_AT]
    around = environment(CC=str(compiler), CLEW_CACHE=str(tmp_path / "cache"))
    done = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert int(done.stdout) > 100


INTERRUPTED_IN = """
import os, signal, sys
from pkgutil import resolve_name
from clew.cli.main import main

owner, name = resolve_name(sys.argv[1]), sys.argv[2]
usual = getattr(owner, name)

def interrupted(*arguments, **options):
    os.kill(os.getpid(), signal.SIGINT)
    return usual(*arguments, **options)

setattr(owner, name, interrupted)
sys.exit(main(sys.argv[3:]))
"""


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("clew.host.sources:Path", "read_bytes"),
        ("clew.frontends.promela.language:Promela", "load"),
        ("clew.explicit.engine:NativeEngine", "refuses"),
        ("clew.explicit.program", "generate"),
        ("clew.host.compiler:Build", "program"),
        ("clew.cli.commands.check", "save_run"),
        ("clew.cli.commands.check", "check_text"),
    ],
)
def test_an_interrupt_anywhere_else_ends_with_a_message(owner: str, name: str, endless: Path, tmp_path: Path) -> None:
    """The signal comes when this function is called."""
    words = ("check", "--engine", "native", "--max-states", "9", str(endless))
    command = [sys.executable, "-P", "-c", INTERRUPTED_IN, owner, name, *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("clew: interrupted\n") and "Traceback" not in done.stderr


def test_an_interrupt_while_replaying_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("clew.explicit.engine.replayed", interrupted)
    answer = check("active proctype P() { assert(false) }")
    assert (answer.decisions[0].verdict, answer.limits_hit) == ("unknown", ("interrupt",))


def test_a_signal_that_is_passed_on_interrupts_nothing_the_first_time() -> None:
    calls: list[str] = []
    with passed_on(lambda: calls.append("stop")):
        os.kill(os.getpid(), signal.SIGINT)
        calls.append("goes on")
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert calls == ["stop", "goes on"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_as_a_library_a_second_interrupt_ends_the_search(pretend: Pretend) -> None:
    pretend("trap '' INT", PROGRESS, "while :; do :; done")

    def press_twice(_: Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        ENGINE.run(request(network(ENDLESS)), press_twice)


# --- reports


def test_one_object_on_stdout_and_progress_on_stderr(endless: Path, tmp_path: Path) -> None:
    words = ("check", "--engine", "native", "--json", "--progress", "json", "--max-states", "100k", endless)
    done = run(*words, "--workers", "1", cwd=tmp_path)
    assert json.loads(done.stdout)["statistics"]["states"] == 100_000
    reports = [json.loads(line) for line in done.stderr.splitlines()]
    *progress, saved = [report["schema"] for report in reports]
    assert (set(progress), saved) == ({"clew.progress/1"}, "clew.saved/1")


def test_several_workers_keep_to_the_limit_on_states(endless: Path, tmp_path: Path) -> None:
    """What one of them has set aside for states of its own may be left."""
    words = ("check", "--engine", "native", "--json", "--max-states", "100k", "--workers", "2", endless)
    answer = json.loads(run(*words, cwd=tmp_path).stdout)
    assert answer["limits_hit"] == ["states"]
    assert 98_000 < answer["statistics"]["states"] <= 100_000


def test_reports_are_asked_for_even_if_nobody_looks(pretend: Pretend, tmp_path: Path) -> None:
    pretend(f"echo $@ >{tmp_path}/arguments", "kill -KILL $$")
    ENGINE.run(request(network(ENDLESS), SAFETY, Limits(memory=12345)))
    assert "--max-memory 12345 " in (tmp_path / "arguments").read_text()
    assert "--progress" in (tmp_path / "arguments").read_text()


# --- out of time while the run is looked for again

JUMPING_CLOCK = """
#include <time.h>

/* A second goes by whenever somebody looks. */
static inline int jumping_clock(int id, struct timespec *t)
{
    static long looked;
    (void)id;
    *t = (struct timespec){.tv_sec = ++looked};
    return 0;
}
#define clock_gettime jumping_clock
"""

LATE_DEADLOCK = """
byte a, b;
active proctype A() { do :: atomic { a < 40 -> a++; a = a } :: a == 40 && b == 40 -> break od; (false) }
active proctype B() { do :: atomic { b < 40 -> if :: b++ :: skip; b++ fi } :: a == 40 && b == 40 -> break od; (false) }
"""


def test_a_run_that_was_found_is_kept_when_time_runs_out_afterwards(tmp_path: Path) -> None:
    """With two workers a search goes on to look for the run again, by one; what it had not met was shown as a run."""
    clock = tmp_path / "jumping_clock.h"
    clock.write_text(JUMPING_CLOCK)
    asked = request(network(LATE_DEADLOCK), SAFETY[1:2])
    options = {**asked.options, "flags": (*asked.options["flags"], "-pthread", f"-include{clock}"), "workers": 2}
    first = ENGINE.run(replace(asked, options=options))
    assert first.decisions[0].verdict == "violated" and first.statistics.states > 1024
    looks = int(first.statistics.seconds)
    again = ENGINE.run(replace(asked, options=options, limits=Limits(seconds=looks)))
    assert (again.decisions[0].verdict, again.limits_hit) == ("violated", ())
