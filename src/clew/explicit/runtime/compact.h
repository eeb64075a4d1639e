/* compact.h: a filter of signatures (hash compaction, Wolper and Leroy 1993, Stern and Dill 1995). A state stands in a cell
 * of 4 to 64 bits, the first of its probes that is free; it is known if its signature is met on the way.
 *
 * Signatures are 1 … 2^b - 1; 0 is a free cell, so that no bit is spent to say so. Where to look and what to look for come
 * from different bits of the hash. Cells are packed; their number is the largest prime there is room for, so that every
 * step of double hashing visits all of them. 64 cells fill whole words and share a lock.
 */
#ifndef CLEW_COMPACT_H
#define CLEW_COMPACT_H

typedef struct {
    arena    cells;
    uint64_t size;                      /* cells, a prime */
    unsigned width;                     /* bits of a cell */
    uint64_t most;                      /* the largest signature */
    int      alone;
} filter;

static int is_prime(uint64_t n)
{
    if (n < 4) return n > 1;
    if (n % 2 == 0) return 0;
    for (uint64_t d = 3; d * d <= n; d += 2)
        if (n % d == 0) return 0;
    return 1;
}

static size_t filter_bytes(const filter *f) { return (f->size / 64 + 1) * f->width * 8 + 8; }

static int filter_open(filter *f, uint64_t size, int alone)
{
    *f = (filter){.size = size > 2 ? size : 2, .width = (unsigned)options.width, .alone = alone};
    while (!is_prime(f->size)) f->size--;
    f->most = f->width == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->width) - 1;
    return filter_reserve(&f->cells, filter_bytes(f));
}

static void filter_close(filter *f) { arena_release(&f->cells); }
static void filter_clear(filter *f) { memset(f->cells.base, 0, filter_bytes(f)); }

static inline uint64_t cell_get(const filter *f, uint64_t i)
{
    const uint64_t *word = (const uint64_t *)f->cells.base + (i >> 6) * f->width + ((i & 63) * f->width >> 6);
    unsigned at = (unsigned)((i & 63) * f->width & 63);
    uint64_t x = word[0] >> at;
    if (at + f->width > 64) x |= word[1] << (64 - at);
    return x & f->most;
}

/* The cell is free before. */
static inline void cell_put(filter *f, uint64_t i, uint64_t x)
{
    uint64_t *word = (uint64_t *)f->cells.base + (i >> 6) * f->width + ((i & 63) * f->width >> 6);
    unsigned at = (unsigned)((i & 63) * f->width & 63);
    word[0] |= x << at;
    if (at + f->width > 64) word[1] |= x >> (64 - at);
}

static uint64_t filter_load(const filter *f)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < f->size; i++) n += cell_get(f, i) != 0;
    return n;
}

static inline void filter_prefetch(const filter *f, wide x)
{
    uint64_t i = spread(x.a, f->size);
    __builtin_prefetch((uint64_t *)f->cells.base + (i >> 6) * f->width + ((i & 63) * f->width >> 6), 1);
}

static inline enum added filter_visit(filter *f, wide x, int adding)
{
    uint64_t i = spread(x.a, f->size), step = 0, signature = 1 + spread(x.b, f->most);
    for (uint64_t n = 0; n < f->size; n++) {
        if (!f->alone) filter_lock(i >> 6);
        uint64_t found = cell_get(f, i);
        if (!found && adding) cell_put(f, i, signature);
        if (!f->alone) filter_unlock(i >> 6);
        if (!found) return NEW;
        if (found == signature) return KNOWN;
        if (!step) step = 1 + spread(mum(x.a, 0x9fb21c651e98df25u), f->size - 1);
        i += step;
        if (i >= f->size) i -= f->size;
    }
    return FULL;
}

static inline int filter_knows(const filter *f, wide x) { return filter_visit((filter *)f, x, 0) == KNOWN; }
static inline enum added filter_add(filter *f, wide x) { return filter_visit(f, x, 1); }

#endif
