/* tree.h: long records as one word. A record is cut into words; each word, and each pair of numbers of those below it,
 * is kept once in a table of nodes and stands for its number. The two numbers at the root are the short record.
 *
 *   tree_open(t, words, bytes, alone)  for records of so many words
 *   tree_close(t)
 *   tree_blank(t, fresh, k)            the context of the record that is all zero
 *   tree_root(t, fresh, from, r)       the root of the record `r`, of a successor of the state of context `from`
 *   tree_read(t, root, k)              the record behind a root, into the context `k`
 *   tree_wants(t)                      how many fresh numbers tree_root may need
 *   tree_numbers(t, fresh, many)       takes that many
 *
 * A context holds the record of a state and the numbers of all its nodes, so that only what differs in a successor is
 * looked up. Nodes are never removed, and never move when the table grows.
 */
#ifndef CLEW_TREE_H
#define CLEW_TREE_H

#include "model.h"
#include "table.h"
#include "wide.h"

enum { TREE_NODES = 2 * (MODEL_WORDS + 2) + 40 };

typedef struct context {
    uint64_t words[MODEL_WORDS + 2];
    uint32_t nodes[TREE_NODES];                   /* level by level, from the words up to the two below the root */
} context;

typedef struct {
    table    index;
    arena    values;
    uint32_t words, used;                         /* of a record; nodes given out */
    int      alone;                               /* one worker */
} tree;

static inline uint64_t mum(uint64_t a, uint64_t b)
{
    uint64_t high, low = product_of(a, b, &high);
    return low ^ high;
}

static inline uint64_t *values_of(const tree *t) { return (uint64_t *)t->values.base; }
static inline size_t tree_bytes(const tree *t) { return (size_t)t->used * 8 + table_bytes(&t->index); }

static int tree_open(tree *t, uint32_t words, size_t bytes, int alone)
{
    t->words = words;
    t->used = 0;
    t->alone = alone;
    return table_open(&t->index, bytes) && arena_reserve(&t->values, bytes);
}

static void tree_close(tree *t)
{
    table_close(&t->index);
    arena_release(&t->values);
}

static inline uint64_t node_hash(uint64_t value) { return mum(value ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u); }

static inline uint32_t tree_node(const tree *t, cursor *fresh, uint64_t value)
{
    uint64_t h = node_hash(value), *at = bucket_of(&t->index, h), *values = values_of(t);
    unsigned same, empty;
    for (;;) {
        look(at, h, &same, &empty);
        for (; same; same &= same - 1) {
            uint32_t i = (uint32_t)at[__builtin_ctz(same)] - 1;
            if (values[i] == value) return i;
        }
        if (unlikely(!empty)) {
            at += 8;
            continue;
        }
        if (unlikely(fresh->next == fresh->end)) cursor_turn(fresh);
        uint32_t i = fresh->next;
        values[i] = value;
        if (claim(at + __builtin_ctz(empty), (h & ~(uint64_t)0xffffffff) | (i + 1), t->alone)) {
            fresh->next++;
            return i;
        }
    }
}

static uint32_t tree_wants(const tree *t) { return 2 * t->words + 8; }

/* Takes so many fresh numbers; 0 if there is no address space for as many nodes. */
static int tree_numbers(tree *t, cursor *fresh, uint32_t many)
{
    size_t most = t->values.reserved / 8;
    return cursor_fill(fresh, &t->used, many, most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1) && cursor_left(fresh) >= many;
}

static void tree_blank(const tree *t, cursor *fresh, context *k)
{
    memset(k, 0, sizeof *k);
    uint32_t n = t->words, *below = k->nodes;
    for (uint32_t j = 0; j < n; j++) below[j] = tree_node(t, fresh, 0);
    for (; n > 2; below += n, n = (n + 1) / 2) {
        for (uint32_t j = 0; j + 1 < n; j += 2)
            below[n + j / 2] = tree_node(t, fresh, (uint64_t)below[j] << 32 | below[j + 1]);
        if (n & 1) below[n + n / 2] = below[n - 1];
    }
}

static inline uint64_t tree_root(const tree *t, cursor *fresh, const context *from, const uint64_t *r)
{
    uint32_t nodes[TREE_NODES], n = t->words;
    for (uint32_t j = 0; j < n; j++) nodes[j] = r[j] == from->words[j] ? from->nodes[j] : tree_node(t, fresh, r[j]);
    uint32_t *below = nodes;
    const uint32_t *old = from->nodes;
    while (n > 2) {
        uint32_t *above = below + n;
        for (uint32_t j = 0; j + 1 < n; j += 2)
            above[j / 2] = below[j] == old[j] && below[j + 1] == old[j + 1]
                               ? old[n + j / 2]
                               : tree_node(t, fresh, (uint64_t)below[j] << 32 | below[j + 1]);
        if (n & 1) above[n / 2] = below[n - 1];
        below = above;
        old += n;
        n = (n + 1) / 2;
    }
    return (uint64_t)below[0] << 32 | below[1];
}

static inline void tree_read(const tree *t, uint64_t root, context *k)
{
    uint32_t sizes[40], levels = 0, start = 0;
    const uint64_t *values = values_of(t);
    for (uint32_t n = t->words; n > 2; n = (n + 1) / 2) sizes[levels++] = n, start += n;
    uint32_t *here = k->nodes + start;
    here[0] = (uint32_t)(root >> 32);
    here[1] = (uint32_t)root;
    while (levels) {
        uint32_t n = sizes[--levels], *below = here - n;
        for (uint32_t j = 0; j + 1 < n; j += 2) {
            uint64_t v = values[here[j / 2]];
            below[j] = (uint32_t)(v >> 32);
            below[j + 1] = (uint32_t)v;
        }
        if (n & 1) below[n - 1] = here[n / 2];
        here = below;
    }
    for (uint32_t j = 0; j < t->words; j++) k->words[j] = values[here[j]];
}

#endif
