/* main.h: the program around a model: options, search, result. Exit status 0: there is a result; 75: start over with
 * a larger layout; 65: the initial state cannot be computed. */
#ifndef CLEW_MAIN_H
#define CLEW_MAIN_H

#include "trace.h"

int main(int argc, char **argv)
{
    read_options(argc, argv);
    if (!bfs()) {
        printf("{\"type\":\"initial\"}\n");
        return 65;
    }
    double time = seconds();
    uint64_t peak = peak_resident();
    for (int kind = 0; kind < KINDS; kind++)
        if (search.met & options.wanted & 1u << kind) print_trace(kind);
    printf("{\"type\":\"result\",\"states\":%u,\"transitions\":%llu,\"depth\":%llu,\"seconds\":%.6f,\"peak\":%llu,"
           "\"record\":%u,\"rearranged\":%u,\"met\":%u,\"limits\":%u,\"loops\":%d,\"complete\":%d}\n",
           search.st.count, (unsigned long long)(search.c.arrivals + search.c.count), (unsigned long long)search.depth,
           time, (unsigned long long)peak, (unsigned)search.st.stride, search.st.rearranged, search.met, search.limits,
           search.c.loops, search.complete);
    return fflush(stdout) ? 74 : 0;
}

#endif
