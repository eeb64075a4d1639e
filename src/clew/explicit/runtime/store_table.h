/* store_table.h: every state kept exactly, as a packed record in one array that is also the queue of the search.
 *
 *   store_open(st, bytes)          an empty store that may use `bytes` bytes
 *   store_insert(st, c)            stores what waits in the sink; calls st->added for each new state
 *   store_get(st, i, s)            state number i
 *   store_has_packed(st, i, s)     whether state i has the key of `s`
 *   store_bytes(st)                memory in use
 *
 * The table has 8-byte entries {32 bits of hash, 1 + index}; an entry is at or after the slot given by its top bits,
 * and the table does not wrap around but has a tail. So doubling it moves every entry upwards, in place, without
 * looking at states.
 */
#ifndef CLEW_STORE_TABLE_H
#define CLEW_STORE_TABLE_H

#include "arena.h"
#include "model.h"
#include "pack.h"

enum { FIRST_BITS = 16, TAIL = 8192, SAMPLE = 1 << 14 };

typedef struct store {
    packing  pack;
    arena    states, parents, slots;
    size_t   stride;                    /* bytes of a record */
    uint32_t count;
    unsigned bits;                      /* the table has 2^bits slots and a tail */
    size_t   most_bytes;
    uint32_t most_states;
    int      narrowed;                  /* records hold only the bits that differ */
    int      full;                      /* 1: no memory; 2: most_states */
    uint32_t rearranged;                /* how often records were made anew */
    void   (*sample)(struct store *, sink *, packing *);
    uint64_t (*records)[MODEL_WORDS + 2];
    uint64_t *hashes;
} store;

static inline uint64_t mum(uint64_t a, uint64_t b)
{
    unsigned __int128 r = (unsigned __int128)a * b;
    return (uint64_t)r ^ (uint64_t)(r >> 64);
}

static inline __attribute__((always_inline)) uint64_t hash_of(const uint64_t *r, uint32_t words)
{
    uint64_t h = mum(r[0] ^ 0xa0761d6478bd642fu, (words > 1 ? r[1] : 0) ^ 0xe7037ed1a0b428dbu);
    for (uint32_t i = 2; i < words; i += 2)
        h = mum(h ^ r[i] ^ 0x8ebc6af09c88c6e3u, (i + 1 < words ? r[i + 1] : 0) ^ 0x589965cc75374cc3u ^ h >> 32);
    return mum(h ^ 0x1d8e4e27c47d124fu, 0xeb44accab455d165u);
}

static inline uint64_t *slots_of(const store *st) { return (uint64_t *)st->slots.base; }
static inline uint32_t *parents_of(const store *st) { return (uint32_t *)st->parents.base; }
static inline char *record_at(const store *st, uint32_t i) { return st->states.base + (size_t)i * st->stride; }

static size_t store_bytes(const store *st)
{
    return st->count * (st->stride + 4) + ((((size_t)1 << st->bits) + TAIL) * 8);
}

static inline __attribute__((always_inline)) void load_record(const store *st, uint32_t i, uint64_t *r)
{
    const char *p = record_at(st, i);
    uint32_t units = st->pack.units, j = 0;
    for (; 2 * j + 1 < units; j++) memcpy(&r[j], p + 8 * j, 8);
    if (units & 1) {
        uint32_t half;
        memcpy(&half, p + 8 * j, 4);
        r[j] = half;
    }
}

static inline void store_get(const store *st, uint32_t i, state *s)
{
    uint64_t r[2 * MODEL_WORDS + 2];
    load_record(st, i, r);
    unpack(&st->pack, r, s);
}

static inline __attribute__((always_inline)) int same_key(const store *st, uint32_t i, const uint64_t *r, uint32_t units,
                                                          uint32_t key_words)
{
    const char *p = record_at(st, i);
    uint64_t x, diff = 0;
    uint32_t j = 0, whole = key_words < (units + 1) / 2 ? key_words : units / 2;
    for (; j < whole; j++) {
        memcpy(&x, p + 8 * j, 8);
        diff |= x ^ r[j];
    }
    if (whole < key_words) {
        uint32_t half;
        memcpy(&half, p + 8 * j, 4);
        diff |= half ^ r[j];
    }
    return diff == 0;
}

static int store_has_packed(const store *st, uint32_t i, const state *s)
{
    uint64_t r[2 * MODEL_WORDS + 2];
    if (pack(&st->pack, s, r)) return 0;
    return same_key(st, i, r, st->pack.units, st->pack.key_words);
}

static int store_open(store *st, size_t most_bytes, uint32_t most_states)
{
    packing_all(&st->pack);
    st->stride = 4 * (size_t)st->pack.units;
    st->bits = FIRST_BITS;
    st->most_bytes = most_bytes;
    st->most_states = most_states;
    st->records = malloc(BATCH * sizeof *st->records);
    st->hashes = malloc(BATCH * sizeof *st->hashes);
    return st->records && st->hashes && arena_reserve(&st->states, most_bytes) &&
           arena_reserve(&st->parents, most_bytes / 2) && arena_reserve(&st->slots, most_bytes) &&
           arena_has(&st->slots, ((size_t)1 << FIRST_BITS) * 8 + TAIL * 8);
}

static inline void put_entry(uint64_t *slots, unsigned bits, uint64_t entry)
{
    uint64_t *at = slots + (entry >> (64 - bits));
    while (*at) at++;
    *at = entry;
}

/* Doubles the table in place, from its end. Only near the start may an entry meet one that has not moved yet. */
static int store_grow(store *st)
{
    size_t size = (size_t)1 << st->bits;
    if (st->bits >= 32 || !arena_has(&st->slots, (2 * size + TAIL) * 8) ||
        store_bytes(st) + 8 * size > st->most_bytes) return 0;
    uint64_t *slots = slots_of(st), *low = malloc(2 * TAIL * sizeof *low);
    if (!low) return 0;
    unsigned bits = ++st->bits;
    memcpy(low, slots, 2 * TAIL * sizeof *low);
    memset(slots, 0, 2 * TAIL * sizeof *low);
    for (size_t i = size + TAIL; i-- > 2 * TAIL;) {
        uint64_t e = slots[i];
        if (e) {
            slots[i] = 0;
            put_entry(slots, bits, e);
        }
    }
    for (size_t i = 0; i < 2 * TAIL; i++)
        if (low[i]) put_entry(slots, bits, low[i]);
    free(low);
    return 1;
}

/* Makes all records and the table anew with another packing, in place. */
static void store_rearrange(store *st, const packing *to)
{
    packing from = st->pack;
    size_t old = st->stride, new = 4 * (size_t)to->units;
    char *base = st->states.base;
    uint64_t r[2 * MODEL_WORDS + 2];
    state s;
    uint64_t *slots = slots_of(st);
    memset(slots, 0, (((size_t)1 << st->bits) + TAIL) * 8);
    st->rearranged++;
    for (uint32_t n = 0; n < st->count; n++) {
        uint32_t i = new > old ? st->count - 1 - n : n;
        st->pack = from, st->stride = old;
        store_get(st, i, &s);
        pack(to, &s, r);
        memcpy(base + i * new, r, new);
        put_entry(slots, st->bits, (hash_of(r, to->key_words) & ~(uint64_t)0xffffffff) | (i + 1));
    }
    if (new < old) arena_forget(&st->states, st->count * new, st->count * old);
    st->pack = *to;
    st->stride = new;
}

/* The states in the sink, and those that the search may meet soon, decide which bits are kept. */
static void store_narrow(store *st, sink *c)
{
    packing p = st->pack;
    state s;
    memset(p.vary, 0, sizeof p.vary);
    store_get(st, 0, &s);
    memcpy(p.same, s.w, sizeof p.same);
    for (uint32_t i = 1; i < st->count; i++) {
        store_get(st, i, &s);
        packing_widen(&p, &s, 0);
    }
    for (uint32_t i = 0; i < c->count; i++) packing_widen(&p, &c->batch[i], 0);
    st->sample(st, c, &p);
    packing_arrange(&p);
    store_rearrange(st, &p);
    st->narrowed = 1;
}

static __attribute__((noinline)) void store_widen(store *st, sink *c)
{
    packing p = st->pack;
    for (uint32_t i = 0; i < c->count; i++) packing_widen(&p, &c->batch[i], 1);
    packing_arrange(&p);
    store_rearrange(st, &p);
}

/* Packs and hashes what waits, and asks for the places in the table; 0 if some state does not fit the packing. */
static inline __attribute__((always_inline)) int prepare(store *st, sink *c, uint32_t key_words)
{
    uint64_t bad = 0;
    unsigned shift = 64 - st->bits;
    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t *r = st->records[i];
        bad |= pack(&st->pack, &c->batch[i], r);
        uint64_t h = hash_of(r, key_words);
        st->hashes[i] = h;
        __builtin_prefetch(slots_of(st) + (h >> shift));
    }
    return bad == 0;
}

static inline __attribute__((always_inline)) void probe_all(store *st, sink *c, uint32_t units, uint32_t key_words)
{
    uint64_t *slots = slots_of(st);
    unsigned shift = 64 - st->bits;
    uint32_t count = st->count;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t *r = st->records[i];
        uint64_t h = st->hashes[i], e, *at = slots + (h >> shift);
        for (; (e = *at); at++)
            if ((e ^ h) >> 32 == 0 && same_key(st, (uint32_t)e - 1, r, units, key_words)) break;
        if (e) continue;
        if (unlikely(count >= st->most_states)) {
            st->full = 2;
            break;
        }
        parents_of(st)[count] = c->parents[i];
        memcpy(record_at(st, count), r, 4 * (size_t)units);
        *at = (h & ~(uint64_t)0xffffffff) | ++count;
    }
    st->count = count;
}

/* Stores what waits in the sink and empties it. Afterwards `full` may be set: then some of it is lost. */
static void store_insert(store *st, sink *c)
{
    if (st->full) {
        c->count = 0;
        return;
    }
    if (unlikely(!st->narrowed && st->count >= SAMPLE)) store_narrow(st, c);
    if (unlikely(st->count + (uint64_t)BATCH > ((uint64_t)1 << st->bits) / 5 * 4) && !store_grow(st)) st->full = 1;
    if (unlikely(store_bytes(st) + BATCH * (st->stride + 4) > st->most_bytes ||
                 !arena_has(&st->states, (st->count + (size_t)BATCH) * st->stride))) st->full = 1;
    if (st->full) {
        c->count = 0;
        return;
    }
    while (!prepare(st, c, st->pack.key_words)) store_widen(st, c);
    c->arrivals += c->count;
    switch (st->pack.units) {
    case 1:  probe_all(st, c, 1, st->pack.key_words); break;
    case 2:  probe_all(st, c, 2, st->pack.key_words); break;
    case 3:  probe_all(st, c, 3, st->pack.key_words); break;
    case 4:  probe_all(st, c, 4, st->pack.key_words); break;
    default: probe_all(st, c, st->pack.units, st->pack.key_words);
    }
    c->count = 0;
}

#endif
