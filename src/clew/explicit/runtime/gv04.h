/* gv04.h: the check of Geldenhuys and Valmari (TACAS 2004): Tarjan's search, which stops as soon as an arc closes a cycle
 * around a marked one. For a single acceptance condition.
 *
 *   gv04(g, 0)
 *
 * All nodes of open components are on one stack. Each knows the lowest place it is known to lead to, and the place of the
 * source of the last marked arc on the path to it; a node that leads to that place or below closes an accepting cycle.
 */
#ifndef CLEW_GV04_H
#define CLEW_GV04_H

#include "cou99.h"

/* Places count from 1; 0 is none. */
typedef struct { uint32_t node, left, low, marked, before; } gv04_frame;

static struct { pile place, stack, arcs; uint32_t here, lowest; } tarjan;

static inline gv04_frame *gv04_at(uint32_t place) { return &ITEM(&tarjan.stack, gv04_frame, place - 1); }

static int gv04_is_open(uint32_t node)
{
    uint32_t place = ITEM(&tarjan.place, uint32_t, node);
    return place != 0 && place != SHUT;
}

static int gv04_is_inside(uint32_t node) { return gv04_is_open(node) && ITEM(&tarjan.place, uint32_t, node) >= tarjan.lowest; }

static int gv04_visit(graph *g, uint32_t node, int marked)
{
    uint32_t place = (uint32_t)tarjan.stack.count + 1;
    ITEM(&tarjan.place, uint32_t, node) = place;
    g->states++;
    if (unlikely(!graph_push(g, &tarjan.arcs, node))) return 0;
    for (uint32_t k = 0; k < g->count; k++) __builtin_prefetch(&ITEM(&tarjan.place, uint32_t, graph_arc(g, k).to));
    uint32_t last = marked ? tarjan.here : tarjan.here ? gv04_at(tarjan.here)->marked : 0;
    PUSH(&tarjan.stack, gv04_frame, node, g->count, place, last, tarjan.here);
    tarjan.here = place;
    graph_stacked(g, place);
    return 1;
}

/* The node visited now leads to what a node with this `low` leads to; returns whether that closes an accepting cycle. */
static inline int gv04_leads(uint32_t low)
{
    gv04_frame *f = gv04_at(tarjan.here);
    if (low < f->low) f->low = low;
    return f->low <= f->marked;
}

static int gv04_leave(void)
{
    uint32_t place = tarjan.here, low = gv04_at(place)->low;
    tarjan.here = gv04_at(place)->before;
    if (low == place) {
        while (tarjan.stack.count >= place)
            ITEM(&tarjan.place, uint32_t, ITEM(&tarjan.stack, gv04_frame, --tarjan.stack.count).node) = SHUT;
        return 0;
    }
    return gv04_leads(low);
}

/* All that is above the lowest place which a node above it leads to is one component. */
static verdict gv04_found(void)
{
    gv04_frame *f = gv04_at(tarjan.here);
    tarjan.lowest = f->low;
    for (uint32_t place = (uint32_t)tarjan.stack.count; place >= tarjan.lowest; place--)
        if (gv04_at(place)->low < tarjan.lowest) tarjan.lowest = gv04_at(place)->low;
    lasso_within(f->node, gv04_is_inside, gv04_is_open);
    return NONEMPTY;
}

static verdict gv04_from(graph *g, uint32_t root)
{
    tarjan.here = 0;
    if (!gv04_visit(g, root, 0)) return UNDECIDED;
    while (tarjan.here) {
        gv04_frame *f = gv04_at(tarjan.here);
        if (f->left == 0) {
            if (gv04_leave()) return gv04_found();
            continue;
        }
        f->left--;
        g->transitions++;
        arc a = ITEM(&tarjan.arcs, arc, --tarjan.arcs.count);
        uint32_t place = ITEM(&tarjan.place, uint32_t, a.to);
        if (place == 0) {
            if (unlikely(!gv04_visit(g, a.to, a.marks != 0))) return UNDECIDED;
        } else if (place != SHUT) {
            if (a.marks) f->marked = tarjan.here;
            if (gv04_leads(gv04_at(place)->low)) return gv04_found();
        }
    }
    return EMPTY;
}

static verdict gv04(graph *g, int variant)
{
    (void)variant;
    if (!pile_open(&tarjan.place, 4, 1) || !pile_open(&tarjan.stack, sizeof(gv04_frame), 0) ||
        !pile_open(&tarjan.arcs, sizeof(arc), 0)) return UNDECIDED;
    verdict found = EMPTY;
    for (uint32_t i = 0; i < product.roots && found == EMPTY; i++)
        if (!ITEM(&tarjan.place, uint32_t, i * product.levels)) found = gv04_from(g, i * product.levels);
    return found;
}

#endif
