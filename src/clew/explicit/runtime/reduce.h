/* reduce.h: expanding only as many steps of a state as a search needs, and what keeps it from ignoring any for ever.
 *
 *   reduce_open(insert)          `insert` stores what waits in the sink, as the search does it; 0 if memory is short
 *   reduce_expand(w, i, cut)     expands state i; its successors are stored, or wait in the sink
 *   reduce_flush(c)              stores what waits
 *   proviso_holds(i, first, stored, n)   whether n chosen successors of state i keep what is left out from being ignored;
 *                                `first`: numbers from there on were new
 *   reduce_begin_level()         breadth-first, before the states of a level are expanded
 *   reduce_fully(w, i)           expands state i fully after all
 *   reduce_is_on_path            a bit for each state on the path of a depth-first search
 *   reduce_tell(c, i, n, how)    with --audit: tells how state i was expanded
 *
 *   provisos       every state that is not fully expanded has among its chosen successors
 *     stack        one that is not on the path of the depth-first search
 *     visited      one that is new
 *     queue        one that waits to be expanded: in a breadth-first search by one worker, one with a greater number
 *     queue-live   only such
 *     chain        one from which a fully expanded state is reached, or one that waits to be expanded: see chain.h
 *     none         anything: steps may be ignored for ever
 *
 * (Bosnacki and Holzmann, SPIN 2005, but for the last but one.) What `queue` asks for is sound in any search by any number
 * of workers: numbers are fixed, so a chain of states none of which is fully expanded has growing numbers and ends. With
 * `chain`, breadth-first, what is explored does not depend on the number of workers. Where nothing that is left out can ever
 * fail, deadlocks alone are at stake and no proviso is needed.
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
    PROFIT = 8                          /* one of so many successors should be left out */
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

static inline int is_of_next_level(uint32_t i);

#include "chain.h"

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
    chain_begin_level();
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
    if (options.proviso == PROVISO_CHAIN) return !chain_has_room() || chain_goes_on(i, stored, n);
    for (uint32_t k = 0; k < n; k++)
        switch (options.proviso) {
        case PROVISO_NONE:    good++; break;
        case PROVISO_STACK:   good += !is_on_path(stored[k]); break;
        case PROVISO_VISITED: good += stored[k] >= first; break;
        default:              good += stored[k] > i;
        }
    return options.proviso == PROVISO_QUEUE_LIVE ? good == n : good > 0;
}

static void (*reduce_insert)(sink *);

static inline void reduce_flush(sink *c)
{
    batch_store(c, reduce_insert);
    for (uint32_t n = 0; n < c->undecided_count; n++)
        chain_note(c, c->undecided[n].state, c->stored + c->undecided[n].from, c->undecided[n].few);
    c->undecided_count = 0;
}

/* 0 if memory is short. */
static inline int reduce_open(void (*insert)(sink *))
{
    memset(&reduce_level, 0, sizeof reduce_level);
    for (int n = 0; n < search.count; n++) search.sinks[n]->drain = batch_grow;
    reduce_insert = insert;
    if (options.proviso == PROVISO_STACK && !reduce_is_on_path.base) return arena_reserve(&reduce_is_on_path, (size_t)1 << 29);
    return options.proviso != PROVISO_CHAIN || chain_open();
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
#ifndef SEARCHES_ARE_APART
#include "stubborn.h"
#endif

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
        uint32_t few = reduce_sort(c, from, chosen.processes), first = c->fresh.next;
        c->taken -= count - few;
        c->reduced++;
        chosen.ignores_failure |= options.proviso == PROVISO_QUEUE_LIVE;
        how = chosen.ignores_failure ? EXPANDED_PARTLY : EXPANDED_EXEMPT;
        c->count = from + few;
        if (options.proviso == PROVISO_CHAIN && chosen.ignores_failure && reduce_level.counts)
            c->undecided[c->undecided_count++] = (struct undecided){i, from, few};
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

static __attribute__((unused)) void reduce_fully(worker *w, uint32_t i)
{
    sink *c = &w->c;
    state s;
    choice chosen;
    uint32_t from = c->count;
    store_get(&search.st, c, i, &s);
    c->parent = i;
    c->whole = 0;
    explore(c, &s);
    uint32_t count = c->count, few = stubborn_choose(c, &s, from, &chosen) ? reduce_sort(c, from, chosen.processes) : 0;
    for (uint32_t k = from + few; k < count; k++) reduce_move(c, k - few, k);
    c->count = count - few;
    c->taken += c->count - from;
    c->reduced--;
    c->forced++;
    reduce_settle(c, i, EXPANDED_FORCED);
}

#endif

#endif
