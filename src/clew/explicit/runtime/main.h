/* main.h: the program around a model: options, search, result. Exit status 0: there is a result; 75: start over with
 * a larger layout; 65: the initial state cannot be computed. */
#ifndef CLEW_MAIN_H
#define CLEW_MAIN_H

#include "search_bfs.h"
#ifndef ONLY_BFS                        /* less to compile */
#include "search_dfs.h"
#endif
#include "trace.h"

/* With several workers it is left to chance by which of several ways a state was reached first. Where ways of the same
 * number of ordinary steps can have different lengths, the search for what was met is done again by one worker, so that
 * the run shown does not depend on chance. */
static int search_again(void)
{
    int again = !options.depth_first && search.count > 1 && (search.met & options.wanted);
    int transient = 0;
    for (int w = 0; again && w < search.count; w++) transient |= search.sinks[w]->transient;
    return again && transient;
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
#ifdef ONLY_BFS
    if (options.depth_first) {
        fputs("compiled for breadth-first search only\n", stderr);
        return 64;
    }
    int ready = bfs(options.workers, 0);
#else
    int ready = options.depth_first ? dfs(options.workers) : bfs(options.workers, 0);
#endif
    if (!ready) {
        printf("{\"type\":\"initial\"}\n");
        return 65;
    }
    int loops = 0;
    for (int w = 0; w < search.count; w++) loops |= search.workers[w].c.loops;
    char result[512];
    snprintf(result, sizeof result,
             "{\"type\":\"result\",\"states\":%u,\"transitions\":%llu,\"depth\":%llu,\"seconds\":%.6f,\"peak\":%llu,"
             "\"record\":%u,\"tree\":%d,\"rearranged\":%u,\"workers\":%d,\"met\":%u,\"limits\":%u,\"loops\":%d,"
             "\"complete\":%d}\n",
             store_count(&search.st), (unsigned long long)search_arrivals(), (unsigned long long)search.depth, seconds(),
             (unsigned long long)peak_resident(), (unsigned)search.st.stride, search.st.in_tree, search.st.rearranged,
             search.count, search.met, search.limits, loops, search.complete);
    unsigned wanted = search.met & options.wanted;
    if (search_again()) {
        search_close();
        options.max_states = UINT32_MAX - 1;
        bfs(1, wanted);
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (wanted & 1u << kind) print_trace(kind);
    fputs(result, stdout);
    return fflush(stdout) ? 74 : 0;
}

#endif
