/* hashes.h: 128 bits of hash of the key of a state, from one pass over it.
 *
 *   hash_open(h, seed)          chooses the function of a family; equal seeds give equal functions
 *   hash_close(h)
 *   hash_key(h, s)              the hash of a state, without the bits that are carried along
 *   hash_step(h, s, hs, t)      the same for `t`, a successor of `s`, whose hash is `hs`; where that is cheaper
 *   spread(x, n)                a number below n, from 64 bits of hash; any n
 *
 * Chosen when the program is compiled:
 *   (nothing)      two chains of folded multiplications
 *   HASH_JENKINS   lookup2 of Jenkins (1997): 96 bits
 *   HASH_H3        H3 of Carter and Wegman (1979), a universal family: the exclusive or of a random row for each bit that
 *                  is set; tables by byte. Rows of bytes that do not change cancel out, so that the hash of a successor
 *                  takes only those that do (Cousin and Hélary 1994)
 */
#ifndef CLEW_HASHES_H
#define CLEW_HASHES_H

#include "model.h"
#include "tree.h"

typedef struct { uint64_t a, b; } wide;

typedef struct {
    uint64_t seed;
    uint64_t keep[MODEL_WORDS];         /* the bits that belong to the key */
    wide    *rows;                      /* H3: for each byte of a state and each value of it */
} hasher;

static inline uint64_t spread(uint64_t x, uint64_t n)
{
    uint64_t high;
    product_of(x, n, &high);
    return high;
}

static inline uint64_t random_word(uint64_t *x)    /* splitmix64 */
{
    uint64_t z = *x += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void hash_open(hasher *h, uint64_t seed)
{
    state carried = {{0}};
    model_carried(&carried);
    for (uint32_t i = 0; i < MODEL_WORDS; i++) h->keep[i] = ~carried.w[i];
    h->seed = random_word(&seed);
    h->rows = NULL;
#ifdef HASH_H3
    h->rows = malloc((size_t)8 * MODEL_WORDS * 256 * sizeof *h->rows);
    if (!h->rows) { perror("clew"); exit(70); }
    for (uint32_t byte = 0; byte < 8 * MODEL_WORDS; byte++) {
        wide *row = h->rows + (size_t)byte * 256;
        row[0] = (wide){0, 0};
        for (uint32_t v = 1; v < 256; v++) {
            uint32_t low = v & -v, rest = v ^ low;
            if (!rest) row[v] = (wide){random_word(&seed), random_word(&seed)};
            else row[v] = (wide){row[low].a ^ row[rest].a, row[low].b ^ row[rest].b};
        }
    }
#endif
}

static void hash_close(hasher *h)
{
    free(h->rows);
    h->rows = NULL;
}

#if defined(HASH_H3)
static inline wide h3_word(const hasher *h, wide x, uint32_t i, uint64_t word)
{
    const wide *rows = h->rows + (size_t)i * 8 * 256;
    for (; word; word >>= 8, rows += 256) x.a ^= rows[word & 0xff].a, x.b ^= rows[word & 0xff].b;
    return x;
}

static inline wide hash_key(const hasher *h, const state *s)
{
    wide x = {h->seed, ~h->seed};
    for (uint32_t i = 0; i < MODEL_WORDS; i++) x = h3_word(h, x, i, s->w[i] & h->keep[i]);
    return x;
}

static inline wide hash_step(const hasher *h, const state *s, wide x, const state *t)
{
    for (uint32_t i = 0; i < MODEL_WORDS; i++) x = h3_word(h, x, i, (s->w[i] ^ t->w[i]) & h->keep[i]);
    return x;
}
#else
#if defined(HASH_JENKINS)
#define JENKINS_ROUND(a, b, c, l, m, n) a -= b, a -= c, a ^= c >> l, b -= c, b -= a, b ^= a << m, c -= a, c -= b, c ^= b >> n
#define JENKINS_MIX(a, b, c)                                                                                              \
    (JENKINS_ROUND(a, b, c, 13, 8, 13), JENKINS_ROUND(a, b, c, 12, 16, 5), JENKINS_ROUND(a, b, c, 3, 10, 15))

static inline wide hash_key(const hasher *h, const state *s)
{
    uint32_t a = 0x9e3779b9u, b = 0x9e3779b9u ^ (uint32_t)(h->seed >> 32), c = (uint32_t)h->seed;
    uint32_t halves[2 * MODEL_WORDS + 3] = {0};
    for (uint32_t i = 0; i < MODEL_WORDS; i++) {
        uint64_t w = s->w[i] & h->keep[i];
        halves[2 * i] = (uint32_t)w, halves[2 * i + 1] = (uint32_t)(w >> 32);
    }
    for (uint32_t i = 0; i < 2 * MODEL_WORDS; i += 3) {
        a += halves[i], b += halves[i + 1], c += halves[i + 2];
        JENKINS_MIX(a, b, c);
    }
    c += 8 * MODEL_WORDS;
    JENKINS_MIX(a, b, c);
    uint64_t low = (uint64_t)c << 32 | b;
    JENKINS_MIX(a, b, c);
    return (wide){low, (uint64_t)a << 32 | c};
}
#else
static inline wide hash_key(const hasher *h, const state *s)
{
    uint64_t a = h->seed ^ 0xa0761d6478bd642fu, b = h->seed ^ 0xe7037ed1a0b428dbu;
    for (uint32_t i = 0; i < MODEL_WORDS; i += 2) {
        uint64_t x = s->w[i] & h->keep[i], y = i + 1 < MODEL_WORDS ? s->w[i + 1] & h->keep[i + 1] : 0;
        a = mum(x ^ a ^ 0x8ebc6af09c88c6e3u, y ^ 0x589965cc75374cc3u ^ a >> 32);
        b = mum(y ^ b ^ 0x1d8e4e27c47d124fu, x ^ 0xeb44accab455d165u ^ b >> 32);
    }
    return (wide){mum(a ^ 0x2d358dccaa6c78a5u, b ^ 0x8bb84b93962eacc9u), mum(b ^ 0x4b33a62ed433d4a3u, a ^ 0x4d5a2da51de1aa47u)};
}
#endif
static inline wide hash_step(const hasher *h, const state *s, wide x, const state *t)
{
    (void)s; (void)x;
    return hash_key(h, t);
}
#endif

#endif
