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
 * Each process that can move is tried as the seed, first those whose steps concern nobody, since their sets are known at
 * once; the set with the fewest successors is chosen. A set that all of a seed tried before is brought into is no smaller
 * than the set of that seed, so it need not be closed. What a step of one place brings in of another place is always the
 * same (if the cells are), so it is kept in a table, once it has been asked for. So is what was chosen in a situation: the
 * places of all processes, the steps that can be taken there, and the cells.
 */
#ifndef CLEW_STUBBORN_H
#define CLEW_STUBBORN_H

#include "model.h"

enum {
    MOST_PARTS = 64,
    PAIRS      = 4096,                  /* kept */
    PAIR_STEPS = 8, PAIR_BITS = 16,     /* places with more steps are not kept; nor are those beside places with so many */
    PAIR_CELLS = 4,                     /* nor are processes with more cells */
    SITUATIONS = 4096,                  /* kept */
    KEY_PARTS  = PROCESS_ROOM < MOST_PARTS ? PROCESS_ROOM : MOST_PARTS
};

typedef struct {
    uint64_t processes;                 /* whose steps are chosen */
    uint32_t count;                     /* successors chosen */
    int      ignores_failure;           /* what is left out may later fail */
} choice;

/* A process in the present state. */
typedef struct {
    const bundle *here;
    uint64_t  enabled;                  /* steps of the bundle, as bits */
    uint64_t  in, todo;                 /* steps brought in; those of them that have not brought in others yet */
    uint64_t  known_cells;              /* the cells in one word, if they fit */
    uint32_t  successors, place;        /* the number of the bundle */
    uint16_t  cells[CELLS + 1];
} part;

static inline const footprint *part_steps(const part *p) { return &footprints[p->here->first]; }

/* What each step of one place brings in of another place: if it can be taken, and if it cannot. */
typedef struct pair {
    uint64_t places;                    /* 0: nothing is kept here */
    uint16_t found[2][PAIR_STEPS];
    uint16_t all, enabled;              /* all steps together, when these can be taken */
#if CELLS
    uint64_t cells[2];
#endif
} pair;

typedef struct {
    part     parts[MOST_PARTS];
    int      count;
    uint64_t open;                      /* processes that are not brought in as a whole */
    uint64_t waiting;                   /* processes with something to do */
    uint64_t tried;                     /* as seeds */
    uint64_t chosen;                    /* processes with a step that is brought in and can be taken */
    uint32_t cost, limit;
    pair    *pairs;
} stubborn;

/* What the choice depends on, of one process. */
typedef struct {
#if LARGEST_BUNDLE <= 32 && BUNDLES <= 0x10000
    uint32_t enabled;
    uint16_t place, successors;
#else
    uint64_t enabled;
    uint32_t place, successors;
#endif
#if CELLS
    uint64_t cells[(CELLS + 3) / 4];
#endif
} part_key;

typedef struct situation {
    int      count;                     /* of processes; 0: nothing is kept here */
    choice   chosen;
    part_key parts[KEY_PARTS];
} situation;

/* Sees the processes and what they can do; 0 if that is too much, or if the steps cannot be told apart. */
static inline int situation_look(part_key *parts, const sink *c, const state *s, uint32_t from, int count)
{
    if (unlikely(count > KEY_PARTS || c->count - from > 0xffff)) return 0;
    for (int pid = 0; pid < count; pid++) {
        part_key *p = &parts[pid];
        p->enabled = 0;
        p->place = (typeof(p->place))(bundles_of[TAG(s, pid)] + HEAD(s, pid)->at);
        p->successors = 0;
#if CELLS
        memset(p->cells, 0, sizeof p->cells);
        model_cells(s, pid, (uint16_t *)p->cells);
#endif
    }
    for (uint32_t i = from; i < c->count; i++) {
        name_t name = c->firsts[i];
        if (unlikely(name == STUTTER)) return 0;
        int pid = (int)(name & 0xff), partner = (int)(name >> 8 & 0xff) - 1;
        parts[pid].successors++;
        parts[pid].enabled |= (typeof(parts->enabled))1 << place_of[name >> 16 & 0xffffff];
        if (partner >= 0) parts[partner].enabled |= (typeof(parts->enabled))1 << place_of[name >> 40];
    }
    return 1;
}

/* Where what was chosen in such a situation is kept, or will be. */
static inline situation *situation_at(sink *c, const part_key *parts, int count)
{
    const uint64_t *words = (const uint64_t *)parts;
    uint64_t h = (uint64_t)count;
    if (unlikely(!c->situations) && !(c->situations = calloc(SITUATIONS, sizeof *c->situations))) { perror("clew"); exit(70); }
    for (size_t i = 0; i < (size_t)count * sizeof *parts / 8; i++) h = (h ^ words[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return &c->situations[h % SITUATIONS];
}

static inline void stubborn_look(part *p, const part_key *key)
{
    p->place = key->place;
    p->here = &bundles[key->place];
    p->enabled = key->enabled;
    p->successors = key->successors;
    p->known_cells = 0;
#if CELLS
    memcpy(p->cells, key->cells, CELLS * sizeof *p->cells);
    if (CELLS <= PAIR_CELLS) memcpy(&p->known_cells, p->cells, (CELLS <= PAIR_CELLS ? CELLS : 0) * sizeof *p->cells);
#endif
}

/* Which steps of the process `o` are brought in by step k of `p`, if it can be taken, and if it cannot. */
static void stubborn_compare(const part *p, int k, const part *o, uint64_t *if_enabled, uint64_t *if_not)
{
    resources touches = {{0}}, changes = {{0}}, waits = {{0}};
    footprint_add(&touches, &part_steps(p)[k], TOUCHES, p->cells);
    footprint_add(&changes, &part_steps(p)[k], CHANGES, p->cells);
    footprint_add(&waits, &part_steps(p)[k], WAITS, p->cells);
    *if_enabled = *if_not = 0;
    for (uint64_t left = o->here->all; left; left &= left - 1) {
        int m = __builtin_ctzll(left);
        resources theirs = {{0}}, changed = {{0}};
        footprint_add(&theirs, &part_steps(o)[m], LATER_TOUCHES, o->cells);
        footprint_add(&changed, &part_steps(o)[m], LATER_CHANGES, o->cells);
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

static void pair_fill(pair *known, uint64_t places, const part *p, const part *o)
{
    known->places = places;
#if CELLS
    known->cells[0] = p->known_cells;
    known->cells[1] = o->known_cells;
#endif
    for (uint64_t left = p->here->all; left; left &= left - 1) {
        int k = __builtin_ctzll(left);
        uint64_t if_enabled, if_not;
        stubborn_compare(p, k, o, &if_enabled, &if_not);
        known->found[0][k] = (uint16_t)if_enabled;
        known->found[1][k] = (uint16_t)if_not;
    }
}

static inline uint64_t pair_found(const pair *known, const part *p, uint64_t steps)
{
    uint64_t found = 0;
    for (uint64_t left = steps & p->enabled; left; left &= left - 1) found |= known->found[0][__builtin_ctzll(left)];
    for (uint64_t left = steps & ~p->enabled; left; left &= left - 1) found |= known->found[1][__builtin_ctzll(left)];
    return found;
}

/* The steps of the process `o` that are brought in by these of `p`. */
static inline uint64_t stubborn_found(stubborn *b, const part *p, uint64_t steps, const part *o)
{
    uint64_t found = 0;
    int is_large = LARGEST_BUNDLE > PAIR_STEPS && (p->here->size > PAIR_STEPS || o->here->size > PAIR_BITS);
    if (unlikely(is_large || CELLS > PAIR_CELLS)) {
        for (; steps; steps &= steps - 1) {
            int k = __builtin_ctzll(steps);
            uint64_t if_enabled, if_not;
            stubborn_compare(p, k, o, &if_enabled, &if_not);
            found |= p->enabled >> k & 1 ? if_enabled : if_not;
        }
        return found;
    }
    uint64_t places = ((uint64_t)p->place << 32 | o->place) + 1;
    uint32_t at = p->place * 61 + o->place;
    if (CELLS) at += (uint32_t)((p->known_cells * 0x9fb21c651e98df25u ^ o->known_cells) * 0x9e3779b97f4a7c15u >> 32);
    pair *known = &b->pairs[at & (PAIRS - 1)];
    int is_new = !pair_is(known, places, p, o);
    if (unlikely(is_new)) pair_fill(known, places, p, o);
    if (steps != p->here->all) return pair_found(known, p, steps);
    if (is_new || known->enabled != p->enabled) {
        known->enabled = (uint16_t)p->enabled;
        known->all = (uint16_t)pair_found(known, p, steps);
    }
    return known->all;
}

/* Brings in steps of a process; 0 if that is too much. */
static inline int stubborn_bring(stubborn *b, int pid, uint64_t steps)
{
    part *p = &b->parts[pid];
    steps &= ~p->in;
    if (!steps) return 1;
    if (steps & (p->enabled | p->here->own)) {
        if (b->tried >> pid & 1) return 0;
        if (p->enabled && !(b->chosen >> pid & 1)) {
            b->chosen |= (uint64_t)1 << pid;
            b->cost += p->successors;
        }
        if (b->cost >= b->limit) return 0;
        steps = p->here->all & ~p->in;
    }
    p->in |= steps;
    p->todo |= steps;
    if (p->in == p->here->all) b->open &= ~((uint64_t)1 << pid);
    b->waiting |= (uint64_t)1 << pid;
    return 1;
}

/* Leaves in `chosen` and `cost` what the set comes to; 0 if that is too much. */
static inline int stubborn_close(stubborn *b, int seed)
{
    if (b->parts[seed].here->is_local) {
        b->chosen = (uint64_t)1 << seed;
        b->cost = b->parts[seed].successors;
        return 1;
    }
    for (int pid = 0; pid < b->count; pid++) b->parts[pid].in = b->parts[pid].todo = 0;
    b->open = b->count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << b->count) - 1;
    b->waiting = b->chosen = b->cost = 0;
    if (!stubborn_bring(b, seed, b->parts[seed].here->all)) return 0;
    while (b->waiting) {
        int pid = __builtin_ctzll(b->waiting);
        part *p = &b->parts[pid];
        uint64_t steps = p->todo;
        if (p->here->flags & (MOVES_OTHERS | WAITS_FOR_ALL))
            for (uint64_t left = steps; left; left &= left - 1) {
                int k = __builtin_ctzll(left);
                if (part_steps(p)[k].flags & (p->enabled >> k & 1 ? MOVES_OTHERS : WAITS_FOR_ALL)) return 0;
            }
        p->todo = 0;
        b->waiting &= b->waiting - 1;
        for (uint64_t others = b->open & ~((uint64_t)1 << pid); others;) {  /* seeds that were tried are soon found */
            int other = 63 - __builtin_clzll(others);
            others &= ~((uint64_t)1 << other);
            uint64_t found = stubborn_found(b, p, steps, &b->parts[other]);
            if (found && !stubborn_bring(b, other, found)) return 0;
        }
    }
    return 1;
}

static int stubborn_is_visible(const stubborn *b)
{
    for (uint64_t chosen = b->chosen; chosen; chosen &= chosen - 1) {
        const part *p = &b->parts[__builtin_ctzll(chosen)];
        if (!(p->here->flags & IS_VISIBLE)) continue;
        for (uint64_t left = p->enabled; left; left &= left - 1)
            if (part_steps(p)[__builtin_ctzll(left)].flags & IS_VISIBLE) return 1;
    }
    return 0;
}

static inline void stubborn_try(stubborn *b, int seed, choice *best)
{
    if (!b->parts[seed].successors || b->parts[seed].successors >= b->limit) return;
    int closed = stubborn_close(b, seed);
    b->tried |= (uint64_t)1 << seed;
    if (!closed || stubborn_is_visible(b)) return;
    best->processes = b->chosen;
    b->limit = b->cost;
}

/* The choice for processes that are seen. */
static __attribute__((noinline)) void stubborn_decide(sink *c, const part_key *parts, int count, uint32_t successors, choice *best)
{
    static __thread stubborn b;
    b.count = count;
    if (unlikely(!c->pairs) && !(c->pairs = calloc(PAIRS, sizeof *c->pairs))) { perror("clew"); exit(70); }
    b.pairs = c->pairs;
    for (int pid = 0; pid < count; pid++) stubborn_look(&b.parts[pid], &parts[pid]);
    b.limit = successors;
    b.tried = 0;
    best->processes = 0;
    for (int seed = count - 1; seed >= 0; seed--)
        if (b.parts[seed].here->is_local) stubborn_try(&b, seed, best);
    for (int seed = count - 1; seed >= 0 && b.limit > 1; seed--)
        if (!b.parts[seed].here->is_local) stubborn_try(&b, seed, best);
    best->count = b.limit;
    best->ignores_failure = 0;
    for (int pid = 0; pid < count && !best->ignores_failure; pid++)
        best->ignores_failure = !(best->processes >> pid & 1) && b.parts[pid].here->flags & LATER_FAILS;
}

static inline int stubborn_choose(sink *c, const state *s, uint32_t from, choice *best)
{
    int count = G(s)->processes;
    part_key parts[KEY_PARTS];
    if (!situation_look(parts, c, s, from, count)) return 0;
    situation *known = situation_at(c, parts, count);
    if (known->count != count || memcmp(known->parts, parts, (size_t)count * sizeof *parts) != 0) {
        stubborn_decide(c, parts, count, c->count - from, &known->chosen);
        known->count = count;
        memcpy(known->parts, parts, (size_t)count * sizeof *parts);
    }
    *best = known->chosen;
    return best->processes != 0;
}

#endif
