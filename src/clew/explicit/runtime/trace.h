/* trace.h: the run that leads to a violation, rebuilt by following parents and expanding each of them again.
 *
 *   print_trace(kind)    prints the names of its steps, as [process, step, receiver, its step]
 */
#ifndef CLEW_TRACE_H
#define CLEW_TRACE_H

#include "search.h"

enum { TRACE_ROOM = 1 << 20 };

static struct {
    uint32_t  wanted;                   /* state to be reached, or UINT32_MAX: a violation of this kind */
    enum kind kind;
    name_t   *best, *now;               /* shortest so far */
    int       best_length;
} hunt;

static void hunt_keep(sink *c, name_t name)
{
    int n = path_to(c, name, hunt.now, TRACE_ROOM);
    if (n && (!hunt.best_length || n < hunt.best_length)) {
        name_t *swap = hunt.best;
        hunt.best = hunt.now, hunt.now = swap;
        hunt.best_length = n;
    }
}

static void hunt_record(sink *c, const state *t, name_t name)
{
    if (hunt.wanted != UINT32_MAX && store_has(&search.st, hunt.wanted, t)) hunt_keep(c, name);
}

static void hunt_failed(sink *c, enum kind kind, name_t name)
{
    if (hunt.wanted == UINT32_MAX && kind == hunt.kind) hunt_keep(c, name);
}

static void print_name(name_t n)
{
    int partner = (int)(n >> 8 & 0xff) - 1;
    if (n == STUTTER) printf("[]");
    else if (partner < 0) printf("[%d,%d]", (int)(n & 0xff), (int)(n >> 16 & 0xffffff));
    else printf("[%d,%d,%d,%d]", (int)(n & 0xff), (int)(n >> 16 & 0xffffff), partner, (int)(n >> 40));
}

static void print_steps(sink *c, uint32_t from, int *first)
{
    state s;
    c->count = 0;
    store_get(&search.st, c, from, &s);
    hunt.best_length = 0;
    explore(c, &s);
    for (int i = 0; i < hunt.best_length; i++) {
        printf(*first ? "" : ",");
        *first = 0;
        print_name(hunt.best[i]);
    }
}

static void print_trace(enum kind kind)
{
    static const char *const texts[] = {"assertion", "runtime-error", "deadlock"};
    sink c;
    sink_open(&c, forget_batch, hunt_failed);
    c.record = hunt_record;
    hunt.best = malloc(TRACE_ROOM * sizeof *hunt.best);
    hunt.now = malloc(TRACE_ROOM * sizeof *hunt.now);
    uint32_t length = 0, last = search.found[kind], *run;
    for (uint32_t i = last; i != UINT32_MAX; i = store_parent(&search.st, i)) length++;
    run = malloc(length * sizeof *run);
    if (!hunt.best || !hunt.now || !run) { perror("clew"); exit(70); }
    for (uint32_t i = last, n = length; i != UINT32_MAX; i = store_parent(&search.st, i)) run[--n] = i;
    int first = 1;
    printf("{\"type\":\"violation\",\"kind\":\"%s\",\"path\":[", texts[kind]);
    for (uint32_t n = 1; n < length; n++) {
        hunt.wanted = run[n];
        print_steps(&c, run[n - 1], &first);
    }
    if (kind != DEADLOCK) {
        hunt.wanted = UINT32_MAX;
        hunt.kind = kind;
        print_steps(&c, last, &first);
    }
    printf("]}\n");
    free(run);
    free(hunt.best);
    free(hunt.now);
    sink_close(&c);
}

#endif
