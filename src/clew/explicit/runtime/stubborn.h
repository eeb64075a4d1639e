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
    CELL_WORDS = (CELLS + 3) / 4,
    PAIRS      = LARGEST_BUNDLE <= 8 ? 4096 : 1024,     /* kept */
    SITUATIONS = 4096,                                  /* kept */
    KEY_PARTS  = PROCESS_ROOM < MOST_PARTS ? PROCESS_ROOM : MOST_PARTS
};

/* Steps of one location, as bits. */
#if LARGEST_BUNDLE <= 16
typedef uint16_t step_set;
#else
typedef uint64_t step_set;
#endif

/* A process in the present state. */
typedef struct {
    const bundle *here;
    uint64_t  enabled;                  /* steps of the bundle, as bits */
    uint64_t  in, todo;                 /* steps brought in; those of them that have not brought in others yet */
    uint32_t  successors, place;        /* the number of the bundle */
#if CELLS
    uint64_t  cells[CELL_WORDS];
#endif
} part;

static inline const uint16_t *part_cells(const part *p)
{
#if CELLS
    return (const uint16_t *)p->cells;
#else
    (void)p;
    return NULL;
#endif
}

static inline const footprint *part_steps(const part *p) { return &footprints[p->here->first]; }

/* What each step of one place brings in of another place: if it can be taken, and if it cannot. */
typedef struct pair {
    uint64_t places;                    /* 0: nothing is kept here */
#if CELLS
    uint64_t cells[2][CELL_WORDS];
#endif
    step_set all, enabled;              /* all steps together, when these can be taken */
    step_set found[2][LARGEST_BUNDLE + 1];
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

/* What the choice depends on, process by process: its place and what can be taken there, how many successors that has; its
 * cells. */
enum {
    IS_NARROW = LARGEST_BUNDLE <= 32 && BUNDLES <= 0x10000,    /* then one word is enough for all but the cells */
    KEY_WORDS = (IS_NARROW ? 1 : 2) + CELL_WORDS
};

typedef struct situation {
    uint32_t count;                     /* of processes; 0: nothing is kept here */
    choice   chosen;
    uint64_t key[KEY_PARTS * KEY_WORDS];
} situation;

static inline uint64_t key_enabled(const uint64_t *key) { return IS_NARROW ? (uint32_t)key[0] : key[KEY_WORDS - 1]; }
static inline uint32_t key_place(const uint64_t *key) { return IS_NARROW ? key[0] >> 32 & 0xffff : (uint32_t)key[0]; }
static inline uint32_t key_successors(const uint64_t *key) { return (uint32_t)(key[0] >> 48); }

static inline void key_add(uint64_t *key, uint32_t step)
{
    key[IS_NARROW ? 0 : KEY_WORDS - 1] |= (uint64_t)1 << place_of[step];
}

/* Sees the processes and what they can do; 0 if that is too much, if the steps cannot be told apart, or if they are all of one
 * process. */
static inline int situation_look(uint64_t *key, const sink *c, const state *s, uint32_t from, uint32_t count)
{
    if (unlikely(count > KEY_PARTS || c->count - from > 0xffff)) return 0;
    const name_t *next = c->firsts + from, *end = c->firsts + c->count;
    name_t first = *next, differ = 0;
    for (uint32_t pid = 0; pid < count; pid++) {
        uint64_t *k = &key[pid * KEY_WORDS], place = bundles_of[TAG(s, pid)] + HEAD(s, pid)->at;
        k[0] = IS_NARROW ? place << 32 : place;
        if (KEY_WORDS > 1) {
            memset(k + 1, 0, (KEY_WORDS - 1) * sizeof *k);
            model_cells(s, (int)pid, (uint16_t *)(k + 1));
        }
    }
    do {
        name_t name = *next;
        if (unlikely(name == STUTTER)) return 0;
        uint32_t pid = name & 0xff, partner = name >> 8 & 0xff;
        differ |= name ^ first;
        key[pid * KEY_WORDS] += (uint64_t)1 << 48;
        key_add(&key[pid * KEY_WORDS], name >> 16 & 0xffffff);
        if (partner) key_add(&key[(partner - 1) * KEY_WORDS], (uint32_t)(name >> 40));
    } while (++next < end);
    return (differ & 0xff) != 0;
}

/* Where what was chosen in such a situation is kept, or will be. */
static inline situation *situation_at(sink *c, const uint64_t *key, uint32_t words)
{
    uint64_t h = words;
    if (unlikely(!c->situations) && !(c->situations = calloc(SITUATIONS, sizeof *c->situations))) { perror("clew"); exit(70); }
    for (uint32_t i = 0; i < words; i++) h = (h ^ key[i]) * 0x9e3779b97f4a7c15u;
    return &c->situations[h >> 32 & (SITUATIONS - 1)];
}

static inline int situation_is(const situation *known, const uint64_t *key, uint32_t count)
{
    uint64_t differ = known->count ^ count;
    for (uint32_t i = 0; i < count * KEY_WORDS; i++) differ |= known->key[i] ^ key[i];
    return !differ;
}

static inline void stubborn_look(part *p, const uint64_t *key)
{
    p->place = key_place(key);
    p->here = &bundles[p->place];
    p->enabled = key_enabled(key);
    p->successors = key_successors(key);
#if CELLS
    memcpy(p->cells, key + 1, sizeof p->cells);
#endif
}

/* Which steps of the process `o` are brought in by step k of `p`, if it can be taken, and if it cannot. */
static void stubborn_compare(const part *p, int k, const part *o, uint64_t *if_enabled, uint64_t *if_not)
{
    resources touches = {{0}}, changes = {{0}}, waits = {{0}};
    footprint_add(&touches, &part_steps(p)[k], TOUCHES, part_cells(p));
    footprint_add(&changes, &part_steps(p)[k], CHANGES, part_cells(p));
    footprint_add(&waits, &part_steps(p)[k], WAITS, part_cells(p));
    *if_enabled = *if_not = 0;
    for (uint64_t left = o->here->all; left; left &= left - 1) {
        int m = __builtin_ctzll(left);
        resources theirs = {{0}}, changed = {{0}};
        footprint_add(&theirs, &part_steps(o)[m], LATER_TOUCHES, part_cells(o));
        footprint_add(&changed, &part_steps(o)[m], LATER_CHANGES, part_cells(o));
        if (resources_meet(&changes, &theirs) || resources_meet(&touches, &changed)) *if_enabled |= (uint64_t)1 << m;
        if (resources_meet(&waits, &changed)) *if_not |= (uint64_t)1 << m;
    }
}

static inline int pair_is(const pair *known, uint64_t places, const part *p, const part *o)
{
    (void)p; (void)o;
#if CELLS
    for (int i = 0; i < CELL_WORDS; i++)
        if (known->cells[0][i] != p->cells[i] || known->cells[1][i] != o->cells[i]) return 0;
#endif
    return known->places == places;
}

static void pair_fill(pair *known, uint64_t places, const part *p, const part *o)
{
    known->places = places;
#if CELLS
    memcpy(known->cells[0], p->cells, sizeof p->cells);
    memcpy(known->cells[1], o->cells, sizeof o->cells);
#endif
    for (uint64_t left = p->here->all; left; left &= left - 1) {
        int k = __builtin_ctzll(left);
        uint64_t if_enabled, if_not;
        stubborn_compare(p, k, o, &if_enabled, &if_not);
        known->found[0][k] = (step_set)if_enabled;
        known->found[1][k] = (step_set)if_not;
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
    uint64_t places = ((uint64_t)p->place << 32 | o->place) + 1;
    uint32_t at = p->place * 61 + o->place;
#if CELLS
    for (int i = 0; i < CELL_WORDS; i++)
        at += (uint32_t)((p->cells[i] * 0x9fb21c651e98df25u ^ o->cells[i]) * 0x9e3779b97f4a7c15u >> 32);
#endif
    pair *known = &b->pairs[at & (PAIRS - 1)];
    int is_new = !pair_is(known, places, p, o);
    if (unlikely(is_new)) pair_fill(known, places, p, o);
    if (steps != p->here->all) return pair_found(known, p, steps);
    if (is_new || known->enabled != p->enabled) {
        known->enabled = (step_set)p->enabled;
        known->all = (step_set)pair_found(known, p, steps);
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
static __attribute__((noinline)) void stubborn_decide(sink *c, const uint64_t *key, int count, uint32_t successors, choice *best)
{
    static __thread stubborn b;
    b.count = count;
    if (unlikely(!c->pairs) && !(c->pairs = calloc(PAIRS, sizeof *c->pairs))) { perror("clew"); exit(70); }
    b.pairs = c->pairs;
    for (int pid = 0; pid < count; pid++) stubborn_look(&b.parts[pid], &key[pid * KEY_WORDS]);
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

SHARED int stubborn_choose(sink *c, const state *s, uint32_t from, choice *best)
{
    uint32_t count = G(s)->processes;
    uint64_t key[KEY_PARTS * KEY_WORDS];
    if (!situation_look(key, c, s, from, count)) return 0;
    situation *known = situation_at(c, key, count * KEY_WORDS);
    if (!situation_is(known, key, count)) {
        stubborn_decide(c, key, (int)count, c->count - from, &known->chosen);
        known->count = count;
        memcpy(known->key, key, count * KEY_WORDS * sizeof *key);
    }
    *best = known->chosen;
    return best->processes != 0;
}

#endif
