/* table.h: hash tables of 8-byte entries {32 bits of hash, 1 + index}, for any number of workers without locks.
 *
 *   table_open(t, bytes)             an empty table that may grow up to `bytes` bytes
 *   table_close(t)
 *   bucket_of(t, hash)               where entries with this hash begin
 *   look(bucket, hash, same, empty)  which of the 8 entries of a bucket have the hash, and which are free, as bits
 *   look_same(bucket, hash)          which have the hash; free ones may be among them
 *   claim(at, entry, alone)          puts an entry into a free place; 0 if another worker was faster
 *   put_entry(t, entry)              the same where nobody else writes at the place looked for
 *   table_grow(number, t, times)     doubles it so many times (1 or 2) at once, in a meeting; 0 if that cannot be
 *   table_clear(t)
 *   cursor_fill(at, used, many, most)   more numbers for a worker, out of those not used yet
 *
 * Buckets are one cache line and are filled from the left. An entry is in the bucket given by its top bits, or behind it
 * if that is full; the table does not wrap around but has a tail. So doubling moves every entry upwards, in place,
 * without looking at states: first the upper half, which goes to new memory, then the quarter below it, and so on.
 * Everybody moves a part. Entries that would meet others that have not moved yet are put aside.
 */
#ifndef CLEW_TABLE_H
#define CLEW_TABLE_H

#include <string.h>

#include "arena.h"
#include "model.h"
#include "team.h"

enum { FIRST_BITS = 16, BUCKET_BITS = 3, TAIL = 8192, HUGE_BITS = 20 };

typedef struct {
    arena    slots;
    unsigned bits;                      /* there are 2^bits slots and a tail */
} table;

static inline uint64_t *slots_of(const table *t) { return (uint64_t *)t->slots.base; }
static inline size_t table_bytes(const table *t) { return (((size_t)1 << t->bits) + TAIL) * 8; }

static int table_open(table *t, size_t bytes)
{
    t->bits = FIRST_BITS;
    return arena_reserve(&t->slots, bytes) && arena_has(&t->slots, table_bytes(t));
}

static void table_close(table *t) { arena_release(&t->slots); }

static inline uint64_t *bucket_of(const table *t, uint64_t hash)
{
    return slots_of(t) + (hash >> (64 - t->bits + BUCKET_BITS) << BUCKET_BITS);
}

#ifdef __AVX2__
typedef uint64_t four __attribute__((vector_size(32)));
typedef int32_t eight __attribute__((vector_size(32)));
typedef double four_signs __attribute__((vector_size(32)));
#define SIGNS(x) ((unsigned)__builtin_ia32_movmskpd256((four_signs)(x)))

/* The upper halves of entries are compared; what comes of the lower halves is not looked at. */
static inline unsigned look_same(const uint64_t *bucket, uint64_t hash)
{
    const volatile four *b = (const volatile four *)bucket;
    eight h = (eight)((four){0} + hash);
    return SIGNS((eight)b[0] == h) | SIGNS((eight)b[1] == h) << 4;
}

static inline void look(const uint64_t *bucket, uint64_t hash, unsigned *same, unsigned *empty)
{
    const volatile four *b = (const volatile four *)bucket;
    four low = b[0], high = b[1];
    eight h = (eight)((four){0} + hash);
    *empty = SIGNS(low == 0) | SIGNS(high == 0) << 4;
    *same = (SIGNS((eight)low == h) | SIGNS((eight)high == h) << 4) & ~*empty;
}
#else
static inline void look(const uint64_t *bucket, uint64_t hash, unsigned *same, unsigned *empty)
{
    *same = *empty = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t e = __atomic_load_n(&bucket[i], __ATOMIC_ACQUIRE);
        *empty |= (unsigned)(e == 0) << i;
        *same |= (unsigned)(e && (e ^ hash) >> 32 == 0) << i;
    }
}

static inline unsigned look_same(const uint64_t *bucket, uint64_t hash)
{
    unsigned same, empty;
    look(bucket, hash, &same, &empty);
    return same;
}
#endif

static inline int claim(uint64_t *at, uint64_t entry, int alone)
{
    if (alone) {
        *at = entry;
        return 1;
    }
    uint64_t none = 0;
    return __atomic_compare_exchange_n(at, &none, entry, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static inline void put_entry(const table *t, uint64_t entry)
{
    uint64_t *at = bucket_of(t, entry);
    while (*at) at++;
    *at = entry;
}

static void table_clear(table *t) { memset(slots_of(t), 0, table_bytes(t)); }

/* --- numbers --- */

static inline uint32_t cursor_left(const cursor *at) { return at->end - at->next + at->spare_end - at->spare; }
static inline void cursor_turn(cursor *at) { *at = (cursor){at->spare, at->spare_end, 0, 0}; }

/* Takes up to `many` numbers, none beyond `most`; 0 if there are none left. Only when the spare ones are used up. */
static int cursor_fill(cursor *at, uint32_t *used, uint32_t many, uint32_t most)
{
    uint32_t from = __atomic_load_n(used, __ATOMIC_RELAXED), to;
    do {
        if (from >= most) return 0;
        to = many < most - from ? from + many : most;
    } while (!__atomic_compare_exchange_n(used, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    if (at->next == at->end) cursor_turn(at);
    at->spare = from, at->spare_end = to;
    return 1;
}

/* --- growing --- */

typedef struct { uint64_t *entries; size_t count, room; } aside;

static struct {
    table *t;
    unsigned times;                     /* that it is doubled */
    size_t from, to;                    /* entries that move now */
    aside  asides[MOST_WORKERS];
} growing;

static void put_aside(aside *a, uint64_t entry)
{
    if (a->count == a->room) {
        a->room = a->room ? 2 * a->room : 1024;
        a->entries = realloc(a->entries, a->room * sizeof *a->entries);
        if (!a->entries) { perror("clew"); exit(70); }
    }
    a->entries[a->count++] = entry;
}

/* Moves an entry of the part `from` … `to` to the part two or four times as high. What does not belong there is put aside, and so is
 * what would end up in the part of another worker. */
static void grow_entry(aside *a, size_t from, size_t to, uint64_t entry)
{
    uint64_t *slots = slots_of(growing.t), *at = bucket_of(growing.t, entry), *begin = slots + (from << growing.times), *end = slots + (to << growing.times);
    if (at >= begin)
        while (at < end && *at) at++;
    if (at >= begin && at < end) *at = entry;
    else put_aside(a, entry);
}

/* The entries of a bucket go to the two or four buckets that take its place, most of the time, and no jump depends on to which. */
static void grow_part(int part, int parts)
{
    table *t = growing.t;
    uint64_t *slots = slots_of(t);
    unsigned shift = 64 - t->bits + BUCKET_BITS, times = growing.times, sides = 1u << times;
    size_t buckets = (growing.to - growing.from) / 8, each = (buckets + (size_t)parts - 1) / (size_t)parts;
    size_t first = each * (size_t)part < buckets ? each * (size_t)part : buckets;
    size_t last = first + each < buckets ? first + each : buckets;
    size_t from = growing.from + 8 * first, to = growing.from + 8 * last;
    for (size_t b = from / 8; b < to / 8; b++) {
        uint64_t *old = slots + 8 * b, *now = slots + (8 * b << times), strange = now[0] | now[8];
        if (sides == 4) strange |= now[16] | now[24];
        int empty = !strange;
        for (unsigned i = 0, used = 0; empty && i < 8; i++) {      /* `used`: a byte for each of them */
            uint64_t e = old[i], to_bucket = e >> shift, at_home = to_bucket >> times == b;
            unsigned side = to_bucket & (sides - 1), place = 8 * side + (used >> 8 * side & 0xff);
            now[place] = e & -at_home;
            used += (unsigned)at_home << 8 * side;
            strange |= e & ~-at_home;
        }
        if (unlikely(strange || !empty))
            for (unsigned i = 0; i < 8; i++)
                if (old[i] && !(empty && old[i] >> shift >> times == b)) grow_entry(&growing.asides[part], from, to, old[i]);
        memset(old, 0, 64);
    }
}

static int table_grow(int number, table *t, unsigned times)
{
    size_t size = (size_t)1 << t->bits;
    uint64_t *slots = slots_of(t);
    if (t->bits >= 32 || !arena_has(&t->slots, ((size << times) + TAIL) * 8)) return 0;
    growing.t = t;
    growing.times = times;
    t->bits += times;
    if (t->bits >= HUGE_BITS) arena_huge(&t->slots, ((size << times) + TAIL) * 8);   /* probing misses fewer page tables */
    for (size_t i = size; i < size + TAIL; i++)
        if (slots[i]) put_aside(&growing.asides[number], slots[i]), slots[i] = 0;
    for (size_t top = size; top > (size_t)TAIL; top >>= times) {
        growing.from = top >> times, growing.to = top;
        if (top >= (size_t)1 << 16) share(number, grow_part);
        else grow_part(0, 1);
    }
    for (size_t i = 0; i < growing.from; i++)
        if (slots[i]) put_aside(&growing.asides[number], slots[i]), slots[i] = 0;
    for (int w = 0; w < MOST_WORKERS; w++) {
        aside *a = &growing.asides[w];
        for (size_t i = 0; i < a->count; i++) put_entry(t, a->entries[i]);
        free(a->entries);
        *a = (aside){0};
    }
    return 1;
}

#endif
