/* arena.h: memory that grows in place. Address space is reserved at once, pages are used when they are touched.
 *
 *   arena_reserve(a, most)      reserves up to `most` bytes, less if the system does not allow it
 *   arena_has(a, bytes)         whether the first `bytes` bytes may be used
 *   arena_forget(a, from, to)   gives pages back; they read as zero afterwards
 *   arena_huge(a, to)           asks for huge pages in the first `to` bytes that are not in use yet
 *   arena_release(a)            gives everything back
 */
#ifndef CLEW_ARENA_H
#define CLEW_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

typedef struct { char *base; size_t reserved; } arena;

static int arena_reserve(arena *a, size_t most)
{
    for (; most >= (size_t)1 << 20; most /= 2) {
        void *p = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) {
            *a = (arena){p, most};
            return 1;
        }
    }
    return 0;
}

static void arena_release(arena *a)
{
    if (a->base) munmap(a->base, a->reserved);
    *a = (arena){0};
}

static inline int arena_has(const arena *a, size_t bytes) { return bytes <= a->reserved; }

static void arena_huge(arena *a, size_t to)
{
#if defined(MADV_HUGEPAGE) && !defined(CLEW_SMALL_PAGES)
    madvise(a->base, to < a->reserved ? to : a->reserved, MADV_HUGEPAGE);
#else
    (void)a; (void)to;
#endif
}

static void arena_forget(arena *a, size_t from, size_t to)
{
    size_t page = 4096;
    from = (from + page - 1) / page * page;
    if (to > from) madvise(a->base + from, to - from, MADV_DONTNEED);
}

#endif
