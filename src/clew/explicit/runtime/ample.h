/* ample.h: the steps of one process, where the peer of the language lets it move alone.
 *
 *   reduce_expand(w, i, cut)    expands state i
 *   model_alone(s, pid)         (generated) whether the process may be tried
 *
 * As Spin does it: processes are tried from the youngest to the oldest. One whose successors fail the proviso, or that has
 * none, leaves them stored and counted, and the next is tried; if all fail, all steps are taken.
 */
#ifndef CLEW_AMPLE_H
#define CLEW_AMPLE_H

static void reduce_expand(worker *w, uint32_t i, int cut)
{
    sink *c = &w->c;
    state s;
    int tried = 0;
    if (unlikely(cut)) {
        search_expand(w, i, cut);
        return;
    }
    store_get(&search.st, c, i, &s);
    c->parent = i;
#if MODEL_STORES_INSIDE
    if (is_inside(&s)) {
        w->inner++;
        if (!explore(c, &s) && !G(&s)->offering) search_ended(w, &s);
        uint32_t n = c->count;
        reduce_flush(c);
        reduce_tell(c, i, n, EXPANDED_FULLY);
        return;
    }
#endif
    for (int pid = G(&s)->processes - 1; pid >= 0; pid--) {
        if (!model_alone(&s, pid)) continue;
        uint32_t first = c->fresh.next;
        c->only = pid;
        explore(c, &s);
        c->only = -1;
        uint32_t n = c->count;
        reduce_flush(c);
        int accepted = n && proviso_holds(i, first, c->stored, n);
        reduce_tell(c, i, n, accepted ? EXPANDED_PARTLY : EXPANDED_FORCED);
        if (accepted) {
            c->reduced++;
            return;
        }
        tried |= n != 0;
    }
    c->forced += (uint64_t)tried;
    if (unlikely(!explore(c, &s))) search_ended(w, &s);
    uint32_t n = c->count;
    reduce_flush(c);
    reduce_tell(c, i, n, tried ? EXPANDED_FORCED : EXPANDED_FULLY);
}

#endif
