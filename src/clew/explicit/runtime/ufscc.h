/* ufscc.h: components by any number of workers at once (Bloemen, Laarman and van de Pol, PPoPP 2016), with marks.
 *
 *   ufscc(g, 0)    all workers search depth-first, each in an order of its own, and share what they learn: nodes known to
 *                  be in one component are one set of a union-find structure
 *
 * A set knows which workers have it on their stacks, the marks of the arcs inside, and, as a cyclic list, which of its
 * nodes are not explored yet; any worker in the set explores them. When none are left, the component is complete and
 * dead. A set that gets all marks shows an accepting run. Everything is zero at first: a set of one node, itself.
 */
#ifndef CLEW_UFSCC_H
#define CLEW_UFSCC_H

#include "lasso.h"

enum { NODE_BUSY, NODE_LOCKED, NODE_DONE };
enum { SET_LIVE, SET_LOCKED, SET_DEAD };
enum { MOST_SHARERS = 64 };
enum claim { CLAIM_NEW, CLAIM_KNOWN, CLAIM_DEAD };

/* `above` and `next` are 1 + a number; 0 is the node itself. */
typedef struct { uint64_t workers; marks_t inside; uint32_t above, next; uint8_t rank, set, node, seen; } uf_node;
typedef struct { uint32_t node; marks_t entry; } uf_root;            /* marks of the arc into it */
typedef struct { uint32_t node, now, left; } uf_frame;                /* `now`: the node of its set that is explored */

static struct {
    pile     nodes;
    struct uf_stacks { pile frames, roots, arcs; uint64_t random; } *stacks;
    uint32_t seed;
    int      found, over;
} bloemen;

static inline uf_node *uf_at(uint32_t node) { return &ITEM(&bloemen.nodes, uf_node, node); }
static inline uint32_t uf_above(uint32_t i) { uint32_t a = __atomic_load_n(&uf_at(i)->above, __ATOMIC_SEQ_CST); return a ? a - 1 : i; }
static inline uint32_t uf_next(uint32_t i) { uint32_t n = __atomic_load_n(&uf_at(i)->next, __ATOMIC_SEQ_CST); return n ? n - 1 : i; }

static inline uint32_t uf_find(uint32_t i)
{
    for (;;) {
        uint32_t above = uf_above(i), over = uf_above(above);
        if (above == over) return above;
        __atomic_store_n(&uf_at(i)->above, over + 1, __ATOMIC_RELAXED);
        i = over;
    }
}

static int uf_same(uint32_t a, uint32_t b)
{
    for (;;) {
        uint32_t x = uf_find(a), y = uf_find(b);
        if (x == y) return 1;
        if (uf_above(x) == x) return 0;           /* both were roots at one time */
    }
}

/* A node of the list of the set that is not explored, or NOBODY if there is none: then the component is dead. */
static uint32_t uf_pick(uint32_t a)
{
    for (;;) {
        uint8_t status;
        while ((status = __atomic_load_n(&uf_at(a)->node, __ATOMIC_SEQ_CST)) == NODE_LOCKED) breathe();
        if (status == NODE_BUSY) return a;
        uint32_t b = uf_next(a);
        if (a == b) {
            uint8_t live = SET_LIVE;
            uint32_t root = uf_find(a);
            __atomic_compare_exchange_n(&uf_at(root)->set, &live, SET_DEAD, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            if (__atomic_load_n(&uf_at(root)->set, __ATOMIC_SEQ_CST) == SET_DEAD) return NOBODY;
            continue;
        }
        while ((status = __atomic_load_n(&uf_at(b)->node, __ATOMIC_SEQ_CST)) == NODE_LOCKED) breathe();
        if (status == NODE_BUSY) return b;
        uint32_t c = uf_next(b);
        __atomic_store_n(&uf_at(a)->next, c + 1, __ATOMIC_SEQ_CST);
        a = c;
    }
}

static void uf_done(uint32_t i)
{
    uint8_t *node = &uf_at(i)->node, busy = NODE_BUSY;
    while (__atomic_load_n(node, __ATOMIC_SEQ_CST) != NODE_DONE) {
        if (__atomic_compare_exchange_n(node, &busy, NODE_DONE, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
        busy = NODE_BUSY;
        breathe();
    }
}

static uint32_t uf_lock_list(uint32_t i)
{
    for (;;) {
        uint32_t at = uf_pick(i);
        uint8_t busy = NODE_BUSY;
        if (at == NOBODY) return NOBODY;
        if (__atomic_compare_exchange_n(&uf_at(at)->node, &busy, NODE_LOCKED, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return at;
    }
}

static void uf_unlock(uint8_t *lock, uint8_t to) { __atomic_store_n(lock, to, __ATOMIC_SEQ_CST); }

/* Of two roots the one with the larger number is put below the other: no two workers wait for each other. */
static int uf_lock_roots(uint32_t a, uint32_t b, uint32_t *upper, uint32_t *lower)
{
    for (;;) {
        uint32_t x = uf_find(a), y = uf_find(b);
        uint8_t live = SET_LIVE;
        if (x == y) return 0;
        *upper = x < y ? x : y;
        *lower = x < y ? y : x;
        if (!__atomic_compare_exchange_n(&uf_at(*lower)->set, &live, SET_LOCKED, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            breathe();
            continue;
        }
        if (uf_above(*lower) == *lower) return 1;
        uf_unlock(&uf_at(*lower)->set, SET_LIVE);
    }
}

/* Gives workers and marks to the set of a node, whatever its root is meanwhile; returns the marks it has. */
static marks_t uf_add(uint32_t i, uint64_t workers, marks_t marks)
{
    for (uint32_t root = uf_find(i);;) {
        if (workers) __atomic_fetch_or(&uf_at(root)->workers, workers, __ATOMIC_SEQ_CST);
        marks_t all = __atomic_or_fetch(&uf_at(root)->inside, marks, __ATOMIC_SEQ_CST);
        uint32_t now = uf_find(root);
        if (now == root) return all;
        root = now;
    }
}

static void uf_unite(uint32_t a, uint32_t b)
{
    uint32_t upper, lower;
    if (!uf_lock_roots(a, b, &upper, &lower)) return;
    uint32_t x = uf_lock_list(upper), y = uf_lock_list(lower);
    if (x == NOBODY || y == NOBODY) { fputs("clew: a component was closed too early\n", stderr); abort(); }
    uint32_t after_x = uf_next(x), after_y = uf_next(y);
    __atomic_store_n(&uf_at(x)->next, after_y + 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&uf_at(y)->next, after_x + 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&uf_at(lower)->above, upper + 1, __ATOMIC_SEQ_CST);
    uf_add(upper, __atomic_load_n(&uf_at(lower)->workers, __ATOMIC_SEQ_CST),
           __atomic_load_n(&uf_at(lower)->inside, __ATOMIC_SEQ_CST));
    uf_unlock(&uf_at(x)->node, NODE_BUSY);
    uf_unlock(&uf_at(y)->node, NODE_BUSY);
    uf_unlock(&uf_at(lower)->set, SET_LIVE);
}

static enum claim uf_claim(graph *g, uint32_t node)
{
    uint64_t me = (uint64_t)1 << g->c->number;
    uint32_t root = uf_find(node);
    if (__atomic_load_n(&uf_at(root)->set, __ATOMIC_SEQ_CST) == SET_DEAD) return CLAIM_DEAD;
    if (__atomic_load_n(&uf_at(root)->workers, __ATOMIC_SEQ_CST) & me) return CLAIM_KNOWN;
    uf_add(root, me, 0);
    if (!__atomic_exchange_n(&uf_at(node)->seen, 1, __ATOMIC_RELAXED)) g->states++;
    return CLAIM_NEW;
}

/* --- the search of a worker --- */

static inline int uf_is_over(void) { return __atomic_load_n(&bloemen.over, __ATOMIC_RELAXED) || search_stops(); }
static void uf_end(void) { __atomic_store_n(&bloemen.over, 1, __ATOMIC_SEQ_CST); }

static void uf_visit(graph *g, struct uf_stacks *k, uint32_t node, marks_t marks)
{
    PUSH(&k->roots, uf_root, node, marks);
    PUSH(&k->frames, uf_frame, node, NOBODY, 0);
    graph_stacked(g, k->frames.count);
}

/* Every worker takes arcs in an order of its own: as they come, backwards, or at random. */
static void uf_shuffle(graph *g, struct uf_stacks *k)
{
    if (g->c->number == 0) return;
    if (g->c->number == 1) {
        arc *a = &ITEM(&k->arcs, arc, k->arcs.count - g->count), *b = a + g->count;
        for (; a + 1 < b; a++) {
            arc t = *a;
            *a = *--b;
            *b = t;
        }
        return;
    }
    for (uint32_t i = g->count; i > 1; i--) {
        arc *a = &ITEM(&k->arcs, arc, k->arcs.count - i), *b = a + random_next(&k->random) % i, t = *a;
        *a = *b;
        *b = t;
    }
}

/* The node on top is explored: takes the next of its set, or leaves. What is left of a set that has frames further down
 * is left to the lowest of them, which is the root. */
static int uf_go_on(graph *g, struct uf_stacks *k)
{
    uf_frame *f = &TOP(&k->frames, uf_frame);
    int is_root = TOP(&k->roots, uf_root).node == f->node;
    if (f->now != NOBODY) uf_done(f->now);
    f->now = is_root || f->now == NOBODY ? uf_pick(f->node) : NOBODY;
    if (f->now == NOBODY) {
        if (is_root) k->roots.count--;
        k->frames.count--;
        return 1;
    }
    if (!graph_push(g, &k->arcs, f->now)) return 0;
    for (uint32_t n = 0; n < g->count; n++) __builtin_prefetch(uf_at(graph_arc(g, n).to));
    uf_shuffle(g, k);
    f->left = g->count;
    return 1;
}

/* An arc leads from the node on top to a set that is on the stack: all sets above it are one with it. */
static void uf_merge(struct uf_stacks *k, arc a)
{
    uint32_t node = TOP(&k->frames, uf_frame).node;
    marks_t marks = a.marks;
    while (!uf_same(a.to, node)) {
        uf_root r = TOP(&k->roots, uf_root);
        k->roots.count--;
        marks |= r.entry;
        uf_unite(r.node, TOP(&k->roots, uf_root).node);
    }
    marks_t known = __atomic_load_n(&uf_at(uf_find(node))->inside, __ATOMIC_SEQ_CST);
    if (known != product.all && (marks & ~known) == 0) return;   /* writing to what all share takes time */
    if (uf_add(node, 0, marks) == product.all && !__atomic_exchange_n(&bloemen.found, 1, __ATOMIC_SEQ_CST)) {
        bloemen.seed = node;
        uf_end();
    }
}

static void uf_search(graph *g, struct uf_stacks *k, uint32_t root)
{
    if (uf_claim(g, root) != CLAIM_NEW) return;
    uf_visit(g, k, root, 0);
    while (k->frames.count && !uf_is_over()) {
        uf_frame *f = &TOP(&k->frames, uf_frame);
        if (f->left == 0) {
            if (!uf_go_on(g, k)) return;
            continue;
        }
        if (unlikely(__atomic_load_n(&uf_at(f->now)->node, __ATOMIC_RELAXED) == NODE_DONE)) {   /* by another worker */
            k->arcs.count -= f->left;
            f->left = 0;
            continue;
        }
        f->left--;
        g->transitions++;
        arc a = ITEM(&k->arcs, arc, --k->arcs.count);
        switch (uf_claim(g, a.to)) {
        case CLAIM_NEW:   uf_visit(g, k, a.to, a.marks); break;
        case CLAIM_KNOWN: uf_merge(k, a); break;
        case CLAIM_DEAD:  break;
        }
    }
}

static void uf_work(int number)
{
    graph *g = &product.views[number];
    for (uint32_t i = 0; i < product.roots && !uf_is_over(); i++) uf_search(g, &bloemen.stacks[number], i);
    if (!search_stops()) uf_end();                /* who has been everywhere has seen everything dead */
    while (!meet(number, 1)) {}
}

static int uf_is_seen(uint32_t node) { return uf_at(node)->seen; }
static int uf_is_inside(uint32_t node) { return uf_at(node)->seen && uf_same(node, bloemen.seed); }

static verdict ufscc(graph *g, int variant)
{
    (void)g;
    (void)variant;
    bloemen.found = bloemen.over = 0;
    bloemen.stacks = calloc((size_t)search.count, sizeof *bloemen.stacks);
    int ready = bloemen.stacks && pile_open(&bloemen.nodes, sizeof(uf_node), 1);
    for (int n = 0; ready && n < search.count; n++) {
        struct uf_stacks *k = &bloemen.stacks[n];
        k->random = 88172645463325252u + (uint64_t)n;
        ready = pile_open(&k->frames, sizeof(uf_frame), 0) && pile_open(&k->roots, sizeof(uf_root), 0) &&
                pile_open(&k->arcs, sizeof(arc), 0);
    }
    if (!ready) return UNDECIDED;
    team_run(uf_work);
    team.active = 1;
    if (!bloemen.found) return search_stops() ? UNDECIDED : EMPTY;
    lasso_within(bloemen.seed, uf_is_inside, uf_is_seen);
    return NONEMPTY;
}

#endif
