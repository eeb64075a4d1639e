"""The C program that runs embedded C for the reference interpreter: the text of the user and a loop over requests.

It keeps the variables in structures as C lays them out and moves values in and out one by one; it shares no code with
compiled models but the text of the user.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from clew.core.network import Network
from clew.host.foreign_text import MEMBERS, ForeignText, area


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
            *_shown(text),
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


def _shown(text: ForeignText) -> list[str]:
    """C that prints the C data of the system, or of a process, as far as it consists of numbers."""
    kinds = [(f"clew_show_{n}", c, format_) for n, (c, format_) in enumerate(_NUMBERS.items())]
    kind = " ".join(f"{c} *: {name}," for name, c, _ in kinds)
    show = f"#define CLEW_SHOW(text, at, size) _Generic((at), {kind} default: clew_show_none)(text, at, size)"
    cases: dict[int, list[str]] = {-1: [_show(m.name, f"&now.{m.name}") for m in text.data.of("global")]}
    cases[-1] += [_show(_shown_name(t.address), t.address, t.size) for t in text.data.tracked]
    for n, template in enumerate(text.network.templates):
        cases[n] = [_show(m.name, f"&clew_process.p{n}.{m.name}") for m in text.data.of("local", template.name)]
    return [
        "static void clew_show_none(const char *name, const void *p, size_t n) { }",
        *(
            f"static void {name}(const char *name, const void *p, size_t n) "
            f'{{ if (n == sizeof({c})) printf("%s={format_}\\n", name, *(const {c} *)p); }}'
            for name, c, format_ in kinds
        ),
        show,
        "static void clew_show(int n)",
        "{",
        "    switch (n) {",
        *(
            line
            for n, calls in cases.items()
            for line in (f"    case {n}:", *(f"        {c}" for c in calls), "        break;")
        ),
        "    }",
        "}",
    ]


_NUMBERS = {
    "_Bool": "%d",
    "char": "%d",
    "signed char": "%d",
    "unsigned char": "%d",
    "short": "%d",
    "unsigned short": "%d",
    "int": "%d",
    "unsigned": "%u",
    "long": "%ld",
    "unsigned long": "%lu",
    "long long": "%lld",
    "unsigned long long": "%llu",
    "float": "%g",
    "double": "%g",
}


def _show(name: str, address: str, size: str = "") -> str:
    return f"CLEW_SHOW({json.dumps(name)}, {address}, {size or f'sizeof *({address})'});"


def _shown_name(address: str) -> str:
    return address.strip().removeprefix("&").strip().removeprefix("(").removesuffix(")")


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
        int ok = what == 'i' || what == 'l' || what == 's' || clew_before(n);
        if (what == 's') clew_show(n);
        if (ok && what == 't') value = clew_test(n);
        if (ok && what == 'c') clew_code(n);
        if (what == 'l') clew_locals(n);
        clew_save();
        if (what == 'i') now = clew_first;
        fprintf(clew_out, "%d %d", ok, value);
        if (what != 't' && what != 's') {
            clew_write_globals();
            clew_write_process(template);
        }
        fprintf(clew_out, "\\n");
        clew_hand_over();
    }
}
"""
