/* search.h: what all searches share: the store, the workers and their sinks, what was met, limits.
 *
 *   search_open(workers)         an empty store, with the initial states in it; 0 if they cannot be computed
 *   search_ready(workers)        an empty store
 *   search_close()
 *   search_watch(w)              now and then: reports progress, notices limits; sets `search.stop`
 *   search_expand(w, i, cut)     expands state i; with `cut` it is only asked whether it has a step
 *   search_failed(c, kind, name) something is wrong in a step out of the state that is expanded
 *   search_decided()             whether everything asked for is known
 *   search_arrivals()            steps taken so far
 *   search_states()              states found so far
 */
#ifndef CLEW_SEARCH_H
#define CLEW_SEARCH_H

#include "batch.h"
#include "inside.h"
#include "report.h"
#include "store.h"
#include "team.h"

/* A program that need not write or read one is compiled sooner. */
#if STORE_IS_LOSSY || (defined(NO_CHECKPOINTS) && defined(ONLY_BFS))
#define HAS_CHECKPOINTS 0
#else
#define HAS_CHECKPOINTS 1
#endif

typedef struct { uint32_t from, to; } range;

typedef struct {
    sink     c;
    uint32_t seen;                                /* states expanded */
    struct diver *diver;                          /* who searches with it: see search_plunge.h */
    range   *made;                                /* those found for the next level */
    uint32_t made_count, made_room;
    uint32_t inner;                               /* states inside indivisible sequences, if they are stored */
    uint64_t ends, ends_digest;                   /* states without a step: how many, and a sum of their hashes */
} worker;

static struct {
    store    st;
    worker  *workers;
    sink    *sinks[MOST_WORKERS];
    int      count;                               /* workers */
    uint64_t depth;
    unsigned limits;
    unsigned met;                                 /* kinds of violation met, as bits */
    unsigned target;                              /* kinds to be met before it is enough */
    int      stop;
    int      complete;
    uint32_t found[KINDS];                        /* state expanded when it was met first */
    int      plunges;                             /* states are on stacks and have no numbers: see search_plunge.h */
    uint64_t entered;                             /* then, how many there were */
} search;

static pthread_mutex_t search_lock = PTHREAD_MUTEX_INITIALIZER;

static void sink_open(sink *c, void (*drain)(sink *), void (*failed)(sink *, enum kind, name_t))
{
    memset(c, 0, sizeof *c);
    c->batch = aligned_alloc(64, (BATCH * sizeof *c->batch + 63) / 64 * 64);
    c->names = malloc(BATCH * sizeof *c->names);
    c->parents = malloc(BATCH * sizeof *c->parents);
    c->records = malloc(BATCH * (MODEL_WORDS + 2) * sizeof *c->records);
    c->hashes = malloc(BATCH * sizeof *c->hashes);
    c->stored = malloc(BATCH * sizeof *c->stored);
    c->contexts = calloc(BATCH + 1, sizeof *c->contexts);
    c->context_of = malloc(BATCH * sizeof *c->context_of);
    c->marks = MODEL_HAS_MARKS ? malloc(BATCH * sizeof *c->marks) : NULL;
#if MODEL_REDUCES
    c->firsts = malloc(BATCH * sizeof *c->firsts);
    c->only = -1;
    if (!c->firsts) { perror("clew"); exit(70); }
#endif
    if ((MODEL_HAS_MARKS && !c->marks) || !c->batch || !c->names || !c->parents || !c->records || !c->hashes || !c->stored || !c->contexts || !c->context_of) {
        perror("clew");
        exit(70);
    }
    c->room = BATCH;
    c->drain = drain;
    c->failed = failed;
}

static void sink_close(sink *c)
{
    free(c->batch);
    free(c->names);
    free(c->parents);
    free(c->marks);
#if MODEL_REDUCES
    free(c->firsts);
    free(c->pairs);
    free(c->situations);
    free(c->doubtful);
#endif
    free(c->records);
    free(c->hashes);
    free(c->stored);
    free(c->contexts);
    free(c->context_of);
}

static inline void search_stop(unsigned limits)
{
    __atomic_fetch_or(&search.limits, limits, __ATOMIC_RELAXED);
    __atomic_store_n(&search.stop, 1, __ATOMIC_RELAXED);
}

static inline int search_stops(void) { return __atomic_load_n(&search.stop, __ATOMIC_RELAXED) || store_full(&search.st); }

static void search_failed(sink *c, enum kind kind, name_t name)
{
    (void)name;
    if (__atomic_load_n(&search.met, __ATOMIC_RELAXED) >> kind & 1) return;
    pthread_mutex_lock(&search_lock);
    if (!(search.met >> kind & 1)) search.found[kind] = c->parent;
    __atomic_fetch_or(&search.met, 1u << kind, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&search_lock);
}

static int search_decided(void)
{
    unsigned met = __atomic_load_n(&search.met, __ATOMIC_RELAXED);
    if (search.target) return (met & search.target) == search.target;
    return !options.keep_going && (met & options.wanted);
}

static uint64_t search_arrivals(void)
{
    uint64_t n = 0;
    for (int w = 0; w < search.count; w++) n += search.workers[w].c.arrivals + search.workers[w].c.count;
    return n;
}

static uint64_t search_states(void) { return search.plunges ? search.entered : store_count(&search.st); }

static void search_watch(uint64_t waiting)
{
    if (pthread_mutex_trylock(&search_lock)) return;
    unsigned hit = watch(search_states(), search_arrivals(), search.depth, waiting);
    pthread_mutex_unlock(&search_lock);
    if (hit) search_stop(hit);
}

static void ignore_failed(sink *c, enum kind kind, name_t name) { (void)c; (void)kind; (void)name; }
static void forget_batch(sink *c) { c->count = 0; }

/* Random walks from known states, to see which bits will differ. */
static uint64_t random_next(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x;
}

static void search_sample(const store *st, packing *p)
{
    sink walker;
    sink_open(&walker, forget_batch, ignore_failed);
    uint64_t random = 88172645463325252u;
    for (uint32_t left = st->used - store_first(st); left > 0;) {
        state s;
        uint32_t first = store_first(st), i = first + (uint32_t)(random_next(&random) % (st->used - first));
        if (!store_uses(st, i))
            for (i = first; !store_uses(st, i);) i++;
        store_read(st, walker.contexts, i, &s);
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
static int search_cut(const state *s)
{
    sink asked;
    sink_open(&asked, forget_batch, ignore_failed);
    int found = expand_here(&asked, s);
    sink_close(&asked);
    return found;
}

/* A hash of what makes the state what it is, whatever its number and packing. */
static uint64_t search_digest(const state *s)
{
    state mask = {{0}};
    uint64_t h = 0x9e3779b97f4a7c15u;
    model_carried(&mask);
    for (size_t i = 0; i < MODEL_WORDS; i++) h = (h ^ (s->w[i] & ~mask.w[i])) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return h;
}

/* A state without a step. */
static __attribute__((noinline)) void search_ended(worker *w, const state *s)
{
    w->ends++;
    w->ends_digest += search_digest(s);
    if (!model_may_end(s)) search_failed(&w->c, DEADLOCK, 0);
}

static inline void search_expand(worker *w, uint32_t i, int cut)
{
    state s;
    sink *c = &w->c;
    store_get(&search.st, c, i, &s);
    c->parent = i;
    int found = unlikely(cut) ? search_cut(&s) : explore(c, &s);
    if (unlikely(cut) && found) __atomic_fetch_or(&search.limits, LIMIT_DEPTH, __ATOMIC_RELAXED);
    if (unlikely(!found)) search_ended(w, &s);
}

static void search_drain(sink *c) { store_insert(&search.st, c); }

/* 1: ready; -1: no memory. */
static int search_ready(int workers)
{
    memset(&search, 0, sizeof search);
    search.count = workers;
    search.workers = calloc((size_t)workers, sizeof *search.workers);
    if (!search.workers) return -1;
    search.st.base = resident();
    search.st.most_bytes = options.max_memory;
    search.st.most_states = (uint32_t)options.max_states;
    search.st.layout = options.layout;
    search.st.sample = search_sample;
    for (int w = 0; w < workers; w++) {
        search.sinks[w] = &search.workers[w].c;
        sink_open(search.sinks[w], search_drain, search_failed);
        search.sinks[w]->number = w;
    }
    if (!store_open(&search.st, search.sinks, workers)) {
        search.limits = LIMIT_MEMORY;
        return -1;
    }
    return 1;
}

/* 1: ready; 0: an initial state cannot be computed; -1: no memory. */
static int search_open(int workers)
{
    int ready = search_ready(workers);
    if (ready < 0 || options.resume) return ready; /* the search reads its checkpoint instead */
    sink *c = search.sinks[0];
    c->parent = NOBODY;
    if (!model_initial(c)) return 0;
    store_insert(&search.st, c);
    c->arrivals = 0;
    return 1;
}

static void search_done(int complete)
{
    static const unsigned limit_of[] = {[FULL_MEMORY] = LIMIT_MEMORY, [FULL_STATES] = LIMIT_STATES, [FULL_TABLE] = LIMIT_TABLE};
    if (search.st.full) search.limits |= limit_of[search.st.full];
    search.complete = complete && !search.limits;
}

static void search_close(void)
{
    for (int w = 0; w < search.count; w++) {
        sink_close(search.sinks[w]);
        free(search.workers[w].made);
    }
    free(search.workers);
    store_close(&search.st);
}

#endif
