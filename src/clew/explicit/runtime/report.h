/* report.h: limits, clocks, and what the run tells the outside: one JSON object per line on standard output.
 *
 *   read_options(argc, argv)    --max-states N --max-depth N --max-memory BYTES --max-seconds S --wanted BITS --keep-going
 *                               --workers N --search bfs|dfs --store auto|table|tree --progress
 *   seconds()                   since the start
 *   resident(), peak_resident() bytes of memory in use, now and at most
 *   watch(…)                    now and then: reports progress, notices that time is up or that the user interrupts
 */
#ifndef CLEW_REPORT_H
#define CLEW_REPORT_H

#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "model.h"

enum limit { LIMIT_STATES = 1, LIMIT_DEPTH = 2, LIMIT_MEMORY = 4, LIMIT_TIME = 8, LIMIT_INTERRUPT = 16 };

static struct {
    uint64_t max_states, max_depth, max_memory;
    double   max_seconds;
    unsigned wanted;                    /* kinds of violation that are looked for, as bits */
    int      keep_going;
    int      progress;
    int      workers;
    int      depth_first;
    int      layout;                    /* of the store: 0 auto, 1 table, 2 tree */
} options = {.workers = 1, .max_states = UINT32_MAX - 1, .max_depth = UINT64_MAX, .max_seconds = 1e30};

static volatile sig_atomic_t interrupted;
#ifndef REPORT_SECONDS
#define REPORT_SECONDS 0.2                /* between two reports of progress */
#endif

static double started, next_report;

static void on_interrupt(int sig) { (void)sig; interrupted = 1; }

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(void) { return clock_now() - started; }

/* A figure of /proc/self/status in bytes; 0 where there is none. */
static uint64_t status_bytes(const char *name)
{
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, name, strlen(name))) sscanf(line + strlen(name), ": %llu", &kilobytes);
    fclose(f);
    return kilobytes * 1024;
}

static uint64_t peak_resident(void)
{
    uint64_t bytes = status_bytes("VmHWM");
    struct rusage u;
    if (bytes) return bytes;
    getrusage(RUSAGE_SELF, &u);
#ifdef __APPLE__
    return (uint64_t)u.ru_maxrss;
#else
    return (uint64_t)u.ru_maxrss * 1024;
#endif
}

static uint64_t resident(void)
{
    uint64_t bytes = status_bytes("VmRSS");
    return bytes ? bytes : peak_resident();
}

static void read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if      (!strcmp(argv[i], "--max-states"))  options.max_states = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--max-depth"))   options.max_depth = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--max-memory"))  options.max_memory = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--max-seconds")) options.max_seconds = strtod(value, NULL), i++;
        else if (!strcmp(argv[i], "--wanted"))      options.wanted = (unsigned)strtoul(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--workers"))     options.workers = atoi(value), i++;
        else if (!strcmp(argv[i], "--search"))      options.depth_first = !strcmp(value, "dfs"), i++;
        else if (!strcmp(argv[i], "--store"))       options.layout = !strcmp(value, "tree") ? 2 : !strcmp(value, "table"), i++;
        else if (!strcmp(argv[i], "--keep-going"))  options.keep_going = 1;
        else if (!strcmp(argv[i], "--progress"))    options.progress = 1;
        else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            exit(64);
        }
    }
    if (options.max_states > UINT32_MAX - 1) options.max_states = UINT32_MAX - 1;
    if (!options.max_memory)
        options.max_memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 10 * 9;
    if (options.workers < 1 || MODEL_IS_FOREIGN) options.workers = 1;
    if (options.workers > 256) options.workers = 256;
    started = clock_now();
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
}

/* Returns the limits that were hit. */
static unsigned watch(uint64_t states, uint64_t transitions, uint64_t depth, uint64_t queue)
{
    double now = seconds();
    if (options.progress && now >= next_report) {
        next_report = now + REPORT_SECONDS;
        printf("{\"type\":\"progress\",\"states\":%llu,\"transitions\":%llu,\"depth\":%llu,\"queue\":%llu,"
               "\"seconds\":%.3f,\"bytes\":%llu}\n",
               (unsigned long long)states, (unsigned long long)transitions, (unsigned long long)depth,
               (unsigned long long)queue, now, (unsigned long long)resident());
        fflush(stdout);
    }
    return (now > options.max_seconds ? LIMIT_TIME : 0) | (interrupted ? LIMIT_INTERRUPT : 0);
}

static void need_room(const char *what)
{
    printf("{\"type\":\"room\",\"what\":\"%s\"}\n", what);
    exit(75);
}

#endif
