/* main_empty.h: the program around a model with acceptance marks: is there an accepting run?
 *
 *   check_run(check, label)   one check, from an empty store to its result: a line for the run if there is one, and a line
 *                             of figures, which begins with `label`
 *   find_check(name)          a check by its name; NULL if there is none
 *   read_checks(argc, argv)   options: those of report.h, --algorithm NAME[,NAME…], --no-lasso, --minimal
 *
 * Exit status 0: there is a result; 75: start over with a larger layout; 65: the initial state cannot be computed. A
 * result is `undecided` if a limit was hit. Figures: `states` are all that were generated, `visited` the nodes that the
 * check went to, `transitions` the arcs it took, `stack` how many nodes it stacked at most.
 */
#ifndef CLEW_MAIN_EMPTY_H
#define CLEW_MAIN_EMPTY_H

#include "cou99.h"
#include "gv04.h"
#include "minimal.h"
#include "ndfs.h"
#include "shy.h"
#include "sweep.h"
#include "tau03.h"
#include "ufscc.h"

typedef struct {
    const char *name;
    enum needs  needs;
    verdict   (*run)(graph *, int);
    int         variant;
    int         shared;                 /* by any number of workers */
} check;

/* Strong fairness is more than conditions to be met: only one check knows it. */
static const check checks[] = {
#ifndef MODEL_STRONG_SHIFT
    {"cou99", ANY_CONDITIONS, cou99, 1, 0},
    {"cou99-unlisted", ANY_CONDITIONS, cou99, 0, 0},
    {"shy-", ANY_CONDITIONS, shy, 0, 0},
    {"shy", ANY_CONDITIONS, shy, 1, 0},
    {"gv04", ONE_CONDITION, gv04, 0, 0},
    {"cvwy90", ONE_CONDITION, cvwy90, 0, 0},
    {"se05", ONE_CONDITION, se05, 0, 0},
    {"tau03", SOME_CONDITION, tau03, 0, 0},
    {"tau03-opt", ANY_CONDITIONS, tau03_opt, 0, 0},
    {"ufscc", ANY_CONDITIONS, ufscc, 0, 1},
#endif
    {"sweep", ANY_CONDITIONS, sweep, 0, 1},
    {"auto", ANY_CONDITIONS, sweep, PATIENCE_OF_SWEEP, 1},
};

enum { CHECKS = sizeof checks / sizeof *checks };

static struct { const check *chosen[CHECKS]; int count, no_lasso, minimal; } wishes = {.chosen = {checks}, .count = 1};

static const check *find_check(const char *name, size_t length)
{
    for (int i = 0; i < CHECKS; i++)
        if (strlen(checks[i].name) == length && !strncmp(checks[i].name, name, length)) return &checks[i];
    return NULL;
}

static void choose_checks(const char *names)
{
    for (wishes.count = 0; *names && wishes.count < CHECKS; wishes.count++) {
        size_t length = strcspn(names, ",");
        const check *found = find_check(names, length);
        if (!found) {
            fprintf(stderr, "there is no algorithm %.*s\n", (int)length, names);
            exit(64);
        }
        wishes.chosen[wishes.count] = found;
        names += length + (names[length] == ',');
    }
}

static void read_checks(int argc, char **argv)
{
    int others = 1;
    for (int i = 1; i < argc; i++) {
        if      (!strcmp(argv[i], "--algorithm") && i + 1 < argc) choose_checks(argv[++i]);
        else if (!strcmp(argv[i], "--no-lasso"))                  wishes.no_lasso = 1;
        else if (!strcmp(argv[i], "--minimal"))                   wishes.minimal = 1;
        else argv[others++] = argv[i];
    }
    read_options(others, argv);
}

static void print_figures(const check *how, const char *label, verdict found)
{
    static const char *const verdicts[] = {"empty", "nonempty", "undecided"};
    uint64_t visited = 0, transitions = 0, stack = 0;
    uint64_t was_true = 0, was_false = 0;         /* atoms of an automaton beside the model */
    int loops = 0;
    for (int w = 0; w < search.count; w++) {
        const graph *g = &product.views[w];
        visited += g->states;
        transitions += g->transitions;
        stack = g->stack > stack ? g->stack : stack;
        loops |= g->c->loops;
#if MODEL_HAS_MONITOR
        was_true |= g->c->was_true;
        was_false |= g->c->was_false;
#endif
    }
    uint64_t reduced = 0, forced = 0;
#if MODEL_REDUCES
    for (int w = 0; w < search.count; w++) reduced += search.sinks[w]->reduced, forced += search.sinks[w]->forced;
#endif
    printf("{\"type\":\"result\",%s\"algorithm\":\"%s\",\"by\":\"%s\",\"verdict\":\"%s\",\"visited\":%llu,\"transitions\":%llu,"
           "\"stack\":%llu,\"states\":%u,\"conditions\":%d,\"levels\":%u,\"seconds\":%.6f,\"peak\":%llu,\"record\":%u,"
           "\"tree\":%d,\"rearranged\":%u,\"workers\":%d,\"met\":%u,\"reduced\":%llu,\"forced\":%llu,\"limits\":%u,\"loops\":%d,"
           "\"was_true\":%llu,\"was_false\":%llu,\"complete\":%d}\n",
           label, how->name, product.by ? product.by : how->name, verdicts[found], (unsigned long long)visited, (unsigned long long)transitions,
           (unsigned long long)stack, store_count(&search.st), (int)MODEL_CONDITIONS, product.levels, seconds(),
           (unsigned long long)peak_resident(), (unsigned)search.st.stride, search.st.in_tree, search.st.rearranged,
           search.count, search.met, (unsigned long long)reduced, (unsigned long long)forced, search.limits, loops,
           (unsigned long long)was_true, (unsigned long long)was_false,
           found != UNDECIDED);
}

/* 0 if an initial state cannot be computed. */
static int check_run(const check *how, const char *label)
{
    uint64_t most = options.max_states;
    verdict found = UNDECIDED;
    lasso.is_known = 0;
    lasso.round = 0;
    int workers = !how->shared ? 1 : options.workers < MOST_SHARERS ? options.workers : MOST_SHARERS;
    int ready = product_open(workers, how->needs);
    if (ready == 0) return 0;
    if (ready > 0) found = how->run(&product.views[0], how->variant);
    product.is_open = NULL;             /* what is known is enough, whatever leads through it */
    if (found == NONEMPTY && !wishes.no_lasso) {
        if (lasso_make(&product.views[0], wishes.minimal ? minimal_cycle : NULL)) lasso_print(&product.views[0]);
        else found = UNDECIDED;
    }
    search_done(1);
    for (int kind = 0; kind < KINDS; kind++)
        if (search.met & options.wanted & 1u << kind) print_trace(kind);
    print_figures(how, label, found);
    product_close();
    options.max_states = most;
    return 1;
}

#ifndef MODEL_HAS_MAIN
int main(int argc, char **argv)
{
    read_checks(argc, argv);
    for (int i = 0; i < wishes.count; i++)
        if (!check_run(wishes.chosen[i], "")) {
            printf("{\"type\":\"initial\"}\n");
            return 65;
        }
    return fflush(stdout) ? 74 : 0;
}
#endif

#endif
