/* reduce.h: expanding only as many steps of a state as a search needs, and what keeps it from ignoring any for ever.
 *
 *   reduce_open(c, insert)       `insert` stores what waits in the sink, as the search does it
 *   reduce_expand(w, i, cut)     expands state i; its successors are stored, or wait in the sink
 *   reduce_flush(c)              stores what waits
 *   proviso_holds(i, first, stored, n)   whether n chosen successors of state i keep what is left out from being ignored;
 *                                `first`: numbers from there on were new
 *   reduce_begin_level()         breadth-first, before the states of a level are expanded
 *   reduce_is_on_path            a bit for each state on the path of a depth-first search
 *   reduce_tell(c, i, n, how)    with --audit: tells how state i was expanded
 *
 *   provisos       every state that is not fully expanded has among its chosen successors
 *     stack        one that is not on the path of the depth-first search
 *     visited      one that is new
 *     queue        one that waits to be expanded: in a breadth-first search by one worker, one with a greater number
 *     queue-live   only such
 *     level        one of the next level of the breadth-first search
 *     none         anything: steps may be ignored for ever
 *
 * (Bosnacki and Holzmann, SPIN 2005.) What `queue` asks for is sound in any search by any number of workers: numbers are
 * fixed, so a chain of states none of which is fully expanded has growing numbers and ends. `level` is the same with levels
 * in place of numbers; since they do not depend on who comes first, what is explored does not depend on the number of
 * workers. Where nothing that is left out can ever fail, deadlocks alone are at stake and no proviso is needed.
 *
 * A search that leaves out next to nothing stops trying for a while: any state may be fully expanded. Breadth-first that is
 * decided between levels, for all workers.
 */
#ifndef CLEW_REDUCE_H
#define CLEW_REDUCE_H

#include "search.h"

enum {
    TRIAL  = 20000,                     /* successors after which it is seen whether reducing is worth while */
    PAUSE  = 8 * TRIAL,                 /* successors for which it is not tried, if it is not */
    PROFIT = 32                         /* one of so many successors should be left out */
};

static arena reduce_is_on_path;

/* Where each worker was with its numbers when the level was begun, and how many had been given out. */
static struct {
    uint32_t given;
    cursor   at[MOST_WORKERS];
    int      counts;                    /* levels are what is gone by */
    struct trial trial;
} reduce_level;

/* Sees whether reducing is worth while, when so many successors were offered and taken ever. */
static void trial_go_on(struct trial *t, uint64_t offered, uint64_t taken)
{
    uint64_t lately = offered - t->offered, left_out = lately - (taken - t->taken);
    if (lately < (t->in_vain ? PAUSE : TRIAL)) return;
    *t = (struct trial){offered, taken, !t->in_vain && left_out < lately / PROFIT};
}

static void reduce_begin_level(void)
{
    uint64_t offered = 0, taken = 0;
    reduce_level.counts = 1;
    reduce_level.given = search.st.used;
    for (int n = 0; n < search.count; n++) {
        const sink *c = search.sinks[n];
        reduce_level.at[n] = c->fresh;
        offered += c->offered, taken += c->taken;
    }
    trial_go_on(&reduce_level.trial, offered, taken);
}

/* Whether a number was given to a state since the level was begun. */
static inline int is_of_next_level(uint32_t i)
{
    if (i >= reduce_level.given) return 1;
    for (int n = 0; n < search.count; n++) {
        const cursor *at = &reduce_level.at[n];
        if ((i >= at->next && i < at->end) || (i >= at->spare && i < at->spare_end)) return 1;
    }
    return 0;
}

static inline int is_on_path(uint32_t i) { return ((uint64_t *)reduce_is_on_path.base)[i / 64] >> i % 64 & 1; }

static inline int proviso_holds(uint32_t i, uint32_t first, const uint32_t *stored, uint32_t n)
{
    uint32_t good = 0;
    for (uint32_t k = 0; k < n; k++)
        switch (options.proviso) {
        case PROVISO_NONE:    good++; break;
        case PROVISO_STACK:   good += !is_on_path(stored[k]); break;
        case PROVISO_VISITED: good += stored[k] >= first; break;
        case PROVISO_LEVEL:   good += is_of_next_level(stored[k]); break;
        default:              good += stored[k] > i;
        }
    return options.proviso == PROVISO_QUEUE_LIVE ? good == n : good > 0;
}

static void (*reduce_insert)(sink *);

/* Puts the successors from number `from` on aside, until it is known whether they are left out. */
static void reduce_put_aside(sink *c, uint32_t from)
{
    struct aside *a = &c->aside;
    uint32_t many = c->count - from;
    if (unlikely(a->count + many > a->room)) {
        a->room = 2 * (a->count + many);
        state *batch = aligned_alloc(64, (a->room * sizeof *batch + 63) / 64 * 64);
        if (batch && a->count) memcpy(batch, a->batch, a->count * sizeof *batch);
        free(a->batch);
        a->batch = batch;
        a->names = realloc(a->names, a->room * sizeof *a->names);
        a->context_of = realloc(a->context_of, a->room * sizeof *a->context_of);
        if (!a->batch || !a->names || !a->context_of) { perror("clew"); exit(70); }
    }
    memcpy(a->batch + a->count, c->batch + from, many * sizeof *c->batch);
    memcpy(a->names + a->count, c->names + from, many * sizeof *c->names);
    memcpy(a->context_of + a->count, c->context_of + from, many * sizeof *c->context_of);
    a->count += many;
    c->count = from;
}

/* Expands a state fully after all. */
static void reduce_again(sink *c, const struct undecided *u)
{
    const struct aside *a = &c->aside;
    for (uint32_t k = 0; k < u->left; k++) {
        if (c->count == c->room) batch_grow(c);
        c->batch[c->count] = a->batch[u->aside + k];
        c->names[c->count] = a->names[u->aside + k];
        c->context_of[c->count] = a->context_of[u->aside + k];
        c->parents[c->count++] = u->state;
    }
    c->reduced--;
    c->forced++;
    c->taken += u->left;
    if (c->count >= BATCH) batch_store(c, reduce_insert);
}

/* Breadth-first, several states are stored before their provisos are looked at, so that memory is asked for several
 * successors at a time. */
static inline void reduce_flush(sink *c)
{
    uint32_t first = c->fresh.next, again = 0;
    batch_store(c, reduce_insert);
    for (uint32_t n = 0; n < c->undecided_count; n++) {
        struct undecided u = c->undecided[n];
        if (!proviso_holds(u.state, first, c->stored + u.from, u.few)) c->undecided[again++] = u;
    }
    c->undecided_count = 0;
    for (uint32_t n = 0; n < again && !store_full(&search.st); n++) reduce_again(c, &c->undecided[n]);
    c->aside.count = 0;
    if (c->count) batch_store(c, reduce_insert);
}

static inline void reduce_open(sink *c, void (*insert)(sink *))
{
    c->drain = batch_grow;
    reduce_insert = insert;
}

/* What an auditor wants to know of the expansion of state i: its successors, in the order in which they were stored, and
 * how it was expanded. */
enum expansion { EXPANDED_FULLY, EXPANDED_FORCED, EXPANDED_PARTLY, EXPANDED_EXEMPT };

static void reduce_tell(const sink *c, uint32_t i, uint32_t n, enum expansion how)
{
    if (likely(!options.audit)) return;
    printf("{\"type\":\"expansion\",\"state\":%u,\"how\":%d,\"to\":[", i, (int)how);
    for (uint32_t k = 0; k < n; k++) printf(k ? ",%u" : "%u", c->stored[k]);
    printf("]}\n");
}

static void reduce_move(sink *c, uint32_t to, uint32_t from)
{
    if (to == from) return;
    c->batch[to] = c->batch[from];
    c->names[to] = c->names[from];
    c->parents[to] = c->parents[from];
    c->context_of[to] = c->context_of[from];
    c->firsts[to] = c->firsts[from];
    if (MODEL_HAS_MARKS) c->marks[to] = c->marks[from];
}

/* Brings the successors of the chosen processes to the front of those from `from` on; returns how many they are. */
static uint32_t reduce_sort(sink *c, uint32_t from, uint64_t processes)
{
    uint32_t n = from;
    if (c->count == c->room) batch_grow(c);
    for (uint32_t i = from; i < c->count; i++)
        if (processes >> (c->firsts[i] & 0xff) & 1) {
            if (i != n) {
                reduce_move(c, c->count, n);
                reduce_move(c, n, i);
                reduce_move(c, i, c->count);
            }
            n++;
        }
    return n - from;
}

#if REDUCES_AS_PEER
#include "ample.h"
#else
#include "stubborn.h"

/* Stores what waits if it is enough to be worth it; under an audit at once. */
static inline void reduce_settle(sink *c, uint32_t i, enum expansion how)
{
    uint32_t n = c->count;
    if (n >= BATCH || options.audit) reduce_flush(c);
    reduce_tell(c, i, n, how);
}

static inline int reduce_is_in_vain(sink *c)
{
    if (reduce_level.counts) return reduce_level.trial.in_vain;
    trial_go_on(&c->trial, c->offered, c->taken);
    return c->trial.in_vain;
}

static __attribute__((unused)) void reduce_expand(worker *w, uint32_t i, int cut)
{
    sink *c = &w->c;
    state s;
    choice chosen;
    uint32_t from = c->count;
    enum expansion how = EXPANDED_FULLY;
    c->whole = 0;
    if (unlikely(cut) || reduce_is_in_vain(c)) {
        search_expand(w, i, cut);
        c->offered += c->count - from;
        c->taken += c->count - from;
        reduce_settle(c, i, EXPANDED_FULLY);
        return;
    }
    store_get(&search.st, c, i, &s);
    c->parent = i;
    int found = explore(c, &s);
    if (unlikely(!found)) search_ended(w, &s);
    uint32_t count = c->count - from;
    c->offered += count;
    c->taken += count;
    if (!c->whole && count > 1 && stubborn_choose(c, &s, from, &chosen)) {
        uint32_t few = reduce_sort(c, from, chosen.processes), first = c->fresh.next, aside = c->aside.count;
        c->taken -= count - few;
        c->reduced++;
        chosen.ignores_failure |= options.proviso == PROVISO_QUEUE_LIVE;
        how = chosen.ignores_failure ? EXPANDED_PARTLY : EXPANDED_EXEMPT;
        int waits = chosen.ignores_failure && options.proviso != PROVISO_NONE && !options.depth_first && !options.audit;
        if (waits) reduce_put_aside(c, from + few);
        c->count = from + few;
        if (waits) c->undecided[c->undecided_count++] = (struct undecided){i, from, few, count - few, aside};
        else if (chosen.ignores_failure && options.proviso != PROVISO_NONE) {
            reduce_flush(c);
            if (proviso_holds(i, first, c->stored + from, few)) {
                reduce_tell(c, i, few, how);
                return;
            } else {
                reduce_tell(c, i, few, EXPANDED_FORCED);
                how = EXPANDED_FORCED;
                c->reduced--;
                c->forced++;
                c->taken += count - few;
                for (uint32_t k = few; k < count; k++) reduce_move(c, k - few, from + k);
                c->count = count - few;
            }
        }
    }
    reduce_settle(c, i, how);
}

#endif

#endif
