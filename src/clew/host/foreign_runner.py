"""Runs embedded C in a child process for the reference interpreter, one fragment at a time.

The child speaks lines of numbers: a request is `what number pid template processes last`, the globals, then the locals;
an answer is `ok value`, for anything that changes the state followed by globals, locals and what was printed (hex).
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.core.diagnostics import InputError, Span
from clew.core.foreign import Fragment
from clew.core.interpreter.foreign import ForeignFrames, ForeignOutcome, PreconditionFailed
from clew.core.interpreter.state import Values
from clew.core.network import Network
from clew.host.compiler import CompilerError, build
from clew.host.foreign_text import MEMBERS, ForeignText, area, compiler_flags, refused

FLAGS = ("-std=gnu11", "-O1", "-fwrapv", "-fno-strict-aliasing")


@dataclass(frozen=True, slots=True)
class ForeignSizes:
    """Bytes that embedded C adds to a state: to the system, to the processes of templates, for tracked memory."""

    globals: int
    tracked: dict[str, int]
    locals: dict[str, int]


NO_SIZES = ForeignSizes(0, {}, {})


def foreign_sizes(network: Network) -> ForeignSizes:
    """Raises InputError if the compiler refuses the C of the user."""
    with ForeignChild(network) as child:
        names = [template.name for template in network.templates]
        tracked = {area(True): child.tracked[0], area(False): child.tracked[1]}
        return ForeignSizes(child.members, tracked, dict(zip(names, child.locals, strict=True)))


class ForeignChild:
    """The C of a network in a child process (a `ForeignRunner`); start it with `with`, or end it with `close`."""

    def __init__(self, network: Network) -> None:
        self._process = subprocess.Popen(
            [str(_program(network))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._name = network.name
        self.members, matched, self.unmatched, *self.locals = map(int, self._line(Span(self._name, 1)).split())
        self.tracked = (matched, self.unmatched)
        self.matched = self.members + matched

    def __enter__(self) -> ForeignChild:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def close(self) -> None:
        """Ends the child."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()

    # --- the runner

    def start(self, frames: ForeignFrames) -> Values:
        return self._changed("i", 0, frames, None).globals

    def start_process(self, frames: ForeignFrames) -> Values:
        return self._changed("l", frames.template, frames, None).locals

    def run(self, fragment: Fragment, frames: ForeignFrames) -> ForeignOutcome:
        return self._changed("c", fragment.number, frames, fragment)

    def value(self, fragment: Fragment, frames: ForeignFrames) -> int:
        return self._asked("t", fragment.number, frames, fragment)[0]

    def _changed(self, what: str, number: int, frames: ForeignFrames, fragment: Fragment | None) -> ForeignOutcome:
        _, values, output = self._asked(what, number, frames, fragment)
        count = len(frames.globals)
        return ForeignOutcome(tuple(values[:count]), tuple(values[count:]), output)

    def _asked(
        self, what: str, number: int, frames: ForeignFrames, fragment: Fragment | None
    ) -> tuple[int, list[int], str]:
        self._ask(what, number, frames)
        span = Span(self._name, 1) if fragment is None else fragment.span
        ok, value, *values = map(int, self._line(span).split())
        output = bytes.fromhex(self._line(span).strip()).decode(errors="replace")
        if not ok and fragment is not None:
            raise PreconditionFailed(f"the precondition of embedded C is false: {fragment.precondition}")
        return value, values, output

    def _ask(self, what: str, number: int, frames: ForeignFrames) -> None:
        assert self._process.stdin is not None
        head = (number, frames.pid, frames.template, frames.process_count, frames.last)
        words = map(str, (*head, *frames.globals, *frames.locals))
        with contextlib.suppress(BrokenPipeError):
            print(what, *words, file=self._process.stdin, flush=True)

    def _line(self, span: Span) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            return line
        status = self._process.wait()
        cause = f"crashed ({signal.Signals(-status).name})" if status < 0 else f"ended the program (status {status})"
        raise InputError.at(span, "embedded-c", f"embedded C {cause}")


def _program(network: Network) -> Path:
    try:
        return build(runner_source(network), None, (*FLAGS, *compiler_flags(network)))
    except CompilerError as error:
        raise refused(network, str(error)) from None


def runner_source(network: Network) -> str:
    """The C of the user and a loop that reads requests."""
    text = ForeignText(network)
    templates = list(enumerate(network.templates))
    areas = [area(m) if any(t.matched == m for t in text.data.tracked) else None for m in (True, False)]
    sizes = [
        _members_size("State") if text.data.of("global") else "0",
        *("0" if name is None else f"sizeof now.{name}" for name in areas),
        *(_members_size(f"P{n}") if text.data.of("local", t.name) else "0" for n, t in templates),
    ]
    parts = [f"&now.{MEMBERS}", *(f"&now.{name}" for name in areas)]
    return "\n".join(
        [
            *text.lines(),
            *_START.splitlines(),
            f"static union {{ uchar _pid; {' '.join(f'P{n} p{n};' for n, _ in templates)} }} clew_process;",
            *_transfers("globals", text.slots("now", network.variables), list(zip(parts, sizes[:3], strict=True))),
            *(
                line
                for n, t in templates
                for line in _transfers(
                    f"process_{n}",
                    text.slots(f"clew_process.p{n}", t.variables),
                    [(f"&clew_process.p{n}.{MEMBERS}", sizes[3 + n])],
                )
            ),
            *_choice("void clew_read_process", {n: f"clew_read_process_{n}()" for n, _ in templates}),
            *_choice("void clew_write_process", {n: f"clew_write_process_{n}()" for n, _ in templates}),
            *_choice("void clew_locals", {n: f"clew_locals_{n}()" for n, _ in templates}),
            *_choice("void clew_code", {f.number: f"clew_code_{f.number}()" for f in text.fragments if f.runs}),
            *_choice("int clew_test", {f.number: f"clew_test_{f.number}()" for f in text.fragments if not f.runs}),
            *_choice(
                "int clew_before",
                {f.number: f"clew_before_{f.number}()" for f in text.fragments if f.precondition is not None},
                otherwise="1",
            ),
            *_MAIN.replace("SIZES", ", ".join(f"(int)({size})" for size in sizes)).splitlines(),
            "",
        ]
    )


def _members_size(owner: str) -> str:
    return f"offsetof({owner}, {MEMBERS}_end) - offsetof({owner}, {MEMBERS})"


def _choice(declared: str, cases: dict[int, str], otherwise: str = "0") -> list[str]:
    """A C function that takes a number and does what stands behind it."""
    word = "return " if declared.startswith("int") else ""
    end = [f"    return {otherwise};"] if word else []
    inner = [f"    case {n}: {word}{call}; {'' if word else 'break;'}" for n, call in cases.items()]
    return [f"static {declared}(int n)", "{", "    switch (n) {", *inner, "    }", *end, "}"]


def _transfers(name: str, slots: Sequence[str], parts: Sequence[tuple[str, str]]) -> list[str]:
    """C that reads a frame from the request and writes it into the answer, slot by slot."""
    kept = [(what, size) for what, size in parts if size != "0"]
    return [
        f"static void clew_read_{name}(void)",
        "{",
        *(f"    {path} = clew_number();" for path in slots),
        *(f"    clew_bytes_in({what}, {size});" for what, size in kept),
        "}",
        f"static void clew_write_{name}(void)",
        "{",
        *(f'    fprintf(clew_out, " %d", (int){path});' for path in slots),
        *(f"    clew_bytes_out({what}, {size});" for what, size in kept),
        "}",
    ]


_START = """\
static FILE *clew_in, *clew_out, *clew_printed;
static State clew_first;
static int clew_number(void)
{
    int n = 0;
    if (fscanf(clew_in, "%d", &n) != 1) _exit(0);
    return n;
}
static void clew_bytes_in(void *p, size_t n) { for (uchar *c = p; n--; c++) *c = (uchar)clew_number(); }
static void clew_bytes_out(void *p, size_t n) { for (uchar *c = p; n--; c++) fprintf(clew_out, " %d", *c); }
/* What the C prints goes to a file of its own and is handed over. */
static void clew_hand_over(void)
{
    fflush(stdout);
    long n = lseek(1, 0, SEEK_CUR);
    if (n > 0) {
        uchar c;
        for (long i = 0; i < n && pread(1, &c, 1, i) == 1; i++) fprintf(clew_out, "%02x", c);
        if (ftruncate(1, 0)) _exit(74);
        lseek(1, 0, SEEK_SET);
    }
    fprintf(clew_out, "\\n");
}
"""

_MAIN = """\
int main(void)
{
    static const int sizes[] = {SIZES};
    clew_in = fdopen(dup(0), "r");
    clew_out = fdopen(dup(1), "w");
    clew_printed = tmpfile();
    if (!clew_in || !clew_out || !clew_printed || dup2(fileno(clew_printed), 1) < 0) return 71;
    if (!freopen("/dev/null", "r", stdin)) return 71;
    clew_globals();
    clew_save();
    clew_first = now;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) fprintf(clew_out, "%d ", sizes[i]);
    fprintf(clew_out, "\\n");
    for (;;) {
        char what;
        fflush(clew_out);
        if (fscanf(clew_in, " %c", &what) != 1) _exit(0);
        int n = clew_number(), pid = clew_number(), template = clew_number(), value = 0;
        memset(&now, 0, sizeof now);
        memset(&clew_process, 0, sizeof clew_process);
        now._nr_pr = (uchar)clew_number();
        now._last = (uchar)clew_number();
        clew_read_globals();
        clew_read_process(template);
        _this = (uchar *)&clew_process;
        clew_process._pid = (uchar)pid;
        clew_restore();
        int ok = what == 'i' || what == 'l' || clew_before(n);
        if (ok && what == 't') value = clew_test(n);
        if (ok && what == 'c') clew_code(n);
        if (what == 'l') clew_locals(n);
        clew_save();
        if (what == 'i') now = clew_first;
        fprintf(clew_out, "%d %d", ok, value);
        if (what != 't') {
            clew_write_globals();
            clew_write_process(template);
        }
        fprintf(clew_out, "\\n");
        clew_hand_over();
    }
}
"""
