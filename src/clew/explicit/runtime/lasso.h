/* lasso.h: an accepting run once a check knows that there is one: a prefix and a cycle, both by shortest paths.
 *
 *   lasso_within(seed, inside, open)   the check has found a component: `inside` says which nodes are known to be in it;
 *                                      prefixes lead through `open` nodes
 *   lasso_without(barred, marks)   the cycle has no arc with a barred mark, and all of these marks besides the usual ones
 *   lasso_through(seed, visited)       the check has found that an accepting cycle of visited nodes goes through `seed`
 *   lasso_make(g, shorten)             makes the run; 0 if memory or time does not suffice. `shorten`, if it is not NULL,
 *                                      replaces the cycle by a minimal one, or says that it did not
 *   lasso_print(g)                     prints it: the names of its steps, and, if it is not long, the marks of the arcs of
 *                                      the cycle
 *
 * In a component the cycle goes from the seed to the nearest arc with a mark that is missing, from there to the next,
 * and back. Where only the seed is known, a nested search first finds arcs that lie on cycles through it and have all
 * marks together. Counted are nodes met (with repetition) while the cycle is made, and the nodes it may consist of.
 */
#ifndef CLEW_LASSO_H
#define CLEW_LASSO_H

#include "graph.h"
#include "trace.h"

typedef struct { uint32_t from, to; marks_t marks; } hop;
typedef struct { uint32_t round, before; marks_t marks; } arrival;
enum fate { UNKNOWN_FATE, RETURNS, STRAYS };

static struct {
    int      is_known;
    uint32_t seed;
    int    (*inside)(uint32_t);         /* NULL: only the seed is known */
    int    (*open)(uint32_t);
    marks_t  barred, marks;             /* that arcs of the cycle do not have; that they have together */
    uint64_t met, space;
    int      is_minimal;
    pile     prefix, cycle, path, queue, arrivals, goal, fates, frames, arcs;
    uint32_t round;
} lasso;

static void lasso_within(uint32_t seed, int (*inside)(uint32_t), int (*open)(uint32_t))
{
    lasso.is_known = 1;
    lasso.seed = seed;
    lasso.inside = inside;
    lasso.open = open;
    lasso.barred = 0;
    lasso.marks = product.all;
}

static inline void lasso_without(marks_t barred, marks_t marks)
{
    lasso.barred = barred;
    lasso.marks |= marks;
}

static void lasso_through(uint32_t seed, int (*visited)(uint32_t)) { lasso_within(seed, NULL, visited); }

/* --- shortest paths --- */

static void lasso_start(void)
{
    lasso.round++;
    lasso.queue.count = 0;
}

static void lasso_enter(uint32_t node, uint32_t before, marks_t marks)
{
    arrival *a = &ITEM(&lasso.arrivals, arrival, node);
    if (a->round == lasso.round) return;
    *a = (arrival){lasso.round, before, marks};
    PUSH(&lasso.queue, uint32_t, node);
}

/* Appends the path from a node entered first to the arc, and the arc. */
static int lasso_append(pile *out, hop last)
{
    lasso.path.count = 0;
    PUSH(&lasso.path, hop, last.from, last.to, last.marks);
    for (uint32_t n = last.from; ITEM(&lasso.arrivals, arrival, n).before != NOBODY;) {
        arrival a = ITEM(&lasso.arrivals, arrival, n);
        PUSH(&lasso.path, hop, a.before, n, a.marks);
        n = a.before;
    }
    if (!arena_has(&out->a, (out->count + lasso.path.count) * 2 * sizeof(hop))) return 0;   /* twice: see lasso_turn */
    while (lasso.path.count) {
        hop h = ITEM(&lasso.path, hop, --lasso.path.count);
        PUSH(out, hop, h.from, h.to, h.marks);
    }
    return 1;
}

static inline int lasso_is_goal(uint32_t node) { return ITEM(&lasso.goal, uint8_t, node); }

/* From the nodes entered to the nearest arc that has one of the marks, or, if none are asked for, leads to a goal. The
 * path is appended to `out`. */
static int lasso_search(graph *g, pile *out, int (*within)(uint32_t), marks_t marks)
{
    for (size_t i = 0; i < lasso.queue.count; i++) {
        uint32_t node = ITEM(&lasso.queue, uint32_t, i);
        if (!graph_expand(g, node)) return 0;
        for (uint32_t k = 0; k < g->count; k++) {
            arc a = graph_arc(g, k);
            if (!within(a.to) || a.marks & lasso.barred) continue;
            if (marks ? (a.marks & marks) != 0 : lasso_is_goal(a.to)) {
                lasso.met += lasso.queue.count;
                return lasso_append(out, (hop){node, a.to, a.marks});
            }
            lasso_enter(a.to, node, a.marks);
        }
    }
    return 0;
}

static int lasso_go_to(graph *g, uint32_t from, uint32_t to, int (*within)(uint32_t))
{
    lasso_start();
    lasso_enter(from, NOBODY, 0);
    ITEM(&lasso.goal, uint8_t, to) = 1;
    int done = lasso_search(g, &lasso.cycle, within, 0);
    ITEM(&lasso.goal, uint8_t, to) = 0;
    return done;
}

/* --- the cycle, in a component --- */

static int lasso_around(graph *g)
{
    uint32_t here = lasso.seed;
    for (marks_t missing = lasso.marks; missing;) {
        lasso_start();
        lasso_enter(here, NOBODY, 0);
        if (!lasso_search(g, &lasso.cycle, lasso.inside, missing)) return 0;
        hop last = TOP(&lasso.cycle, hop);
        missing &= ~last.marks;
        here = last.to;
    }
    if (here == lasso.seed && lasso.cycle.count) return 1;
    return lasso_go_to(g, here, lasso.seed, lasso.inside);
}

static uint64_t lasso_size(int (*within)(uint32_t))
{
    uint64_t size = 0;
    for (uint32_t n = 0; n < search.st.used * product.levels; n++) size += (uint64_t)within(n);
    return size;
}

/* --- the cycle, through the seed --- */

static inline uint8_t *lasso_fate(uint32_t node) { return &ITEM(&lasso.fates, uint8_t, node); }
static int lasso_may_return(uint32_t node) { return lasso.open(node) && *lasso_fate(node) != STRAYS; }

static int lasso_push(graph *g, uint32_t node)
{
    lasso.met++;
    if (!graph_push(g, &lasso.arcs, node)) return 0;
    PUSH(&lasso.frames, frame, node, g->count);
    return 1;
}

/* Whether a node leads back to the seed. All nodes met on a search that fails stray; those on the way back return. */
static int lasso_returns(graph *g, uint32_t node)
{
    if (*lasso_fate(node) != UNKNOWN_FATE) return *lasso_fate(node) == RETURNS;
    size_t bottom = lasso.frames.count, arcs = lasso.arcs.count;
    lasso_start();
    lasso_enter(node, NOBODY, 0);
    if (!lasso_push(g, node)) return 0;
    int found = 0;
    while (!found && lasso.frames.count > bottom) {
        frame *f = &TOP(&lasso.frames, frame);
        if (f->left == 0) {
            lasso.frames.count--;
            continue;
        }
        f->left--;
        arc a = ITEM(&lasso.arcs, arc, --lasso.arcs.count);
        if (!lasso_may_return(a.to)) continue;
        if (*lasso_fate(a.to) == RETURNS) found = 1;
        else if (ITEM(&lasso.arrivals, arrival, a.to).round != lasso.round) {
            lasso_enter(a.to, NOBODY, 0);
            if (!lasso_push(g, a.to)) return 0;
        }
    }
    if (found) while (lasso.frames.count > bottom) *lasso_fate(ITEM(&lasso.frames, frame, --lasso.frames.count).node) = RETURNS;
    else for (size_t i = 0; i < lasso.queue.count; i++) *lasso_fate(ITEM(&lasso.queue, uint32_t, i)) = STRAYS;
    lasso.arcs.count = arcs;
    return found;
}

/* Arcs that return and have all marks together, on `path`. */
static int lasso_collect(graph *g, pile *collected)
{
    marks_t missing = product.all;
    *lasso_fate(lasso.seed) = RETURNS;
    ITEM(&lasso.goal, uint8_t, lasso.seed) = 1;
    if (missing && !lasso_push(g, lasso.seed)) return 0;
    while (missing && lasso.frames.count) {
        frame *f = &TOP(&lasso.frames, frame);
        if (f->left == 0) {
            lasso.frames.count--;
            continue;
        }
        f->left--;
        uint32_t from = f->node;
        arc a = ITEM(&lasso.arcs, arc, --lasso.arcs.count);
        if (!lasso_may_return(a.to)) continue;
        if (a.marks & missing && lasso_returns(g, a.to)) {
            PUSH(collected, hop, from, a.to, a.marks);
            missing &= ~a.marks;
        }
        if (search_stops()) return 0;
        if (lasso_is_goal(a.to) || *lasso_fate(a.to) == STRAYS) continue;
        ITEM(&lasso.goal, uint8_t, a.to) = 1;     /* entered */
        if (!lasso_push(g, a.to)) return 0;
    }
    memset(lasso.goal.a.base, 0, (size_t)search.st.used * product.levels);
    lasso.frames.count = lasso.arcs.count = 0;
    return missing == 0;
}

/* From the seed through the collected arcs, the nearest first, and back. */
static int lasso_connect(graph *g)
{
    pile collected = lasso.prefix;                /* which has not begun yet */
    if (!lasso_collect(g, &collected)) return 0;
    uint32_t here = lasso.seed;
    while (collected.count) {
        size_t nearest = collected.count, i;
        for (i = 0; i < collected.count; i++) if (ITEM(&collected, hop, i).from == here) nearest = i;
        if (nearest == collected.count) {
            lasso_start();
            lasso_enter(here, NOBODY, 0);
            for (i = 0; i < collected.count; i++) ITEM(&lasso.goal, uint8_t, ITEM(&collected, hop, i).from) = 1;
            int found = lasso_search(g, &lasso.cycle, lasso_may_return, 0);
            for (i = 0; i < collected.count; i++) ITEM(&lasso.goal, uint8_t, ITEM(&collected, hop, i).from) = 0;
            if (!found) return 0;
            here = TOP(&lasso.cycle, hop).to;
            continue;
        }
        hop h = ITEM(&collected, hop, nearest);
        PUSH(&lasso.cycle, hop, h.from, h.to, h.marks);
        here = h.to;
        ITEM(&collected, hop, nearest) = TOP(&collected, hop);
        collected.count--;
    }
    if (here == lasso.seed && lasso.cycle.count) return 1;
    return lasso_go_to(g, here, lasso.seed, lasso_may_return);
}

/* --- the whole --- */

static int lasso_approach(graph *g)
{
    lasso_start();
    for (size_t i = 0; i < lasso.cycle.count; i++) ITEM(&lasso.goal, uint8_t, ITEM(&lasso.cycle, hop, i).from) = 1;
    for (uint32_t i = 0; i < product.roots; i++) {
        if (lasso_is_goal(i * product.levels)) return 1;
        if (lasso.open(i * product.levels)) lasso_enter(i * product.levels, NOBODY, 0);
    }
    return lasso_search(g, &lasso.prefix, lasso.open, 0);
}

/* The cycle begins where the prefix ends. */
static int lasso_turn(void)
{
    uint32_t first = lasso.prefix.count ? TOP(&lasso.prefix, hop).to : NOBODY;
    size_t n = lasso.cycle.count, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t from = ITEM(&lasso.cycle, hop, i).from;
        if (first == NOBODY ? from % product.levels == 0 && from / product.levels < product.roots : from == first) {
            at = i;
            break;
        }
    }
    for (size_t i = 0; i < at; i++) {
        hop h = ITEM(&lasso.cycle, hop, i);
        PUSH(&lasso.cycle, hop, h.from, h.to, h.marks);
    }
    memmove(lasso.cycle.a.base, &ITEM(&lasso.cycle, hop, at), n * sizeof(hop));
    lasso.cycle.count = n;
    return 1;
}

static int lasso_open(void)
{
    return pile_open(&lasso.prefix, sizeof(hop), 0) && pile_open(&lasso.cycle, sizeof(hop), 0) &&
           pile_open(&lasso.path, sizeof(hop), 0) && pile_open(&lasso.queue, 4, 0) &&
           pile_open(&lasso.arrivals, sizeof(arrival), 1) && pile_open(&lasso.goal, 1, 1) &&
           pile_open(&lasso.fates, 1, 1) && pile_open(&lasso.frames, sizeof(frame), 0) &&
           pile_open(&lasso.arcs, sizeof(arc), 0);
}

static int lasso_make(graph *g, int (*shorten)(graph *))
{
    uint64_t transitions = g->transitions;
    lasso.met = 0;
    if (!lasso_open()) return 0;
    lasso.space = lasso_size(lasso.inside ? lasso.inside : lasso.open);
    int made = (lasso.inside ? lasso_around(g) : lasso_connect(g));
    uint64_t met = lasso.met;
    lasso.is_minimal = made && shorten && shorten(g);
    lasso.barred = 0;                   /* the prefix may take any arc */
    made = made && lasso_approach(g) && lasso_turn();
    lasso.met = met;
    g->transitions = transitions;
    return made;
}

/* --- printing --- */

static struct { name_t *names; size_t count, room; struct { size_t from; int length; } *of; uint32_t of_room; } script;

/* Keeps the names of the steps that lead to a successor. */
static void lasso_record(sink *c, const state *t, name_t name)
{
    (void)t;
    if (c->count >= script.of_room) {
        script.of_room = 2 * c->room;
        script.of = realloc(script.of, script.of_room * sizeof *script.of);
    }
    if (c->count == 0) script.count = 0;
    int length = path_to(c, name, script.names + script.count, (int)(script.room - script.count));
    while (length == 0) {
        script.room *= 2;
        script.names = realloc(script.names, script.room * sizeof *script.names);
        if (!script.names) { perror("clew"); exit(70); }
        length = path_to(c, name, script.names + script.count, (int)(script.room - script.count));
    }
    if (!script.of) { perror("clew"); exit(70); }
    script.of[c->count].from = script.count;
    script.of[c->count].length = length;
    script.count += (size_t)length;
}

static told told_prefix = TOLD("prefix"), told_cycle = TOLD("cycle");

/* Tells the steps of an arc, the fewest if it stands for several ways; returns its marks in the model. */
static uint64_t lasso_tell(graph *g, told *run, hop h)
{
    uint32_t best = NOBODY;
    graph_expand(g, h.from);
    for (uint32_t k = 0; k < g->count; k++) {
        arc a = graph_arc(g, k);
        if (a.to != h.to || a.marks != h.marks) continue;
        if (best == NOBODY || script.of[k].length < script.of[best].length) best = k;
    }
    if (best == NOBODY) { fputs("clew: a step of the run was not found again\n", stderr); exit(70); }
    for (int i = 0; i < script.of[best].length; i++) told_add(run, script.names[script.of[best].from + (size_t)i]);
    return g->c->marks[best];
}

static void lasso_print(graph *g)
{
    script.room = 1024;
    script.names = malloc(script.room * sizeof *script.names);
    uint64_t *marks = malloc(lasso.cycle.count * sizeof *marks);
    if (!script.names || !marks) { perror("clew"); exit(70); }
    options.progress = 0;               /* a report would stand in the middle of the line */
    g->c->record = lasso_record;
    for (size_t i = 0; i < lasso.prefix.count; i++) lasso_tell(g, &told_prefix, ITEM(&lasso.prefix, hop, i));
    for (size_t i = 0; i < lasso.cycle.count; i++) marks[i] = lasso_tell(g, &told_cycle, ITEM(&lasso.cycle, hop, i));
    printf("{\"type\":\"lasso\",\"prefix\":");
    told_end(&told_prefix);
    printf(",\"cycle\":");
    told_end(&told_cycle);
    printf(",\"marks\":[");
    size_t shown = lasso.cycle.count <= TOLD_ON_A_LINE ? lasso.cycle.count : 0;
    for (size_t i = 0; i < shown; i++) printf(i ? ",%llu" : "%llu", (unsigned long long)marks[i]);
    printf("],\"met\":%llu,\"space\":%llu,\"minimal\":%d}\n", (unsigned long long)lasso.met,
           (unsigned long long)lasso.space, lasso.is_minimal);
    g->c->record = NULL;
    free(marks);
    free(script.names);
    free(script.of);
    memset(&script, 0, sizeof script);
}

#endif
