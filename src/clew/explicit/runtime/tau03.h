/* tau03.h: nested depth-first searches for any number of acceptance conditions.
 *
 *   tau03(g, 0)        Tauriainen (2003): when all successors of a node are explored, the marks that are known to lead to
 *                      it are passed on along its arcs; a node that gets all marks is on an accepting cycle. Needs at
 *                      least one condition
 *   tau03_opt(g, 0)    Couvreur, Duret-Lutz and Poitrenaud (SPIN 2005): marks are passed on arc by arc, and those on the
 *                      path of the first (blue) search are known, so that many cycles are seen at once
 *
 * Red searches pass on the same marks everywhere, and go only where some of them are new.
 */
#ifndef CLEW_TAU03_H
#define CLEW_TAU03_H

#include "lasso.h"

enum { FINISHED = UINT32_MAX };

typedef struct { uint32_t node, count, left; int passing; } tau_frame;
typedef struct { uint32_t node, left; marks_t marks; } opt_frame;

/* `place` is 0 for nodes not visited, FINISHED, or where the node is on the blue path, counted from 1. For each condition
 * `met` has the places that are entered by arcs which meet it. */
static struct { pile place, known, blue, red, arcs, met[64]; } tauriainen;

static inline uint32_t *tau_place(uint32_t node) { return &ITEM(&tauriainen.place, uint32_t, node); }
static inline marks_t *tau_known(uint32_t node) { return &ITEM(&tauriainen.known, marks_t, node); }
static int tau_is_visited(uint32_t node) { return *tau_place(node) != 0; }

static int tau_open(size_t frame_size)
{
    return pile_open(&tauriainen.place, 4, 1) && pile_open(&tauriainen.known, sizeof(marks_t), 1) &&
           pile_open(&tauriainen.blue, frame_size, 0) && pile_open(&tauriainen.red, sizeof(frame), 0) &&
           pile_open(&tauriainen.arcs, sizeof(arc), 0);
}

static inline int tau_push(graph *g, uint32_t node)
{
    if (unlikely(!graph_push(g, &tauriainen.arcs, node))) return 0;
    for (uint32_t k = 0; k < g->count; k++) __builtin_prefetch(tau_place(graph_arc(g, k).to));
    return 1;
}

/* Whether an arc from a node with marks `at` to one on the blue path closes an accepting cycle. */
static inline int tau_closes(marks_t at, uint32_t to)
{
    marks_t missing = product.all & ~(at | *tau_known(to));
    uint32_t place = *tau_place(to);
    if (place == FINISHED) return 0;
    for (; missing; missing &= missing - 1) {
        const pile *met = &tauriainen.met[__builtin_ctzll(missing)];
        if (met->count == 0 || TOP(met, uint32_t) <= place) return 0;
    }
    return 1;
}

/* Passes marks on from a node that has got them. `closing`: stops when that closes a cycle. */
static verdict tau_red(graph *g, uint32_t from, marks_t marks, int closing)
{
    *tau_known(from) |= marks;
    for (uint32_t node = from;;) {
        if (node != NOBODY) {
            if (unlikely(!tau_push(g, node))) return UNDECIDED;
            PUSH(&tauriainen.red, frame, node, g->count);
            graph_stacked(g, tauriainen.blue.count + tauriainen.red.count);
            node = NOBODY;
        }
        if (!tauriainen.red.count) return EMPTY;
        frame *f = &TOP(&tauriainen.red, frame);
        if (f->left == 0) {
            tauriainen.red.count--;
            continue;
        }
        f->left--;
        g->transitions++;
        uint32_t to = ITEM(&tauriainen.arcs, arc, --tauriainen.arcs.count).to;
        if (!tau_is_visited(to)) continue;
        if (closing && tau_closes(*tau_known(f->node), to)) return NONEMPTY;
        if ((marks & ~*tau_known(to)) == 0) continue;
        *tau_known(to) |= marks;
        node = to;
    }
}

/* --- Tau03 --- */

static int tau03_visit(graph *g, uint32_t node)
{
    *tau_place(node) = FINISHED;
    g->states++;
    if (unlikely(!tau_push(g, node))) return 0;
    PUSH(&tauriainen.blue, tau_frame, node, g->count, g->count, 0);
    graph_stacked(g, tauriainen.blue.count);
    return 1;
}

static verdict tau03_from(graph *g, uint32_t root)
{
    if (!tau03_visit(g, root)) return UNDECIDED;
    while (tauriainen.blue.count) {
        tau_frame *f = &TOP(&tauriainen.blue, tau_frame);
        if (f->left == 0) {
            if (!f->passing) {
                f->passing = 1;
                f->left = f->count;
                continue;
            }
            if (*tau_known(f->node) == product.all) {
                lasso_through(f->node, tau_is_visited);
                return NONEMPTY;
            }
            tauriainen.arcs.count -= f->count;
            tauriainen.blue.count--;
            continue;
        }
        arc a = ITEM(&tauriainen.arcs, arc, tauriainen.arcs.count - f->count + --f->left);
        g->transitions++;
        if (!f->passing) {
            if (!tau_is_visited(a.to) && !tau03_visit(g, a.to)) return UNDECIDED;
            continue;
        }
        marks_t marks = a.marks | *tau_known(f->node);
        if (marks & ~*tau_known(a.to)) {
            verdict done = tau_red(g, a.to, marks, 0);
            if (done != EMPTY) return done;
        }
    }
    return EMPTY;
}

static verdict tau03(graph *g, int variant)
{
    (void)variant;
    if (!tau_open(sizeof(tau_frame))) return UNDECIDED;
    verdict found = EMPTY;
    for (uint32_t i = 0; i < product.roots && found == EMPTY; i++)
        if (!tau_is_visited(i)) found = tau03_from(g, i);
    return found;
}

/* --- Tau03 opt --- */

static int opt_visit(graph *g, uint32_t node, marks_t marks)
{
    uint32_t place = (uint32_t)tauriainen.blue.count + 1;
    *tau_place(node) = place;
    g->states++;
    if (unlikely(!tau_push(g, node))) return 0;
    PUSH(&tauriainen.blue, opt_frame, node, g->count, marks);
    for (; marks; marks &= marks - 1) PUSH(&tauriainen.met[__builtin_ctzll(marks)], uint32_t, place);
    graph_stacked(g, place);
    return 1;
}

static void opt_leave(void)
{
    opt_frame f = TOP(&tauriainen.blue, opt_frame);
    for (marks_t marks = f.marks; marks; marks &= marks - 1) tauriainen.met[__builtin_ctzll(marks)].count--;
    *tau_place(f.node) = FINISHED;
    tauriainen.blue.count--;
}

/* Passes marks on along an arc of the node on top. */
static inline verdict opt_pass(graph *g, arc a)
{
    uint32_t node = TOP(&tauriainen.blue, opt_frame).node;
    marks_t marks = *tau_known(node) | a.marks;
    verdict found = EMPTY;
    if (tau_closes(marks, a.to)) found = NONEMPTY;
    else if (marks & ~*tau_known(a.to)) found = tau_red(g, a.to, marks, 1);
    if (found == NONEMPTY) {                      /* the node that closes the cycle counts as stacked */
        graph_stacked(g, tauriainen.blue.count + tauriainen.red.count + 1);
        lasso_through(node, tau_is_visited);
    }
    return found;
}

static verdict opt_from(graph *g, uint32_t root)
{
    if (!opt_visit(g, root, 0)) return UNDECIDED;
    while (tauriainen.blue.count) {
        opt_frame *f = &TOP(&tauriainen.blue, opt_frame);
        arc a;
        if (f->left) {
            f->left--;
            g->transitions++;
            a = ITEM(&tauriainen.arcs, arc, --tauriainen.arcs.count);
            if (!tau_is_visited(a.to)) {
                if (unlikely(!opt_visit(g, a.to, a.marks))) return UNDECIDED;
                continue;
            }
        } else {
            a = (arc){f->node, f->marks};
            opt_leave();
            if (!tauriainen.blue.count) break;
        }
        verdict found = opt_pass(g, a);
        if (found != EMPTY) return found;
    }
    return EMPTY;
}

static verdict tau03_opt(graph *g, int variant)
{
    (void)variant;
    int ready = tau_open(sizeof(opt_frame));
    for (uint32_t f = 0; ready && f < product.conditions; f++) ready = pile_open(&tauriainen.met[f], 4, 0);
    verdict found = ready ? EMPTY : UNDECIDED;
    for (uint32_t i = 0; i < product.roots && found == EMPTY; i++)
        if (!tau_is_visited(i)) found = opt_from(g, i);
    return found;
}

#endif
