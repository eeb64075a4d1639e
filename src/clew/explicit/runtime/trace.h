/* trace.h: the run that leads to a violation, rebuilt by following parents and expanding each of them again.
 *
 *   print_trace(kind)    prints the names of its steps, as [process, step, receiver, its step]
 *   told_add(t, name)    a step of what is told; of many steps all but the last are printed on lines of their own:
 *                        {"type":"steps","of":"path","names":[…]}
 *   told_end(t)          prints those that are left, as a list
 */
#ifndef CLEW_TRACE_H
#define CLEW_TRACE_H

#include "search.h"

enum { TRACE_ROOM = 1 << 20 };

static struct {
    const state *wanted;                /* state to be reached, or NULL: a violation of this kind */
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

/* Whether two states have the same key. */
static int same_state(const state *a, const state *b)
{
    uint64_t different = 0;
    for (uint32_t i = 0; i < MODEL_WORDS; i++) different |= (a->w[i] ^ b->w[i]) & ~search.st.pack.carried[i];
    return !different;
}

static void hunt_record(sink *c, const state *t, name_t name)
{
    if (hunt.wanted && same_state(hunt.wanted, t)) hunt_keep(c, name);
}

static void hunt_failed(sink *c, enum kind kind, name_t name)
{
    if (!hunt.wanted && kind == hunt.kind) hunt_keep(c, name);
}

static void print_name(name_t n)
{
    int partner = (int)(n >> 8 & 0xff) - 1;
    if (n == STUTTER) printf("[]");
    else if (partner < 0) printf("[%d,%d]", (int)(n & 0xff), (int)(n >> 16 & 0xffffff));
    else printf("[%d,%d,%d,%d]", (int)(n & 0xff), (int)(n >> 16 & 0xffffff), partner, (int)(n >> 40));
}

#ifndef TOLD_ON_A_LINE
#define TOLD_ON_A_LINE (1 << 16)
#endif

typedef struct { const char *of; name_t *names; uint32_t count; } told;
#define TOLD(text) {.of = text, .names = (name_t[TOLD_ON_A_LINE]){0}}   /* apart from the text, no part of the file */

static void told_end(told *t)
{
    printf("[");
    for (uint32_t i = 0; i < t->count; i++) {
        if (i) printf(",");
        print_name(t->names[i]);
    }
    printf("]");
    t->count = 0;
}

static void told_add(told *t, name_t name)
{
    if (t->count == TOLD_ON_A_LINE) {
        printf("{\"type\":\"steps\",\"of\":\"%s\",\"names\":", t->of);
        told_end(t);
        printf("}\n");
    }
    t->names[t->count++] = name;
}

/* A handshake is one step, even where the state in its middle is stored. */
static int trace_is_offer(void)
{
#if MODEL_STORES_INSIDE
    return hunt.wanted && G(hunt.wanted)->offering;
#else
    return 0;
#endif
}

static told told_path = TOLD("path");

static void print_steps(sink *c, const state *from)
{
    c->count = 0;
    hunt.best_length = 0;
    explore(c, from);
    for (int i = 0; i < hunt.best_length && !trace_is_offer(); i++) told_add(&told_path, hunt.best[i]);
}

/* The states of a run, one after the other: `at(run, n)` for n < length. */
static void print_run(enum kind kind, uint32_t length, void (*at)(const void *, uint32_t, state *), const void *run)
{
    static const char *const texts[] = {"assertion", "runtime-error", "deadlock", "trace"};
    sink c;
    sink_open(&c, forget_batch, hunt_failed);
    c.record = hunt_record;
    hunt.best = malloc(TRACE_ROOM * sizeof *hunt.best);
    hunt.now = malloc(TRACE_ROOM * sizeof *hunt.now);
    if (!hunt.best || !hunt.now) { perror("clew"); exit(70); }
    state here, there;
    at(run, 0, &here);
    for (uint32_t n = 1; n < length; n++, here = there) {
        at(run, n, &there);
        hunt.wanted = &there;
        print_steps(&c, &here);
    }
    if (kind != DEADLOCK) {
        hunt.wanted = NULL;
        hunt.kind = kind;
        print_steps(&c, &here);
    }
    printf("{\"type\":\"violation\",\"kind\":\"%s\",\"path\":", texts[kind]);
    told_end(&told_path);
    printf("}\n");
    free(hunt.best);
    free(hunt.now);
    sink_close(&c);
}

/* The numbers of the states from an initial one to `last`. */
static uint32_t *numbers_to(uint32_t last, uint32_t *length)
{
    *length = 0;
    for (uint32_t i = last; i != NOBODY; i = store_parent(&search.st, i)) ++*length;
    uint32_t *run = malloc(*length * sizeof *run);
    if (!run) { perror("clew"); exit(70); }
    for (uint32_t i = last, n = *length; i != NOBODY; i = store_parent(&search.st, i)) run[--n] = i;
    return run;
}

#if !STORE_IS_LOSSY
static void stored_state(const void *run, uint32_t n, state *s)
{
    context k;
    store_read(&search.st, &k, ((const uint32_t *)run)[n], s);
}

static void print_trace(enum kind kind)
{
    uint32_t length, *run = numbers_to(search.found[kind], &length);
    print_run(kind, length, stored_state, run);
    free(run);
}
#else
#include "rebuild.h"
#endif

#endif
