/* blocked.h: a filter of bits in which all places of a state are in one cache line (Putze, Sanders and Singler 2007).
 *
 * One miss of the cache for each state whatever k is, and more states missed than with bitstate.h, because some lines are
 * fuller than others. Each place takes 9 bits of the hash; when they are used up it is mixed again.
 */
#ifndef CLEW_BLOCKED_H
#define CLEW_BLOCKED_H

enum { BLOCK_BITS = 512, BLOCK_WORDS = BLOCK_BITS / 64 };

typedef struct {
    arena    bits;
    uint64_t blocks;
    int      k;
    int      alone;
} filter;

static int filter_open(filter *f, uint64_t size, int alone)
{
    *f = (filter){.blocks = size / BLOCK_BITS ? size / BLOCK_BITS : 1, .k = options.hashes, .alone = alone};
    return filter_reserve(&f->bits, f->blocks * BLOCK_BITS / 8);
}

static void filter_close(filter *f) { arena_release(&f->bits); }
static size_t filter_bytes(const filter *f) { return f->blocks * BLOCK_BITS / 8; }
static void filter_clear(filter *f) { memset(f->bits.base, 0, filter_bytes(f)); }

static inline uint64_t *filter_block(const filter *f, wide x)
{
    return (uint64_t *)f->bits.base + spread(x.a, f->blocks) * BLOCK_WORDS;
}

/* For each place of a state: it is in the top of `bits`; 7 of them are in a word of the hash. */
#define EACH_PLACE(f, x, bits)                                                                            \
    for (uint64_t word = (x).b, i = 0, k = (uint64_t)(f)->k; i < k;                                       \
         word = mum(word ^ 0x9fb21c651e98df25u, i * 0x9e3779b97f4a7c15u))                                \
        for (uint64_t bits = word, end = k < i + 7 ? k : i + 7; i < end; i++, bits <<= 9)

static inline void filter_prefetch(const filter *f, wide x) { __builtin_prefetch(filter_block(f, x), 1); }

static inline int filter_knows(const filter *f, wide x)
{
    const uint64_t *block = filter_block(f, x);
    EACH_PLACE(f, x, bits)
        if (!(__atomic_load_n(&block[bits >> 61], __ATOMIC_RELAXED) >> (bits >> 55 & 63) & 1)) return 0;
    return 1;
}

static inline enum added filter_set(filter *f, wide x)
{
    uint64_t *block = filter_block(f, x), fresh = 0;
    EACH_PLACE(f, x, bits) {
        uint64_t *at = &block[bits >> 61], bit = (uint64_t)1 << (bits >> 55 & 63);
        if (f->alone) fresh |= ~*at & bit, *at |= bit;
        else fresh |= ~__atomic_fetch_or(at, bit, __ATOMIC_RELAXED) & bit;
    }
    return fresh ? NEW : KNOWN;
}

#endif
