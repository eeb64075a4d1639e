/* search_plunge.h: depth-first search when only hashes of states are kept: the states themselves are on the stack.
 *
 *   plunge(workers)     explores everything; returns 0 if an initial state cannot be computed
 *   dive_down(d, stop)  one search from what is on the stack of the diver `d`, until that is empty or stop() says so
 *
 * A state is marked in the filter when it is entered, and successors that are marked already are left out, so that states
 * are entered in the order of a recursive depth-first search: that of the steps, or the other way round, or at random.
 * The states that were entered and not left yet are the run to the one on top. A worker that has nothing left is given
 * states of another one, the oldest that were not entered, together with the run to them.
 */
#ifndef CLEW_SEARCH_PLUNGE_H
#define CLEW_SEARCH_PLUNGE_H

#include "search.h"
#include "trace.h"

enum mark { WAITING, ENTERED, GIVEN };
enum order { ORDER_FIRST, ORDER_LAST, ORDER_RANDOM };

typedef struct {
    state    s;
    uint32_t depth;
    uint32_t mark;
} stacked;

typedef struct diver {
    worker  *w;
    filter  *known;
    arena    a;
    size_t   top;
    size_t   oldest;                    /* nothing below it waits */
    uint64_t bound;                     /* states deeper than this are not entered */
    uint64_t deepest, entered, collisions;
    uint64_t random;
    int      beyond;                    /* something was left out because of the bound */
    void   (*failed)(sink *, enum kind, name_t);
} diver;

static struct {
    diver   *divers;
    pthread_mutex_t lock;
    pthread_cond_t  more;
    int      hungry, done;
    stacked *given;                     /* by one worker, not taken yet: the run, then the states */
    size_t   count;
} plunging;

static inline stacked *stack_of(const diver *d) { return (stacked *)d->a.base; }

static void push_state(diver *d, const state *s, uint32_t depth, enum mark mark)
{
    if (unlikely(!arena_has(&d->a, (d->top + 1) * sizeof(stacked)))) {
        store_fill(&search.st, FULL_MEMORY);
        return;
    }
    stack_of(d)[d->top++] = (stacked){*s, depth, mark};
}

static inline diver *diver_of(const sink *c) { return ((const worker *)c)->diver; }

static uint32_t run_length(const diver *d)
{
    uint32_t n = 0;
    for (size_t i = 0; i < d->top; i++) n += stack_of(d)[i].mark == ENTERED;
    return n;
}

/* The states of the run on the stack; asked for in order, so that `next` remembers where the last one was. */
typedef struct { const diver *d; size_t next; } stack_run;

static void run_state(const void *run, uint32_t n, state *s)
{
    stack_run *r = (stack_run *)run;
    if (!n) r->next = 0;
    while (stack_of(r->d)[r->next].mark != ENTERED) r->next++;
    *s = stack_of(r->d)[r->next++].s;
}

static void plunge_failed(sink *c, enum kind kind, name_t name)
{
    (void)name;
    if (__atomic_load_n(&search.met, __ATOMIC_RELAXED) >> kind & 1) return;
    pthread_mutex_lock(&search_lock);
    if (!(search.met >> kind & 1)) {
        stack_run run = {diver_of(c), 0};
        run_keep(kind, run_length(run.d), run_state, &run);
    }
    __atomic_fetch_or(&search.met, 1u << kind, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&search_lock);
}

/* Successors that are not marked are pushed, for now in the order of the steps. */
static void plunge_drain(sink *c)
{
    diver *d = diver_of(c);
    uint32_t depth = (uint32_t)c->parent + 1;
    wide hashes[BATCH];
    for (uint32_t i = 0; i < c->count; i++) {
        hashes[i] = hash_key(&store_hash, &c->batch[i]);
        filter_prefetch(d->known, hashes[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (filter_knows(d->known, hashes[i])) d->collisions++;
        else push_state(d, &c->batch[i], depth, WAITING);
    }
    c->arrivals += c->count;
    c->count = 0;
}

static void plunge_order(diver *d, size_t from)
{
    stacked *k = stack_of(d), x;
    if (options.order == ORDER_LAST) return;
    if (options.order == ORDER_FIRST)
        for (size_t i = from, j = d->top; i + 1 < j; i++) j--, x = k[i], k[i] = k[j], k[j] = x;
    else
        for (size_t n = d->top - from; n > 1; n--) {
            size_t i = from + n - 1, j = from + (size_t)spread(random_word(&d->random), n);
            x = k[i], k[i] = k[j], k[j] = x;
        }
}

/* Expands the state on top, which was entered just now. */
static void plunge_expand(diver *d)
{
    sink *c = &d->w->c;
    stacked *here = &stack_of(d)[d->top - 1];
    state s = here->s;
    size_t from = d->top;
    int cut = here->depth >= d->bound;
    if (here->depth > d->deepest) d->deepest = here->depth;
    c->parent = here->depth;
    if (cut) c->failed = ignore_failed, c->drain = forget_batch;
    int found = explore(c, &s);
    c->failed = d->failed, c->drain = plunge_drain;
    if (cut) {
        c->count = 0;
        d->beyond |= found;
    } else plunge_drain(c);
    if (unlikely(!found) && !model_may_end(&s)) d->failed(c, DEADLOCK, 0);
    plunge_order(d, from);
}

static inline void dive_down(diver *d, int (*stop)(diver *))
{
    uint32_t n = 0;
    while (d->top) {
        stacked *here = &stack_of(d)[d->top - 1];
        if (here->mark != WAITING) {
            d->top--;
            continue;
        }
        enum added added = filter_add(d->known, hash_key(&store_hash, &here->s));
        if (added != NEW) {
            d->top--;
            d->collisions++;
            if (unlikely(added == FULL)) store_fill(&search.st, FULL_TABLE);
        } else {
            here->mark = ENTERED;
            d->entered++;
            plunge_expand(d);
        }
        if (unlikely(n++ % 256 == 0 || search.met) && stop(d)) break;
    }
}

/* --- several workers --- */

static void plunge_give(diver *d)
{
    pthread_mutex_lock(&plunging.lock);
    if (plunging.hungry && !plunging.count) {
        stacked *k = stack_of(d);
        size_t i = d->oldest < d->top ? d->oldest : 0;
        while (i < d->top && k[i].mark != WAITING) i++;
        size_t run = 0, states = 0;
        for (size_t j = 0; j < i; j++) run += k[j].mark == ENTERED;
        while (i + states < d->top && k[i + states].mark == WAITING && k[i + states].depth == k[i].depth) states++;
        d->oldest = i;
        if (states && i + states < d->top) {
            stacked *given = realloc(plunging.given, (run + states) * sizeof *given);
            if (given) {
                plunging.given = given;
                for (size_t j = 0, n = 0; j < i; j++)
                    if (k[j].mark == ENTERED) given[n++] = k[j];
                for (size_t j = 0; j < states; j++) given[run + j] = k[i + j], k[i + j].mark = GIVEN;
                plunging.count = run + states;
                pthread_cond_broadcast(&plunging.more);
            }
        }
    }
    pthread_mutex_unlock(&plunging.lock);
}

static int plunge_receive(diver *d)
{
    pthread_mutex_lock(&plunging.lock);
    plunging.hungry++;
    if (plunging.hungry == search.count && !plunging.count) {
        plunging.done = 1;
        pthread_cond_broadcast(&plunging.more);
    }
    while (!plunging.done && !plunging.count) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 5000000;
        if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&plunging.more, &plunging.lock, &soon);
        if (search_stops()) plunging.done = 1;
    }
    int got = plunging.count > 0;
    d->top = d->oldest = 0;
    for (size_t i = 0; i < plunging.count; i++)
        push_state(d, &plunging.given[i].s, plunging.given[i].depth, plunging.given[i].mark);
    plunging.count = 0;
    plunging.hungry--;
    pthread_mutex_unlock(&plunging.lock);
    return got;
}

static void plunge_account(void)
{
    size_t bytes = 0;
    uint64_t states = 0, deepest = 0;
    for (int n = 0; n < search.count; n++) {
        const diver *d = &plunging.divers[n];
        bytes += d->top * sizeof(stacked);
        states += d->entered;
        if (d->deepest > deepest) deepest = d->deepest;
    }
    search.st.others = bytes;
    search.entered = states;
    search.depth = deepest;
    if (states >= options.max_states) store_fill(&search.st, FULL_STATES);
    if (store_bytes(&search.st) > search.st.most_bytes) store_fill(&search.st, FULL_MEMORY);
}

static int plunge_stops(diver *d)
{
    if (unlikely(d->entered % 1024 == 0)) {
        plunge_account();
        search_watch(d->top);
    }
    if (unlikely(__atomic_load_n(&plunging.hungry, __ATOMIC_RELAXED))) plunge_give(d);
    if (unlikely(search.met) && search_decided()) search_stop(0);
    return search_stops();
}

static void plunge_work(int number)
{
    diver *d = &plunging.divers[number];
    while (!search_stops()) {
        dive_down(d, plunge_stops);
        if (d->top || search.count == 1 || !plunge_receive(d)) break;
    }
}

static int plunge(int workers)
{
    int ready = search_open(workers);
    if (ready <= 0) return ready < 0;
    memset(&plunging, 0, sizeof plunging);
    pthread_mutex_init(&plunging.lock, NULL);
    pthread_cond_init(&plunging.more, NULL);
    plunging.divers = calloc((size_t)workers, sizeof *plunging.divers);
    for (int n = 0; plunging.divers && n < workers; n++) {
        diver *d = &plunging.divers[n];
        *d = (diver){.w = &search.workers[n], .known = &search.st.known, .bound = options.max_depth,
                     .random = options.seed + (uint64_t)n, .failed = plunge_failed};
        if (!arena_reserve(&d->a, options.max_memory)) search.limits = LIMIT_MEMORY;
        search.workers[n].diver = d;
        search.sinks[n]->drain = plunge_drain;
        search.sinks[n]->failed = plunge_failed;
    }
    if (search.limits || !plunging.divers) return 1;
    filter_clear(&search.st.known);
    for (uint32_t i = store_count(&search.st); i-- > 0;) {
        state s;
        store_read(&search.st, NULL, i, &s);
        push_state(&plunging.divers[0], &s, 0, WAITING);
    }
    search.plunges = 1;
    team_open(workers, NULL);
    team_run(plunge_work);
    plunge_account();
    int left = 0;
    for (int n = 0; n < workers; n++) {
        left |= plunging.divers[n].top != 0;
        if (plunging.divers[n].beyond) search.limits |= LIMIT_DEPTH;
    }
    search_done(!left && !search_stops());
    return 1;
}

#endif
