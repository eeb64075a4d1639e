/* inside.h: from one ordinary state to the next ones, through the transient states of indivisible sequences.
 *
 *   explore(c, s)       expands `s` up to the next ordinary states; returns whether it has any step
 *   path_to(c, …)       the steps from the expanded state to the one emitted now
 *
 * Transient states are walked as a tree, as Spin does, so that the number of arrivals is its number of transitions.
 * A tree that is too deep or too large is walked again as a graph, with a table of its own: that ends also when the
 * sequence has a loop, and counts the walks of the tree without taking them.
 */
#ifndef CLEW_INSIDE_H
#define CLEW_INSIDE_H

#include "model.h"

typedef struct { uint32_t from, to; } edge;
typedef struct {
    state    s;
    int      control;
    uint64_t mark;                      /* of the steps that led to it, which is part of what it is */
    uint32_t before;
    name_t   name;
    uint64_t exits, walks;
    uint32_t waiting, into, first;
    int      end;
} node;

typedef struct inner {
    node     *nodes;  uint32_t count, node_room;
    edge     *edges;  uint32_t edge_count, edge_room;
    uint32_t *table;  uint32_t mask;
    uint32_t  here;
} inner;

static void *grown(void *old, uint32_t *room, size_t size)
{
    *room = *room ? *room * 2 : 64;
    void *p = realloc(old, *room * size);
    if (!p) { perror("clew"); exit(70); }
    return p;
}

static uint32_t inner_hash(const state *s, int control, uint64_t mark)
{
    uint64_t h = ((uint64_t)control + 0x9e3779b97f4a7c15u) ^ mark * 0xc2b2ae3d27d4eb4fu;
    for (size_t i = 0; i < MODEL_WORDS; i++) h = (h ^ s->w[i]) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return (uint32_t)h;
}

/* The number of a transient state, which is added if it is new. */
static uint32_t inner_find(inner *g, const state *s, int control, uint64_t mark, name_t name)
{
    if (2 * (g->count + 1) > g->mask) {
        uint32_t size = g->mask ? 2 * (g->mask + 1) : 256;
        free(g->table);
        g->table = calloc(size, sizeof *g->table);
        if (!g->table) { perror("clew"); exit(70); }
        g->mask = size - 1;
        for (uint32_t i = 1; i < g->count; i++) {
            const node *n = &g->nodes[i];
            uint32_t at = inner_hash(&n->s, n->control, n->mark) & g->mask;
            while (g->table[at]) at = (at + 1) & g->mask;
            g->table[at] = i;
        }
    }
    uint32_t at = inner_hash(s, control, mark) & g->mask;
    for (; g->table[at]; at = (at + 1) & g->mask) {
        const node *n = &g->nodes[g->table[at]];
        if (n->control == control && n->mark == mark && memcmp(&n->s, s, sizeof *s) == 0) return g->table[at];
    }
    if (g->count == g->node_room) g->nodes = grown(g->nodes, &g->node_room, sizeof *g->nodes);
    g->nodes[g->count] = (node){.s = *s, .control = control, .mark = mark, .before = g->here, .name = name};
    return g->table[at] = g->count++;
}

static void arrive(sink *c, const state *s, name_t name)
{
    emit(c, next(c, s), name);
}

SHARED __attribute__((noinline)) void inside(sink *c, const state *t, name_t name, int control)
{
    c->transient = 1;
    if (c->graph) {
        inner *g = c->graph;
        uint32_t to = inner_find(g, t, control, MODEL_HAS_MARKS ? c->mark : 0, name);
        if (g->edge_count == g->edge_room) g->edges = grown(g->edges, &g->edge_room, sizeof *g->edges);
        g->edges[g->edge_count++] = (edge){g->here, to};
        return;
    }
    if (c->gave_up || c->depth == INSIDE_DEPTH || ++c->visits > INSIDE_VISITS) {
        c->gave_up = 1;
        return;
    }
    state here = *t;                    /* `t` is in the batch and will be overwritten */
    int timeout = c->timeout;
    uint64_t mark = c->mark, movers = c->movers;
    c->timeout = 0;
    c->path[c->depth++] = name;
    int found = model_continue(c, &here, control);
    c->depth--;
    c->timeout = timeout;
    c->mark = mark;
    c->movers = movers;
    if (!found && !c->gave_up) arrive(c, &here, name);   /* cannot go on: loses the right to move */
}

static int by_source(const void *a, const void *b)
{
    uint32_t x = ((const edge *)a)->from, y = ((const edge *)b)->from;
    return (x > y) - (x < y);
}

/* How many walks lead out of the transient states; if they have a loop, how many steps do. */
static uint64_t count_walks(sink *c, inner *g)
{
    qsort(g->edges, g->edge_count, sizeof *g->edges, by_source);
    for (uint32_t i = 0; i < g->edge_count; i++) g->nodes[g->edges[i].to].waiting++;
    for (uint32_t i = 0, e = 0; i < g->count; i++) {
        g->nodes[i].into = g->nodes[i].waiting;
        while (e < g->edge_count && g->edges[e].from < i) e++;
        g->nodes[i].first = e;
    }
    uint32_t *ready = malloc(g->count * sizeof *ready), waiting = 1, done = 0;
    if (!ready) { perror("clew"); exit(70); }
    uint64_t total = 0, steps = 0;
    g->nodes[0].walks = 1;
    ready[0] = 0;
    while (waiting) {
        uint32_t i = ready[--waiting];
        node *n = &g->nodes[i];
        done++;
        total += n->walks * (n->end ? 1 : n->exits);
        for (uint32_t e = n->first; e < g->edge_count && g->edges[e].from == i; e++) {
            node *m = &g->nodes[g->edges[e].to];
            m->walks += n->walks;
            if (--m->waiting == 0) ready[waiting++] = g->edges[e].to;
        }
    }
    free(ready);
    if (done == g->count) return total;
    c->loops = 1;
    for (uint32_t i = 0; i < g->count; i++) steps += g->nodes[i].end ? g->nodes[i].into : g->nodes[i].exits;
    return steps;
}

static int expand_here(sink *c, const state *s)
{
    c->timeout = 0;
#if MODEL_REDUCES
    if (c->only >= 0) return model_part(c, s, c->only);
#endif
    int found = model_expand(c, s);
    if (!found && MODEL_ASKS_TIMEOUT) {
#if MODEL_REDUCES
        c->whole = 1;
#endif
        c->timeout = 1;
        found = model_expand(c, s);
        c->timeout = 0;
    }
    return found;
}

static void explore_graph(sink *c, const state *s)
{
    inner g = {0};
#if MODEL_REDUCES
    c->whole = 1;
#endif
    g.nodes = grown(NULL, &g.node_room, sizeof *g.nodes);
    g.nodes[0] = (node){.s = *s, .control = -1, .mark = c->mark};
    g.count = 1;
    c->graph = &g;
    uint64_t movers = 0;
    for (uint32_t i = 0; i < g.count; i++) {
        g.here = i;
        state now = g.nodes[i].s;
        c->mark = g.nodes[i].mark;
        uint64_t before = c->arrivals + c->count;
        if (i == 0) {
            expand_here(c, &now);
            movers = c->movers;
        } else if (!model_continue(c, &now, g.nodes[i].control)) {
            g.nodes[i].end = 1;
            g.here = g.nodes[i].before;
            arrive(c, &now, g.nodes[i].name);
            continue;
        }
        g.nodes[i].exits = c->arrivals + c->count - before;
    }
    c->graph = NULL;
    c->movers = movers;
    uint64_t walks = count_walks(c, &g);
    c->arrivals = walks - c->count;     /* the caller has saved what it was */
    free(g.nodes); free(g.edges); free(g.table);
}

/* `arrivals` counts what has been drained; what waits in the batch is added when it is drained. */
static int explore(sink *c, const state *s)
{
    uint64_t before = c->arrivals + c->count;
    c->visits = 0;
    c->gave_up = 0;
    int found = expand_here(c, s);
    if (unlikely(c->gave_up)) {
        c->gave_up = 0;
        explore_graph(c, s);
        c->arrivals += before;
    }
    return found;
}

/* The steps from the expanded state to a successor emitted now under `name`; returns how many (at most `room`). */
static int path_to(sink *c, name_t name, name_t *out, int room)
{
    int n = 0;
    if (c->graph) {
        inner *g = c->graph;
        for (uint32_t i = g->here; i; i = g->nodes[i].before) n++;
        if (n >= room) return 0;
        int at = n;
        for (uint32_t i = g->here; i; i = g->nodes[i].before) out[--at] = g->nodes[i].name;
    } else {
        if (c->depth >= room) return 0;
        for (; n < c->depth; n++) out[n] = c->path[n];
    }
    out[n++] = name;
    return n;
}

#endif
