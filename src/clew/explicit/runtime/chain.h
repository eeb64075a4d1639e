/* chain.h: the proviso that forces least.
 *
 *   chain_open()                     no chains; 0 if memory is short
 *   chain_has_room()                 for all states; 0 if memory is short
 *   chain_begin_level()              breadth-first
 *   chain_goes_on(i, stored, n)      whether state i need not be fully expanded, as n chosen successors are where they are
 *   chain_note(c, i, stored, n)      breadth-first: the same is to be seen at the end of the level, if it is not seen at once
 *   chain_end_level(again)           how many states of the level are to be fully expanded after all, and which
 *
 * Each state that is not fully expanded is linked to one of its chosen successors. These links form chains. One that leads
 * on for ever would come back to where it was; so a link is made only if the chain of the successor ends in another state:
 * in one that is fully expanded, or that waits to be expanded. Hence from every state a fully expanded one is reached.
 *
 * Breadth-first, a successor of the next level waits to be expanded; what else there is is linked at the end of the level,
 * by one worker and in an order that does not depend on who found what.
 */
#ifndef CLEW_CHAIN_H
#define CLEW_CHAIN_H

#include "search.h"

static struct {
    arena links;                        /* of each state: to which it is linked, plus 1; 0: its chain ends here */
    int   is_used;
} chain;

static int chain_open(void)
{
    arena_release(&chain.links);
    return arena_reserve(&chain.links, (size_t)1 << 34);
}

static int chain_has_room(void)
{
    size_t bytes = ((size_t)search.st.used + CHUNK) * sizeof(uint32_t);
    if (chain.is_used) __atomic_store_n(&search.st.others, bytes, __ATOMIC_RELAXED);
    if (likely(arena_has(&chain.links, bytes))) return 1;
    store_fill(&search.st, FULL_MEMORY);
    return 0;
}

static void chain_begin_level(void)
{
    if (options.proviso == PROVISO_CHAIN) chain_has_room();
}

static inline void chain_link(uint32_t i, uint32_t to)
{
    ((uint32_t *)chain.links.base)[i] = to + 1;
    __atomic_store_n(&chain.is_used, 1, __ATOMIC_RELAXED);
}

/* Where the chain of a state ends. What is passed is linked to the end. */
static uint32_t chain_end(uint32_t i)
{
    uint32_t *links = (uint32_t *)chain.links.base, end = i;
    while (links[end]) end = links[end] - 1;
    for (uint32_t next; links[i]; i = next) {
        next = links[i] - 1;
        links[i] = end + 1;
    }
    return end;
}

static int chain_goes_on(uint32_t i, const uint32_t *stored, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        if (stored[k] == NOBODY) return 1;            /* the store is full, and the search ends */
        uint32_t end = chain_end(stored[k]);
        if (end != i) {
            chain_link(i, end);
            return 1;
        }
    }
    return 0;
}

static void chain_note(sink *c, uint32_t i, const uint32_t *stored, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (is_of_next_level(stored[k])) {
            if (stored[k] != NOBODY) chain_link(i, stored[k]);
            return;
        }
    while (c->doubtful_room < c->doubtful_count + n + 2)
        c->doubtful = grown(c->doubtful, &c->doubtful_room, sizeof *c->doubtful);
    c->doubtful[c->doubtful_count++] = i;
    c->doubtful[c->doubtful_count++] = n;
    memcpy(c->doubtful + c->doubtful_count, stored, n * sizeof *stored);
    c->doubtful_count += n;
}

typedef struct { uint64_t digest; const uint32_t *what; } doubt;

static int doubt_order(const void *a, const void *b)
{
    uint64_t x = ((const doubt *)a)->digest, y = ((const doubt *)b)->digest;
    return x < y ? -1 : x > y;
}

static uint32_t chain_end_level(uint32_t **again)
{
    static doubt *doubts;
    static uint32_t *states, room, states_room;
    uint32_t count = 0, left = 0;
    for (int n = 0; n < search.count; n++) {
        sink *c = search.sinks[n];
        for (uint32_t at = 0; at < c->doubtful_count; at += c->doubtful[at + 1] + 2) {
            state s;
            store_get(&search.st, c, c->doubtful[at], &s);
            if (count == room) doubts = grown(doubts, &room, sizeof *doubts);
            doubts[count++] = (doubt){search_digest(&s), &c->doubtful[at]};
        }
    }
    if (!count || !chain_has_room()) return 0;
    qsort(doubts, count, sizeof *doubts, doubt_order);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *what = doubts[k].what;
        if (chain_goes_on(what[0], what + 2, what[1])) continue;
        if (left == states_room) states = grown(states, &states_room, sizeof *states);
        states[left++] = what[0];
    }
    for (int n = 0; n < search.count; n++) search.sinks[n]->doubtful_count = 0;
    *again = states;
    return left;
}

#endif
