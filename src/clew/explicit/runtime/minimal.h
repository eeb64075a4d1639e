/* minimal.h: a shortest accepting cycle of a component.
 *
 *   minimal_cycle(g)    replaces the cycle by a shortest one of the nodes known to be in the component; returns whether it
 *                       did. Does nothing where it would take too long
 *
 * Every accepting cycle has an arc that meets the condition which the fewest arcs meet. From each of those, a shortest
 * path back is looked for among pairs of a node and the marks met so far.
 */
#ifndef CLEW_MINIMAL_H
#define CLEW_MINIMAL_H

#include "lasso.h"

enum { MINIMAL_PAIRS = 1 << 24 };
#define MINIMAL_STEPS ((uint64_t)1 << 31)

static struct {
    pile      local;                    /* 1 + the number of a node in the component */
    uint32_t *nodes, *first;            /* of the component; where the arcs of each begin */
    arc      *arcs;                     /* between numbers in the component */
    uint32_t  count, node_room, first_room, arc_count, arc_room;
    uint32_t *before, *length, *queue;  /* of pairs: pair before, 1 + distance in this round */
    uint32_t *round;
    uint64_t  steps;
} least;

static uint32_t minimal_local(uint32_t node)
{
    uint32_t *local = &ITEM(&least.local, uint32_t, node);
    if (*local == 0) {
        if (least.count == least.node_room) least.nodes = grown(least.nodes, &least.node_room, sizeof *least.nodes);
        least.nodes[least.count++] = node;
        *local = least.count;
    }
    return *local - 1;
}

/* The component, by breadth-first search from the seed. */
static int minimal_copy(graph *g)
{
    minimal_local(lasso.seed);
    for (uint32_t i = 0; i < least.count; i++) {
        if (!graph_expand(g, least.nodes[i])) return 0;
        if (i + 1 >= least.first_room) least.first = grown(least.first, &least.first_room, sizeof *least.first);
        least.first[i] = least.arc_count;
        for (uint32_t k = 0; k < g->count; k++) {
            arc a = graph_arc(g, k);
            if (!lasso.inside(a.to)) continue;
            if (least.arc_count == least.arc_room) least.arcs = grown(least.arcs, &least.arc_room, sizeof *least.arcs);
            least.arcs[least.arc_count++] = (arc){minimal_local(a.to), a.marks};
        }
        least.first[i + 1] = least.arc_count;
        if ((uint64_t)least.count << product.conditions > MINIMAL_PAIRS) return 0;
    }
    return 1;
}

static marks_t minimal_rarest(void)
{
    marks_t rarest = 0;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t f = 0; f < product.conditions; f++) {
        uint32_t many = 0;
        for (uint32_t i = 0; i < least.arc_count; i++) many += least.arcs[i].marks >> f & 1;
        if (many < fewest) fewest = many, rarest = (marks_t)1 << f;
    }
    return rarest;
}

/* The length of a shortest cycle that begins with this arc, if it is shorter than `best`; else 0. */
static uint32_t minimal_from(uint32_t source, arc a, uint32_t best, uint32_t round)
{
    uint32_t shift = product.conditions, head = 0, tail = 0;
    uint32_t start = a.to << shift | (uint32_t)a.marks, goal = source << shift | (uint32_t)product.all;
    least.queue[tail++] = start;
    least.round[start] = round;
    least.length[start] = 1;
    least.before[start] = NOBODY;
    while (head < tail) {
        uint32_t pair = least.queue[head++], node = pair >> shift;
        if (pair == goal) return least.length[pair];
        if (least.length[pair] + 1 >= best) return 0;
        for (uint32_t i = least.first[node]; i < least.first[node + 1]; i++) {
            uint32_t to = least.arcs[i].to << shift | ((pair & (uint32_t)product.all) | (uint32_t)least.arcs[i].marks);
            least.steps++;
            if (least.round[to] == round) continue;
            least.round[to] = round;
            least.length[to] = least.length[pair] + 1;
            least.before[to] = pair;
            least.queue[tail++] = to;
        }
    }
    return 0;
}

/* Writes down the cycle found last, from its end. */
static void minimal_write(uint32_t source, uint32_t length)
{
    uint32_t shift = product.conditions, pair = source << shift | (uint32_t)product.all;
    lasso.cycle.count = length;
    for (uint32_t n = length; n-- > 0; pair = least.before[pair]) {
        uint32_t from = least.before[pair] == NOBODY ? source : least.before[pair] >> shift, to = pair >> shift;
        marks_t old = least.before[pair] == NOBODY ? 0 : (marks_t)(least.before[pair] & (uint32_t)product.all);
        marks_t now = (marks_t)(pair & (uint32_t)product.all);
        for (uint32_t i = least.first[from]; i < least.first[from + 1]; i++)
            if (least.arcs[i].to == to && (old | least.arcs[i].marks) == now) {
                ITEM(&lasso.cycle, hop, n) = (hop){least.nodes[from], least.nodes[to], least.arcs[i].marks};
                break;
            }
    }
}

static int minimal_search(void)
{
    marks_t rarest = minimal_rarest();
    uint32_t best = (uint32_t)lasso.cycle.count, round = 0;
    for (uint32_t node = 0; node < least.count; node++)
        for (uint32_t i = least.first[node]; i < least.first[node + 1]; i++) {
            arc a = least.arcs[i];
            if (rarest && !(a.marks & rarest)) continue;
            uint32_t length = minimal_from(node, a, best, ++round);
            if (length && length < best) minimal_write(node, best = length);
            if (least.steps > MINIMAL_STEPS) return 0;
        }
    return 1;
}

static int minimal_cycle(graph *g)
{
    memset(&least, 0, sizeof least);
#ifdef MODEL_STRONG_SHIFT
    return 0;                           /* which marks a cycle has to have depends on the states it goes through */
#endif
    if (!lasso.inside || product.levels > 1 || product.conditions > 20 || lasso.cycle.count >= UINT32_MAX) return 0;
    int done = pile_open(&least.local, 4, 1) && minimal_copy(g);
    size_t pairs = (size_t)least.count << product.conditions;
    if (done) {
        least.before = malloc(pairs * 4);
        least.length = malloc(pairs * 4);
        least.queue = malloc(pairs * 4);
        least.round = calloc(pairs, 4);
        done = least.before && least.length && least.queue && least.round && minimal_search();
    }
    free(least.nodes);
    free(least.first);
    free(least.arcs);
    free(least.before);
    free(least.length);
    free(least.queue);
    free(least.round);
    return done;
}

#endif
