/* store.h: every state kept exactly, as a packed record with a number; a search goes through them by number.
 *
 *   store_open(st, sinks, n)     an empty store for n workers; limits and layout are set before
 *   store_close(st)
 *   store_insert(st, c)          stores what waits in the sink and empties it; c->stored says where each of it is
 *   store_get(st, c, i, s)       state number i, which is what the sink expands now
 *   store_has(st, i, s)          whether state i has the key of `s`
 *   store_count(st)              how many states there are
 *   store_bytes(st)              memory in use
 *   store_business(st, number)   in a meeting: does what workers have asked for
 *   store_parent(st, i)          a state from which state i was reached first; NOBODY for an initial one
 *   store_uses(st, i)            whether a number belongs to a state that can be read
 *   store_passed(st, first)      at the end of a level: no state before `first` will be asked for again
 *
 * This is the exact store. With STORE_IS_LOSSY, store_lossy.h takes the place of the table: then which states are known
 * is a matter of a filter (filter.h), and records exist only from the time a state is found until it is expanded. All
 * that searches use has the same names, and the choice is made when the program is compiled.
 *
 * A record is what pack.h makes of a state, or, for long ones, the root of a tree (tree.h). Numbers are given out in
 * chunks, so that each worker fills memory of its own; `parents` has for each state one from which it was reached.
 */
#ifndef CLEW_STORE_H
#define CLEW_STORE_H

#include <sys/resource.h>

#include "arena.h"
#include "model.h"
#include "pack.h"
#include "table.h"
#include "tree.h"

#ifndef SAMPLE_STATES
#define SAMPLE_STATES (1 << 14)           /* after which records are narrowed */
#endif
#ifndef WORTH_EXTENDING
#define WORTH_EXTENDING (1 << 16)         /* states whose records are not made anew because another has more bits */
#endif

/* Where the number of workers is known beforehand there is less to decide. */
#if defined(ONLY_ALONE)
#define IS_ALONE(st) 1
#elif defined(ONLY_TEAM)
#define IS_ALONE(st) 0
#else
#define IS_ALONE(st) ((st)->alone)
#endif

#define IN_TREE(st) (TREE_IS_POSSIBLE && (st)->in_tree)

#if STORE_IS_LOSSY
#include "filter.h"
#include "parent_log.h"
#endif

enum { CHUNK = 1024, HAS_CONTEXTS = TREE_IS_POSSIBLE || STORE_IS_LOSSY };
enum wish { NARROW = 1, WIDEN = 2, GROW = 4, GROW_TREE = 8 };
enum layout { STORE_AUTO, STORE_TABLE, STORE_TREE };
enum { FULL_MEMORY = 1, FULL_STATES = 2, FULL_TABLE = 3, NOBODY = UINT32_MAX };

/* A search that need not know the numbers of states met again can do without the table for those it met just now: most
 * are met again soon. Their keys are kept by hash, so few that they stay in the cache of a core. */
#ifndef RECENT_IS_ENOUGH
#define RECENT_IS_ENOUGH 0
#endif
enum { RECENT_WORDS = 1 << 13, RECENT_BITS = 11, RECORD_ROOM = MODEL_WORDS + 2 };

typedef struct store {
    /* set before it is opened */
    size_t   most_bytes;
    uint32_t most_states;
    enum layout layout;                 /* what the user asks for */
    void   (*sample)(const struct store *, packing *);   /* looks ahead */

    packing  pack;
    table    index;
    tree     nodes;
    arena    states, parents;
    size_t   stride;                    /* bytes of a record */
    uint32_t used;                      /* numbers given out */
    int      in_tree;                   /* records are roots of a tree */
    int      narrowed;                  /* records hold only the bits that differ */
    int      alone;                     /* one worker */
    int      full;
    size_t   base, others;              /* bytes in use before it was opened; those that the search uses besides */
    unsigned wishes;
    uint32_t rearranged, extended;      /* how often records were made anew, or longer */
    sink   **sinks;                     /* of the workers */
    uint64_t *met;                      /* RECENT_WORDS for each worker */
    int      workers;
#if STORE_IS_LOSSY
    filter   known;
    parent_log log;
    uint32_t first;                     /* states before it will not be asked for */
    uint32_t forgotten;                 /* pages before this one have been given back */
    uint32_t ring;                      /* records are at the number, modulo ring + 1 */
    uint32_t dropped;                   /* numbers that will never be used */
#endif
} store;

/* Zeros at the end make no difference: see packing_extend. */
static inline __attribute__((always_inline)) uint64_t hash_of(const uint64_t *r, uint32_t words)
{
    uint64_t x = r[0], odd = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 1; i < words; i++, odd += 0xbf58476d1ce4e5b8u) x += r[i] * odd;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static inline uint64_t entry_of(uint64_t hash, uint32_t i) { return (hash & ~(uint64_t)0xffffffff) | (i + 1); }
static inline uint32_t *parents_of(const store *st) { return (uint32_t *)st->parents.base; }
#if STORE_IS_LOSSY
static inline char *record_at(const store *st, uint32_t i) { return st->states.base + (size_t)(i & st->ring) * st->stride; }
#else
static inline char *record_at(const store *st, uint32_t i) { return st->states.base + (size_t)i * st->stride; }
static inline uint32_t store_parent(const store *st, uint32_t i) { return parents_of(st)[i]; }
static inline void store_passed(store *st, uint32_t first) { (void)st; (void)first; }
#endif
static inline uint32_t store_first(const store *st)
{
#if STORE_IS_LOSSY
    return st->first;
#else
    (void)st;
    return 0;
#endif
}
static inline int store_full(const store *st) { return __atomic_load_n(&st->full, __ATOMIC_RELAXED); }
static inline void store_fill(store *st, int why) { __atomic_store_n(&st->full, why, __ATOMIC_RELAXED); }

static size_t store_bytes(const store *st)
{
#if STORE_IS_LOSSY
    size_t live = (size_t)(st->used - st->first) * st->stride;
    return live + filter_bytes(&st->known) + log_bytes(&st->log) + st->base + st->others;
#endif
    size_t bytes = (size_t)st->used * (st->stride + 4) + table_bytes(&st->index) + st->base + st->others;
    return bytes + (IN_TREE(st) ? tree_bytes(&st->nodes) : 0);
}

static int has_memory(const store *st, size_t more) { return store_bytes(st) + more <= st->most_bytes; }

static uint32_t store_count(const store *st)
{
#if STORE_IS_LOSSY
    uint32_t unused = st->dropped;
#else
    uint32_t unused = 0;
#endif
    for (int w = 0; w < st->workers; w++) unused += cursor_left(&st->sinks[w]->fresh);
    return st->used - unused;
}

/* --- reading --- */

/* Reads whole words: a record may be followed by half of the next one, which `last` masks out. */
static inline __attribute__((always_inline)) void load_record(const store *st, uint32_t i, uint64_t *r, uint32_t words)
{
    memcpy(r, record_at(st, i), 8 * (size_t)words);
    if (st->pack.words == st->pack.key_words) r[words - 1] &= st->pack.last;
}

static inline void store_read(const store *st, context *k, uint32_t i, state *s)
{
    uint64_t r[MODEL_WORDS + 2];
    if (unlikely(IN_TREE(st))) {
        memcpy(r, record_at(st, i), 8);
        tree_read(&st->nodes, r[0], k);
        unpack(&st->pack, k->words, s, 0);
        return;
    }
    switch (st->pack.simple) {
    case 1:
        if (likely(!st->pack.extended)) load_record(st, i, r, 1);
        else load_record(st, i, r, 2);
        unpack(&st->pack, r, s, 1);
        break;
    case 2:
        if (likely(!st->pack.extended)) load_record(st, i, r, 2);
        else load_record(st, i, r, 3);
        unpack(&st->pack, r, s, 2);
        break;
    default:
        load_record(st, i, r, st->pack.words);
        unpack(&st->pack, r, s, 0);
    }
}

#if STORE_IS_LOSSY
static void context_keep(const store *st, context *k, const state *s);
#endif

/* What waits in the sink keeps the contexts it came from. */
static inline void store_get(const store *st, sink *c, uint32_t i, state *s)
{
    if (HAS_CONTEXTS && c->count && c->context_of[c->count - 1] == c->context) c->context = (uint16_t)((c->context + 1) % (BATCH + 1));
    store_read(st, &c->contexts[c->context], i, s);
#if STORE_IS_LOSSY
    context_keep(st, &c->contexts[c->context], s);
#endif
}

/* Not a byte more than the record: the next one may belong to another worker. */
static inline __attribute__((always_inline)) void put_record(const store *st, uint32_t i, const uint64_t *r, uint32_t words)
{
    if (st->stride & 4) {
        memcpy(record_at(st, i), r, 8 * (size_t)(words - 1));
        memcpy(record_at(st, i) + 8 * (size_t)(words - 1), &r[words - 1], 4);
    } else memcpy(record_at(st, i), r, 8 * (size_t)words);
}

/* Not 0 if the key of a record is not that of `r`. */
static inline __attribute__((always_inline)) uint64_t differs(const char *record, const uint64_t *r, uint32_t words, uint64_t last)
{
    uint64_t x, diff = 0;
    for (uint32_t j = 0; j + 1 < words; j++) {
        memcpy(&x, record + 8 * j, 8);
        diff |= x ^ r[j];
    }
    memcpy(&x, record + 8 * (words - 1), 8);
    return diff | ((x & last) ^ r[words - 1]);
}

static inline __attribute__((always_inline)) int same_key(const store *st, uint32_t i, const uint64_t *r, uint32_t words,
                                                          uint64_t last)
{
    return differs(record_at(st, i), r, words, last) == 0;
}

static int store_has(const store *st, uint32_t i, const state *s)
{
    uint64_t r[MODEL_WORDS + 2];
    if (pack(&st->pack, s, r, IN_TREE(st) ? 0 : st->pack.simple)) return 0;
    if (!IN_TREE(st)) return same_key(st, i, r, st->pack.key_words, st->pack.last);
    context k;
    uint64_t root;
    memcpy(&root, record_at(st, i), 8);
    tree_read(&st->nodes, root, &k);
    return memcmp(r, k.words, 8 * (size_t)st->pack.words) == 0;
}

#if STORE_IS_LOSSY
#include "store_lossy.h"
#endif

/* Where a key is kept, if it was met just now. */
static inline __attribute__((always_inline)) uint64_t *recent_of(uint64_t *met, uint64_t hash, uint32_t words)
{
    return met + hash % ((uint64_t)1 << RECENT_BITS) * words;
}

/* Fills each place with a key that does not belong there. */
static void recent_forget(store *st)
{
    uint32_t words = IN_TREE(st) ? 1 : st->pack.key_words;
    if (!RECENT_IS_ENOUGH || words > 4) return;
    uint64_t keys[2][4] = {{0}};
    for (size_t all = ((size_t)1 << RECENT_BITS) * words, w = 0; w < (size_t)st->workers; w++) {
        uint64_t *met = st->met + w * RECENT_WORDS, *home = recent_of(met, hash_of(keys[0], words), words);
        for (size_t i = 0; i < all; i++) met[i] = 0;
        do keys[1][0]++; while (recent_of(met, hash_of(keys[1], words), words) == home);
        memcpy(home, keys[1], 8 * (size_t)words);
    }
}

/* What a batch needs of the store, where no store to memory can change it. */
typedef struct { const char *records; size_t stride; uint64_t *slots; unsigned shift; } shelves;

static inline __attribute__((always_inline)) shelves shelves_of(const store *st)
{
    return (shelves){st->states.base, st->stride, slots_of(&st->index), 64 - st->index.bits + BUCKET_BITS};
}

static inline __attribute__((always_inline)) uint64_t *bucket_at(shelves at, uint64_t hash)
{
    return at.slots + (hash >> at.shift << BUCKET_BITS);
}

/* --- opening --- */

static int store_open(store *st, sink **sinks, int workers)
{
    packing_all(&st->pack);
    st->stride = 4 * (size_t)st->pack.units;
    st->sinks = sinks;
    st->workers = workers;
    st->alone = workers == 1;
#if STORE_IS_LOSSY
    return lossy_open(st);
#endif
    if (RECENT_IS_ENOUGH) {
        st->met = malloc((size_t)workers * RECENT_WORDS * sizeof *st->met);
        if (!st->met) return 0;
        recent_forget(st);
    }
    /* Address space is free unless it is limited; then each part gets a share. */
    struct rlimit space;
    size_t states = st->most_bytes, parents = st->most_bytes / 2, slots = st->most_bytes;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
        size_t left = (size_t)space.rlim_cur / 10 * 8;
        states = left / 10 * 4, parents = left / 10, slots = left / 4;
        if (TREE_IS_POSSIBLE) states = left / 10 * 3, parents = left / 12, slots = left / 20 * 3;   /* it comes later */
    }
    return arena_reserve(&st->states, states) && arena_reserve(&st->parents, parents) && table_open(&st->index, slots);
}

static void store_close(store *st)
{
#if STORE_IS_LOSSY
    lossy_close(st);
#endif
    free(st->met);
    arena_release(&st->states);
    arena_release(&st->parents);
    table_close(&st->index);
    if (IN_TREE(st)) tree_close(&st->nodes);
    memset(st, 0, sizeof *st);
}

/* --- changing the form of records, in a meeting --- */

/* Whether a number has been used for a state that is still there. */
static int store_uses(const store *st, uint32_t i)
{
    if (i < store_first(st)) return 0;
    for (int w = 0; w < st->workers; w++) {
        const cursor *at = &st->sinks[w]->fresh;
        if ((i >= at->next && i < at->end) || (i >= at->spare && i < at->spare_end)) return 0;
    }
    return 1;
}

/* Room in the tree for one more record. */
static void tree_prepare(tree *t, cursor *fresh, int number)
{
    if (likely(cursor_left(fresh) >= tree_wants(t))) return;
    if (!tree_numbers(t, fresh, CHUNK + tree_wants(t))) { fputs("clew: out of memory\n", stderr); exit(70); }
    if (t->used > ((uint64_t)1 << t->index.bits) / 4 * 3) table_grow(number, &t->index, 1);
}

/* Makes all records and the table anew with another packing, in place. */
static void store_rearrange(store *st, int number, const packing *to, int as_tree)
{
    int in_tree = TREE_IS_POSSIBLE && as_tree;
#if STORE_IS_LOSSY
    (void)in_tree, (void)number;
    lossy_rearrange(st, to);
    return;
#endif
    store old = *st;
    tree nodes = {0};
    cursor fresh = {0};
    context *k = calloc(2, sizeof *k), *blank = k + 1;
    size_t stride = in_tree ? 8 : 4 * (size_t)to->units;
    if (!k || (in_tree && !tree_open(&nodes, to->words, st->index.slots.reserved, st->alone))) {
        store_fill(st, FULL_MEMORY);
        free(k);
        return;
    }
    if (in_tree) {
        tree_prepare(&nodes, &fresh, number);
        tree_blank(&nodes, &fresh, blank);
    }
    table_clear(&st->index);
    uint64_t entries[BATCH];
    uint32_t waiting = 0;
    for (uint32_t n = 0; n < st->used; n++) {
        uint32_t i = stride > old.stride ? st->used - 1 - n : n;
        uint64_t r[MODEL_WORDS + 2];
        state s;
        if (!store_uses(st, i)) continue;
        store_read(&old, k, i, &s);
        pack(to, &s, r, in_tree ? 0 : to->simple);
        if (in_tree) {
            tree_prepare(&nodes, &fresh, number);
            r[0] = tree_root(&nodes, &fresh, blank, r);
        }
        memcpy(st->states.base + i * stride, r, stride);
        entries[waiting] = entry_of(hash_of(r, in_tree ? 1 : to->key_words), i);
        __builtin_prefetch(bucket_of(&st->index, entries[waiting++]));
        if (waiting == BATCH)
            while (waiting) put_entry(&st->index, entries[--waiting]);
    }
    while (waiting) put_entry(&st->index, entries[--waiting]);
    if (stride < old.stride) arena_forget(&st->states, st->used * stride, st->used * old.stride);
    if (IN_TREE(&old)) tree_close(&old.nodes);
    st->pack = *to;
    st->stride = stride;
    st->nodes = nodes;
    st->in_tree = in_tree;
    recent_forget(st);
    st->rearranged++;
    for (int w = 0; w < st->workers; w++) {
        sink *c = st->sinks[w];
        c->fresh_nodes = (cursor){0};
        for (int n = 0; in_tree && n <= BATCH; n++) c->contexts[n] = *blank;
    }
    st->sinks[number]->fresh_nodes = fresh;
    free(k);
}

static int wants_tree(const store *st, const packing *p)
{
    if (STORE_IS_LOSSY || !TREE_IS_POSSIBLE || p->words != p->key_words || p->words < 2 || st->layout == STORE_TABLE) return 0;
    return st->layout == STORE_TREE || p->words > TREE_FROM;
}

static void fit_waiting(const store *st, packing *p, int spare)
{
    for (int w = 0; w < st->workers; w++)
        for (uint32_t i = 0; i < st->sinks[w]->count; i++) packing_widen(p, &st->sinks[w]->batch[i], spare);
}

/* The states there are, those that wait, and those that the search may meet soon decide which bits are kept. */
static void store_narrow(store *st, int number)
{
    packing p = st->pack;
    state s;
    uint32_t first = store_first(st);
    while (!store_uses(st, first)) first++;
    memset(p.vary, 0, sizeof p.vary);
    store_read(st, NULL, first, &s);
    memcpy(p.same, s.w, sizeof p.same);
    for (uint32_t i = first + 1; i < st->used; i++) {
        if (!store_uses(st, i)) continue;
        store_read(st, NULL, i, &s);
        packing_widen(&p, &s, 0);
    }
    fit_waiting(st, &p, 0);
    st->sample(st, &p);
    packing_arrange(&p);
    store_rearrange(st, number, &p, wants_tree(st, &p));
    st->narrowed = 1;
}

/* Finds room in the records there are for what differs in the states that wait; 0 if there is none. Room is left for
 * nothing else, since to append once more costs little. */
static int store_append(store *st)
{
    packing p = st->pack, wider = st->pack;
    packing_settle(&wider);
    fit_waiting(st, &wider, 0);
    for (uint32_t i = 0; i < MODEL_WORDS; i++) {
        uint64_t fresh = wider.vary[i] & p.fixed[i];
        if (fresh && !packing_append(&p, fresh, i)) return 0;
    }
    st->pack = p;
    return 1;
}

/* The same with records that are longer: those there are are moved apart, and the table stays as it is. */
static int store_extend(store *st)
{
    packing p = st->pack;
    if (STORE_IS_LOSSY || IN_TREE(st) || st->used < WORTH_EXTENDING || !packing_extend(&p)) return 0;
    size_t stride = 4 * (size_t)p.units, units = st->stride / 4;
    if (!arena_has(&st->states, (st->used + (size_t)BATCH + 1) * stride + 8) || !has_memory(st, 4 * (size_t)st->used)) return 0;
    for (uint32_t i = st->used; i-- > 0;) {
        const uint32_t *from = (const uint32_t *)record_at(st, i);
        uint32_t *to = (uint32_t *)(st->states.base + i * stride);
        to[units] = 0;
        for (size_t n = units; n-- > 0;) to[n] = from[n];
    }
    st->pack = p;
    st->stride = stride;
    st->extended++;
    recent_forget(st);
    return 1;
}

/* Some state does not fit. Making records anew takes time, so each time more room is left, and in the end all there is. */
static void store_widen(store *st, int number)
{
    do if (store_append(st)) return; while (store_extend(st));
    packing p = st->pack;
    packing_settle(&p);
    fit_waiting(st, &p, 1);
    packing_kin(&p);
    if (st->rearranged <= 4) st->sample(st, &p);
    if (st->rearranged == 6 || st->rearranged == 8) packing_level(&p);
    if (st->rearranged >= 10) memset(p.vary, 0xff, sizeof p.vary), memset(p.same, 0, sizeof p.same);
    packing_arrange(&p);
    int in_tree = wants_tree(st, &p);             /* not any more once carried bits differ: roots are compared whole */
    size_t stride = in_tree ? 8 : 4 * (size_t)p.units;
    if (STORE_IS_LOSSY || arena_has(&st->states, (st->used + (size_t)BATCH + 1) * stride + 8)) store_rearrange(st, number, &p, in_tree);
    else store_fill(st, FULL_MEMORY);
}

/* Small tables are made four times as large, since every doubling moves everything. */
static void store_grow(const store *st, int number, table *t)
{
    unsigned times = t->bits + 2 <= HUGE_BITS && has_memory(st, 3 * table_bytes(t)) ? 2 : 1;
    if (has_memory(st, table_bytes(t))) table_grow(number, t, times);
}

static void store_business(store *st, int number)
{
    unsigned wishes = __atomic_exchange_n(&st->wishes, 0, __ATOMIC_RELAXED);
    if (wishes & NARROW && !st->narrowed) store_narrow(st, number);
    if (wishes & WIDEN) store_widen(st, number);
    if (wishes & GROW) store_grow(st, number, &st->index);
    if (wishes & GROW_TREE && IN_TREE(st)) store_grow(st, number, &st->nodes.index);
}

/* --- inserting --- */

static void store_ask(store *st, sink *c, enum wish wish)
{
    __atomic_fetch_or(&st->wishes, wish, __ATOMIC_RELAXED);
    team_call();
    meet(c->number, 0);
}

static int is_crowded(const table *t, uint32_t used, int eighths)
{
    return used + (uint64_t)CHUNK > ((uint64_t)1 << t->bits) / 8 * (uint64_t)eighths;
}

/* How many states there is address space for. Others take numbers, too: what is left may be less than was seen. */
static uint32_t store_fitting(const store *st)
{
    size_t states = st->states.reserved / st->stride - 3, parents = st->parents.reserved / 4;
    size_t fewer = states < parents ? states : parents;
    return fewer < UINT32_MAX - 1 ? (uint32_t)fewer : UINT32_MAX - 1;
}

/* Numbers for as many states as the sink may hold; `full` is set if there are none. */
static __attribute__((noinline)) void store_provide(store *st, sink *c)
{
    if (!st->narrowed && st->used >= SAMPLE_STATES) store_ask(st, c, NARROW);
#if STORE_IS_LOSSY
    lossy_provide(st, c);
    return;
#endif
    if (is_crowded(&st->index, st->used, 6)) store_ask(st, c, GROW);
    uint32_t fitting = store_fitting(st);
    if (is_crowded(&st->index, st->used, 7) || !has_memory(st, CHUNK * (st->stride + 4)) ||
        st->used + (uint64_t)CHUNK > fitting) store_fill(st, FULL_MEMORY);
    else cursor_fill(&c->fresh, &st->used, CHUNK, fitting < st->most_states ? fitting : st->most_states);
}

static __attribute__((noinline)) void store_provide_nodes(store *st, sink *c)
{
    uint32_t wanted = BATCH * tree_wants(&st->nodes);
    if (is_crowded(&st->nodes.index, st->nodes.used + wanted, 6)) store_ask(st, c, GROW_TREE);
    if (is_crowded(&st->nodes.index, st->nodes.used + wanted, 7) || !has_memory(st, 8 * (size_t)wanted) ||
        !tree_numbers(&st->nodes, &c->fresh_nodes, wanted)) store_fill(st, FULL_MEMORY);
}

/* Packs and hashes what waits; 0 if some state does not fit the packing. */
static inline __attribute__((always_inline)) int prepare(store *st, sink *c, uint32_t simple, uint32_t key_words, int in_tree)
{
    uint64_t bad = 0, *r = c->records, *hashes = c->hashes;
    const state *batch = c->batch;
    for (uint32_t i = 0, n = c->count; i < n; i++, r += RECORD_ROOM) {
        bad |= pack(&st->pack, &batch[i], r, simple);
        if (in_tree) {
            if (unlikely(bad)) return 0;
            r[0] = tree_root(&st->nodes, &c->fresh_nodes, &c->contexts[c->context_of[i]], r);
        }
        hashes[i] = hash_of(r, key_words);
    }
    return bad == 0;
}

/* Leaves out what was met just now, and asks for the places in the table of the others. No jump depends on what is found:
 * it could not be foreseen. */
static inline __attribute__((always_inline)) uint32_t ask_for(store *st, sink *c, uint32_t key_words, uint8_t *others)
{
    shelves at = shelves_of(st);
    const uint64_t *hashes = c->hashes, *r = c->records;
    uint64_t *met = RECENT_IS_ENOUGH ? st->met + (size_t)c->number * RECENT_WORDS : NULL;
    uint32_t left = 0, n = c->count;
    for (uint32_t i = 0; i < n; i++, r += RECORD_ROOM) {
        const uint64_t *bucket = bucket_at(at, hashes[i]);
        uint64_t fresh = 1;
        if (RECENT_IS_ENOUGH && key_words <= 4) {
            uint64_t *key = recent_of(met, hashes[i], key_words);
            fresh = 0;
            UNROLLED
            for (uint32_t j = 0; j < key_words; j++) fresh |= key[j] ^ r[j], key[j] = r[j];
            bucket = fresh ? bucket : key;
        }
        __builtin_prefetch(bucket);
        others[left] = (uint8_t)i;
        left += fresh != 0;
    }
    return left;
}

/* What is left of `others` is not where it is expected, or not known at all. */
static inline __attribute__((always_inline)) uint32_t find_known(store *st, sink *c, uint32_t key_words, uint64_t last,
                                                            uint8_t *others, uint32_t count)
{
    shelves at = shelves_of(st);
    const uint64_t *hashes = c->hashes, *records = c->records;
    uint32_t *stored = c->stored, left = 0;
    for (uint32_t n = 0; n < count; n++) {         /* the state that is probably the same */
        uint32_t i = others[n];
        const uint64_t *bucket = bucket_at(at, hashes[i]);
        unsigned same = look_same(bucket, hashes[i]);
        uint32_t index = (uint32_t)bucket[__builtin_ctz(same | 1 << 7)] & -(uint32_t)(same != 0);
        __builtin_prefetch(at.records + (size_t)(index - (index != 0)) * at.stride);
        stored[i] = index - 1;
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = others[n], none = ((uint64_t)stored[i] + 1) >> 32;     /* stored[i] == NOBODY, as a number */
        const char *known = at.records + (size_t)(uint32_t)(stored[i] + none) * at.stride;
        others[left] = (uint8_t)i;
        left += (differs(known, records + i * RECORD_ROOM, key_words, last) | none) != 0;
    }
    return left;
}

static inline __attribute__((always_inline)) void probe(store *st, sink *c, uint32_t words, uint32_t key_words, uint64_t last,
                                                        const uint8_t *others, uint32_t count)
{
    uint32_t *stored = c->stored;
    unsigned same, empty;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = others[n];
        const uint64_t *r = c->records + i * RECORD_ROOM;
        uint64_t h = c->hashes[i], *at = bucket_of(&st->index, h);
        for (;;) {
            look(at, h, &same, &empty);
            for (; same; same &= same - 1) {
                uint32_t index = (uint32_t)at[__builtin_ctz(same)] - 1;
                if (same_key(st, index, r, key_words, last)) {
                    stored[i] = index;
                    goto known;
                }
            }
            if (unlikely(!empty)) {
                at += 8;
                continue;
            }
            if (unlikely(c->fresh.next == c->fresh.end)) cursor_turn(&c->fresh);
            uint32_t index = c->fresh.next;
            if (unlikely(index == c->fresh.end)) {
                store_fill(st, st->used < st->most_states ? FULL_MEMORY : FULL_STATES);
                stored[i] = NOBODY;
                break;
            }
            parents_of(st)[index] = c->parents[i];
            put_record(st, index, r, words);
            if (likely(claim(at + __builtin_ctz(empty), entry_of(h, index), IS_ALONE(st)))) {
                c->fresh.next++;
                stored[i] = index;
                break;
            }
        }
    known:;
    }
}

/* `words_known`: how many words a key has, where that is a constant. */
static inline __attribute__((always_inline)) int insert(store *st, sink *c, uint32_t simple, int in_tree, uint32_t words_known)
{
    uint32_t key_words = in_tree ? 1 : words_known ? words_known : st->pack.key_words;
    uint32_t words = in_tree ? 1 : simple ? words_known : st->pack.words;
    uint64_t last = in_tree ? ~(uint64_t)0 : st->pack.last;
    uint8_t others[BATCH];
    if (unlikely(!prepare(st, c, simple, key_words, in_tree))) return 0;
    c->arrivals += c->count;
    uint32_t left = ask_for(st, c, key_words, others);
    left = find_known(st, c, key_words, last, others, left);
    probe(st, c, words, key_words, last, others, left);
    return 1;
}

static int insert_any(store *st, sink *c)
{
#if STORE_IS_LOSSY
    return lossy_insert(st, c);
#endif
    if (IN_TREE(st)) {
        if (unlikely(cursor_left(&c->fresh_nodes) < BATCH * tree_wants(&st->nodes))) {
            store_provide_nodes(st, c);
            if (store_full(st)) return 0;
        }
        return insert(st, c, 0, 1, 1);
    }
    if (st->pack.simple == 1) return likely(!st->pack.extended) ? insert(st, c, 1, 0, 1) : insert(st, c, 1, 0, 2);
    if (MODEL_WORDS > 1 && st->pack.simple == 2) return likely(!st->pack.extended) ? insert(st, c, 2, 0, 2) : insert(st, c, 2, 0, 3);
    if (MODEL_WORDS > 2 && st->pack.key_words == 3) return insert(st, c, 0, 0, 3);
    return insert(st, c, 0, 0, 0);
}

/* Stores what waits in the sink and empties it. Afterwards the store may be full: then some of it is lost. */
static void store_insert(store *st, sink *c)
{
    if (unlikely(team_is_called())) meet(c->number, 0);
    if (unlikely(cursor_left(&c->fresh) < BATCH)) store_provide(st, c);
    while (!store_full(st) && !insert_any(st, c))
        if (!store_full(st)) store_ask(st, c, WIDEN);
    c->count = 0;
}

#endif
