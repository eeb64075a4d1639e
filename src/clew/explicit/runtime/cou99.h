/* cou99.h: the check of Couvreur (FM 1999): components are merged as they are found, with the marks inside them.
 *
 *   cou99(g, listed)    `listed`: nodes of open components that are explored are kept in a list, so that closing one does
 *                       not mean to go through it again
 *   couvreur.most       if it is not 0: the check is undecided after so many nodes
 *
 * Every arc is taken once (twice without the list). Ranks number nodes in the order of their visit; 0 is for those not
 * visited, SHUT for those of closed components. The list is one stack: components own consecutive parts of it.
 */
#ifndef CLEW_COU99_H
#define CLEW_COU99_H

#include "lasso.h"

enum { SHUT = UINT32_MAX };

/* `entry` are the marks of the arc that leads from the component below into this one, `inside` those of arcs in it. */
typedef struct { uint32_t root, listed; marks_t entry, inside; } component;

static struct { pile rank, frames, arcs, components, list; uint32_t last, most; } couvreur;

static int cou99_is_open(uint32_t node)
{
    uint32_t rank = ITEM(&couvreur.rank, uint32_t, node);
    return rank != 0 && rank != SHUT;
}

static int cou99_is_inside(uint32_t node)
{
    return cou99_is_open(node) && ITEM(&couvreur.rank, uint32_t, node) >= TOP(&couvreur.components, component).root;
}

static int cou99_open(void)
{
    couvreur.last = 0;
    return pile_open(&couvreur.rank, 4, 1) && pile_open(&couvreur.frames, sizeof(frame), 0) &&
           pile_open(&couvreur.arcs, sizeof(arc), 0) && pile_open(&couvreur.components, sizeof(component), 0) &&
           pile_open(&couvreur.list, 4, 0);
}

/* Numbers a node and opens a component for it. */
static inline void cou99_number(graph *g, uint32_t node, marks_t marks)
{
    ITEM(&couvreur.rank, uint32_t, node) = ++couvreur.last;
    PUSH(&couvreur.components, component, couvreur.last, (uint32_t)couvreur.list.count, marks, 0);
    g->states++;
}

static inline int cou99_visit(graph *g, uint32_t node, marks_t marks)
{
    if (unlikely(couvreur.most && g->states == couvreur.most)) return 0;
    cou99_number(g, node, marks);
    if (unlikely(!graph_push(g, &couvreur.arcs, node))) return 0;
    for (uint32_t k = 0; k < g->count; k++) __builtin_prefetch(&ITEM(&couvreur.rank, uint32_t, graph_arc(g, k).to));
    PUSH(&couvreur.frames, frame, node, g->count);
    graph_stacked(g, couvreur.frames.count + couvreur.list.count);
    return 1;
}

/* Merges components down to the one that has this rank, since an arc with these marks closes a cycle. */
static inline int cou99_merge(uint32_t rank, marks_t marks)
{
    component *top = &TOP(&couvreur.components, component);
    for (; rank < top->root; top--) {
        marks |= top->inside | top->entry;
        couvreur.components.count--;
    }
    top->inside |= marks;
    return top->inside == product.all;
}

/* Shuts the component whose first node is `root` by going through it again. */
static int cou99_sweep(graph *g, uint32_t root)
{
    size_t bottom = couvreur.list.count;
    ITEM(&couvreur.rank, uint32_t, root) = SHUT;
    PUSH(&couvreur.list, uint32_t, root);
    while (couvreur.list.count > bottom) {
        if (!graph_expand(g, ITEM(&couvreur.list, uint32_t, --couvreur.list.count))) return 0;
        g->transitions += g->count;
        for (uint32_t k = 0; k < g->count; k++) {
            uint32_t to = graph_arc(g, k).to, *rank = &ITEM(&couvreur.rank, uint32_t, to);
            if (*rank == SHUT) continue;
            *rank = SHUT;
            PUSH(&couvreur.list, uint32_t, to);
        }
    }
    return 1;
}

/* Shuts the component on top, all of whose nodes are in the list. */
static inline void cou99_shut(void)
{
    for (size_t to = TOP(&couvreur.components, component).listed; couvreur.list.count > to;)
        ITEM(&couvreur.rank, uint32_t, ITEM(&couvreur.list, uint32_t, --couvreur.list.count)) = SHUT;
}

static inline int cou99_leave(graph *g, int listed)
{
    uint32_t node = TOP(&couvreur.frames, frame).node;
    couvreur.frames.count--;
    if (listed) PUSH(&couvreur.list, uint32_t, node);
    if (ITEM(&couvreur.rank, uint32_t, node) != TOP(&couvreur.components, component).root) return 1;
    if (listed) cou99_shut();
    else if (!cou99_sweep(g, node)) return 0;
    couvreur.components.count--;
    return 1;
}

static verdict cou99_from(graph *g, uint32_t root, int listed)
{
    if (!cou99_visit(g, root, 0)) return UNDECIDED;
    while (couvreur.frames.count) {
        frame *f = &TOP(&couvreur.frames, frame);
        if (f->left == 0) {
            if (!cou99_leave(g, listed)) return UNDECIDED;
            continue;
        }
        f->left--;
        g->transitions++;
        arc a = ITEM(&couvreur.arcs, arc, --couvreur.arcs.count);
        uint32_t rank = ITEM(&couvreur.rank, uint32_t, a.to);
        if (rank == 0) {
            if (unlikely(!cou99_visit(g, a.to, a.marks))) return UNDECIDED;
        } else if (rank != SHUT && cou99_merge(rank, a.marks)) {
            lasso_within(a.to, cou99_is_inside, cou99_is_open);
            return NONEMPTY;
        }
    }
    return EMPTY;
}

static verdict cou99(graph *g, int listed)
{
    if (!cou99_open()) return UNDECIDED;
    product.is_open = listed ? cou99_is_open : NULL;
    verdict found = EMPTY;
    for (uint32_t i = 0; i < product.roots && found == EMPTY; i++)
        if (!ITEM(&couvreur.rank, uint32_t, i)) found = cou99_from(g, i, listed);
    return found;
}

#endif
