/* search_refine.h: iterated search refinement (Ernits 2007): many depth-first searches, each with a table of one bit for a
 * state that is much too small, so that collisions prune the search, in another way for every size. And random walks.
 *
 *   refine(workers)   searches until every size up to the largest was tried; returns 0 if an initial state cannot be
 *                     computed. Each violation found is printed at once; then only shorter runs are looked for
 *   walk(workers)     random walks, each from the start until it ends or is as deep as may be
 *
 * A batch is a number of searches with tables that grow by a byte. Each worker has a table and a stack of its own and
 * takes batch after batch; beyond a threshold sizes grow by a factor. When a run is found everybody stops, the bound on the
 * depth becomes shorter than the run, and sizes start again. Without a bound the depth is at most the number of bits.
 */
#ifndef CLEW_SEARCH_REFINE_H
#define CLEW_SEARCH_REFINE_H

#include "search_plunge.h"

static struct {
    pthread_mutex_t lock;
    double   bytes, factor;             /* where the next batch begins; how sizes grow */
    uint64_t bound;                     /* on the length of runs; 0: none yet */
    uint64_t best;                      /* length of the best one */
    uint32_t generation;                /* of bounds */
    uint64_t runs, collisions, entered;
    state    initial;
} refining;

typedef struct { diver d; filter own; uint64_t bytes; uint32_t generation; } refiner;
static refiner *refiners;

static const char *const refine_kinds[] = {"assertion", "runtime-error", "deadlock"};

/* Found: printed if it is shorter than any before. The state on top of the stack is where it happens. */
static void refine_failed(sink *c, enum kind kind, name_t name)
{
    (void)name;
    refiner *r = &refiners[c->number];
    if (!(options.wanted >> kind & 1)) {
        __atomic_fetch_or(&search.met, 1u << kind, __ATOMIC_RELAXED);
        return;
    }
    uint64_t length = c->parent + (kind != DEADLOCK);
    pthread_mutex_lock(&refining.lock);
    if (r->generation == refining.generation && (!refining.best || length < refining.best)) {
        stack_run run = {&r->d, 0};
        run_keep(kind, run_length(run.d), run_state, &run);
        flockfile(stdout);              /* others report progress */
        print_run(kind, kept[kind].length, kept_state, &kept[kind]);
        printf("{\"type\":\"found\",\"kind\":\"%s\",\"length\":%llu,\"bytes\":%llu,\"runs\":%llu,\"seconds\":%.3f}\n",
               refine_kinds[kind], (unsigned long long)length, (unsigned long long)r->bytes,
               (unsigned long long)refining.runs, seconds());
        fflush(stdout);
        funlockfile(stdout);
        search.met |= 1u << kind;
        refining.best = length;
        refining.bound = length > options.shrink ? length - options.shrink : 1;
        __atomic_add_fetch(&refining.generation, 1, __ATOMIC_RELAXED);
        refining.bytes = (double)options.least_bytes, refining.factor = 1;
        if (options.first_only || length <= 1) search_stop(0);
    }
    pthread_mutex_unlock(&refining.lock);
}

static int refine_stops(diver *d)
{
    refiner *r = (refiner *)d;
    if (unlikely(d->w->seen++ % 64 == 0)) search_watch(d->top);
    return search_stops() || r->generation != __atomic_load_n(&refining.generation, __ATOMIC_RELAXED);
}

/* One search with a table of so many bytes. */
static void refine_once(refiner *r, uint64_t bytes, uint64_t bound)
{
    diver *d = &r->d;
    r->bytes = bytes;
    r->own.size = 8 * bytes;
    filter_clear(&r->own);
    d->top = 0;
    d->deepest = d->entered = d->collisions = 0;
    d->beyond = 0;
    d->bound = bound ? bound : 8 * bytes;
    if (options.max_depth < d->bound) d->bound = options.max_depth;
    double began = options.log_runs ? seconds() : 0;
    push_state(d, &refining.initial, 0, WAITING);
    dive_down(d, refine_stops);
    pthread_mutex_lock(&refining.lock);
    refining.runs++;
    refining.entered += d->entered;
    refining.collisions += d->collisions;
    search.entered = refining.entered;
    if (d->deepest > search.depth) search.depth = d->deepest;
    if (options.log_runs)
        printf("{\"type\":\"run\",\"bytes\":%llu,\"bound\":%llu,\"states\":%llu,\"depth\":%llu,\"collisions\":%llu,"
               "\"found\":%d,\"seconds\":%.6f}\n",
               (unsigned long long)bytes, (unsigned long long)d->bound, (unsigned long long)d->entered,
               (unsigned long long)d->deepest, (unsigned long long)d->collisions, r->generation != refining.generation,
               seconds() - began);
    pthread_mutex_unlock(&refining.lock);
}

/* The next batch: 0 if all sizes were tried. */
static uint64_t refine_take(refiner *r, uint64_t *bound)
{
    pthread_mutex_lock(&refining.lock);
    uint64_t bytes = (uint64_t)refining.bytes;
    r->generation = refining.generation;
    *bound = refining.bound;
    if (bytes >= options.most_bytes) bytes = 0;
    else {
        refining.bytes = (double)(uint64_t)((refining.bytes + options.small_steps) * refining.factor + 0.5);
        if (refining.bytes > (double)options.big_from) refining.factor = options.big_step;
    }
    pthread_mutex_unlock(&refining.lock);
    return bytes;
}

static void refine_work(int number)
{
    refiner *r = &refiners[number];
    uint64_t bytes, bound;
    while (!search_stops() && (bytes = refine_take(r, &bound)))
        for (int i = 1; i <= options.small_steps; i++) {
            if (search_stops() || r->generation != __atomic_load_n(&refining.generation, __ATOMIC_RELAXED)) break;
            refine_once(r, bytes + (uint64_t)i - 1, bound);
        }
}

/* A walk is kept on the stack as the run that it is. */
static void walk_once(refiner *r)
{
    diver *d = &r->d;
    sink *c = &d->w->c;
    d->top = 0;
    d->bound = refining.bound ? refining.bound : options.max_depth < 10000 ? options.max_depth : 10000;
    push_state(d, &refining.initial, 0, ENTERED);
    for (uint64_t depth = 0; !refine_stops(d); depth++) {
        state s = stack_of(d)[d->top - 1].s;
        int cut = depth >= d->bound;
        c->count = 0;
        c->parent = (uint32_t)depth;
        c->failed = cut ? ignore_failed : refine_failed;
        c->drain = forget_batch;
        int found = explore(c, &s);
        d->entered++;
        if (!found && !model_may_end(&s)) refine_failed(c, DEADLOCK, 0);
        c->arrivals += c->count;
        if (!c->count || cut) break;
        push_state(d, &c->batch[spread(random_word(&d->random), c->count)], (uint32_t)depth + 1, ENTERED);
        c->count = 0;
    }
}

static void walk_work(int number)
{
    refiner *r = &refiners[number];
    while (!search_stops()) {
        r->d.entered = 0;
        r->generation = __atomic_load_n(&refining.generation, __ATOMIC_RELAXED);
        walk_once(r);
        pthread_mutex_lock(&refining.lock);
        refining.runs++;
        search.entered = refining.entered += r->d.entered;
        if (r->d.top - 1 > search.depth) search.depth = r->d.top - 1;
        pthread_mutex_unlock(&refining.lock);
    }
}

static int refine_with(int workers, void (*work)(int))
{
    options.size = 64;
    int ready = search_open(workers);
    if (ready <= 0) return ready < 0;
    memset(&refining, 0, sizeof refining);
    pthread_mutex_init(&refining.lock, NULL);
    refining.bytes = (double)options.least_bytes, refining.factor = 1;
    store_read(&search.st, NULL, 0, &refining.initial);
    search.plunges = 1;
    refiners = calloc((size_t)workers, sizeof *refiners);
    if (!refiners) { perror("clew"); exit(70); }
    for (int n = 0; n < workers; n++) {
        refiner *r = &refiners[n];
        sink *c = search.sinks[n];
        r->d = (diver){.w = &search.workers[n], .known = &r->own, .failed = refine_failed,
                       .random = options.seed * 0x9e3779b97f4a7c15u + (uint64_t)n + 1};
        if (!arena_reserve(&r->d.a, options.max_memory) || !filter_open(&r->own, 8 * (options.most_bytes + 8 + (uint64_t)options.small_steps), 1)) {
            search.limits = LIMIT_MEMORY;
            return 1;
        }
        search.workers[n].diver = &r->d;
        c->drain = plunge_drain;
        c->failed = refine_failed;
    }
    team_open(workers, NULL);
    team_run(work);
    search_done(0);
    printf("{\"type\":\"hunt\",\"runs\":%llu,\"collisions\":%llu,\"best\":%llu}\n", (unsigned long long)refining.runs,
           (unsigned long long)refining.collisions, (unsigned long long)refining.best);
    return 1;
}

static int refine(int workers) { return refine_with(workers, refine_work); }
static int walk(int workers) { return refine_with(workers, walk_work); }

#endif
