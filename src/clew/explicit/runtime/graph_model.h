/* graph_model.h: the contract of model.h for graphs that are given arc by arc, in a file.
 *
 *   --graphs FILE    the graphs; each is checked with all algorithms asked for
 *
 * A file has 64-bit words: for each graph the number of states n, of conditions and of arcs m, the initial state, then
 * n + 1 words that say where the arcs of each state begin, the last being m, then for each arc target and marks. A step is
 * named by the position of the arc among those of its state.
 */
#ifndef CLEW_GRAPH_MODEL_H
#define CLEW_GRAPH_MODEL_H

#define MODEL_WORDS        1
#define MODEL_ASKS_TIMEOUT 0
#define MODEL_HAS_MARKS    1
#define MODEL_CONDITIONS   (given.conditions)
#define MODEL_MARK_BITS    64
#define MODEL_HAS_MAIN
#include "model.h"

static struct { uint64_t states, conditions, arcs, initial; const uint64_t *first, *arc; } given;

static int model_initial(sink *c)
{
    state s = {{given.initial}};
    emit(c, next(c, &s), 0);
    return 1;
}

static int model_expand(sink *c, const state *s)
{
    uint64_t from = given.first[s->w[0]], to = given.first[s->w[0] + 1];
    for (uint64_t k = from; k < to; k++) {
        state *t = next(c, s);
        t->w[0] = given.arc[2 * k];
        c->mark = given.arc[2 * k + 1];
        emit(c, t, NAME(0, k - from));
    }
    return to > from;
}

static int model_continue(sink *c, const state *s, int p) { (void)c; (void)s; (void)p; return 0; }
static void model_ends(sink *c, const state *s) { (void)c; (void)s; }
static int model_may_end(const state *s) { (void)s; return 1; }
static void model_carried(state *s) { (void)s; }
static void model_kinds(uint16_t *kinds, uint8_t *most) { (void)kinds; (void)most; }

#include "main_empty.h"

static const uint64_t *map_file(const char *name, size_t *words)
{
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) { perror(name); exit(66); }
    size_t bytes = (size_t)ftell(file);
    void *p = bytes ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0) : NULL;
    if (p == MAP_FAILED) { perror(name); exit(66); }
    fclose(file);
    *words = bytes / 8;
    return p;
}

int main(int argc, char **argv)
{
    const char *file = NULL;
    int others = 1;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--graphs") && i + 1 < argc) file = argv[++i];
        else argv[others++] = argv[i];
    read_checks(others, argv);
    if (!file) { fputs("--graphs FILE is missing\n", stderr); return 64; }
    size_t words;
    const uint64_t *at = map_file(file, &words), *end = at + words;
    for (int n = 0; at < end; n++) {
        given.states = at[0], given.conditions = at[1], given.arcs = at[2], given.initial = at[3];
        given.first = at + 4;
        given.arc = given.first + given.states + 1;
        at = given.arc + 2 * given.arcs;
        char label[40];
        snprintf(label, sizeof label, "\"graph\":%d,", n);
        for (int i = 0; i < wishes.count; i++) check_run(wishes.chosen[i], label);
    }
    return fflush(stdout) ? 74 : 0;
}

#endif
