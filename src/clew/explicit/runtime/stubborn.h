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
 * Each process that can move is tried as the seed; the set with the fewest successors is chosen.
 */
#ifndef CLEW_STUBBORN_H
#define CLEW_STUBBORN_H

#include "model.h"

enum { MOST_PARTS = 64 };

typedef struct {
    uint64_t processes;                 /* whose steps are chosen */
    uint32_t count;                     /* successors chosen */
    int      ignores_failure;           /* what is left out may later fail */
} choice;

/* A process in the present state. */
typedef struct {
    const footprint *steps;
    uint64_t  all, enabled;             /* steps of the bundle, as bits */
    uint32_t  successors;
    uint8_t   flags, visible, is_local; /* of all steps; of those that can be taken; see footprint.h */
    resources touches, changes;         /* from now on */
    uint16_t  cells[CELLS + 1];
} part;

typedef struct {
    part     parts[MOST_PARTS];
    int      count;
    uint64_t in[MOST_PARTS], todo[MOST_PARTS];
    uint64_t waiting;                   /* processes with something to do */
    uint32_t cost, limit;
} stubborn;

static void stubborn_look(stubborn *b, const state *s, int pid)
{
    part *p = &b->parts[pid];
    const bundle *here = &bundles[bundles_of[TAG(s, pid)] + HEAD(s, pid)->at];
    p->steps = &footprints[here->first];
    p->all = here->size == 64 ? ~(uint64_t)0 : ((uint64_t)1 << here->size) - 1;
    p->enabled = 0;
    p->successors = 0;
    p->flags = here->flags;
    p->visible = 0;
    p->is_local = here->is_local;
    p->touches = here->part[0];
    p->changes = here->part[1];
    if (CELLS) {
        model_cells(s, pid, p->cells);
        cells_add(&p->touches, here->cells[0], p->cells);
        cells_add(&p->changes, here->cells[1], p->cells);
    }
}

static void stubborn_met(stubborn *b, int pid, uint32_t step)
{
    part *p = &b->parts[pid];
    p->enabled |= (uint64_t)1 << place_of[step];
    p->visible |= p->steps[place_of[step]].flags & IS_VISIBLE;
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
        resources touches = {{0}}, changes = {{0}}, waits = {{0}};
        for (uint64_t left = b->todo[pid]; left; left &= left - 1) {
            int k = __builtin_ctzll(left);
            if (p->enabled >> k & 1) {
                if (p->steps[k].flags & MOVES_OTHERS) return 0;
                footprint_add(&touches, &p->steps[k], TOUCHES, p->cells);
                footprint_add(&changes, &p->steps[k], CHANGES, p->cells);
            } else {
                if (p->steps[k].flags & WAITS_FOR_ALL) return 0;
                footprint_add(&waits, &p->steps[k], WAITS, p->cells);
            }
        }
        resources_add(&waits, &touches);          /* both are about what others change */
        b->todo[pid] = 0;
        b->waiting &= b->waiting - 1;
        for (int other = 0; other < b->count; other++) {
            const part *o = &b->parts[other];
            if (other == pid || b->in[other] == o->all) continue;
            if (!resources_meet(&changes, &o->touches) && !resources_meet(&waits, &o->changes)) continue;
            uint64_t found = 0;
            for (uint64_t left = o->all & ~b->in[other]; left; left &= left - 1) {
                int k = __builtin_ctzll(left);
                resources theirs = {{0}}, changed = {{0}};
                footprint_add(&theirs, &o->steps[k], LATER_TOUCHES, o->cells);
                footprint_add(&changed, &o->steps[k], LATER_CHANGES, o->cells);
                if (resources_meet(&changes, &theirs) || resources_meet(&waits, &changed)) found |= (uint64_t)1 << k;
            }
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
    best->count = 0;
    for (int seed = b.count - 1; seed >= 0; seed--) {
        if (!b.parts[seed].successors || b.parts[seed].successors >= b.limit) continue;
        if (!stubborn_close(&b, seed)) continue;
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
