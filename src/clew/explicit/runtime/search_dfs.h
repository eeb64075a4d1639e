/* search_dfs.h: depth-first search by any number of workers.
 *
 *   dfs(workers)   explores everything; returns 0 if an initial state cannot be computed
 *
 * A state that is expanded has all its successors stored at once; it is entered later, when it is taken from the stack.
 * So memory is asked for several successors at a time, and the order is still that of a depth-first search. Each worker
 * has a stack; who has none left is given the oldest states of another one.
 */
#ifndef CLEW_SEARCH_DFS_H
#define CLEW_SEARCH_DFS_H

#include "checkpoint.h"
#include "search.h"
#if MODEL_REDUCES
#include "reduce.h"
#else
#define reduce_expand search_expand
#endif

typedef struct { uint32_t state, depth; } place;

typedef struct {
    arena     a;
    size_t    bottom, top;
} stack;

static struct {
    stack    *stacks;
    arena     entered;                            /* a bit for each state */
    pthread_mutex_t lock;
    pthread_cond_t  more;
    int       hungry, done;
    int       pause, over;                        /* for a checkpoint; decided there: the search ends with it */
    stack     pool;                               /* given away, not taken yet */
} dive;

static inline place *places(const stack *k) { return (place *)k->a.base; }

static void push(stack *k, place p)
{
    if (unlikely(!arena_has(&k->a, (k->top + 1) * sizeof p) || !arena_has(&dive.entered, p.state / 8 + 8))) {
        store_fill(&search.st, FULL_MEMORY);
        return;
    }
    places(k)[k->top++] = p;
}

/* Whether this worker is the first to enter the state. */
static int enter(uint32_t i)
{
    uint64_t *word = (uint64_t *)dive.entered.base + i / 64, bit = (uint64_t)1 << i % 64;
    if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit) return 0;
    if (search.count == 1) {
        *word |= bit;
        return 1;
    }
    return !(__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit);
}

static inline int entered(uint32_t i)
{
    return __atomic_load_n((uint64_t *)dive.entered.base + i / 64, __ATOMIC_RELAXED) >> i % 64 & 1;
}

static void dfs_push_stored(worker *w, stack *k, uint32_t count, uint32_t depth)
{
    for (uint32_t i = count; i-- > 0;)
        if (w->c.stored[i] != NOBODY && !entered(w->c.stored[i])) push(k, (place){w->c.stored[i], depth});
}

static struct { stack *k; uint32_t depth; } diving[MOST_WORKERS];

/* The sink is full in the middle of an expansion. */
static void dfs_drain(sink *c)
{
    uint32_t count = c->count;
    store_insert(&search.st, c);
    if (!store_full(&search.st))
        dfs_push_stored((worker *)c, diving[c->number].k, count, diving[c->number].depth + 1);
}

static void dfs_flush(sink *c)
{
#if MODEL_REDUCES
    reduce_flush(c);
#else
    c->drain(c);
#endif
}

#if MODEL_REDUCES
enum { LEAVING = UINT32_MAX };          /* as the depth of a place: the state leaves the path */

static void dfs_put_on_path(stack *k, uint32_t i)
{
    if (unlikely(!arena_has(&reduce_is_on_path, search.st.used / 8 + CHUNK))) {
        store_fill(&search.st, FULL_MEMORY);
        return;
    }
    ((uint64_t *)reduce_is_on_path.base)[i / 64] |= (uint64_t)1 << i % 64;
    push(k, (place){i, LEAVING});
}
#endif

static void dfs_give(stack *k)
{
    pthread_mutex_lock(&dive.lock);
    if (dive.hungry && dive.pool.bottom == dive.pool.top) {
        size_t many = (k->top - k->bottom) / 2;
        dive.pool.bottom = dive.pool.top = 0;
        for (size_t i = 0; i < many; i++) push(&dive.pool, places(k)[k->bottom++]);
        pthread_cond_broadcast(&dive.more);
    }
    pthread_mutex_unlock(&dive.lock);
}

static inline int dfs_pauses(void) { return __atomic_load_n(&dive.pause, __ATOMIC_RELAXED); }

/* Everybody comes, with nothing open; whether the search is over. */
static int dfs_pause(int number)
{
    while (!meet(number, 1)) {}
    return dive.over;
}

/* Waits for states of others; 0 if nobody has any. A worker that waits does not keep others from meeting. */
static int dfs_receive(int number, stack *k)
{
    pthread_mutex_lock(&dive.lock);
    __atomic_add_fetch(&dive.hungry, 1, __ATOMIC_RELAXED);
    if (dive.hungry == search.count && dive.pool.bottom == dive.pool.top) {
        dive.done = 1;
        pthread_cond_broadcast(&dive.more);
    }
    while (!dive.done && dive.pool.bottom == dive.pool.top) {
        if (dfs_pauses()) {
            pthread_mutex_unlock(&dive.lock);
            int over = dfs_pause(number);
            pthread_mutex_lock(&dive.lock);
            if (over) break;
            continue;
        }
        if (team_is_called()) {
            pthread_mutex_unlock(&dive.lock);
            meet(number, 0);
            pthread_mutex_lock(&dive.lock);
            continue;
        }
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 200000;
        if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&dive.more, &dive.lock, &soon);
        if (search_stops()) dive.done = 1;
    }
    int got = dive.pool.bottom < dive.pool.top;
    k->bottom = k->top = 0;
    size_t share = (dive.pool.top - dive.pool.bottom + 1) / 2;
    for (size_t i = 0; i < share; i++) push(k, places(&dive.pool)[dive.pool.bottom++]);
    __atomic_sub_fetch(&dive.hungry, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&dive.lock);
    return got;
}

/* --- checkpoints: when no expansion is open --- */

static int dfs_save_stack(const stack *k)
{
    for (size_t i = k->bottom; i < k->top; i++) {
        place p = {saved_number(places(k)[i].state), places(k)[i].depth};
        if (!put_bytes(&p, sizeof p)) return 0;
    }
    return 1;
}

static int dfs_save_entered(uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        unsigned char bit = (unsigned char)entered(i);
        if (!put_bytes(&bit, 1)) return 0;
    }
    return 1;
}

static int dfs_save(void)
{
    uint64_t count = dive.pool.top - dive.pool.bottom;
    for (int n = 0; n < search.count; n++) count += dive.stacks[n].top - dive.stacks[n].bottom;
    if (!put_bytes(&count, sizeof count) || !dfs_save_stack(&dive.pool)) return 0;
    for (int n = search.count; n-- > 0;)
        if (!dfs_save_stack(&dive.stacks[n])) return 0;
    return put_used(dfs_save_entered);
}

static void dfs_load(void)
{
    uint64_t count;
    get_bytes(&count, sizeof count);
    for (; count; count--) {
        place p;
        get_bytes(&p, sizeof p);
        push(&dive.stacks[0], p);
    }
    if (!arena_has(&dive.entered, search.st.used / 8 + 8)) checkpoint_bad("it does not fit into the memory there is");
    for (uint32_t i = 0; i < search.st.used; i++) {
        unsigned char bit;
        get_bytes(&bit, 1);
        ((uint64_t *)dive.entered.base)[i / 64] |= (uint64_t)(bit & 1) << i % 64;
    }
}

/* The store was full before all successors were in it: the state is to be expanded again. */
static void dfs_return(worker *w, stack *k, place p, uint64_t arrivals)
{
    w->c.arrivals = arrivals;
    w->c.count = 0;
    __atomic_fetch_and((uint64_t *)dive.entered.base + p.state / 64, ~((uint64_t)1 << p.state % 64), __ATOMIC_RELAXED);
    push(k, p);
}

static void dfs_business(int number, int over)
{
    store_business(&search.st, number);
    if (!over) return;
    dive.over = search_stops() || dive.done;
    if (options.checkpoint && (search_stops() ? !search_decided() : dive.pause)) checkpoint_write(dfs_save);
    dive.pause = 0;
}

static void dfs_account(void)
{
    size_t bytes = search.st.used / 8;
    for (int n = 0; n < search.count; n++) bytes += dive.stacks[n].top * sizeof(place);
    __atomic_store_n(&search.st.others, bytes, __ATOMIC_RELAXED);
}

static void dfs_work(int number)
{
    worker *w = &search.workers[number];
    stack *k = &dive.stacks[number];
    uint64_t deepest = 0;
    diving[number].k = k;
    while (!search_stops()) {
        if (unlikely(dfs_pauses()) && dfs_pause(number)) return;
        if (k->top == k->bottom) {
            if (search.count == 1 || !dfs_receive(number, k)) {
                if (dive.over) return;
                break;
            }
            continue;
        }
        place p = places(k)[--k->top];
#if MODEL_REDUCES
        if (p.depth == LEAVING) {
            ((uint64_t *)reduce_is_on_path.base)[p.state / 64] &= ~((uint64_t)1 << p.state % 64);
            continue;
        }
#endif
        if (!enter(p.state)) continue;
#if MODEL_REDUCES
        if (options.proviso == PROVISO_STACK) dfs_put_on_path(k, p.state);
#endif
        if (p.depth > deepest) {
            deepest = p.depth;
            if (deepest > __atomic_load_n(&search.depth, __ATOMIC_RELAXED))
                __atomic_store_n(&search.depth, deepest, __ATOMIC_RELAXED);
        }
        diving[number].depth = p.depth;
        uint64_t arrivals = w->c.arrivals;
        reduce_expand(w, p.state, p.depth >= options.max_depth);
        if (w->c.count) dfs_flush(&w->c);
        if (unlikely(options.checkpoint && store_full(&search.st))) dfs_return(w, k, p, arrivals);
        if (unlikely(w->seen++ % 1024 == 0)) {
            search_watch(k->top - k->bottom);
            dfs_account();
            if (checkpoint_wanted()) __atomic_store_n(&dive.pause, 1, __ATOMIC_RELAXED);
        }
        if (unlikely(__atomic_load_n(&dive.hungry, __ATOMIC_RELAXED)) && k->top - k->bottom > 16) dfs_give(k);
        if (unlikely(search.met) && search_decided()) search_stop(0);
    }
    while (!meet(number, 1)) {}
}

static int dfs(int workers)
{
    int ready = search_open(workers);
    if (ready <= 0) return ready < 0;
    memset(&dive, 0, sizeof dive);
    pthread_mutex_init(&dive.lock, NULL);
    pthread_cond_init(&dive.more, NULL);
    dive.stacks = calloc((size_t)workers, sizeof *dive.stacks);
    size_t room = options.max_memory / 2;
    int memory = dive.stacks && arena_reserve(&dive.entered, (size_t)1 << 29) && arena_reserve(&dive.pool.a, room);
    for (int n = 0; memory && n < workers; n++) {
        memory = arena_reserve(&dive.stacks[n].a, room);
        search.sinks[n]->drain = dfs_drain;
    }
#if MODEL_REDUCES
    memory = memory && reduce_open(dfs_drain);
#endif
    if (!memory) {
        search.limits = LIMIT_MEMORY;
        return 1;
    }
    team_open(workers, dfs_business);
    saving.next = options.checkpoint_every;
    if (options.resume) checkpoint_read(dfs_load);
    else
        for (uint32_t i = store_count(&search.st); i-- > 0;) push(&dive.stacks[0], (place){i, 0});
    team.active = workers;
    team_run(dfs_work);
    int left = 0;
    for (int n = 0; n < workers; n++) left |= dive.stacks[n].top != dive.stacks[n].bottom;
    search_done(!left && !search_stops());
    return 1;
}

#endif
