/* latency.c: what a random access to a large table costs on this machine, alone and in batches of 64 that are asked for
 * beforehand, as the native engine does. Processor time, the best of 7 rounds.
 *
 *   gcc -O2 -o latency bench/latency.c && ./latency
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { ROUNDS = 7, ALONE = 200000, BATCHES = 20000, BATCH = 64, HUGE_PAGE = 2 << 20 };

static uint64_t x = 88172645463325252u, sum;

static uint64_t random_next(void) { return x ^= x << 13, x ^= x >> 7, x ^= x << 17; }

static double nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Each address depends on what was read before. */
static double alone(const uint64_t *table, size_t lines)
{
    uint64_t at = x;
    double begin = nanoseconds();
    for (int i = 0; i < ALONE; i++) at = table[((at ^ (uint64_t)i) * 0x9e3779b97f4a7c15u >> 20 & (lines - 1)) * 8] ^ random_next();
    double end = nanoseconds();
    sum += at;
    return (end - begin) / ALONE;
}

static double in_batches(const uint64_t *table, size_t lines)
{
    double begin = nanoseconds();
    for (int i = 0; i < BATCHES; i++) {
        size_t at[BATCH];
        for (int j = 0; j < BATCH; j++) {
            at[j] = (random_next() >> 20 & (lines - 1)) * 8;
            __builtin_prefetch(&table[at[j]]);
        }
        for (int j = 0; j < BATCH; j++) sum += table[at[j]];
    }
    return (nanoseconds() - begin) / (BATCHES * BATCH);
}

int main(void)
{
    for (int huge = 0; huge < 2; huge++)
        for (size_t megabytes = 8; megabytes <= 512; megabytes *= 4) {
            size_t bytes = megabytes << 20, lines = bytes / 64;
            uint64_t *table = aligned_alloc(HUGE_PAGE, bytes);
            if (!table || madvise(table, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE)) return perror("latency"), 1;
            for (size_t i = 0; i < bytes / 8; i++) table[i] = i * 0x9e3779b97f4a7c15u;
            double one = 1e9, batched = 1e9, now;
            for (int round = 0; round < ROUNDS; round++) {
                if ((now = alone(table, lines)) < one) one = now;
                if ((now = in_batches(table, lines)) < batched) batched = now;
            }
            printf("%4zu MB, %s pages: alone %.0f ns, in batches %.1f ns\n", megabytes, huge ? "huge" : "small", one, batched);
            free(table);
        }
    return sum == 42;
}
