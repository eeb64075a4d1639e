/* sweep.h: a check that does not go through states depth-first. Breadth-first search needs each state when it is in the
 * cache, asks for memory many states ahead, and is done by any number of workers; so everything is explored that way, and
 * components are looked for in what it leaves behind.
 *
 *   sweep(g, patience)    if there is `patience`, so many states are first searched by cou99: it may meet an accepting run
 *                         soon, however far away that is
 *
 * A run stays in one part of the automaton for ever. Where none of a part's runs are accepting (part 0) there is nothing to
 * look for. In other parts, arcs that do not leave the part are kept: of each node a list, which begins with its length,
 * in the stream of the worker that expanded it. Components are those of Couvreur, found by going through the lists, when
 * all is explored and whenever there are GROWTH times as many arcs as the last time: a run that is found was not
 * there long before.
 *
 * Strong fairness: a component with all conditions, but with processes that could move and never do, has a fair run only if
 * it stays where they cannot. So the arcs on which they can are taken away, and components of what is left are looked for
 * (Emerson and Lei 1987), at most as many times over as there are processes.
 */
#ifndef CLEW_SWEEP_H
#define CLEW_SWEEP_H

#include "cou99.h"
#include "search_bfs.h"

#ifndef MODEL_PART_OF
#define MODEL_PART_OF(s) 1
#endif

enum { GROWTH = 4, FIRST_LOOK = 4096, PATIENCE_OF_SWEEP = 1 << 14 };

#if MODEL_MARK_BITS <= 8
typedef uint8_t kept_marks;
#elif MODEL_MARK_BITS <= 16
typedef uint16_t kept_marks;
#else
typedef marks_t kept_marks;
#endif

/* Arcs kept by a worker. `from`: of what waits in its sink, the part of the state it comes from. */
typedef struct {
    pile     to, marks;
    marks_t  seen;                      /* on some arc or other */
    uint32_t node;                      /* whose list is the last one */
    uint32_t part, since;               /* of the state that is expanded; what waits in the sink from there on is from it */
    uint16_t from[BATCH];
} stream;

typedef struct { uint32_t first, rank; } swept_node;                  /* where its list begins, 0: it has none; as in cou99 */
typedef struct { uint32_t node, at, end, owner; } swept_frame;        /* arcs left are at … end - 1 in a stream */
typedef struct { uint32_t root; marks_t entry, inside; } swept_component;

static struct {
    stream  *streams;
    pile     nodes, owner;              /* `owner`: in whose stream the list of a node is */
    pile     list, frames, components;  /* as in cou99; a node with rank r is at r - 1 in the list */
    uint32_t last, root;                /* the highest rank in use; the lowest in the component that was found */
    uint64_t looked;                    /* arcs there were when components were looked for last */
    uint32_t seed;
    int      is_loop, found;            /* an accepting run: around `seed`, or in the component it is in */
    marks_t  barred, inside;            /* arcs with these marks are taken away; marks of the component that was found */
    pile     unfair, parts;             /* nodes of components that are to be searched again, in parts */
} swept;

/* The last `count` nodes of `unfair`, to be searched without these arcs. */
typedef struct { uint32_t count; marks_t barred; } swept_part;

/* --- exploring --- */

static void sweep_found_loop(uint32_t node)
{
    if (__atomic_exchange_n(&swept.found, 1, __ATOMIC_SEQ_CST)) return;
    swept.is_loop = 1;
    swept.seed = node;
}

static inline swept_node *swept_at(uint32_t node) { return &ITEM(&swept.nodes, swept_node, node); }
static inline int sweep_is_over(void) { return search_stops() || __atomic_load_n(&swept.found, __ATOMIC_RELAXED); }

static inline void sweep_begin_list(stream *k, int number, uint32_t node)
{
    k->node = node;
    swept_at(node)->first = (uint32_t)k->to.count;
    if (!IS_ALONE(&search.st)) ITEM(&swept.owner, uint8_t, node) = (uint8_t)number;
    PUSH(&k->to, uint32_t, 0);
}

/* Keeps the arcs to the states that were just stored. */
static void sweep_keep(sink *c, stream *k, uint32_t count)
{
    if (unlikely(!arena_has(&k->to.a, (k->to.count + 2 * BATCH) * 4) || k->to.count > UINT32_MAX - 2 * BATCH)) {
        store_fill(&search.st, FULL_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!k->from[i] || MODEL_PART_OF(&c->batch[i]) != k->from[i]) continue;
        uint32_t node = c->parents[i];
        marks_t marks = (marks_t)c->marks[i] | product.padding;
#ifndef MODEL_STRONG_SHIFT              /* there more marks may come, and spoil it */
        if (c->stored[i] == node && marks == product.all) sweep_found_loop(node);
#endif
        k->seen |= marks;
        if (k->node != node) sweep_begin_list(k, c->number, node);
        ITEM(&k->marks, kept_marks, k->to.count) = (kept_marks)marks;
        ITEM(&k->to, uint32_t, swept_at(node)->first)++;
        PUSH(&k->to, uint32_t, c->stored[i]);
    }
    k->marks.count = k->to.count;
}

static inline void sweep_label(sink *c, stream *k)
{
    for (uint32_t i = k->since; i < c->count; i++) k->from[i] = (uint16_t)k->part;
}

static void sweep_drain(sink *c)
{
    stream *k = &swept.streams[c->number];
    uint32_t count = c->count;
    sweep_label(c, k);
    k->since = 0;
    bfs_insert(c);
    if (!store_full(&search.st)) sweep_keep(c, k, count);
}

/* All steps out of a state are known, hence which processes can move: some of its arcs may be kept already. */
static inline void sweep_fairness(sink *c, stream *k)
{
    uint64_t standing = graph_standing(c);
    if (!standing) return;
    for (uint32_t i = k->since; i < c->count; i++) c->marks[i] |= standing;
    if (likely(k->node != c->parent)) return;
    k->seen |= (marks_t)standing;
    for (size_t i = swept_at(c->parent)->first + 1; i < k->to.count; i++)
        ITEM(&k->marks, kept_marks, i) |= (kept_marks)standing;
}

static inline void sweep_expand(worker *w, uint32_t i)
{
    sink *c = &w->c;
    stream *k = &swept.streams[c->number];
    state s;
    store_get(&search.st, c, i, &s);
    c->parent = i;
    c->mark = c->movers = 0;
    k->since = c->count;
    k->part = (uint32_t)MODEL_PART_OF(&s);
    if (!explore(c, &s)) {
        c->mark = 0;
        model_ends(c, &s);
    }
    if (k->part) sweep_fairness(c, k);
    sweep_label(c, k);
}

/* --- components --- */

static inline uint32_t sweep_owner(uint32_t node) { return IS_ALONE(&search.st) ? 0 : ITEM(&swept.owner, uint8_t, node); }

static inline void sweep_visit(uint32_t node, marks_t marks)
{
    uint32_t owner = sweep_owner(node), at = swept_at(node)->first + 1;
    const uint32_t *to = &ITEM(&swept.streams[owner].to, uint32_t, at), end = at + to[-1];
    for (uint32_t i = 0; i < to[-1]; i++) __builtin_prefetch(swept_at(to[i]));
    PUSH(&swept.list, uint32_t, node);
    swept_at(node)->rank = ++swept.last;
    PUSH(&swept.components, swept_component, swept.last, marks, 0);
    PUSH(&swept.frames, swept_frame, node, at, end, owner);
}

/* The component on top of the stack, whose nodes are those with this rank or a higher one, has no fair run unless it stays
 * in a part of it. */
static inline void sweep_put_off(uint32_t rank)
{
#ifdef MODEL_STRONG_SHIFT
    marks_t inside = TOP(&swept.components, swept_component).inside, waiting = graph_waiting(inside);
    if (!waiting || (inside & product.all) != product.all) return;
    PUSH(&swept.parts, swept_part, swept.last - rank + 1, swept.barred | waiting);
    for (uint32_t r = rank; r <= swept.last; r++) PUSH(&swept.unfair, uint32_t, ITEM(&swept.list, uint32_t, r - 1));
#else
    (void)rank;
#endif
}

static inline void sweep_leave(graph *g)
{
    graph_stacked(g, swept.frames.count + swept.list.count);
    uint32_t rank = swept_at(TOP(&swept.frames, swept_frame).node)->rank;
    swept.frames.count--;
    if (rank != TOP(&swept.components, swept_component).root) return;
    sweep_put_off(rank);
    while (swept.last >= rank) {
        swept_at(ITEM(&swept.list, uint32_t, --swept.last))->rank = SHUT;
        swept.list.count--;
    }
    swept.components.count--;
}

/* Merges components down to the one that has this rank; whether an accepting run is in it. */
static inline int sweep_merge(uint32_t rank, marks_t marks)
{
    swept_component *top = &TOP(&swept.components, swept_component);
    for (; rank < top->root; top--) {
        marks |= top->inside | top->entry;
        swept.components.count--;
    }
    top->inside |= marks;
    return graph_accepts(top->inside);
}

static void sweep_from(graph *g, uint32_t root)
{
    sweep_visit(root, 0);
    while (swept.frames.count) {
        swept_frame *f = &TOP(&swept.frames, swept_frame);
        if (f->at == f->end) {
            sweep_leave(g);
            continue;
        }
        const stream *k = &swept.streams[f->owner];
        uint32_t to = ITEM(&k->to, uint32_t, f->at), rank = swept_at(to)->rank;
        marks_t marks = ITEM(&k->marks, kept_marks, f->at++);
#ifdef MODEL_STRONG_SHIFT
        if (marks & swept.barred) continue;
#endif
        if (rank == 0) {
            if (swept_at(to)->first) sweep_visit(to, marks);
        } else if (rank != SHUT && sweep_merge(rank, marks)) {
            swept.root = TOP(&swept.components, swept_component).root;
            swept.inside = TOP(&swept.components, swept_component).inside;
            swept.seed = to;
            swept.found = 1;
            return;
        }
    }
}

#ifdef MODEL_STRONG_SHIFT
/* Searches the component that was put off last, without the arcs that spoil it; what is put off meanwhile takes its place. */
static void sweep_refine(graph *g)
{
    swept_part part = TOP(&swept.parts, swept_part);
    size_t first = swept.unfair.count - part.count, last = swept.unfair.count;
    swept.parts.count--;
    swept.barred = part.barred;
    for (size_t i = first; i < last; i++) swept_at(ITEM(&swept.unfair, uint32_t, i))->rank = 0;
    for (size_t i = first; i < last && !swept.found; i++) {
        uint32_t node = ITEM(&swept.unfair, uint32_t, i);
        if (i % 64 == 0) graph_watch(g);
        if (search_stops()) return;
        if (!swept_at(node)->rank) sweep_from(g, node);
    }
    size_t more = swept.unfair.count - last;
    memmove(&ITEM(&swept.unfair, uint32_t, first), &ITEM(&swept.unfair, uint32_t, last), more * sizeof(uint32_t));
    swept.unfair.count = first + more;
}
#endif

/* In a meeting: looks for components among all arcs that are kept. */
static void sweep_look(graph *g)
{
    for (uint32_t i = 0; i < search.st.used; i++)
        if (swept_at(i)->first) swept_at(i)->rank = 0;
    swept.last = 0;
    for (uint32_t i = 0; i < search.st.used && !swept.found; i++)
        if (swept_at(i)->first && !swept_at(i)->rank) {
            if (i % 64 == 0) graph_watch(g);
            if (search_stops()) return;
            sweep_from(g, i);
        }
#ifdef MODEL_STRONG_SHIFT
    while (swept.parts.count && !swept.found && !search_stops()) sweep_refine(g);
    if (!swept.found) swept.barred = 0, swept.parts.count = swept.unfair.count = 0;
#endif
}

/* --- the whole --- */

static uint64_t sweep_arcs(void)
{
    uint64_t arcs = 0;
    for (int n = 0; n < search.count; n++) arcs += swept.streams[n].to.count - 1;
    return arcs;
}

/* Whether each condition is met somewhere: without that there is nothing to look for. */
static int sweep_may_find(void)
{
    marks_t seen = 0;
    for (int n = 0; n < search.count; n++) seen |= swept.streams[n].seen;
    return (seen & product.all) == product.all;
}

static void sweep_business(int number, int over)
{
    store_business(&search.st, number);
    if (!over) return;
    bfs_next_level();
    uint64_t arcs = sweep_arcs();
    if (!sweep_is_over() && arcs && (!level.left || arcs > GROWTH * swept.looked)) {
        if (sweep_may_find()) sweep_look(&product.views[0]);
        swept.looked = arcs;
    }
    team.finished = !level.left || sweep_is_over();
}

static void sweep_work(int number)
{
    worker *w = &search.workers[number];
    while (team_joins(number)) {
        uint32_t n;
        while (!sweep_is_over() && (n = __atomic_fetch_add(&level.taken, 1, __ATOMIC_RELAXED)) < level.count) {
            range piece = level.pieces[n];
            for (uint32_t i = piece.from; i < piece.to; i++) {
                sweep_expand(w, i);
                if (unlikely(w->seen++ % 1024 == 0)) {
                    graph_watch(&product.views[number]);
                    if (sweep_is_over()) break;
                }
            }
        }
        if (!search_stops()) w->c.drain(&w->c);
        while (!meet(number, 1)) {}
    }
}

static int sweep_open(void)
{
    memset(&swept, 0, sizeof swept);
    swept.looked = FIRST_LOOK / GROWTH;
    swept.streams = calloc((size_t)search.count, sizeof *swept.streams);
    int ready = swept.streams && pile_open(&swept.nodes, sizeof(swept_node), 1) &&
                pile_open(&swept.owner, 1, 1) && pile_open(&swept.list, 4, 0) &&
                pile_open(&swept.frames, sizeof(swept_frame), 0) && pile_open(&swept.components, sizeof(swept_component), 0);
#ifdef MODEL_STRONG_SHIFT
    ready = ready && pile_open(&swept.unfair, 4, 0) && pile_open(&swept.parts, sizeof(swept_part), 0);
#endif
    for (int n = 0; ready && n < search.count; n++) {
        stream *k = &swept.streams[n];
        ready = pile_open(&k->to, 4, 0) && pile_open(&k->marks, sizeof(kept_marks), 0);
        k->node = NOBODY;
        k->to.count = 1;                /* lists begin at 1 or later */
        search.sinks[n]->drain = sweep_drain;
        search.sinks[n]->room = BATCH;
        search.sinks[n]->arrivals = 0;
    }
    return ready;
}

static int sweep_is_known(uint32_t node) { (void)node; return 1; }

static int sweep_is_inside(uint32_t node)
{
    if (swept.is_loop) return node == swept.seed;
    uint32_t rank = swept_at(node)->rank;
    return rank != SHUT && rank >= swept.root;
}

#ifdef MODEL_STRONG_SHIFT
/* That those move who can somewhere in the component. */
static marks_t sweep_fair_marks(marks_t inside)
{
    return (marks_t)((uint64_t)inside >> MODEL_STRONG_SHIFT << MODEL_FAIR_SHIFT);
}
#endif

static void sweep_everything(void)
{
    memset(&level, 0, sizeof level);
    bfs_made(&search.workers[0], 0, store_count(&search.st));
    team_open(search.count, sweep_business);
    bfs_next_level();
    search.depth = 0;
    team.finished = 0;
    team_run(sweep_work);
    team.active = 1;
    free(level.pieces);
}

static verdict sweep(graph *g, int patience)
{
#if defined(MODEL_STRONG_SHIFT) || defined(MONITOR_ONLY_ENDS)   /* the end is met breadth-first as soon as in any other way */
    patience = 0;
#endif
    if (patience) {
        team.active = 1;
        couvreur.most = (uint32_t)patience;
        verdict found = cou99(g, 1);
        couvreur.most = 0;
        product.by = "cou99";
        if (found != UNDECIDED || search_stops()) return found;
        piles_close();
        product.is_open = NULL;
        g->stack = 0;
    }
    product.by = "sweep";
    if (!sweep_open()) return UNDECIDED;
    sweep_everything();
    g->states = store_count(&search.st);
    g->transitions = search_arrivals();
    for (int n = 0; n < search.count; n++) {
        search.sinks[n]->count = 0;
        search.sinks[n]->drain = batch_grow;
    }
    if (!swept.found) return search_stops() ? UNDECIDED : EMPTY;
    lasso_within(swept.seed, sweep_is_inside, sweep_is_known);
#ifdef MODEL_STRONG_SHIFT
    lasso_without(swept.barred, sweep_fair_marks(swept.inside));
#endif
    return NONEMPTY;
}

#endif
