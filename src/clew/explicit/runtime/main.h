/* main.h: the program around a model: options, search, result. Exit status 0: there is a result; 75: start over with
 * a larger layout; 65: the initial state cannot be computed. */
#ifndef CLEW_MAIN_H
#define CLEW_MAIN_H

#ifdef PARTITION
#include "partition.h"

int main(int argc, char **argv)
{
    read_options(argc, argv);
    return partition_main();
}
#else
#if defined(ONLY_BFS) && !MODEL_REDUCES
#define RECENT_IS_ENOUGH 1
#endif
#include "search_bfs.h"
#include "trace.h"
#if STORE_IS_LOSSY
#include "search_plunge.h"
#ifdef HUNT
#include "search_refine.h"
#endif
#elif !defined(ONLY_BFS)                /* less to compile */
#include "search_dfs.h"
#endif

/* With several workers it is left to chance by which of several ways a state was reached first. Where ways of the same
 * number of ordinary steps can have different lengths, the search for what was met is done again by one worker, so that
 * the run shown does not depend on chance. What comes in between (no time is left, the user interrupts, the program is
 * killed) takes nothing away: the run of the first search has been told, and counts until there is another. */
static int search_goes_again(void)
{
    int again = !STORE_IS_LOSSY && !options.depth_first && search.count > 1 && (search.met & options.wanted);
    int transient = 0;
    for (int w = 0; again && w < search.count; w++) transient |= search.sinks[w]->transient;
    return again && (transient || MODEL_REDUCES);
}

static void print_traces(unsigned kinds)
{
    for (int kind = 0; kind < KINDS; kind++)
        if (kinds & 1u << kind) print_trace(kind);
}

/* What a lossy store is filled with, and how wide the levels of a breadth-first search were. */
static void print_filter(void)
{
#if STORE_IS_LOSSY
    const store *st = &search.st;
#ifdef HUNT
    return;
#endif
    printf("{\"type\":\"filter\",\"load\":%llu,\"bytes\":%llu,\"log\":%llu,\"levels\":[",
           (unsigned long long)filter_load(&st->known), (unsigned long long)filter_bytes(&st->known),
           (unsigned long long)log_bytes(&st->log));
    for (uint32_t i = 0; i < level.width_count; i++) printf(i ? ",%u" : "%u", level.widths[i]);
    printf("]}\n");
#endif
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
#elif defined(HUNT)
    int ready = options.walks ? walk(options.workers) : refine(options.workers);
#elif STORE_IS_LOSSY
    int ready = options.depth_first ? plunge(options.workers) : bfs(options.workers, 0);
#else
    int ready = options.depth_first ? dfs(options.workers) : bfs(options.workers, 0);
#endif
    if (!ready) {
        printf("{\"type\":\"initial\"}\n");
        return 65;
    }
    int loops = 0;
    uint64_t ends = 0, digest = 0;
    uint32_t inner = 0;
    for (int w = 0; w < search.count; w++) {
        loops |= search.workers[w].c.loops;
        ends += search.workers[w].ends;
        inner += search.workers[w].inner;
        digest += search.workers[w].ends_digest;
    }
    char result[768], reduction[192] = "";
#if MODEL_REDUCES
    uint64_t reduced = 0, forced = 0, offered = 0, taken = 0;
    for (int w = 0; w < search.count; w++) {
        const sink *c = &search.workers[w].c;
        reduced += c->reduced, forced += c->forced, offered += c->offered, taken += c->taken;
    }
    snprintf(reduction, sizeof reduction, "\"reduced\":%llu,\"forced\":%llu,\"offered\":%llu,\"taken\":%llu,",
             (unsigned long long)reduced, (unsigned long long)forced, (unsigned long long)offered,
             (unsigned long long)taken);
#endif
    print_filter();
    uint64_t stored = search_states();
    snprintf(result, sizeof result,
             "{\"type\":\"result\",%s\"states\":%llu,\"stored\":%llu,\"transitions\":%llu,\"depth\":%llu,\"seconds\":%.6f,"
             "\"peak\":%llu,\"record\":%u,\"tree\":%d,\"rearranged\":%u,\"extended\":%u,\"workers\":%d,\"met\":%u,\"limits\":%u,"
             "\"loops\":%d,\"ends\":%llu,\"ends_digest\":%llu,\"complete\":%d}\n",
             reduction, (unsigned long long)(stored - inner), (unsigned long long)stored,
             (unsigned long long)search_arrivals(), (unsigned long long)search.depth, seconds(),
             (unsigned long long)peak_resident(), (unsigned)search.st.stride, search.st.in_tree, search.st.rearranged,
             search.st.extended, search.count, search.met, search.limits, loops, (unsigned long long)ends, (unsigned long long)digest, search.complete);
    unsigned wanted = search.met & options.wanted;
#ifdef HUNT
    wanted = 0;                         /* printed when they were found */
#endif
    print_traces(wanted);
    if (search_goes_again()) {
        fflush(stdout);
        search_close();
        options.resume = options.checkpoint = NULL;
        options.max_states = UINT32_MAX - 1;
        bfs(1, wanted);
        print_traces(search.met & wanted);
    }
    fputs(result, stdout);
    return fflush(stdout) ? 74 : 0;
}

#endif
#endif
