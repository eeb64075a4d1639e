/* Random states put into a filter of the runtime: how many of them are taken for known, and how long it takes.
 *
 *     trial N FROM TO SIZE K WIDTH      N different states, once for each seed FROM … TO - 1; prints how many were omitted
 *     trial hash N                      N hashes of states that differ in two bytes from the one before; prints nanoseconds
 *                                       for each, and with HASH_H3 also those of differential hashing
 */
#include <stdint.h>
#ifndef MODEL_WORDS
#define MODEL_WORDS 2
#endif
#define MODEL_ASKS_TIMEOUT 0
#include "model.h"
static void model_carried(state *s) { (void)s; }
#include "filter.h"
static void inside(sink *c, const state *t, name_t name, int control) { (void)c, (void)t, (void)name, (void)control; }

static double processor_time(void) { return (double)clock() / CLOCKS_PER_SEC; }

static state random_state(uint64_t seed, uint64_t i)
{
    state s = {{0}};
    uint64_t x = seed * 0x9e3779b97f4a7c15u + i;
    for (uint32_t w = 0; w < MODEL_WORDS; w++) s.w[w] = w ? random_word(&x) & 0xff00ff : i;
    return s;
}

static int time_hashes(uint64_t n)
{
    hasher h;
    hash_open(&h, 1);
    state before = random_state(1, 0), now = before;
    uint64_t x = 7, sum = 0, different = 0;
    for (int differential = 0; differential < 2; differential++) {
        wide hash = hash_key(&h, &before);
        double start = processor_time();
        for (uint64_t i = 0; i < n; i++) {
            uint64_t r = random_word(&x);
            ((unsigned char *)now.w)[r % (8 * MODEL_WORDS)] = (unsigned char)(r >> 32);
            ((unsigned char *)now.w)[r / 1024 % (8 * MODEL_WORDS)] = (unsigned char)(r >> 40);
            hash = differential ? hash_step(&h, &before, hash, &now) : hash_key(&h, &now);
            sum += hash.a;
            before = now;
        }
        double took = processor_time() - start;
        wide full = hash_key(&h, &now);
        different += full.a != hash.a || full.b != hash.b;
        printf("{\"words\":%d,\"differential\":%d,\"ns\":%.2f,\"sum\":%llu}\n", (int)MODEL_WORDS, differential, took / (double)n * 1e9,
               (unsigned long long)sum);
    }
    return different != 0;
}

int main(int argc, char **argv)
{
    if (argc == 3) return time_hashes(strtoull(argv[2], NULL, 10));
    if (argc != 7) return 64;
    uint64_t n = strtoull(argv[1], NULL, 10), from = strtoull(argv[2], NULL, 10), to = strtoull(argv[3], NULL, 10);
    uint64_t size = strtoull(argv[4], NULL, 10);
    options.hashes = atoi(argv[5]), options.width = atoi(argv[6]);
    filter f;
    if (!filter_open(&f, size, 1)) return 70;
    for (uint64_t seed = from; seed < to; seed++) {
        hasher h;
        hash_open(&h, seed);
        filter_clear(&f);
        uint64_t omitted = 0;
        double start = processor_time();
        for (uint64_t i = 0; i < n; i++) {
            state s = random_state(seed, i);
            omitted += filter_add(&f, hash_key(&h, &s)) != NEW;
        }
        printf("{\"seed\":%llu,\"omitted\":%llu,\"load\":%llu,\"ns\":%.2f}\n", (unsigned long long)seed, (unsigned long long)omitted,
               (unsigned long long)filter_load(&f), (processor_time() - start) / (double)n * 1e9);
        hash_close(&h);
    }
    return 0;
}
