/* footprint.h: what a step touches, changes and waits for, as tables that the generated model has.
 *
 *   RESOURCE_WORDS, CELLS     how many words a set of resources has; how many cells a process may have
 *   LARGEST_BUNDLE, BUNDLES   most steps that leave one location; how many locations there are
 *   footprints[]              of each step; those that leave one location are neighbours, a bundle
 *   bundles_of, bundles, place_of   by template; by location; by step number its place in the bundle
 *   model_cells(s, pid, at)   the resources that the cells of a process are
 *
 * A cell is a resource that is known only in a state: an element of an array at an index, or the end of a channel, that
 * the process cannot change.
 */
#ifndef CLEW_FOOTPRINT_H
#define CLEW_FOOTPRINT_H

typedef struct { uint64_t w[RESOURCE_WORDS]; } resources;

enum aspect { TOUCHES, CHANGES, WAITS, LATER_TOUCHES, LATER_CHANGES, ASPECTS };
enum { WAITS_FOR_ALL = 1, MOVES_OTHERS = 2, LATER_FAILS = 4, IS_VISIBLE = 8 };

typedef struct {
    resources part[ASPECTS];
    uint32_t  cells[ASPECTS];
    uint8_t   flags;
} footprint;

/* The steps that leave a location. */
typedef struct {
    uint64_t  all, own;                 /* as bits; own: those that their process alone may enable, too */
    uint32_t  first;
    uint8_t   size, flags;
    uint8_t   is_local;                 /* none of them has to do with another process */
} bundle;

static inline int resources_meet(const resources *a, const resources *b)
{
    uint64_t both = 0;
    for (int i = 0; i < RESOURCE_WORDS; i++) both |= a->w[i] & b->w[i];
    return both != 0;
}

static inline void resources_add(resources *a, const resources *b)
{
    for (int i = 0; i < RESOURCE_WORDS; i++) a->w[i] |= b->w[i];
}

/* Adds the resources that cells are, of the process whose cells are `at`. */
static inline void cells_add(resources *to, uint32_t cells, const uint16_t *at)
{
    if (CELLS)
        for (; cells; cells &= cells - 1) {
            unsigned bit = at[__builtin_ctz(cells)];
            to->w[bit / 64] |= (uint64_t)1 << bit % 64;
        }
}

/* Adds an aspect of a step of such a process. */
static inline void footprint_add(resources *to, const footprint *f, enum aspect which, const uint16_t *at)
{
    resources_add(to, &f->part[which]);
    cells_add(to, f->cells[which], at);
}

#endif
