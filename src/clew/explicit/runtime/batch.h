/* batch.h: a sink in which all successors of a state are kept together, however many they are.
 *
 *   batch_grow(c)            as `drain` of a sink: makes room without storing anything
 *   batch_store(c, insert)   stores what waits in the sink, as many at a time as `insert` takes
 */
#ifndef CLEW_BATCH_H
#define CLEW_BATCH_H

#include "model.h"

static void batch_grow(sink *c)
{
    uint32_t room = 2 * c->room;
    state *batch = aligned_alloc(64, (room * sizeof *batch + 63) / 64 * 64);
    if (batch) memcpy(batch, c->batch, c->room * sizeof *batch), free(c->batch);
    c->batch = batch;
    c->names = realloc(c->names, room * sizeof *c->names);
    c->parents = realloc(c->parents, room * sizeof *c->parents);
    c->stored = realloc(c->stored, room * sizeof *c->stored);
    c->context_of = realloc(c->context_of, room * sizeof *c->context_of);
    if (MODEL_HAS_MARKS) c->marks = realloc(c->marks, room * sizeof *c->marks);
    int fits = c->batch && c->names && c->parents && c->stored && c->context_of && (c->marks || !MODEL_HAS_MARKS);
#if MODEL_REDUCES
    c->firsts = realloc(c->firsts, room * sizeof *c->firsts);
    fits &= c->firsts != NULL;
#endif
    if (!fits) { perror("clew"); exit(70); }
    c->room = room;
}

static void batch_store(sink *c, void (*insert)(sink *))
{
    uint32_t all = c->count;
    if (likely(all <= BATCH)) {
        insert(c);
        return;
    }
    sink whole = *c;
    for (uint32_t done = 0; done < all; done += BATCH) {
        c->count = all - done < BATCH ? all - done : BATCH;
        insert(c);
        c->batch += BATCH;
        c->parents += BATCH;
        c->stored += BATCH;
        c->context_of += BATCH;
    }
    c->batch = whole.batch;
    c->parents = whole.parents;
    c->stored = whole.stored;
    c->context_of = whole.context_of;
}

#endif
