/* ndfs.h: two nested depth-first searches, for a single acceptance condition: when a marked arc has been explored, a
 * second (red) search looks for a way back from it.
 *
 *   cvwy90(g, 0)    Courcoubetis, Vardi, Wolper and Yannakakis (CAV 1990): a way back to the source of the arc
 *   se05(g, 0)      Schwoon and Esparza (TACAS 2005): a way back to the path of the first (blue) search, whose nodes are
 *                   cyan; and the blue search itself stops when it closes a cycle around a marked arc
 *
 * A node is red at most once: both searches together take every arc at most twice.
 */
#ifndef CLEW_NDFS_H
#define CLEW_NDFS_H

#include "lasso.h"

enum colour { WHITE, CYAN, BLUE, RED };
typedef struct { uint32_t node, left; marks_t marks; } blue_frame;   /* marks of the arc into the node */

static struct { pile colours, blue, red, arcs; } nested;

static inline uint8_t *ndfs_colour(uint32_t node) { return &ITEM(&nested.colours, uint8_t, node); }
static int ndfs_is_visited(uint32_t node) { return *ndfs_colour(node) != WHITE; }

static int ndfs_open(void)
{
    return pile_open(&nested.colours, 1, 1) && pile_open(&nested.blue, sizeof(blue_frame), 0) &&
           pile_open(&nested.red, sizeof(frame), 0) && pile_open(&nested.arcs, sizeof(arc), 0);
}

static inline int ndfs_push(graph *g, uint32_t node)
{
    if (unlikely(!graph_push(g, &nested.arcs, node))) return 0;
    for (uint32_t k = 0; k < g->count; k++) __builtin_prefetch(ndfs_colour(graph_arc(g, k).to));
    return 1;
}

static int ndfs_push_blue(graph *g, uint32_t node, marks_t marks)
{
    *ndfs_colour(node) = CYAN;
    g->states++;
    if (unlikely(!ndfs_push(g, node))) return 0;
    PUSH(&nested.blue, blue_frame, node, g->count, marks);
    graph_stacked(g, nested.blue.count);
    return 1;
}

static int ndfs_push_red(graph *g, uint32_t node)
{
    if (unlikely(!ndfs_push(g, node))) return 0;
    PUSH(&nested.red, frame, node, g->count);
    graph_stacked(g, nested.blue.count + nested.red.count);
    return 1;
}

/* The node that closes the cycle counts as stacked. */
static verdict ndfs_found(graph *g)
{
    graph_stacked(g, nested.blue.count + nested.red.count + 1);
    lasso_through(TOP(&nested.blue, blue_frame).node, ndfs_is_visited);
    return NONEMPTY;
}

/* The red search from a node: for `target`, or, if that is NOBODY, for any cyan node. */
static verdict ndfs_red(graph *g, uint32_t from, uint32_t target)
{
    if (from == target) return ndfs_found(g);
    *ndfs_colour(from) = RED;
    if (!ndfs_push_red(g, from)) return UNDECIDED;
    while (nested.red.count) {
        frame *f = &TOP(&nested.red, frame);
        if (f->left == 0) {
            nested.red.count--;
            continue;
        }
        f->left--;
        g->transitions++;
        uint32_t to = ITEM(&nested.arcs, arc, --nested.arcs.count).to;
        uint8_t *colour = ndfs_colour(to);
        if (target == NOBODY ? *colour == CYAN : to == target) return ndfs_found(g);
        if (*colour == WHITE || *colour == RED) continue;
        *colour = RED;
        if (!ndfs_push_red(g, to)) return UNDECIDED;
    }
    return EMPTY;
}

/* CVWY90 does not tell cyan from blue. */
static verdict cvwy90_from(graph *g, uint32_t root)
{
    if (!ndfs_push_blue(g, root, 0)) return UNDECIDED;
    while (nested.blue.count) {
        blue_frame *f = &TOP(&nested.blue, blue_frame);
        arc a;
        if (f->left) {
            f->left--;
            g->transitions++;
            a = ITEM(&nested.arcs, arc, --nested.arcs.count);
            if (*ndfs_colour(a.to) == WHITE) {
                if (unlikely(!ndfs_push_blue(g, a.to, a.marks))) return UNDECIDED;
                continue;
            }
        } else {
            a = (arc){f->node, f->marks};
            nested.blue.count--;
        }
        if (a.marks && nested.blue.count && *ndfs_colour(a.to) != RED) {
            verdict found = ndfs_red(g, a.to, TOP(&nested.blue, blue_frame).node);
            if (found != EMPTY) return found;
        }
    }
    return EMPTY;
}

static verdict se05_from(graph *g, uint32_t root)
{
    if (!ndfs_push_blue(g, root, 0)) return UNDECIDED;
    while (nested.blue.count) {
        blue_frame *f = &TOP(&nested.blue, blue_frame);
        arc a;
        if (f->left) {
            f->left--;
            g->transitions++;
            a = ITEM(&nested.arcs, arc, --nested.arcs.count);
            uint8_t colour = *ndfs_colour(a.to);
            if (colour == WHITE) {
                if (unlikely(!ndfs_push_blue(g, a.to, a.marks))) return UNDECIDED;
                continue;
            }
            if (colour == CYAN && (a.marks || (f->marks && f->node != a.to))) return ndfs_found(g);
        } else {
            a = (arc){f->node, f->marks};
            *ndfs_colour(f->node) = BLUE;
            nested.blue.count--;
        }
        if (a.marks && nested.blue.count && *ndfs_colour(a.to) == BLUE) {
            verdict found = ndfs_red(g, a.to, NOBODY);
            if (found != EMPTY) return found;
        }
    }
    return EMPTY;
}

static verdict ndfs(graph *g, verdict (*from)(graph *, uint32_t))
{
    if (!ndfs_open()) return UNDECIDED;
    verdict found = EMPTY;
    for (uint32_t i = 0; i < product.roots && found == EMPTY; i++)
        if (!ndfs_is_visited(i * product.levels)) found = from(g, i * product.levels);
    return found;
}

static verdict cvwy90(graph *g, int variant) { (void)variant; return ndfs(g, cvwy90_from); }
static verdict se05(graph *g, int variant) { (void)variant; return ndfs(g, se05_from); }

#endif
