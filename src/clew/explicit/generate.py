"""A `Network` as one C file that keeps the contract of `runtime/model.h`."""

from __future__ import annotations

from typing import NamedTuple

from clew.core.expressions import AtLocation, Enabled, Global, LocationOf
from clew.core.foreign import has_foreign_code
from clew.core.network import Instance, Network
from clew.core.types import slots
from clew.explicit.channels import channel_functions
from clew.explicit.events import NO_EVENTS
from clew.explicit.expressions import Expressions, Scope, Unsupported
from clew.explicit.foreign import declarations, same_sizes, user_file
from clew.explicit.handshakes import Handshakes
from clew.explicit.kinship import kinship
from clew.explicit.layout import Layout, identifier, template_expressions
from clew.explicit.monitor import Watch
from clew.explicit.places import processes_seen
from clew.explicit.processes import Processes
from clew.explicit.reduction.generated import Reduction
from clew.explicit.sizes import state_words
from clew.explicit.statements import Lines, Statements, indented
from clew.explicit.traced import Followed
from clew.host.foreign_runner import NO_SIZES, ForeignSizes
from clew.host.foreign_text import area


class Sources(NamedTuple):
    """The C of a program. `beside`: a second file, with the embedded C.

    `constants`: all that the searches need to know of the model, so that they can be compiled without it (see
    `runtime/model.h`); None if they need more.
    """

    model: str
    beside: str = ""
    constants: dict[str, int] | None = None


def unsupported(network: Network) -> str | None:
    """Why this network cannot be turned into C, or None if it can."""
    for template in network.templates:
        if any(not variable.matched for variable in template.variables):
            return "local variables that are not part of the key are not supported"
    try:
        generate(network, 1, NO_SIZES if has_foreign_code(network) else None)
    except Unsupported as reason:
        return f"not supported yet: {reason}"
    return None


def first_room(network: Network) -> int:
    """How many processes to make room for at first, when their number is not known beforehand."""
    return processes_seen(network) or 12


def generate(
    network: Network,
    room: int,
    foreign: ForeignSizes | None = None,
    watch: Watch | None = None,
    reduction: Reduction | None = None,
    followed: Followed | None = None,
) -> Sources:
    """The C texts. `foreign`: what embedded C adds to a state.

    `watch`: an automaton beside the model; then the program looks for a run that it matches. `reduction`: not all steps
    of a state need be taken. `followed`: a trace assertion that is looked after. `room`: how many processes there is
    room for, if their number is not known beforehand.
    Raises Unsupported if the network has something that cannot be turned into C.
    """
    model = _Model(network, room, foreign, watch, reduction, followed)
    text = "\n".join(model.lines()) + "\n"
    return Sources(text, "" if foreign is None else user_file(model.layout), model.shared_constants())


class _Model:
    def __init__(
        self,
        network: Network,
        room: int,
        foreign: ForeignSizes | None,
        watch: Watch | None,
        reduction: Reduction | None,
        followed: Followed | None,
    ) -> None:
        self.network = network
        self.watch = watch
        self.reduction = reduction
        self.followed = followed
        watching = watch or followed
        self.layout = Layout(network, room, foreign, [] if watching is None else watching.members)
        self.stores_inside = reduction is not None and reduction.stores_inside
        if reduction is not None:
            self.layout.further += reduction.members(self.layout)
        self.expr = Expressions(self.layout)
        self.statements = Statements(self.layout, self.expr, followed or (NO_EVENTS if watch is None else watch.events))
        self.processes = Processes(self.layout, self.expr, self.statements)
        parts = [part for t in self.layout.templates for part in template_expressions(t)]
        parts += [] if watch is None else watch.parts()
        asks = {part.what for part in parts if isinstance(part, Global)}
        enabled = any(isinstance(part, Enabled) for part in parts)
        self.asks_enabled = network.uses_priorities or enabled
        self.asks_timeout = enabled or "timeout" in asks
        self.asks_progress = "no_progress" in asks
        self.asks_accepting = "accepting" in asks
        self.sees_locations = (
            enabled or self.asks_progress or any(isinstance(part, AtLocation | LocationOf) for part in parts)
        )
        directly = not (self.asks_enabled or self.sees_locations or self.stores_inside)
        self.handshakes = Handshakes(self.layout, self.expr, self.statements, directly)

    def shared_constants(self) -> dict[str, int] | None:
        """What the searches have to know beforehand, if that is all."""
        if self.watch is not None or self.layout.foreign is not None or self.layout.further:
            return None
        if self.reduction is not None and self.reduction.as_peer:
            return None
        return {"MODEL_WORDS": state_words(self.layout), **self._constants()}

    def _constants(self) -> dict[str, int]:
        return {
            "MODEL_ASKS_TIMEOUT": int(self.asks_timeout),
            **({} if self.reduction is None else self.reduction.constants),
        }

    def _definitions(self) -> Lines:
        words = "((sizeof(struct model) + 7) / 8)"
        shared = self.shared_constants()
        if shared is None:
            return [f"#define {name} {value}" for name, value in {"MODEL_WORDS": words, **self._constants()}.items()]
        return [
            *(f"#define {name} {value}" for name, value in shared.items()),
            f'_Static_assert(MODEL_WORDS == {words}, "the length of a state");',
        ]

    def lines(self) -> Lines:
        templates = self.layout.templates
        starts = [line for t in templates for line in self.processes.start(t)]
        questions = self.processes.questions(self.asks_enabled)
        expand = [line for t in templates for line in self.handshakes.steps.expand(t)]
        expand = self.handshakes.completed(expand)
        handshakes: Lines = []
        if self.handshakes.possible and self.handshakes.looks_for_receivers:
            accept = [line for t in templates for line in self.handshakes.accept(t)]
            handshakes = [*self.handshakes.sent(), *accept, *self.handshakes.dispatch()]
        return [
            f"/* {identifier(self.network.name)}: generated, see model.h for the contract. */",
            *([] if self.layout.foreign is None else declarations(self.layout)),
            "#include <stddef.h>",
            "#include <stdint.h>",
            "",
            *self.layout.declarations(),
            *([] if self.watch is None else self.watch.definitions(self.layout)),
            f"#define MODEL_IS_FOREIGN {int(self.layout.foreign is not None)}",
            *self._definitions(),
            '#include "model.h"',
            "",
            *self._tables(),
            '#include "network.h"',
            *(['#include "stored_inside.h"'] if self.stores_inside else []),
            "",
            *channel_functions(self.layout),
            *(self._at_label("no_progress", 0, "progress") if self.asks_progress else []),
            *(self._at_label("accepting", 1, "accept") if self.asks_accepting else []),
            *(self._forward() if self.asks_enabled else []),
            *([] if self.watch is None else self._monitor(self.watch)),
            *([] if self.followed is None else self.followed.functions()),
            *starts,
            *questions,
            *[line for function in self.statements.flows for line in function],
            *handshakes,
            *expand,
            *self._searching(),
            *self._initial(),
            *kinship(self.layout),
            *([] if self.reduction is None else self.reduction.tables(self.layout, self.expr, self.watch)),
            '#include "searches.h"' if self.watch is None else '#include "main_empty.h"',
        ]

    def _tables(self) -> Lines:
        layout = self.layout
        shapes = list(layout.shapes.values())
        fields = max((len(shape.fields) for shape in shapes), default=0)
        tables = {
            "process_at": [layout.process_offset(n) for n in range(layout.room)],
            "channel_at": ["0", *(layout.channel_offset(n) for n in range(1, layout.most_channels + 1))],
            "channels_of": [str(len(layout.channels_of(t))) for t in layout.templates],
            "frame_of": [f"sizeof({layout.struct(t)})" for t in layout.templates],
            "tag_of": [str(layout.tag(t)) for t in layout.fixed_templates],
            "capacity_of": ["0", *(str(shape.capacity) for shape in shapes)],
            "size_of": ["0", *(f"sizeof({shape.struct})" for shape in shapes)],
        }
        return [
            f"#define TAG(s, pid) {'(HEAD(s, pid)->tag)' if layout.grows else '(tag_of[pid])'}",
            f"#define SHAPE(q) {'((q)->shape)' if layout.keeps_shapes else '1'}",
            f"#define CHANNELS(s) {'(G(s)->channels)' if layout.channels_vary else layout.most_channels}",
            f"#define HAS_PRIORITY {int(self.network.uses_priorities)}",
            f"#define HAS_SHAPE {int(layout.keeps_shapes)}",
            f"#define CHANNELS_VARY {int(layout.channels_vary)}",
            f"#define LOCATIONS_ARE_SEEN {int(self.sees_locations)}",
            f"enum {{ PROCESS_ROOM = {layout.room}, CHANNEL_ROOM = {layout.most_channels}, "
            f"MOST_CHANNELS = {self.network.max_channels}, MESSAGE_FIELDS = {max(fields, 1)} }};",
            *(f"static const uint32_t {name}[] = {{{', '.join(values) or '0'}}};" for name, values in tables.items()),
            "",
        ]

    def _forward(self) -> Lines:
        handshake = (
            ["static int can_handshake(sink *, const state *, const offer *);"] if self.handshakes.possible else []
        )
        return ["static int enabled(sink *, const state *, int, int, int, int *);", *handshake, ""]

    def _monitor(self, watch: Watch) -> Lines:
        events = watch.events.functions(self.expr)
        return [*watch.tables(), *watch.letter(self.expr), *events, '#include "monitor.h"', ""]

    def _at_label(self, function: str, answer: int, kind: str) -> Lines:
        """A function that returns `answer` if some process is at a label of that kind."""
        tests = [
            f"        case {tag}: if ({' || '.join(f'at == {n}' for n in labelled)}) return {answer}; break;"
            for tag, template in enumerate(self.layout.templates)
            if (labelled := [x.number for x in template.locations if getattr(x, kind)])
        ]
        return [
            f"static int {function}(const state *s)",
            "{",
            "    for (int i = 0; i < G(s)->processes; i++) {",
            "        int at = HEAD(s, i)->at;",
            "        (void)at;",
            "        switch (TAG(s, i)) {",
            *tests,
            "        default: break;",
            "        }",
            "    }",
            f"    return {1 - answer};",
            "}",
            "",
        ]

    # --- the contract

    def _searching(self) -> Lines:
        templates = list(enumerate(self.layout.templates))
        priorities = self.network.uses_priorities
        finals = [
            f"    case {tag}: return {' || '.join(f'at == {n}' for n in ends) or '0'};"
            for tag, template in templates
            for ends in [[x.number for x in template.locations if x.final]]
        ]
        cases = [
            f"    case {tag}: return expand_{self.layout.c_name(t)}(c, s, process_at[pid], pid);"
            for tag, t in templates
        ]
        return [
            "static int expand_process(sink *c, const state *s, int pid)",
            "{",
            "    (void)c; (void)s;",
            "    switch (TAG(s, pid)) {",
            *cases,
            "    }",
            "    return 0;",
            "}",
            "",
            "SHARED int model_expand(sink *c, const state *s)",
            "{",
            "    int found = 0;",
            *([] if self.watch is None else self._watching(self.watch)),
            *(self._inside() if self.stores_inside else []),
            *indented(self._expand_all()),
            "    return found;",
            "}",
            "",
            "SHARED int model_continue(sink *c, const state *s, int pid)",
            "{",
            *(["    if (HEAD(s, pid)->priority < highest_priority(c, s)) return 0;"] if priorities else []),
            "    return expand_process(c, s, pid);",
            "}",
            "",
            "static int may_rest(int tag, int at)",
            "{",
            "    (void)at;",
            "    switch (tag) {",
            *finals,
            "    }",
            "    return 0;",
            "}",
            "",
            "SHARED int model_may_end(const state *s)",
            "{",
            "    for (int i = 0; i < G(s)->processes; i++)",
            "        if (!may_rest(TAG(s, i), HEAD(s, i)->at)) return 0;",
            *(self._channels_are_empty() if self.network.ends_empty else []),
            "    return 1;",
            "}",
            "",
        ]

    def _channels_are_empty(self) -> Lines:
        return [
            "    for (int n = 1; n <= CHANNELS(s); n++)",
            "        if (((const struct queue *)AT(s, channel_at[n]))->length) return 0;",
        ]

    def _watching(self, watch: Watch) -> Lines:
        over = ["    if (G(s)->over) return 0;"] if watch.ends == "maximal" else []
        return ["    if (monitor_begin(c, s)) return 1;", *over]

    def _inside(self) -> Lines:
        """A state inside an indivisible sequence, or in the middle of a handshake."""
        taken = [
            "    if (G(s)->offering) {",
            "        offer o = offered_now(s);",
            "        return handshake(c, s, &o);",
            "    }",
        ]
        return [
            *(taken if self.handshakes.possible else []),
            "    if (G(s)->control && (found = expand_process(c, s, G(s)->control - 1)) > 0) return found;",
        ]

    def _offers(self, pid: str, call: str) -> str:
        """What asking a process gives; where fairness matters, that it can move is remembered."""
        return f"monitor_offers(c, {pid}, {call})" if self.watch is not None and self.watch.fair != "none" else call

    def _expand_all(self) -> Lines:
        """Processes are asked in order, the youngest first."""
        if not (self.layout.grows or self.network.uses_priorities or self.layout.room > 32):
            return [
                f"if (G(s)->processes > {pid}) found += "
                + self._offers(
                    str(pid), f"expand_{self.layout.c_name(t)}(c, s, {self.layout.process_offset(pid)}, {pid})"
                )
                + ";"
                for pid, t in reversed(list(enumerate(self.layout.fixed_templates)))
            ]
        priorities = self.network.uses_priorities
        return [
            *(["int highest = highest_priority(c, s);"] if priorities else []),
            "for (int pid = G(s)->processes - 1; pid >= 0; pid--) {",
            *(["    if (HEAD(s, pid)->priority < highest) continue;"] if priorities else []),
            f"    found += {self._offers('pid', 'expand_process(c, s, pid)')};",
            "}",
        ]

    def _initial(self) -> Lines:
        members = self.layout.members
        carried = [members[v] for v in self.layout.stored(self.network.variables) if not v.matched]
        foreign = self.layout.foreign
        if foreign is not None and foreign.tracked.get(area(False)):
            carried.append(area(False))
        carried += ["control", "offerer", "offer_step"] if self.stores_inside else []
        return [
            "SHARED void model_carried(state *s)",
            "{",
            "    (void)s;",
            *(f"    memset(&G(s)->{member}, 0xff, sizeof G(s)->{member});" for member in carried),
            "}",
            "",
            "SHARED int model_initial(sink *c)",
            "{",
            "    state none = {{0}}, *t = next(c, &none);",
            "    int err = 0, asked = 0;",
            "    (void)err; (void)asked;",
            *([] if foreign is None else self._foreign_start()),
            *indented(self.processes.initialise(self.network.variables, Scope("t", ""), "return 0;")),
            *indented([self._instance(instance) for instance in self.network.instances]),
            *([] if self.watch is None else ["    G(t)->monitor = MONITOR_INITIAL;"]),
            *([] if self.followed is None else self.followed.start()),
            "    emit_one(c, t, 0);",
            "    return 1;",
            "}",
            "",
        ]

    def _foreign_start(self) -> Lines:
        return [f"    if (!({same_sizes(self.layout)})) abort();", "    foreign_start(t);"]

    def _instance(self, instance: Instance) -> str:
        count = sum(slots(v.type) for v in self.network.template(instance.template).parameters)
        scope = Scope("t", "")
        args = [self.expr(arg, scope) for arg in instance.args[:count]]
        call = ", ".join(["c", "t", str(instance.priority), *args, *["0"] * (count - len(args))])
        failed = " || err" if scope.fails else ""
        return f"if (start_{self.layout.c_name(instance.template)}({call}) < 0{failed}) return 0;"
