"""Embedded C in a compiled model: a second C file, so that the names of the user and those of the runtime never meet.

For each fragment it has a function that copies the system from a state into `now`, restores tracked memory, runs the C
and copies everything back. Both files declare the same structures; they compare sizes before a search begins.
"""

from __future__ import annotations

from clew.core.expressions import Foreign
from clew.core.foreign import Fragment, fragment_key
from clew.core.statements import ForeignCode
from clew.explicit.layout import Layout
from clew.host.foreign_text import ForeignText

Lines = list[str]
SCHEDULER = {"processes": "_nr_pr", "channels": "_nr_qs", "last": "_last"}


def declarations(layout: Layout) -> Lines:
    """How the model calls the functions of the other file."""
    return [
        '#include "foreign.h"',
        "extern const size_t foreign_sizes[];",
        "extern void foreign_start(void *);",
        *(f"extern void foreign_locals_{n}(void *, void *);" for n, _ in enumerate(layout.network.templates)),
        *(_prototype(fragment, "extern ", ";") for fragment in layout.fragments.values()),
        "",
    ]


def same_sizes(layout: Layout) -> str:
    """C that is true if both files mean the same structures."""
    tests = ["foreign_sizes[0] == offsetof(struct model, globals_end)"]
    for number, template in enumerate(layout.network.templates):
        if layout.tag(template) >= 0:
            tests.append(f"foreign_sizes[{number + 1}] == sizeof({layout.struct(template)})")
    return " && ".join(tests)


def user_file(layout: Layout) -> str:
    """The second file."""
    network = layout.network
    text = ForeignText(network, [SCHEDULER[name] for name in layout.scheduler], f"struct {{ {layout.head('_')} }};")
    templates = list(enumerate(network.templates))
    return "\n".join(
        [
            *text.lines(),
            f"const size_t foreign_sizes[] = {{sizeof(State){''.join(f', sizeof(P{n})' for n, _ in templates)}}};",
            "static void clew_enter(const void *state, const void *process)",
            "{",
            "    memcpy(&now, state, sizeof now);",
            "    _this = (uchar *)process;",
            "    clew_restore();",
            "}",
            "static void clew_leave(void *state)",
            "{",
            "    clew_save();",
            "    memcpy(state, &now, sizeof now);",
            "}",
            "void foreign_start(void *state)",
            "{",
            "    memcpy(&now, state, sizeof now);",
            "    clew_globals();",
            "    clew_leave(state);",
            "}",
            *(
                f"void foreign_locals_{n}(void *state, void *process) "
                f"{{ clew_enter(state, process); clew_locals_{n}(); clew_leave(state); }}"
                for n, _ in templates
            ),
            *(line for fragment in text.fragments for line in _entry(fragment)),
            "",
        ]
    )


def call(layout: Layout, part: Foreign | ForeignCode, state: str, process: str) -> str:
    """C for the value of a fragment; sets `err` if its precondition is false."""
    fragment = layout.fragments[fragment_key(part)]
    process = process or "NULL"
    if fragment.precondition is not None:
        return f"PRECONDITION(foreign_{fragment.number}({state}, {process}, &failed_))"
    return f"foreign_{fragment.number}({state}, {process})"


def _prototype(fragment: Fragment, before: str = "", after: str = "") -> str:
    failed = "" if fragment.precondition is None else ", int *failed"
    const = "" if fragment.runs else "const "
    return f"{before}int foreign_{fragment.number}({const}void *state, {const}void *process{failed}){after}"


def _entry(fragment: Fragment) -> Lines:
    n = fragment.number
    run = [f"clew_code_{n}();", "clew_leave(state);", "return 1;"] if fragment.runs else [f"return clew_test_{n}();"]
    return [
        _prototype(fragment),
        "{",
        "    clew_enter(state, process);",
        *([] if fragment.precondition is None else [f"    if (!clew_before_{n}()) return !(*failed = 1);"]),
        *(f"    {line}" for line in run),
        "}",
    ]
