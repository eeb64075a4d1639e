/* bitstate.h: a filter of bits. Each state has k places in a table of any number of bits; it is known if all are set.
 *
 * The places come from one hash: a, a + b, a + 2b + c, a + 3b + 3c, …, modulo the number of bits (triple hashing, Dillinger
 * and Manolios 2004). With SEQUENCE_DOUBLE c is 0: fewer sets of places, so more states are missed. With
 * SEQUENCE_ENHANCED c is 1 and grows: a + ib + (i³ - i)/6.
 */
#ifndef CLEW_BITSTATE_H
#define CLEW_BITSTATE_H

typedef struct {
    arena    bits;
    uint64_t size;                      /* in bits */
    int      k;
    int      alone;
} filter;

static int filter_open(filter *f, uint64_t size, int alone)
{
    *f = (filter){.size = size, .k = options.hashes, .alone = alone};
    return filter_reserve(&f->bits, size / 64 * 8 + 8);
}

static void filter_close(filter *f) { arena_release(&f->bits); }
static size_t filter_bytes(const filter *f) { return f->size / 64 * 8 + 8; }
static void filter_clear(filter *f) { memset(f->bits.base, 0, filter_bytes(f)); }

typedef struct { uint64_t a, b, c; } places_of_bits;

static inline places_of_bits filter_places(const filter *f, wide x)
{
    uint64_t m = f->size;
#ifdef PLACES_BY_REMAINDER               /* tables of nearly the same size have nothing in common */
    uint64_t a = x.a % m;
#else
    uint64_t a = spread(x.a, m);
#endif
    places_of_bits p = {a, m > 1 ? 1 + spread(x.b, m - 1) : 0, 0};
#if defined(SEQUENCE_ENHANCED)
    p.c = m > 1;
#elif !defined(SEQUENCE_DOUBLE)
    if (f->k > 2) p.c = m > 1 ? 1 + spread(mum(x.a ^ 0x9fb21c651e98df25u, x.b ^ 0xc13fa9a902a6328fu), m - 1) : 0;
#endif
    return p;
}

static inline void filter_next(const filter *f, places_of_bits *p)
{
    p->a += p->b;
    if (p->a >= f->size) p->a -= f->size;
    p->b += p->c;
    if (p->b >= f->size) p->b -= f->size;
#if defined(SEQUENCE_ENHANCED)
    if (++p->c >= f->size) p->c -= f->size;
#endif
}

static inline void filter_prefetch(const filter *f, wide x)
{
    places_of_bits p = filter_places(f, x);
    for (int i = 0; i < f->k && i < 8; i++, filter_next(f, &p)) __builtin_prefetch(f->bits.base + (p.a >> 6 << 3), 1);
}

static inline int filter_knows(const filter *f, wide x)
{
    const uint64_t *words = (const uint64_t *)f->bits.base;
    places_of_bits p = filter_places(f, x);
    for (int i = 0; i < f->k; i++, filter_next(f, &p))
        if (!(__atomic_load_n(&words[p.a >> 6], __ATOMIC_RELAXED) >> (p.a & 63) & 1)) return 0;
    return 1;
}

static inline enum added filter_set(filter *f, wide x)
{
    uint64_t *words = (uint64_t *)f->bits.base, fresh = 0;
    places_of_bits p = filter_places(f, x);
    for (int i = 0; i < f->k; i++, filter_next(f, &p)) {
        uint64_t *word = &words[p.a >> 6], bit = (uint64_t)1 << (p.a & 63);
        if (f->alone) fresh |= ~*word & bit, *word |= bit;
        else fresh |= ~__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit;
    }
    return fresh ? NEW : KNOWN;
}

#endif
