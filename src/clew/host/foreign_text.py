"""Embedded C as a C file: the text of the user in order, between declarations of what it may name, as in Spin 6.5.2.

The file has the system as `now` (type `State`), the process that runs as `_this`, seen as `Pname`, and a function for
each fragment. What it lacks is a way in: whoever compiles it puts that behind.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.core.expressions import Variable
from clew.core.foreign import CData, CMember, Fragment, data, fragments
from clew.core.network import Network, Template
from clew.core.types import Array, Int, Record, Relation, Scalar, Type, scalars

INCLUDES = (
    *("stdio", "signal", "stdlib", "stdarg", "string", "ctype", "errno", "time", "unistd", "sys/times", "sys/types"),
    *("sys/stat", "limits", "fcntl", "stdint", "stddef"),
)
FLAGS = ("-w", "-lm")
OURS = "embedded-c"  # the name of the lines in between
ALIGNED = "__attribute__((aligned(8)))"
MEMBERS = "clew_members"  # where the C variables of a structure begin
PAIRED = re.compile(r"\\#")


def c_name(name: str) -> str:
    """The name as a C identifier."""
    return re.sub(r"\W", "_", name)


def process_name(template: str) -> str:
    return "init" if template == ":init:" else c_name(template)


def member(type_: Type, name: str, bit_field: bool = True) -> str:
    """A C declaration of a variable of this type, as Spin declares it."""
    sizes = ""
    while isinstance(type_, Array | Relation):
        sizes += f"[{type_.size}]"
        type_ = type_.element
    if isinstance(type_, Record):
        return f"struct {c_name(type_.name)} {name}{sizes}"
    if bit_field and not sizes and type_.bits not in (8, 16, 32):
        return f"unsigned {name} : {type_.bits}"
    return f"{_c_type(type_)} {name}{sizes}"


def _c_type(type_: Scalar) -> str:
    signed = isinstance(type_, Int) and type_.signed
    width = next(w for w in (8, 16, 32) if type_.bits <= w)
    return f"int{width}_t" if signed else f"uint{width}_t"


@dataclass(slots=True)
class ForeignText:
    """The C file for one network. `scheduler` and `head`: what the system and each process begin with."""

    network: Network
    scheduler: Sequence[str] = ("_nr_pr", "_last")
    head: str = "uint8_t _pid;"
    data: CData = field(init=False)
    fragments: list[Fragment] = field(init=False)

    def __post_init__(self) -> None:
        self.data = data(self.network)
        self.fragments = list(fragments(self.network).values())

    def names(self, variables: Sequence[Variable]) -> list[tuple[str, Variable]]:
        """The variables and their C names."""
        found: dict[str, Variable] = {}
        for variable in variables:
            name = c_name(variable.name)
            found[name if name not in found else f"{name}_{variable.slot}"] = variable
        return list(found.items())

    def slots(self, place: str, variables: Sequence[Variable]) -> list[str]:
        """The scalars of variables, as C finds them in a structure."""
        return [
            path for name, variable in self.names(variables) for path, _ in scalars(variable.type, f"{place}.{name}")
        ]

    def lines(self) -> list[str]:
        network = self.network
        hidden = [name for name, variable in self.names(network.variables) if not variable.matched]
        return [
            *(f"/* {name} {digest} */" for name, digest in self._headers()),
            *(f"#include <{name}.h>" for name in INCLUDES),
            "typedef unsigned char uchar;",
            *(f"#define {name} unsigned {name[1:]}" for name in ("ushort", "ulong")),
            "int Printf(const char *, ...);",
            *(line for text, span in network.foreign.declarations for line in self.placed(span, text)),
            *self._records(),
            *(line for n, t in enumerate(network.templates) for line in self._process(n, t)),
            *self._state(),
            "State now;",
            "uchar *_this;",
            *(f"#define {name} (now.{name})" for name in hidden),
            *(line for m in self.data.of("hidden") for line in self.placed(m.span, f"{m.declaration};")),
            *(line for text, span in network.foreign.code for line in self.placed(span, text)),
            "int Printf(const char *format, ...)",
            "{",
            "    va_list args;",
            "    va_start(args, format);",
            "    int printed = vprintf(format, args);",
            "    va_end(args);",
            "    return printed;",
            "}",
            *self._initialise("clew_globals", "now.", self.data.of("global"), self.data.of("hidden")),
            *(
                line
                for n, t in enumerate(network.templates)
                for line in self._initialise(f"clew_locals_{n}", f"((P{n} *)_this)->", self.data.of("local", t.name))
            ),
            *self._tracked("clew_save", "memcpy(c, a, n); else memset(c, 0, n)"),
            *self._tracked("clew_restore", "memcpy(a, c, n)"),
            *(line for fragment in self.fragments for line in self._fragment(fragment)),
            *(f"#undef {name}" for name in hidden),
        ]

    def placed(self, span: Span, text: str) -> list[str]:
        """The user's text, so that the compiler finds it where the user wrote it."""
        file = span.file.replace("\\", "\\\\").replace('"', '\\"')
        return [f'#line {max(span.line, 1)} "{file}"', PAIRED.sub("#", text), f'#line 1 "{OURS}"']

    # --- declarations

    def _records(self) -> Iterator[str]:
        seen: set[str] = set()

        def visit(type_: Type) -> Iterator[str]:
            match type_:
                case Array(element, _):
                    yield from visit(element)
                case Record(name, fields) if name not in seen:
                    seen.add(name)
                    for _, inner in fields:
                        yield from visit(inner)
                    inside = " ".join(f"{member(t, c_name(n))};" for n, t in fields)
                    yield f"struct {c_name(name)} {{ {inside} }};"

        for variable in (*self.network.variables, *(v for t in self.network.templates for v in t.variables)):
            yield from visit(variable.type)

    def _process(self, number: int, template: Template) -> list[str]:
        return [
            f"typedef struct P{number} {{",
            f"    {self.head}",
            *(f"    {member(v.type, name)};" for name, v in self.names(template.variables)),
            *self._members(self.data.of("local", template.name)),
            f"}} P{number};",
            f"#define P{process_name(template.name)} ((P{number} *)_this)",
        ]

    def _state(self) -> list[str]:
        return [
            "typedef struct State {",
            f"    uint8_t {', '.join(self.scheduler)};",
            *(f"    {member(v.type, name, v.matched)};" for name, v in self.names(self.network.variables)),
            *self._members(self.data.of("global")),
            *self._area(matched=True),
            *self._area(matched=False),
            "} State;",
        ]

    def _members(self, members: Sequence[CMember]) -> list[str]:
        if not members:
            return []
        inner = [line for m in members for line in self.placed(m.span, f"{m.declaration};")]
        begin = f"uint8_t {MEMBERS}[0] {ALIGNED};"
        return [begin, "struct {", *inner, f"}} {ALIGNED};", f"uint8_t {MEMBERS}_end[0];"]

    def _area(self, *, matched: bool) -> list[str]:
        sizes = [(t.size, t.span) for t in self.data.tracked if t.matched == matched]
        if not sizes:
            return []
        inner = [line for size, span in sizes for line in self.placed(span, f"+ ({size})")]
        return [f"uint8_t {area(matched)}[0", *inner, "];"]

    # --- functions

    def _initialise(self, name: str, owner: str, *groups: Sequence[CMember]) -> list[str]:
        lines = [f"static void {name}(void)", "{"]
        for members in groups:
            for m in members:
                if m.initial is not None:
                    place = m.name if m.scope == "hidden" else f"{owner}{m.name}"
                    text = f"{{ __typeof__({place}) first = {m.initial}; memcpy(&{place}, &first, sizeof first); }}"
                    lines += self.placed(m.span, text)
        return [*lines, "}"]

    def _tracked(self, name: str, copy: str) -> list[str]:
        lines = [f"static void {name}(void)", "{"]
        for matched in (True, False):
            if any(t.matched == matched for t in self.data.tracked):
                lines.append(f"{{ uchar *c = now.{area(matched)}; void *a; size_t n;")
                for t in self.data.tracked:
                    if t.matched == matched:
                        lines += [*self.placed(t.span, f"a = (void *)({t.address}); n = ({t.size});")]
                        lines.append(f"if (a) {copy}; c += n;")
                lines.append("}")
        return [*lines, "}"]

    def _fragment(self, f: Fragment) -> list[str]:
        lines: list[str] = []
        if f.precondition is not None:
            lines.append(f"static int clew_before_{f.number}(void) {{ return !!(")
            lines += [*self.placed(f.span, f.precondition), "); }"]
        if f.runs:
            return [*lines, f"static void clew_code_{f.number}(void) {{", *self.placed(f.span, f.text), "}"]
        return [
            *lines,
            f"static int clew_test_{f.number}(void) {{ __auto_type value = 1 ? (",
            *self.placed(f.span, f.text),
            ") : (",
            *self.placed(f.span, f.text),
            "); int number = (int)value; return number ? number : value != 0; }",
        ]

    # --- what it depends on

    def _headers(self) -> Iterator[tuple[str, str]]:
        """The user's own headers and what is in them, so that a change of one is noticed."""
        work = [text for text, _ in (*self.network.foreign.declarations, *self.network.foreign.code)]
        seen: set[str] = set()
        for text in work:
            for name in re.findall(r'#\s*include\s*"([^"\n]+)"', text):
                path = model_folder(self.network) / name
                if name in seen or not path.is_file():
                    continue
                seen.add(name)
                content = path.read_text(encoding="utf-8", errors="replace")
                yield name, hashlib.sha256(content.encode()).hexdigest()
                work.append(content)


def area(matched: bool) -> str:
    """The member of `State` that keeps copies of tracked memory."""
    return "c_state" if matched else "c_stack"


def model_folder(network: Network) -> Path:
    """Where headers of the user are looked for."""
    return Path(network.files[0][0]).resolve().parent if network.files else Path.cwd()


def compiler_flags(network: Network) -> tuple[str, ...]:
    return (*FLAGS, f"-I{model_folder(network)}")


def refused(network: Network, printed: str) -> InputError:
    """What a compiler says about embedded C, as errors in the user's files."""
    sources = dict(network.files)
    found: dict[tuple[str, int, str], Diagnostic] = {}
    for file, line, message in re.findall(r"^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$", printed, re.MULTILINE):
        if file != OURS and (file, int(line), message) not in found:
            span = _whole_line(sources.get(file, ""), file, int(line))
            found[file, int(line), message] = Diagnostic(Severity.ERROR, "embedded-c", f"embedded C: {message}", span)
    if found:
        return InputError(found.values())
    missing = re.findall(r"undefined reference to [`']([^']+)'", printed)
    first = next(iter(fragments(network).values()), None)
    places = [*(s for _, s in network.foreign.declarations), *(s for _, s in network.foreign.code)]
    span = places[0] if places else first.span if first is not None else Span(network.name, 1)
    said = next((line for line in printed.splitlines() if "error" in line), printed.strip())
    reason = f"'{missing[0]}' is not defined" if missing else f"the compiler refuses it: {said.strip()}"
    return InputError.at(span, "embedded-c", f"embedded C: {reason}")


def _whole_line(text: str, file: str, line: int) -> Span:
    lines = text.splitlines()
    content = lines[line - 1] if line <= len(lines) else ""
    column = len(content) - len(content.lstrip()) + 1
    return Span(file, line, column, max(len(content.strip()), 1))
