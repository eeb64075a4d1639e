"""Channels in C: functions that put messages into a channel of each shape and take them out."""

from __future__ import annotations

from clew.explicit.layout import Layout, Shape, c_type, converted
from clew.explicit.statements import Lines, indented


def channel_functions(layout: Layout) -> Lines:
    """The functions of each shape, and those for a channel whose shape is not known before."""
    shapes = list(layout.shapes.values())
    return [line for shape in shapes if shape.capacity for line in _of_shape(shape)] + _of_any(shapes)


def _of_shape(shape: Shape) -> Lines:
    """`put_N` (at the end), `insert_N` (before the first larger message) and `drop_N`; the channel is not full.

    An inserted message is compared before it is cut to the fields' types, as in Spin.
    """
    number, fields = shape.number, shape.fields
    args = "".join(f", int a{n}" for n in range(len(fields)))
    channel = f"{shape.struct} *c = ({shape.struct} *)q;"
    if not fields:
        return [
            f"static inline void put_{number}(struct queue *q) {{ q->length++; }}",
            f"static inline void insert_{number}(struct queue *q) {{ q->length++; }}",
            f"static inline void drop_{number}(struct queue *q, int at) {{ (void)at; q->length--; }}",
            "",
        ]
    larger = "0"
    for n in range(len(fields) - 1, -1, -1):
        larger = f"(c->m[i].f{n} > a{n} || (c->m[i].f{n} == a{n} && {larger}))"
    return [
        f"static inline void put_{number}(struct queue *q{args})",
        "{",
        f"    {channel}",
        "    __typeof__(c->m[0]) *m = &c->m[q->length++];",
        *indented([f"m->f{n} = {converted(t, f'a{n}')};" for n, t in enumerate(fields)]),
        "}",
        "",
        f"static inline void insert_{number}(struct queue *q{args})",
        "{",
        f"    {channel}",
        f"    put_{number}({', '.join(['q', *(f'a{n}' for n in range(len(fields)))])});",
        "    int last = q->length - 1, i = 0;",
        "    __typeof__(c->m[0]) x = c->m[last];",
        f"    while (i < last && !{larger}) i++;",
        "    for (int j = last; j > i; j--) c->m[j] = c->m[j - 1];",
        "    c->m[i] = x;",
        "}",
        "",
        f"static inline void drop_{number}(struct queue *q, int at)",
        "{",
        f"    {channel}",
        "    int n = --q->length;",
        "    for (int i = at; i < n; i++) c->m[i] = c->m[i + 1];",
        "    memset(&c->m[n], 0, sizeof c->m[n]);",
        "}",
        "",
    ]


def _of_any(shapes: list[Shape]) -> Lines:
    puts: Lines = []
    messages: Lines = []
    drops: Lines = []
    conversions: Lines = []
    for shape in shapes:
        k, n = shape.number, len(shape.fields)
        casts = "".join(
            f" o->m[{i}] = ({c_type(t)})({converted(t, f'o->m[{i}]')});" for i, t in enumerate(shape.fields)
        )
        conversions.append(f"    case {k}:{casts} fields = {n}; break;")
        if not shape.capacity:
            continue
        values = "".join(f", {i} < n ? m[{i}] : 0" for i in range(n))
        put = f"if (sorted) insert_{k}(q{values}); else put_{k}(q{values});"
        puts.append(f"    case {k}: if (room) {{ {put} }} return n == {n};")
        drops.append(f"    case {k}: drop_{k}(q, at); return;")
        reads = "".join(f" m[{i}] = ((const {shape.struct} *)q)->m[at].f{i};" for i in range(n))
        messages.append(f"    case {k}:{reads} return {n};")
    return [
        "/* Puts a message into a channel; it is lost if that is full. 0 if it has the wrong length: values that are",
        " * missing are 0, those too many are dropped. */",
        "static inline int put(struct queue *q, int n, const int *m, int sorted)",
        "{",
        "    int room = q->length < capacity_of[SHAPE(q)];",
        "    (void)n; (void)m; (void)sorted; (void)room;",
        "    switch (SHAPE(q)) {",
        *puts,
        "    }",
        "    return 0;",
        "}",
        "",
        "/* The fields of a message; returns how many there are. */",
        "static inline int message(const struct queue *q, int at, int *m)",
        "{",
        "    (void)q; (void)at; (void)m;",
        "    switch (SHAPE(q)) {",
        *messages,
        "    }",
        "    return 0;",
        "}",
        "",
        "static inline void drop(struct queue *q, int at)",
        "{",
        "    (void)q; (void)at;",
        "    switch (SHAPE(q)) {",
        *drops,
        "    }",
        "}",
        "",
        "/* Converts an offered message to the types of the channel, and to its length as `put` does. */",
        "static inline void as_stored(const struct queue *q, offer *o)",
        "{",
        "    int fields = 0;",
        "    (void)q;",
        "    switch (SHAPE(q)) {",
        *conversions,
        "    }",
        "    for (int i = o->n; i < fields; i++) o->m[i] = 0;",
        "    o->wrong_length = o->n != fields;",
        "    o->n = fields;",
        "}",
        "",
        '#include "channels.h"',
        "",
    ]
