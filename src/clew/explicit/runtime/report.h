/* report.h: limits, clocks, and what the run tells the outside: one JSON object per line on standard output.
 *
 *   read_options(argc, argv)    --max-states N --max-depth N --max-memory BYTES --max-seconds S --wanted BITS --keep-going
 *                               --workers N --search bfs|dfs|hunt|random --store auto|table|tree --progress
 *                               reductions: --proviso none|stack|visited|queue|queue-live|level --audit
 *                               lossy stores: --size N (bits, or cells) --hashes K --width BITS --seed N
 *                               --order first|last|random
 *                               --checkpoint FILE --every SECONDS --resume FILE --fingerprint TEXT --room N
 *                               hunting: --least-bytes N --most-bytes N --big-from N --big-step F --small-steps N
 *                               --shrink N --first-only --log-runs
 *                               --partition I --partitions N: see partition.h
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

enum proviso { PROVISO_NONE, PROVISO_STACK, PROVISO_VISITED, PROVISO_QUEUE, PROVISO_QUEUE_LIVE, PROVISO_CHAIN, PROVISOS };
enum limit { LIMIT_STATES = 1, LIMIT_DEPTH = 2, LIMIT_MEMORY = 4, LIMIT_TIME = 8, LIMIT_INTERRUPT = 16, LIMIT_TABLE = 32 };

static struct {
    uint64_t max_states, max_depth, max_memory;
    double   max_seconds;
    unsigned wanted;                    /* kinds of violation that are looked for, as bits */
    int      keep_going;
    int      progress;
    int      workers;
    int      depth_first;
    int      hunts, walks;
    int      layout;                    /* of the store: 0 auto, 1 table, 2 tree */
    uint64_t size;                      /* of a lossy store, in bits or cells */
    int      hashes, width;             /* bits set for each state; bits of a cell */
    uint64_t seed;                      /* of hashing, and of random orders */
    uint64_t least_bytes, most_bytes, big_from, shrink;   /* hunting: sizes of tables; where they begin to grow by a factor;
                                           by how much the next run found has to be shorter */
    int      small_steps, first_only, log_runs;
    double   big_step;
    const char *checkpoint, *resume;    /* files */
    const char *fingerprint;            /* of the program, 64 characters */
    double   checkpoint_every;          /* seconds; 0: only when it is stopped */
    int      room;
    int      order;                     /* of successors: 0 as they come, 1 the last one first, 2 at random */
    enum proviso proviso;               /* of a reduction: see reduce.h */
    int      audit;                     /* every expansion of a reduced search is told */
    int      partition, partitions;     /* of a search that is spread over processes */
} options = {.workers = 1, .size = (uint64_t)1 << 30, .hashes = 3, .width = 64, .least_bytes = 1,
             .most_bytes = 200000, .big_from = 10000, .shrink = 1, .small_steps = 50, .big_step = 1.2,
             .fingerprint = "0000000000000000000000000000000000000000000000000000000000000000",
             .max_states = UINT32_MAX - 1, .max_depth = UINT64_MAX, .max_seconds = 1e30};

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

static void read_search(const char *name)
{
    options.depth_first = !strcmp(name, "dfs");
    options.hunts = !strcmp(name, "hunt");
    options.walks = !strcmp(name, "random");
}

static enum proviso proviso_named(const char *name)
{
    static const char *const names[] = {"none", "stack", "visited", "queue", "queue-live", "chain"};
    for (int i = 0; i < PROVISOS; i++)
        if (!strcmp(name, names[i])) return (enum proviso)i;
    fprintf(stderr, "unknown proviso %s\n", name);
    exit(64);
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
        else if (!strcmp(argv[i], "--search"))      read_search(value), i++;
        else if (!strcmp(argv[i], "--store"))       options.layout = !strcmp(value, "tree") ? 2 : !strcmp(value, "table"), i++;
        else if (!strcmp(argv[i], "--size"))        options.size = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--hashes"))      options.hashes = atoi(value), i++;
        else if (!strcmp(argv[i], "--width"))       options.width = atoi(value), i++;
        else if (!strcmp(argv[i], "--order"))       options.order = !strcmp(value, "random") ? 2 : !strcmp(value, "last"), i++;
        else if (!strcmp(argv[i], "--least-bytes")) options.least_bytes = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--most-bytes"))  options.most_bytes = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--big-from"))    options.big_from = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--big-step"))    options.big_step = strtod(value, NULL), i++;
        else if (!strcmp(argv[i], "--small-steps")) options.small_steps = atoi(value), i++;
        else if (!strcmp(argv[i], "--shrink"))      options.shrink = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--first-only"))  options.first_only = 1;
        else if (!strcmp(argv[i], "--log-runs"))    options.log_runs = 1;
        else if (!strcmp(argv[i], "--checkpoint"))  options.checkpoint = value, i++;
        else if (!strcmp(argv[i], "--resume"))      options.resume = value, i++;
        else if (!strcmp(argv[i], "--fingerprint") && strlen(value) == 64) options.fingerprint = value, i++;
        else if (!strcmp(argv[i], "--every"))       options.checkpoint_every = strtod(value, NULL), i++;
        else if (!strcmp(argv[i], "--room"))        options.room = atoi(value), i++;
        else if (!strcmp(argv[i], "--seed"))        options.seed = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--proviso"))     options.proviso = proviso_named(value), i++;
        else if (!strcmp(argv[i], "--partition"))   options.partition = atoi(value), i++;
        else if (!strcmp(argv[i], "--partitions"))  options.partitions = atoi(value), i++;
        else if (!strcmp(argv[i], "--keep-going"))  options.keep_going = 1;
        else if (!strcmp(argv[i], "--progress"))    options.progress = 1;
        else if (!strcmp(argv[i], "--audit"))       options.audit = 1;
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

SHARED void need_room(const char *what)
{
    printf("{\"type\":\"room\",\"what\":\"%s\"}\n", what);
    exit(75);
}

#endif
