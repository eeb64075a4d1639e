/* store_table.h: every state kept exactly, as a packed record in one array that is also the queue of the search.
 *
 *   store_open(st, bytes, n)       an empty store for at most n states that may use `bytes` bytes
 *   store_insert(st, c)            stores what waits in the sink and empties it
 *   store_get(st, i, s)            state number i
 *   store_has_packed(st, i, s)     whether state i has the key of `s`
 *   store_bytes(st)                memory in use
 *
 * The table has 8-byte entries {32 bits of hash, 1 + index} in buckets of one cache line, which are filled from the
 * left. An entry is in the bucket given by its top bits, or behind it if that is full; the table does not wrap around
 * but has a tail. So doubling it moves every entry upwards, in place, without looking at states.
 */
#ifndef CLEW_STORE_TABLE_H
#define CLEW_STORE_TABLE_H

#include <sys/resource.h>

#include "arena.h"
#include "model.h"
#include "pack.h"

enum { FIRST_BITS = 16, BUCKET_BITS = 3, TAIL = 8192, SAMPLE = 1 << 14, HUGE_BITS = 20 };

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
    void   (*sample)(const struct store *, packing *);   /* looks ahead */
    uint64_t *records, *hashes;         /* of what is being inserted */
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

/* Reads whole words: a record may be followed by half of the next one, which `last` masks out. */
static inline __attribute__((always_inline)) void load_record(const store *st, uint32_t i, uint64_t *r, uint32_t words)
{
    memcpy(r, record_at(st, i), 8 * (size_t)words);
    if (st->pack.words == st->pack.key_words) r[words - 1] &= st->pack.last;
}

static inline void store_get(const store *st, uint32_t i, state *s)
{
    uint64_t r[MODEL_WORDS + 2];
    switch (st->pack.simple) {
    case 1:
        load_record(st, i, r, 1);
        unpack(&st->pack, r, s, 1);
        break;
    case 2:
        load_record(st, i, r, 2);
        unpack(&st->pack, r, s, 2);
        break;
    default:
        load_record(st, i, r, st->pack.words);
        unpack(&st->pack, r, s, 0);
    }
}

static inline __attribute__((always_inline)) int same_key(const store *st, uint32_t i, const uint64_t *r, uint32_t words)
{
    const char *p = record_at(st, i);
    uint64_t x, diff = 0;
    for (uint32_t j = 0; j + 1 < words; j++) {
        memcpy(&x, p + 8 * j, 8);
        diff |= x ^ r[j];
    }
    memcpy(&x, p + 8 * (words - 1), 8);
    return (diff | ((x & st->pack.last) ^ r[words - 1])) == 0;
}

static int store_has_packed(const store *st, uint32_t i, const state *s)
{
    uint64_t r[MODEL_WORDS + 2];
    if (pack(&st->pack, s, r, st->pack.simple)) return 0;
    return same_key(st, i, r, st->pack.key_words);
}

static int store_open(store *st, size_t most_bytes, uint32_t most_states)
{
    packing_all(&st->pack);
    st->stride = 4 * (size_t)st->pack.units;
    st->bits = FIRST_BITS;
    st->most_bytes = most_bytes;
    st->most_states = most_states;
    st->records = malloc(BATCH * (MODEL_WORDS + 2) * sizeof *st->records);
    st->hashes = malloc(BATCH * sizeof *st->hashes);
    /* Address space is free unless it is limited; then each part gets a share. */
    struct rlimit space;
    size_t states = most_bytes, parents = most_bytes / 2, slots = most_bytes;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
        size_t left = (size_t)space.rlim_cur / 10 * 9;
        states = left / 2, parents = left / 8, slots = left / 3;
    }
    return st->records && st->hashes && arena_reserve(&st->states, states) && arena_reserve(&st->parents, parents) &&
           arena_reserve(&st->slots, slots) && arena_has(&st->slots, (((size_t)1 << FIRST_BITS) + TAIL) * 8);
}

static inline uint64_t *bucket_of(const store *st, uint64_t hash)
{
    return slots_of(st) + (hash >> (64 - st->bits + BUCKET_BITS) << BUCKET_BITS);
}

/* Which of the 8 entries of a bucket have the hash, and which are free, as bits. */
#ifdef __AVX2__
typedef uint64_t four __attribute__((vector_size(32)));
typedef double four_signs __attribute__((vector_size(32)));
static inline void look(const uint64_t *bucket, uint64_t hash, unsigned *same, unsigned *empty)
{
    const four *b = (const four *)bucket;
    four low = b[0], high = b[1];
    *empty = (unsigned)__builtin_ia32_movmskpd256((four_signs)(low == 0)) |
             (unsigned)__builtin_ia32_movmskpd256((four_signs)(high == 0)) << 4;
    *same = (unsigned)__builtin_ia32_movmskpd256((four_signs)((low ^ hash) >> 32 == 0)) |
            (unsigned)__builtin_ia32_movmskpd256((four_signs)((high ^ hash) >> 32 == 0)) << 4;
    *same &= ~*empty;
}
#else
static inline void look(const uint64_t *bucket, uint64_t hash, unsigned *same, unsigned *empty)
{
    *same = *empty = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t e = bucket[i];
        *empty |= (unsigned)(e == 0) << i;
        *same |= (unsigned)(e && (e ^ hash) >> 32 == 0) << i;
    }
}
#endif

static inline void put_entry(const store *st, uint64_t entry)
{
    uint64_t *at = bucket_of(st, entry);
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
    st->bits++;
    if (st->bits >= HUGE_BITS) arena_huge(&st->slots, (2 * size + TAIL) * 8);   /* probing misses fewer page tables */
    memcpy(low, slots, 2 * TAIL * sizeof *low);
    memset(slots, 0, 2 * TAIL * sizeof *low);
    for (size_t i = size + TAIL; i-- > 2 * TAIL;) {
        uint64_t e = slots[i];
        if (e) {
            slots[i] = 0;
            put_entry(st, e);
        }
    }
    for (size_t i = 0; i < 2 * TAIL; i++)
        if (low[i]) put_entry(st, low[i]);
    free(low);
    return 1;
}

/* Makes all records and the table anew with another packing, in place. */
static void store_rearrange(store *st, const packing *to)
{
    packing from = st->pack;
    size_t old = st->stride, new = 4 * (size_t)to->units;
    char *base = st->states.base;
    uint64_t r[MODEL_WORDS + 2];
    state s;
    uint64_t *slots = slots_of(st);
    memset(slots, 0, (((size_t)1 << st->bits) + TAIL) * 8);
    st->rearranged++;
    for (uint32_t n = 0; n < st->count; n++) {
        uint32_t i = new > old ? st->count - 1 - n : n;
        st->pack = from, st->stride = old;
        store_get(st, i, &s);
        pack(to, &s, r, to->simple);
        memcpy(base + i * new, r, new);
        put_entry(st, (hash_of(r, to->key_words) & ~(uint64_t)0xffffffff) | (i + 1));
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
    st->sample(st, &p);
    packing_arrange(&p);
    store_rearrange(st, &p);
    st->narrowed = 1;
}

/* Some state does not fit. Making records anew takes time, so each time more room is left, and in the end all there is. */
static __attribute__((noinline)) void store_widen(store *st, sink *c)
{
    packing p = st->pack;
    for (uint32_t i = 0; i < c->count; i++) packing_widen(&p, &c->batch[i], 1);
    if (st->rearranged <= 4) st->sample(st, &p);
    if (st->rearranged == 6 || st->rearranged == 8) packing_level(&p);
    if (st->rearranged >= 10) memset(p.vary, 0xff, sizeof p.vary), memset(p.same, 0, sizeof p.same);
    packing_arrange(&p);
    if (arena_has(&st->states, (st->count + (size_t)BATCH + 1) * 4 * p.units + 8)) store_rearrange(st, &p);
    else st->full = 1;
}

/* Packs and hashes what waits, and asks for the places in the table; 0 if some state does not fit the packing. */
static inline __attribute__((always_inline)) int prepare(store *st, sink *c, uint32_t simple, uint32_t key_words)
{
    uint64_t bad = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t *r = st->records + i * (MODEL_WORDS + 2);
        bad |= pack(&st->pack, &c->batch[i], r, simple);
        uint64_t h = hash_of(r, key_words);
        st->hashes[i] = h;
        __builtin_prefetch(bucket_of(st, h));
    }
    return bad == 0;
}

static inline __attribute__((always_inline)) void probe(store *st, sink *c, uint32_t words, uint32_t key_words)
{
    uint32_t count = st->count, likely_same[BATCH];
    unsigned same, empty;
    for (uint32_t i = 0; i < c->count; i++) {      /* 1 + the state that is probably the same, or 0 */
        const uint64_t *bucket = bucket_of(st, st->hashes[i]);
        look(bucket, st->hashes[i], &same, &empty);
        uint32_t index = same ? (uint32_t)bucket[__builtin_ctz(same)] : 0;
        __builtin_prefetch(record_at(st, index - (index != 0)));
        likely_same[i] = index;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const uint64_t *r = st->records + i * (MODEL_WORDS + 2);
        if (likely_same[i] && same_key(st, likely_same[i] - 1, r, key_words)) continue;
        uint64_t h = st->hashes[i], *at = bucket_of(st, h);
        for (;; at += 8) {
            look(at, h, &same, &empty);
            for (; same; same &= same - 1)
                if (same_key(st, (uint32_t)at[__builtin_ctz(same)] - 1, r, key_words)) goto known;
            if (likely(empty)) break;
        }
        at += __builtin_ctz(empty);
        if (unlikely(count >= st->most_states)) {
            st->full = 2;
            break;
        }
        parents_of(st)[count] = c->parents[i];
        memcpy(record_at(st, count), r, 8 * (size_t)words);
        *at = (h & ~(uint64_t)0xffffffff) | ++count;
    known:;
    }
    st->count = count;
}

static inline __attribute__((always_inline)) int insert(store *st, sink *c, uint32_t simple)
{
    uint32_t key_words = simple ? simple : st->pack.key_words, words = simple ? simple : st->pack.words;
    if (unlikely(!prepare(st, c, simple, key_words))) return 0;
    c->arrivals += c->count;
    probe(st, c, words, key_words);
    c->count = 0;
    return 1;
}

/* Stores what waits in the sink and empties it. Afterwards `full` may be set: then some of it is lost. */
static void store_insert(store *st, sink *c)
{
    if (unlikely(!st->narrowed && st->count >= SAMPLE)) store_narrow(st, c);
    uint64_t wanted = st->count + (uint64_t)BATCH, size = (uint64_t)1 << st->bits;
    if (unlikely(wanted > size / 4 * 3) && !store_grow(st) && wanted > size / 8 * 7) st->full = 1;
    if (unlikely(store_bytes(st) + BATCH * (st->stride + 4) > st->most_bytes ||
                 !arena_has(&st->states, (st->count + (size_t)BATCH + 1) * st->stride + 8) ||
                 !arena_has(&st->parents, (st->count + (size_t)BATCH) * 4))) st->full = 1;
    for (int done = 0; !done && !st->full;) {
        switch (st->pack.simple) {
        case 1:  done = insert(st, c, 1); break;
        case 2:  done = insert(st, c, 2); break;
        default: done = insert(st, c, 0);
        }
        if (!done) store_widen(st, c);
    }
    c->count = 0;
}

#endif
