/* rebuild.h: the run to a violation when states were forgotten: from the start along the log of parents.
 *
 *   print_trace(kind)    prints the names of its steps
 *   run_keep(kind, …)    a depth-first search has the run on its stack: it is kept here until it is printed
 *
 * The log has 8 bits of the hash of each state, so a step may seem to lead to several states. Then each of them is tried
 * until one leads on to the end.
 */
#ifndef CLEW_REBUILD_H
#define CLEW_REBUILD_H

typedef struct { state *states; uint32_t length; } run_of_states;
static run_of_states kept[KINDS];

static void kept_state(const void *run, uint32_t n, state *s) { *s = ((const run_of_states *)run)->states[n]; }

static void run_keep(enum kind kind, uint32_t length, void (*at)(const void *, uint32_t, state *), const void *run)
{
    state *states = malloc((length ? length : 1) * sizeof *states);
    if (!states) { perror("clew"); exit(70); }
    for (uint32_t n = 0; n < length; n++) at(run, n, &states[n]);
    free(kept[kind].states);
    kept[kind] = (run_of_states){states, length};
}

static struct {
    unsigned char *checks;
    uint32_t  level, failed;            /* of the states emitted now; kinds of violation met */
    state    *tries;                    /* states that may be on the run, last found last */
    uint32_t *levels;
    uint32_t  count, room, level_room;
} rebuilding;

static void rebuild_failed(sink *c, enum kind kind, name_t name)
{
    (void)c; (void)name;
    rebuilding.failed |= 1u << kind;
}

static void rebuild_record(sink *c, const state *t, name_t name)
{
    (void)c; (void)name;
    wide x = hash_key(&store_hash, t);
    if ((unsigned char)x.a != rebuilding.checks[rebuilding.level]) return;
    for (uint32_t n = rebuilding.count; n-- > 0 && rebuilding.levels[n] == rebuilding.level;)
        if (same_state(&rebuilding.tries[n], t)) return;
    if (rebuilding.count == rebuilding.room) {
        rebuilding.tries = grown(rebuilding.tries, &rebuilding.room, sizeof *rebuilding.tries);
        rebuilding.levels = grown(rebuilding.levels, &rebuilding.level_room, sizeof *rebuilding.levels);
    }
    rebuilding.tries[rebuilding.count] = *t;
    rebuilding.levels[rebuilding.count++] = rebuilding.level;
}

/* Whether the violation happens in `s`, the last state of the run. */
static int rebuild_ends(sink *c, const state *s, enum kind kind)
{
    rebuilding.failed = 0;
    rebuilding.level = 0;
    c->record = NULL;
    int found = explore(c, s);
    c->record = rebuild_record;
    c->count = 0;
    return kind == DEADLOCK ? !found && !model_may_end(s) : rebuilding.failed >> kind & 1;
}

static void rebuild(enum kind kind, uint32_t length)
{
    sink c;
    sink_open(&c, forget_batch, rebuild_failed);
    c.record = rebuild_record;
    run_of_states *run = &kept[kind];
    *run = (run_of_states){malloc(length * sizeof(state)), length};
    if (!run->states) { perror("clew"); exit(70); }
    rebuilding.level = 0;
    model_initial(&c);
    while (rebuilding.count) {
        uint32_t level = rebuilding.levels[--rebuilding.count];
        run->states[level] = rebuilding.tries[rebuilding.count];
        c.count = 0;
        if (level + 1 == length) {
            if (rebuild_ends(&c, &run->states[level], kind)) break;
            continue;
        }
        rebuilding.level = level + 1;
        explore(&c, &run->states[level]);
    }
    free(rebuilding.tries);
    free(rebuilding.levels);
    memset(&rebuilding, 0, sizeof rebuilding);
    sink_close(&c);
}

static void print_trace(enum kind kind)
{
    if (!kept[kind].states) {
        uint32_t length, *run = numbers_to(search.found[kind], &length);
        rebuilding.checks = malloc(length);
        if (!rebuilding.checks) { perror("clew"); exit(70); }
        for (uint32_t n = 0; n < length; n++) {
            unsigned check;
            log_get(&search.st.log, run[n], &check);
            rebuilding.checks[n] = (unsigned char)check;
        }
        unsigned char *checks = rebuilding.checks;
        rebuild(kind, length);
        free(checks);
        free(run);
    }
    print_run(kind, kept[kind].length, kept_state, &kept[kind]);
}

#endif
