/* shy.h: the check of Couvreur where successors that were visited before are looked at first, so that components merge
 * as much as they can before a new node is visited.
 *
 *   shy(g, grouped)    `grouped`: over the pending successors of the whole component on top, not of its last node only
 *
 * A frame owns the pending arcs from its `first` up to those of the next frame; frames that are grouped become one. The last
 * pending arc is taken. Before that they are looked through again, since more nodes may be known; on large components that
 * would take more time than the search, so it is left out when it has cost several times as much as all expansions.
 */
#ifndef CLEW_SHY_H
#define CLEW_SHY_H

#include "cou99.h"

typedef struct { uint32_t node, rank; size_t first; } shy_frame;

enum { SHY_PATIENCE = 16 };

static struct { pile frames; uint64_t looked; } shyness;

static inline size_t *shy_end(void) { return &couvreur.arcs.count; }

static int shy_visit(graph *g, uint32_t node, marks_t marks)
{
    cou99_number(g, node, marks);
    size_t first = couvreur.arcs.count;
    if (!graph_expand(g, node)) return 0;
    if (!arena_has(&couvreur.arcs.a, (first + g->count + 1) * sizeof(arc))) {
        store_fill(&search.st, FULL_MEMORY);
        return 0;
    }
    for (uint32_t k = 0; k < g->count; k++) ITEM(&couvreur.arcs, arc, first + k) = graph_arc(g, k);
    couvreur.arcs.count += g->count;
    g->transitions += g->count;
    PUSH(&shyness.frames, shy_frame, node, couvreur.last, first);
    graph_stacked(g, shyness.frames.count + couvreur.list.count + couvreur.arcs.count);
    return 1;
}

/* Makes one frame of those that belong to the component on top. Their arcs are next to each other. */
static void shy_group(void)
{
    uint32_t root = TOP(&couvreur.components, component).root;
    for (; root < TOP(&shyness.frames, shy_frame).rank; shyness.frames.count--)
        PUSH(&couvreur.list, uint32_t, TOP(&shyness.frames, shy_frame).node);
}

static verdict shy_found(uint32_t node)
{
    lasso_within(node, cou99_is_inside, cou99_is_open);
    return NONEMPTY;
}

/* Removes from the frame on top all arcs to nodes that were visited, and merges components. UNDECIDED: it is another
 * frame now. */
static verdict shy_look(int grouped)
{
    shy_frame *f = &TOP(&shyness.frames, shy_frame);
    size_t keep = f->first, i = f->first;
    shyness.looked += *shy_end() - i;
    while (i < *shy_end()) {
        arc a = ITEM(&couvreur.arcs, arc, i++);
        uint32_t rank = ITEM(&couvreur.rank, uint32_t, a.to);
        if (rank == 0) {
            ITEM(&couvreur.arcs, arc, keep++) = a;
            continue;
        }
        if (rank == SHUT) continue;
        if (cou99_merge(rank, a.marks)) return shy_found(a.to);
        if (grouped && TOP(&couvreur.components, component).root < f->rank) {
            size_t left = *shy_end() - i;
            memmove(&ITEM(&couvreur.arcs, arc, keep), &ITEM(&couvreur.arcs, arc, i), left * sizeof(arc));
            *shy_end() = keep + left;
            shy_group();
            return UNDECIDED;
        }
    }
    *shy_end() = keep;
    return EMPTY;
}

static void shy_leave(void)
{
    shy_frame f = TOP(&shyness.frames, shy_frame);
    shyness.frames.count--;
    PUSH(&couvreur.list, uint32_t, f.node);
    if (f.rank != TOP(&couvreur.components, component).root) return;
    cou99_shut();
    couvreur.components.count--;
}

/* Takes the last pending arc. */
static verdict shy_take(graph *g, int grouped)
{
    arc a = ITEM(&couvreur.arcs, arc, --*shy_end());
    uint32_t rank = ITEM(&couvreur.rank, uint32_t, a.to);
    if (rank == 0) return shy_visit(g, a.to, a.marks) ? EMPTY : UNDECIDED;
    if (rank == SHUT) return EMPTY;
    if (cou99_merge(rank, a.marks)) return shy_found(a.to);
    if (grouped) shy_group();
    return EMPTY;
}

static verdict shy_from(graph *g, uint32_t root, int grouped)
{
    if (!shy_visit(g, root, 0)) return UNDECIDED;
    while (shyness.frames.count) {
        const shy_frame *f = &TOP(&shyness.frames, shy_frame);
        int is_new = f->rank == couvreur.last;
        if (is_new || shyness.looked + *shy_end() - f->first <= SHY_PATIENCE * g->transitions) {
            verdict seen = shy_look(grouped);
            if (seen == NONEMPTY) return NONEMPTY;
            if (seen == UNDECIDED) continue;
        }
        if (TOP(&shyness.frames, shy_frame).first == *shy_end()) {
            shy_leave();
            continue;
        }
        verdict found = shy_take(g, grouped);
        if (found != EMPTY) return found;
    }
    return EMPTY;
}

static verdict shy(graph *g, int grouped)
{
    shyness.looked = 0;
    if (!cou99_open() || !pile_open(&shyness.frames, sizeof(shy_frame), 0)) return UNDECIDED;
    verdict found = EMPTY;
    for (uint32_t i = 0; i < product.roots && found == EMPTY; i++)
        if (!ITEM(&couvreur.rank, uint32_t, i)) found = shy_from(g, i, grouped);
    return found;
}

#endif
