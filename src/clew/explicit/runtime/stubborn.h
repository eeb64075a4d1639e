/* stubborn.h: which steps of a state are enough, as a set of processes: guard-based stubborn sets (Valmari 1991; Laarman,
 * Pater, van de Pol and Weber 2013).
 *
 *   stubborn_choose(c, s, from, choice)   among the successors from number `from` on in the sink, which are all those of
 *                                         `s`; 0: all are needed
 *
 * Elements are the steps that leave the present locations. A set is closed as follows. A step that can be taken brings in
 * all others of its process, and of other processes those that do not accord with it or may lead to one that does not. A
 * step that cannot be taken brings in those that may lead to one that changes what it waits for, and if its process alone
 * might enable it, all of that. Steps of other locations are brought in by what leads to them. A closed set with a step
 * that can be taken is enough to keep every deadlock; see reduce.h for the rest.
 *
 * Each process that can move is tried as the seed; the set with the fewest successors is chosen. A set that all of a seed
 * tried before is brought into is no smaller than the set of that seed, so it need not be closed. What a step of one place
 * brings in of another place is always the same (if the cells are), so it is kept in a table, once it has been asked for.
 */
#ifndef CLEW_STUBBORN_H
#define CLEW_STUBBORN_H

#include "model.h"

enum {
    MOST_PARTS = 64,
    PAIRS      = 4096,                  /* kept */
    PAIR_STEPS = 8, PAIR_BITS = 16,     /* places with more steps are not kept; nor are those beside places with so many */
    PAIR_CELLS = 4                      /* nor are processes with more cells */
};

typedef struct {
    uint64_t processes;                 /* whose steps are chosen */
    uint32_t count;                     /* successors chosen */
    int      ignores_failure;           /* what is left out may later fail */
} choice;

/* A process in the present state. */
typedef struct {
    const footprint *steps;
    uint64_t  all, enabled;             /* steps of the bundle, as bits */
    uint64_t  known_cells;              /* the cells in one word, if they fit */
    uint32_t  successors, place;        /* the number of the bundle */
    uint8_t   flags, visible, is_local; /* of all steps; of those that can be taken; see footprint.h */
    uint16_t  cells[CELLS + 1];
} part;

/* What each step of one place brings in of another place: if it can be taken, and if it cannot. */
typedef struct pair {
    uint64_t places;                    /* 0: nothing is kept here */
    uint16_t found[2][PAIR_STEPS];
#if CELLS
    uint64_t cells[2];
#endif
} pair;

typedef struct {
    part     parts[MOST_PARTS];
    int      count;
    uint64_t in[MOST_PARTS], todo[MOST_PARTS];
    uint64_t waiting;                   /* processes with something to do */
    uint64_t tried;                     /* as seeds */
    uint32_t cost, limit;
    pair    *pairs;
} stubborn;

static void stubborn_look(stubborn *b, const state *s, int pid)
{
    part *p = &b->parts[pid];
    p->place = bundles_of[TAG(s, pid)] + HEAD(s, pid)->at;
    const bundle *here = &bundles[p->place];
    p->steps = &footprints[here->first];
    p->all = here->size == 64 ? ~(uint64_t)0 : ((uint64_t)1 << here->size) - 1;
    p->enabled = 0;
    p->successors = 0;
    p->flags = here->flags;
    p->visible = 0;
    p->is_local = here->is_local;
    p->known_cells = 0;
    if (CELLS) {
        memset(p->cells, 0, sizeof p->cells);
        model_cells(s, pid, p->cells);
        if (CELLS <= PAIR_CELLS) memcpy(&p->known_cells, p->cells, (CELLS <= PAIR_CELLS ? CELLS : 0) * sizeof *p->cells);
    }
}

static void stubborn_met(stubborn *b, int pid, uint32_t step)
{
    part *p = &b->parts[pid];
    p->enabled |= (uint64_t)1 << place_of[step];
    p->visible |= p->steps[place_of[step]].flags & IS_VISIBLE;
}

/* Which steps of the process `o` are brought in by step k of `p`, if it can be taken, and if it cannot. */
static void stubborn_compare(const part *p, int k, const part *o, uint64_t *if_enabled, uint64_t *if_not)
{
    resources touches = {{0}}, changes = {{0}}, waits = {{0}};
    footprint_add(&touches, &p->steps[k], TOUCHES, p->cells);
    footprint_add(&changes, &p->steps[k], CHANGES, p->cells);
    footprint_add(&waits, &p->steps[k], WAITS, p->cells);
    *if_enabled = *if_not = 0;
    for (uint64_t left = o->all; left; left &= left - 1) {
        int m = __builtin_ctzll(left);
        resources theirs = {{0}}, changed = {{0}};
        footprint_add(&theirs, &o->steps[m], LATER_TOUCHES, o->cells);
        footprint_add(&changed, &o->steps[m], LATER_CHANGES, o->cells);
        if (resources_meet(&changes, &theirs) || resources_meet(&touches, &changed)) *if_enabled |= (uint64_t)1 << m;
        if (resources_meet(&waits, &changed)) *if_not |= (uint64_t)1 << m;
    }
}

static inline int pair_is(const pair *known, uint64_t places, const part *p, const part *o)
{
    (void)p; (void)o;
#if CELLS
    if (known->cells[0] != p->known_cells || known->cells[1] != o->known_cells) return 0;
#endif
    return known->places == places;
}

/* The steps of the process `o` that are brought in by these of `p`. */
static uint64_t stubborn_found(stubborn *b, const part *p, uint64_t steps, const part *o)
{
    uint64_t found = 0;
    if (unlikely(p->all >> PAIR_STEPS || o->all >> PAIR_BITS || CELLS > PAIR_CELLS)) {
        for (; steps; steps &= steps - 1) {
            int k = __builtin_ctzll(steps);
            uint64_t if_enabled, if_not;
            stubborn_compare(p, k, o, &if_enabled, &if_not);
            found |= p->enabled >> k & 1 ? if_enabled : if_not;
        }
        return found;
    }
    uint64_t places = ((uint64_t)p->place << 32 | o->place) + 1, h = places;
    if (CELLS) h ^= p->known_cells * 0x9fb21c651e98df25u ^ o->known_cells;
    pair *known = &b->pairs[h * 0x9e3779b97f4a7c15u >> 32 & (PAIRS - 1)];
    if (unlikely(!pair_is(known, places, p, o))) {
        known->places = places;
#if CELLS
        known->cells[0] = p->known_cells;
        known->cells[1] = o->known_cells;
#endif
        for (uint64_t left = p->all; left; left &= left - 1) {
            int k = __builtin_ctzll(left);
            uint64_t if_enabled, if_not;
            stubborn_compare(p, k, o, &if_enabled, &if_not);
            known->found[0][k] = (uint16_t)if_enabled;
            known->found[1][k] = (uint16_t)if_not;
        }
    }
    for (; steps; steps &= steps - 1) {
        int k = __builtin_ctzll(steps);
        found |= known->found[!(p->enabled >> k & 1)][k];
    }
    return found;
}

/* Brings in steps of a process; 0 if that is too much. */
static int stubborn_bring(stubborn *b, int pid, uint64_t steps)
{
    const part *p = &b->parts[pid];
    steps &= ~b->in[pid];
    if (!steps) return 1;
    int whole = (steps & p->enabled) != 0;
    for (uint64_t left = steps; left && !whole; left &= left - 1)
        whole = p->steps[__builtin_ctzll(left)].flags & IS_OWN;
    if (whole) {
        if (b->tried >> pid & 1) return 0;
        if (!(b->in[pid] & p->enabled)) b->cost += p->successors;
        steps = p->all & ~b->in[pid];
        if (b->cost >= b->limit) return 0;
    }
    b->in[pid] |= steps;
    b->todo[pid] |= steps;
    b->waiting |= (uint64_t)1 << pid;
    return 1;
}

static int stubborn_close(stubborn *b, int seed)
{
    memset(b->in, 0, (size_t)b->count * sizeof *b->in);
    if (b->parts[seed].is_local) {
        b->in[seed] = b->parts[seed].all;
        b->cost = b->parts[seed].successors;
        return 1;
    }
    memset(b->todo, 0, (size_t)b->count * sizeof *b->todo);
    b->waiting = b->cost = 0;
    if (!stubborn_bring(b, seed, b->parts[seed].all)) return 0;
    while (b->waiting) {
        int pid = __builtin_ctzll(b->waiting);
        const part *p = &b->parts[pid];
        uint64_t steps = b->todo[pid];
        if (p->flags & (MOVES_OTHERS | WAITS_FOR_ALL))
            for (uint64_t left = steps; left; left &= left - 1) {
                int k = __builtin_ctzll(left);
                if (p->steps[k].flags & (p->enabled >> k & 1 ? MOVES_OTHERS : WAITS_FOR_ALL)) return 0;
            }
        b->todo[pid] = 0;
        b->waiting &= b->waiting - 1;
        for (int other = 0; other < b->count; other++) {
            const part *o = &b->parts[other];
            if (other == pid || b->in[other] == o->all) continue;
            uint64_t found = stubborn_found(b, p, steps, o);
            if (found && !stubborn_bring(b, other, found)) return 0;
        }
    }
    return 1;
}

static int stubborn_choose(sink *c, const state *s, uint32_t from, choice *best)
{
    static __thread stubborn b;
    b.count = G(s)->processes;
    if (b.count > MOST_PARTS) return 0;
    if (unlikely(!c->pairs) && !(c->pairs = calloc(PAIRS, sizeof *c->pairs))) { perror("clew"); exit(70); }
    b.pairs = c->pairs;
    for (int pid = 0; pid < b.count; pid++) stubborn_look(&b, s, pid);
    for (uint32_t i = from; i < c->count; i++) {
        name_t name = c->firsts[i];
        if (name == STUTTER) return 0;
        int pid = (int)(name & 0xff), partner = (int)(name >> 8 & 0xff) - 1;
        b.parts[pid].successors++;
        stubborn_met(&b, pid, (uint32_t)(name >> 16 & 0xffffff));
        if (partner >= 0) stubborn_met(&b, partner, (uint32_t)(name >> 40));
    }
    b.limit = c->count - from;
    b.tried = 0;
    best->count = 0;
    for (int seed = b.count - 1; seed >= 0; seed--) {
        if (!b.parts[seed].successors || b.parts[seed].successors >= b.limit) continue;
        int closed = stubborn_close(&b, seed);
        b.tried |= (uint64_t)1 << seed;
        if (!closed) continue;
        uint64_t chosen = 0;
        int visible = 0, fails = 0;
        for (int pid = 0; pid < b.count; pid++) {
            const part *p = &b.parts[pid];
            if (b.in[pid] & p->enabled) chosen |= (uint64_t)1 << pid, visible |= p->visible;
            else fails |= p->flags & LATER_FAILS;
        }
        if (visible) continue;
        *best = (choice){chosen, b.cost, fails};
        b.limit = b.cost;
        if (b.cost == 1) break;
    }
    return best->count != 0;
}

#endif
