/* parent_log.h: from which state each one was reached first, in about 10 bits for each: enough to find the way back.
 *
 *   log_open(g, sinks, bytes)           an empty log of at most so many bytes for each worker
 *   log_close(g)
 *   log_put(g, worker, i, parent, check)  state i, the next of this worker's numbers, was reached from `parent`; `check` is
 *                                       8 bits of its hash
 *   log_get(g, i, check)                the parent of state i
 *   log_bytes(g)
 *
 * Numbers are given out in chunks, which a worker uses up in order, and it expands states mostly in order, too. So a
 * parent is the one before or a few later: it is written as that many zeros and a one, or, after 31 zeros, as it is.
 */
#ifndef CLEW_PARENT_LOG_H
#define CLEW_PARENT_LOG_H

#include "arena.h"
#include "model.h"
#include "team.h"

enum { LOG_CHUNK = 1024, LOG_FAR = 31, CHECK_BITS = 8 };

typedef struct { arena a; uint64_t bits; uint32_t parent; } log_stream;
typedef struct { uint64_t at; uint32_t worker; } log_start;

typedef struct {
    log_stream *streams;
    int         workers;
    arena       starts;                 /* of each chunk */
    int         full;
} parent_log;

static inline log_start *log_starts(const parent_log *g) { return (log_start *)g->starts.base; }

static int log_open(parent_log *g, int workers, size_t bytes)
{
    g->workers = workers;
    g->streams = calloc((size_t)workers, sizeof *g->streams);
    if (!g->streams || !arena_reserve(&g->starts, ((size_t)1 << 32) / LOG_CHUNK * sizeof(log_start))) return 0;
    for (int w = 0; w < workers; w++)
        if (!arena_reserve(&g->streams[w].a, bytes)) return 0;
    return 1;
}

static void log_close(parent_log *g)
{
    for (int w = 0; w < g->workers; w++) arena_release(&g->streams[w].a);
    free(g->streams);
    arena_release(&g->starts);
    memset(g, 0, sizeof *g);
}

static size_t log_bytes(const parent_log *g)
{
    size_t bytes = 0;
    for (int w = 0; w < g->workers; w++) bytes += g->streams[w].bits / 8;
    return bytes;
}

static inline void log_write(log_stream *s, uint64_t value, unsigned n)
{
    uint64_t *word = (uint64_t *)s->a.base + (s->bits >> 6);
    unsigned at = (unsigned)(s->bits & 63);
    word[0] |= value << at;
    if (at + n > 64) word[1] |= value >> (64 - at);
    s->bits += n;
}

static inline uint64_t log_read(const log_stream *s, uint64_t *bits, unsigned n)
{
    const uint64_t *word = (const uint64_t *)s->a.base + (*bits >> 6);
    unsigned at = (unsigned)(*bits & 63);
    uint64_t x = word[0] >> at;
    if (at + n > 64) x |= word[1] << (64 - at);
    *bits += n;
    return x & (((uint64_t)1 << n) - 1);
}

static inline void log_put(parent_log *g, int worker, uint32_t i, uint32_t parent, unsigned check)
{
    log_stream *s = &g->streams[worker];
    if (unlikely(!arena_has(&s->a, s->bits / 8 + 64))) {
        g->full = 1;
        return;
    }
    int first = i % LOG_CHUNK == 0;
    if (unlikely(first)) log_starts(g)[i / LOG_CHUNK] = (log_start){s->bits, (uint32_t)worker};
    uint32_t ahead = parent - s->parent;
    if (likely(!first && parent >= s->parent && ahead < LOG_FAR)) log_write(s, (uint64_t)1 << ahead, ahead + 1);
    else {
        log_write(s, (uint64_t)1 << LOG_FAR, LOG_FAR + 1);
        log_write(s, parent, 32);
    }
    log_write(s, check & ((1u << CHECK_BITS) - 1), CHECK_BITS);
    s->parent = parent;
}

static uint32_t log_get(const parent_log *g, uint32_t i, unsigned *check)
{
    log_start start = log_starts(g)[i / LOG_CHUNK];
    const log_stream *s = &g->streams[start.worker];
    uint64_t at = start.at;
    uint32_t parent = 0;
    for (uint32_t n = i / LOG_CHUNK * LOG_CHUNK; n <= i; n++) {
        uint32_t ahead = 0;
        while (!log_read(s, &at, 1)) ahead++;
        parent = ahead == LOG_FAR ? (uint32_t)log_read(s, &at, 32) : parent + ahead;
        *check = (unsigned)log_read(s, &at, CHECK_BITS);
    }
    return parent;
}

#endif
