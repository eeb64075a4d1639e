/* filter.h: sets of states of which only hashes are kept: what is asked for may be said to be known when it is not.
 *
 *   filter_open(f, size, alone)   an empty set; `size` in bits, or in cells; 0 if there is no memory. 1: one worker
 *   filter_close(f)
 *   filter_clear(f)
 *   filter_knows(f, x)            whether the state with this hash seems to be there; changes nothing
 *   filter_add(f, x)              adds it: NEW, KNOWN (seemed to be there before) or FULL
 *   filter_prefetch(f, x)         it will be asked for soon
 *   filter_bytes(f)               memory
 *   filter_load(f)                bits set, or cells in use
 *
 * One of bitstate.h, blocked.h, compact.h, chosen when the program is compiled. Workers that add the same state at the
 * same time do so one after the other, under one of a number of locks, so that it is new for only one of them.
 */
#ifndef CLEW_FILTER_H
#define CLEW_FILTER_H

#include "arena.h"
#include "hashes.h"
#include "report.h"
#include "team.h"

enum added { KNOWN, NEW, FULL };
enum { FILTER_LOCKS = 1 << 14 };

static unsigned char filter_locks[FILTER_LOCKS];

static inline void filter_lock(uint64_t x)
{
    while (__atomic_test_and_set(&filter_locks[x % FILTER_LOCKS], __ATOMIC_ACQUIRE)) breathe();
}

static inline void filter_unlock(uint64_t x) { __atomic_clear(&filter_locks[x % FILTER_LOCKS], __ATOMIC_RELEASE); }

static int filter_reserve(arena *a, size_t bytes)
{
    size_t least = (size_t)1 << 20;
    if (!arena_reserve(a, bytes > least ? bytes : least)) return 0;
    if (!arena_has(a, bytes)) {
        arena_release(a);
        return 0;
    }
    arena_huge(a, bytes);
    return 1;
}

#if defined(STORE_COMPACT)
#include "compact.h"
#else
#if defined(STORE_BLOCKED)
#include "blocked.h"
#else
#include "bitstate.h"
#endif

static uint64_t filter_load(const filter *f)
{
    uint64_t n = 0;
    for (size_t i = 0; i < filter_bytes(f) / 8; i++) n += (uint64_t)__builtin_popcountll(((uint64_t *)f->bits.base)[i]);
    return n;
}

static inline enum added filter_add(filter *f, wide x)
{
    if (f->alone) return filter_set(f, x);
    if (filter_knows(f, x)) return KNOWN;
    filter_lock(x.b);
    enum added added = filter_set(f, x);
    filter_unlock(x.b);
    return added;
}
#endif

#endif
