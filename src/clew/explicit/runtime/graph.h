/* graph.h: the graph that emptiness checks see. Its nodes are numbers, its arcs carry acceptance marks, and nothing of it
 * is made before it is asked for.
 *
 *   product_open(workers, needs)   an empty store and the initial states, with as many acceptance conditions as the model
 *                                  has, at least one, or exactly one. 1: ready; 0: an initial state cannot be computed;
 *                                  -1: no memory
 *   product_close()
 *   graph_expand(g, node)          makes the arcs that leave a node, `g->count` of them; 0 if the search is to stop
 *   graph_arc(g, k)                arc k of the node expanded last
 *   graph_push(g, arcs, node)      makes them and pushes them on a pile, the first on top; 0 if the search is to stop
 *   pile_open(p, size)             an array that grows, with an element for each node, or a stack of that many
 *   ITEM(p, type, i) PUSH(p, type, …) TOP(p, type)      access to piles
 *
 * With one condition a node is a state and a level: the condition of the model that is waited for (0 … conditions - 1).
 * An arc that meets it goes on to the next one that it does not meet; past the last it is marked and starts over. A
 * model without conditions has, where one is needed, a single one that all arcs meet.
 */
#ifndef CLEW_GRAPH_H
#define CLEW_GRAPH_H

#include "search.h"
#if MODEL_REDUCES
#include "reduce.h"
#endif

#ifndef MODEL_MARK_BITS
#define MODEL_MARK_BITS MODEL_CONDITIONS
#endif
#if MODEL_MARK_BITS <= 32
typedef uint32_t marks_t;
#else
typedef uint64_t marks_t;
#endif

typedef struct { uint32_t to; marks_t marks; } arc;
typedef struct { uint32_t node, left; } frame;      /* of a depth-first search: arcs left to be taken, on another pile */
typedef enum { EMPTY, NONEMPTY, UNDECIDED } verdict;
enum needs { ANY_CONDITIONS, SOME_CONDITION, ONE_CONDITION };

/* An array that grows in place. */
typedef struct pile {
    arena  a;
    size_t size, count;                 /* of an element; elements in use, if it is a stack */
    int    by_node;                     /* has an element for each node, which is zero at first */
} pile;

#define ITEM(p, type, i)    (((type *)(p)->a.base)[i])
#define TOP(p, type)        ITEM(p, type, (p)->count - 1)
#define PUSH(p, type, ...)  (ITEM(p, type, (p)->count) = (type){__VA_ARGS__}, (void)(p)->count++)

enum { MOST_PILES = 1024 };

/* One view of the graph for each worker. */
typedef struct graph {
    sink    *c;
    uint32_t count, level;              /* arcs of the node expanded last, and its level */
    uint32_t expanded;
    uint64_t states, transitions, stack;          /* distinct nodes visited, arcs traversed, nodes stacked at most */
} graph;

static struct {
    graph   *views;
    uint32_t roots;                     /* nodes 0, levels, 2 * levels … are initial */
    uint32_t conditions;                /* that the check sees */
    uint32_t levels;
    marks_t  all;                       /* of the conditions that the check sees */
    marks_t  padding;                   /* marks that every arc has */
    int    (*is_open)(uint32_t node);   /* of a check that can do without some steps */
    const char *by;                     /* the algorithm that decides, if another one was asked for */
    pile    *piles[MOST_PILES];
    int      pile_count;
} product;

/* --- piles --- */

/* Address space for more than memory allows, unless that is limited, too. */
static size_t pile_space(void)
{
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) return (size_t)space.rlim_cur / 50;
    return 4 * options.max_memory;
}

static int pile_open(pile *p, size_t size, int by_node)
{
    *p = (pile){.size = size, .by_node = by_node};
    if (product.pile_count == MOST_PILES || !arena_reserve(&p->a, pile_space())) {
        search_stop(LIMIT_MEMORY);
        return 0;
    }
    product.piles[product.pile_count++] = p;
    size_t most = p->a.reserved / size / product.levels;
    if (most < search.st.most_states) search.st.most_states = (uint32_t)most;
    return 1;
}

static void piles_close(void)
{
    while (product.pile_count) arena_release(&product.piles[--product.pile_count]->a);
}

static void piles_account(void)
{
    size_t bytes = 0, nodes = (size_t)search.st.used * product.levels;
    for (int i = 0; i < product.pile_count; i++) {
        const pile *p = product.piles[i];
        bytes += p->size * (p->by_node ? nodes : __atomic_load_n(&p->count, __ATOMIC_RELAXED));
    }
    __atomic_store_n(&search.st.others, bytes, __ATOMIC_RELAXED);
}

/* --- expanding --- */

/* Marks of all arcs of the state that was expanded. Weak fairness: of the processes that cannot move, since whatever happens
 * treats them fairly. Strong fairness: of those that can. */
static inline uint64_t graph_standing(const sink *c)
{
#if defined(MODEL_STRONG_SHIFT)
    return c->movers << MODEL_STRONG_SHIFT;
#elif defined(MODEL_FAIR_SHIFT)
    int processes = MODEL_CONDITIONS - MODEL_FAIR_SHIFT;
    uint64_t every = processes >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << processes) - 1;
    return (every & ~c->movers) << MODEL_FAIR_SHIFT;
#else
    (void)c;
    return 0;
#endif
}

static inline void graph_fairness(sink *c)
{
    uint64_t standing = graph_standing(c);
    if (standing)
        for (uint32_t k = 0; k < c->count; k++) c->marks[k] |= standing;
}

/* Strong fairness: of processes that can move somewhere on a cycle with these marks and do not move on it, the mark that they
 * can. */
static inline marks_t graph_waiting(marks_t marks)
{
#ifdef MODEL_STRONG_SHIFT
    uint64_t every = ((uint64_t)1 << (MODEL_STRONG_SHIFT - MODEL_FAIR_SHIFT)) - 1;
    return (marks_t)(((uint64_t)marks >> MODEL_STRONG_SHIFT & ~((uint64_t)marks >> MODEL_FAIR_SHIFT) & every) << MODEL_STRONG_SHIFT);
#else
    (void)marks;
    return 0;
#endif
}

/* Whether a cycle with these marks is one of an accepting run. */
static inline int graph_accepts(marks_t marks)
{
    return (marks & product.all) == product.all && !graph_waiting(marks);
}

static void graph_watch(graph *g)
{
    if (g->stack > search.depth) search.depth = g->stack;
    piles_account();
    search_watch(0);
}

/* Stores the successors of the state that is expanded; returns how many. A check that says which nodes are `is_open`
 * (those from which the expanded one was reached are) lets steps be left out, unless a chosen one would close a cycle. */
static inline uint32_t graph_store(sink *c, const state *s)
{
    uint32_t all = c->count;
#if MODEL_REDUCES
    choice chosen;
    if (product.is_open && !c->whole && all > 1 && stubborn_choose(c, s, 0, &chosen)) {
        uint32_t few = reduce_sort(c, 0, chosen.processes), closing = 0;
        c->count = few;
        batch_store(c, search_drain);
        for (uint32_t k = 0; k < few; k++) closing += c->stored[k] != NOBODY && product.is_open(c->stored[k]);
        if (!closing || options.proviso == PROVISO_NONE) {
            reduce_tell(c, c->parent, few, EXPANDED_PARTLY);
            c->reduced++;
            return few;
        }
        c->forced++;
        sink whole = *c;
        c->batch += few, c->parents += few, c->stored += few, c->context_of += few;
        c->count = all - few;
        batch_store(c, search_drain);
        c->batch = whole.batch, c->parents = whole.parents, c->stored = whole.stored, c->context_of = whole.context_of;
        reduce_tell(c, c->parent, all, EXPANDED_FORCED);
        return all;
    }
#endif
    (void)s;
    batch_store(c, search_drain);
#if MODEL_REDUCES
    if (product.is_open) reduce_tell(c, c->parent, all, EXPANDED_FULLY);
#endif
    return all;
}

static inline int graph_expand(graph *g, uint32_t node)
{
    sink *c = g->c;
    state s;
    uint32_t i = node;
    if (product.levels > 1) i = node / product.levels, g->level = node % product.levels;
    store_get(&search.st, c, i, &s);
    c->parent = i;
    c->mark = c->movers = 0;
#if MODEL_REDUCES
    c->whole = 0;
#endif
    if (!explore(c, &s)) {
        c->mark = 0;
        model_ends(c, &s);
    }
    graph_fairness(c);
    g->count = graph_store(c, &s);
    if (unlikely(g->expanded++ % 1024 == 0)) graph_watch(g);
    return !search_stops();
}

/* With levels: which one comes after the present one, and whether the round is complete. */
static inline arc graph_climb(uint32_t to, uint32_t level, uint64_t marks)
{
    uint32_t last = product.levels, mark = 0;
    while (level < last && marks >> level & 1) level++;
    if (level == last)
        for (level = 0, mark = 1; level < last - 1 && marks >> level & 1;) level++;
    return (arc){to * last + level, mark};
}

static inline arc graph_arc(const graph *g, uint32_t k)
{
    uint32_t to = g->c->stored[k];
    uint64_t marks = g->c->marks[k];
    if (product.levels > 1) return graph_climb(to, g->level, marks);
    return (arc){to, (marks_t)marks | product.padding};
}

static inline int graph_push(graph *g, pile *arcs, uint32_t node)
{
    if (unlikely(!graph_expand(g, node))) return 0;
    if (unlikely(!arena_has(&arcs->a, (arcs->count + g->count + 1) * sizeof(arc)))) {
        store_fill(&search.st, FULL_MEMORY);
        return 0;
    }
    arc *to = &ITEM(arcs, arc, arcs->count);
    for (uint32_t k = g->count; k-- > 0;) *to++ = graph_arc(g, k);
    arcs->count += g->count;
    return 1;
}

static inline void graph_stacked(graph *g, uint64_t stacked)
{
    if (stacked > g->stack) g->stack = stacked;
}

/* --- opening --- */

static void product_business(int number, int over)
{
    (void)over;
    store_business(&search.st, number);
}

static int product_open(int workers, enum needs needs)
{
#ifdef MODEL_STRONG_SHIFT
    uint32_t conditions = MODEL_FAIR_SHIFT;
#else
    uint32_t conditions = (uint32_t)(MODEL_CONDITIONS);
#endif
    memset(&product, 0, sizeof product);
    product.levels = needs == ONE_CONDITION && conditions > 1 ? conditions : 1;
    product.padding = needs != ANY_CONDITIONS && conditions == 0;
    product.conditions = needs == ONE_CONDITION || product.padding ? 1 : conditions;
    product.all = product.conditions == 8 * sizeof(marks_t) ? ~(marks_t)0 : ((marks_t)1 << product.conditions) - 1;
    uint64_t most = (UINT32_MAX - 1) / product.levels;
    if (options.max_states > most) options.max_states = most;
    int ready = search_open(workers);
    if (ready <= 0) return ready;
    product.roots = store_count(&search.st);
    product.views = calloc((size_t)workers, sizeof *product.views);
    if (!product.views) return -1;
    for (int n = 0; n < workers; n++) {
        product.views[n].c = search.sinks[n];
        search.sinks[n]->drain = batch_grow;
    }
    team_open(workers, product_business);
    team.active = workers;
    return 1;
}

static void product_close(void)
{
    piles_close();
    free(product.views);
    search_close();
}

#endif
