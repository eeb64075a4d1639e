/* search_bfs.h: breadth-first search on one core, level by level.
 *
 *   bfs()          explores everything; results are in `search`
 *   search.found   for each kind of violation the first one met, which is as near to the start as any (in steps
 *                  between ordinary states)
 */
#ifndef CLEW_SEARCH_BFS_H
#define CLEW_SEARCH_BFS_H

#include "inside.h"
#include "report.h"
#include "store_table.h"

static struct {
    store    st;
    sink     c;
    uint64_t depth;
    unsigned limits;
    unsigned met;                                 /* kinds of violation met, as bits */
    int      complete;
    uint32_t found[KINDS];                        /* state expanded when it was met first */
} search;

static void sink_open(sink *c, void (*drain)(sink *), void (*failed)(sink *, enum kind, name_t))
{
    memset(c, 0, sizeof *c);
    c->batch = aligned_alloc(64, (BATCH * sizeof *c->batch + 63) / 64 * 64);
    c->names = malloc(BATCH * sizeof *c->names);
    c->parents = malloc(BATCH * sizeof *c->parents);
    if (!c->batch || !c->names || !c->parents) { perror("clew"); exit(70); }
    c->room = BATCH;
    c->drain = drain;
    c->failed = failed;
}

static void sink_close(sink *c)
{
    free(c->batch);
    free(c->names);
    free(c->parents);
}

static void bfs_drain(sink *c) { store_insert(&search.st, c); }

static void bfs_failed(sink *c, enum kind kind, name_t name)
{
    (void)name;
    if (search.met >> kind & 1) return;
    search.met |= 1u << kind;
    search.found[kind] = c->parent;
}

/* Random walks from known states, to see which bits will differ. */
static void ignore_failed(sink *c, enum kind kind, name_t name) { (void)c; (void)kind; (void)name; }
static void forget_batch(sink *c) { c->count = 0; }

static uint64_t random_next(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x;
}

static void bfs_sample(const store *st, packing *p)
{
    sink walker;
    sink_open(&walker, forget_batch, ignore_failed);
    uint64_t random = 88172645463325252u;
    for (uint32_t left = st->count; left > 0;) {
        state s;
        store_get(st, (uint32_t)(random_next(&random) % st->count), &s);
        for (int n = 0; n < 500 && left > 0; n++, left--) {
            walker.count = 0;
            explore(&walker, &s);
            if (!walker.count) break;
            s = walker.batch[random_next(&random) % walker.count];
            packing_widen(p, &s, 0);
        }
        if (left > 0) left--;
    }
    sink_close(&walker);
}

/* Beyond the depth limit a state is only asked whether it has a step. */
static int bfs_cut(const state *s)
{
    sink asked;
    sink_open(&asked, forget_batch, ignore_failed);
    int found = expand_here(&asked, s);
    sink_close(&asked);
    return found;
}

static int bfs_decided(void) { return !options.keep_going && (search.met & options.wanted); }

static int bfs(void)
{
    store *st = &search.st;
    sink *c = &search.c;
    st->sample = bfs_sample;
    if (!store_open(st, options.max_memory, (uint32_t)options.max_states)) {
        search.limits = LIMIT_MEMORY;
        return 1;
    }
    sink_open(c, bfs_drain, bfs_failed);
    c->parent = UINT32_MAX;
    if (!model_initial(c)) return 0;
    store_insert(st, c);
    c->arrivals = 0;
    uint32_t i = 0, level_end = st->count;
    state s;
    while (i < level_end && !st->full && !search.limits) {
        int cut = search.depth >= options.max_depth;
        for (; i < level_end; i++) {
            if (unlikely(i % 1024 == 0)) {
                search.limits |= watch(st->count, c->arrivals + c->count, search.depth, st->count - i);
                if (search.limits & ~LIMIT_DEPTH || st->full) break;
            }
            store_get(st, i, &s);
            c->parent = i;
            int found = unlikely(cut) ? bfs_cut(&s) : explore(c, &s);
            if (cut && found) search.limits |= LIMIT_DEPTH;
            if (unlikely(!found) && !model_may_end(&s)) bfs_failed(c, DEADLOCK, 0);
        }
        if (i < level_end) break;
        store_insert(st, c);
        if (bfs_decided()) break;
        if (level_end < st->count) search.depth++;
        level_end = st->count;
    }
    if (st->full) search.limits |= st->full == 1 ? LIMIT_MEMORY : LIMIT_STATES;
    search.complete = i == st->count && !search.limits;
    return 1;
}

#endif
