/* pack.h: states as short records. Only bits that have been seen to differ between states are kept.
 *
 *   packing_all(p)              every bit is kept
 *   packing_widen(p, s)         makes `p` fit the state `s`, with some room to spare
 *   packing_kin(p)              gives each byte the bits that others of its kind have, or all if it cannot have many
 *   packing_level(p)            makes it fit many states like those seen: what one byte needed, others may need
 *   packing_arrange(p)          decides where each bit goes; needed after widening
 *   packing_append(p, bits, i)  these bits of word i turn out to differ, too: puts them behind the others, if there is
 *                               room. Records made before stay what they are
 *   packing_extend(p)           makes room for more appended bits: records get another 4 bytes, which are zero for those there
 *                               are; 0 if that has been done already
 *   packing_settle(p)           appended bits become bits like the others, as widening and arranging want them
 *   pack(p, s, r, words)        the record of a state; what it returns is not 0 if the state does not fit
 *   unpack(p, r, s, words)      the state of a record; `words` is p->simple, as a constant where speed matters
 *
 * A record consists of the key, then of the bits that are carried along. Word i of a state has `vary[i]`, the bits
 * that differ, and `same[i]`, the value of the others. Pieces of words are put one after the other into the words of
 * the record; a piece may be cut in two. Records are stored in units of 4 bytes, so most have some room left. A bit that
 * is appended there is kept as its difference to `same`: that is 0 for all states seen before. Zeros at the end of a key
 * do not change its hash, so appended bits do not either.
 */
#ifndef CLEW_PACK_H
#define CLEW_PACK_H

#include "model.h"

#if defined(__BMI2__) && !defined(CLEW_SLOW_PEXT)
static inline uint64_t extract(uint64_t x, uint64_t mask) { return __builtin_ia32_pext_di(x, mask); }
static inline uint64_t deposit(uint64_t x, uint64_t mask) { return __builtin_ia32_pdep_di(x, mask); }
#else
static inline uint64_t extract(uint64_t x, uint64_t mask)
{
    uint64_t r = 0;
    for (int at = 0; mask;) {                      /* run by run of ones */
        int low = __builtin_ctzll(mask);
        uint64_t run = mask >> low;
        int n = ~run ? __builtin_ctzll(~run) : 64;
        uint64_t ones = n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
        r |= (x >> low & ones) << at;
        at += n;
        mask &= ~(ones << low);
    }
    return r;
}

static inline uint64_t deposit(uint64_t x, uint64_t mask)
{
    uint64_t r = 0;
    while (mask) {
        int low = __builtin_ctzll(mask);
        uint64_t run = mask >> low;
        int n = ~run ? __builtin_ctzll(~run) : 64;
        uint64_t ones = n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
        r |= (x & ones) << low;
        x = n == 64 ? 0 : x >> n;
        mask &= ~(ones << low);
    }
    return r;
}
#endif

/* -O1 leaves even the shortest loops rolled up. */
#define UNROLLED _Pragma("GCC unroll 16")

enum { FEW_BITS = 0x1f, MOST_APPENDED = 16, MOST_EXTENSIONS = 3 };

typedef struct { uint64_t mask; uint32_t word; uint16_t shift, to; } piece;

typedef struct {
    uint64_t vary[MODEL_WORDS], same[MODEL_WORDS], carried[MODEL_WORDS];
    uint64_t fixed[MODEL_WORDS];                   /* bits that no state may have otherwise than `same` */
    piece    pieces[2 * MODEL_WORDS + 2 * MODEL_WORDS + 4];
    uint32_t piece_count;
    uint8_t  bits[MODEL_WORDS];                    /* of each word; at most 63 when there are one or two record words */
    uint32_t words;                                /* of a record, the last one perhaps half used */
    uint32_t simple;                               /* `words` if it is 1 or 2 before it is extended and nothing is carried, else 0 */
    uint64_t last;                                 /* the bits of the last key word that are stored */
    uint32_t key_words;
    uint32_t units;                                /* of 4 bytes */
    uint32_t room;                                 /* bits of the key that are left */
    piece    appended[MOST_APPENDED];
    uint32_t appended_count;
    uint32_t extended;                             /* the last word of the key has appended bits only */
    uint32_t extensions, before[MOST_EXTENSIONS];  /* of the record, and how many pieces had been appended before each */
} packing;

static void put_pieces(packing *p, uint32_t *count, int carried)
{
    uint32_t used = 64;
    for (uint32_t i = 0; i < MODEL_WORDS; i++) {
        uint64_t left = p->vary[i] & (carried ? p->carried[i] : ~p->carried[i]);
        while (left) {
            if (used == 64) {
                used = 0;
                p->words++;
            }
            uint64_t part = 0;
            uint32_t n = 0;
            for (; left && used + n < 64; n++) {
                part |= left & -left;
                left &= left - 1;
            }
            p->pieces[(*count)++] = (piece){part, i, (uint16_t)used, (uint16_t)(p->words - 1)};
            used += n;
        }
    }
    if (p->words) p->units = 2 * p->words - (used <= 32);
}

static void packing_arrange(packing *p)
{
    uint32_t count = 0;
    p->words = p->units = 0;
    put_pieces(p, &count, 0);
    if (p->words == 0) {                           /* a key is never empty */
        p->pieces[count++] = (piece){0, 0, 0, 0};
        p->words++;
        p->units = 1;
    }
    p->key_words = p->words;
    uint32_t units = p->units;
    put_pieces(p, &count, 1);
    p->piece_count = count;
    if (p->words == p->key_words) p->units = units;
    p->simple = p->words == p->key_words && p->words <= 2 ? p->words : 0;
    p->room = p->words == p->key_words ? 32 * p->units : 64 * p->key_words;
    p->appended_count = p->extended = p->extensions = 0;
    for (uint32_t i = 0; i < MODEL_WORDS; i++) {
        p->bits[i] = (uint8_t)__builtin_popcountll(p->vary[i]);
        if (p->bits[i] == 64) p->simple = 0;
        p->room -= (uint32_t)__builtin_popcountll(p->vary[i] & ~p->carried[i]);
        p->fixed[i] = ~p->vary[i];
        p->same[i] &= p->fixed[i];
    }
    p->last = p->words == p->key_words && p->units & 1 ? 0xffffffff : ~(uint64_t)0;
}

static int packing_append(packing *p, uint64_t bits, uint32_t i)
{
    uint32_t n = (uint32_t)__builtin_popcountll(bits);
    if (n > p->room || bits & p->carried[i] || p->appended_count == MOST_APPENDED) return 0;
    uint32_t shift = (p->last == ~(uint64_t)0 ? 64 : 32) - p->room;
    p->appended[p->appended_count++] = (piece){bits, i, (uint16_t)shift, (uint16_t)(p->key_words - 1)};
    p->room -= n;
    p->fixed[i] &= ~bits;
    return 1;
}

static int packing_extend(packing *p)
{
    if (p->words != p->key_words || p->extensions == MOST_EXTENSIONS) return 0;    /* what is carried comes next */
    if (p->units & 1) {
        p->room += 32;
        p->last = ~(uint64_t)0;
    } else {
        if (p->extended) return 0;
        p->extended = 1;
        p->key_words = ++p->words;
        p->room = 32;
        p->last = 0xffffffff;
    }
    p->units++;
    p->before[p->extensions++] = p->appended_count;
    return 1;
}

static void packing_settle(packing *p)
{
    for (uint32_t i = 0; i < MODEL_WORDS; i++) {
        p->vary[i] = ~p->fixed[i];
        p->same[i] &= p->fixed[i];
    }
}

static void packing_all(packing *p)
{
    state carried = {{0}};
    model_carried(&carried);
    memcpy(p->carried, carried.w, sizeof p->carried);
    memset(p->vary, 0xff, sizeof p->vary);
    memset(p->same, 0, sizeof p->same);
    packing_arrange(p);
}

/* A byte that turns out to need more bits gets one more than it needs now. */
static void packing_widen(packing *p, const state *s, int spare)
{
    for (uint32_t i = 0; i < MODEL_WORDS; i++) {
        uint64_t fresh = (s->w[i] & ~p->vary[i]) ^ p->same[i];
        if (!fresh) continue;
        p->vary[i] |= fresh;
        for (int b = 0; spare && b < 64; b += 8)
            if (fresh >> b & 0xff) {
                uint64_t lane = p->vary[i] >> b & 0xff;
                uint64_t all = ((uint64_t)2 << (63 - __builtin_clzll(lane))) - 1;
                p->vary[i] |= ((all << 1 | 1) & 0xff) << b;
            }
        p->same[i] &= ~p->vary[i];
    }
}

static void packing_kin(packing *p)
{
    uint16_t kinds[8 * MODEL_WORDS] = {0};
    uint8_t most[8 * MODEL_WORDS] = {0}, *bits = calloc(UINT16_MAX + 1, 1);
    if (!bits) return;
    model_kinds(kinds, most);
    for (uint32_t n = 0; n < 8 * MODEL_WORDS; n++) {
        uint8_t lane = (uint8_t)(p->vary[n / 8] >> n % 8 * 8);
        bits[kinds[n]] |= lane && most[n] <= FEW_BITS ? most[n] : lane;
    }
    for (uint32_t n = 0; n < 8 * MODEL_WORDS; n++)
        if (kinds[n]) p->vary[n / 8] |= (uint64_t)(bits[kinds[n]] & most[n]) << n % 8 * 8;
    for (uint32_t i = 0; i < MODEL_WORDS; i++) p->same[i] &= ~p->vary[i];
    free(bits);
}

/* Gives every byte of the words that differ as many bits as the widest of their bytes has. */
static void packing_level(packing *p)
{
    uint64_t widest = 0;
    for (uint32_t i = 0; i < MODEL_WORDS; i++)
        for (int b = 0; b < 64; b += 8) widest |= p->vary[i] >> b & 0xff;
    for (int n = 1; n < 8; n *= 2) widest |= widest >> n;
    for (uint32_t i = 0; i < MODEL_WORDS; i++)
        if (p->vary[i]) {
            p->vary[i] |= widest * 0x0101010101010101u;
            p->same[i] &= ~p->vary[i];
        }
}

#ifdef __AVX2__
typedef uint64_t four_words __attribute__((vector_size(32), aligned(8)));
#endif

/* Which bits of a state, of all words together, are otherwise than they may be. */
static inline uint64_t unfit(const packing *p, const state *s)
{
    uint64_t bad = 0;
    uint32_t i = 0;
#ifdef __AVX2__
    four_words all = {0};
    UNROLLED
    for (; i + 4 <= MODEL_WORDS; i += 4)
        all |= (*(const four_words *)(s->w + i) ^ *(const four_words *)(p->same + i)) & *(const four_words *)(p->fixed + i);
    bad = all[0] | all[1] | all[2] | all[3];
#endif
    for (; i < MODEL_WORDS; i++) bad |= (s->w[i] ^ p->same[i]) & p->fixed[i];
    return bad;
}

/* A record of one or two words without carried bits is made by shifting the piece of each state word in from the right;
 * `words` is then a constant. Other records are made piece by piece. */
static inline __attribute__((always_inline)) uint64_t pack(const packing *p, const state *s, uint64_t *r, uint32_t words)
{
    uint64_t bad = 0;
    if (words == 1) {
        uint64_t low = 0;
        UNROLLED
        for (uint32_t i = 0; i < MODEL_WORDS; i++) {
            uint64_t x = s->w[i] ^ p->same[i];
            low = low << p->bits[i] | extract(x, p->vary[i]);
            bad |= x & p->fixed[i];
        }
        r[0] = low;
    } else if (words == 2) {
        uint64_t low = 0, high = 0;
        UNROLLED
        for (uint32_t i = 0; i < MODEL_WORDS; i++) {
            uint64_t x = s->w[i] ^ p->same[i], n = p->bits[i];
            high = high << n | low >> 1 >> (63 - n);
            low = low << n | extract(x, p->vary[i]);
            bad |= x & p->fixed[i];
        }
        r[0] = low;
        r[1] = high;
    } else {
        for (uint32_t j = 0; j < p->words; j++) r[j] = 0;
        const piece *q = p->pieces, *end = q + p->piece_count;
        do r[q->to] |= extract(s->w[q->word], q->mask) << q->shift; while (++q < end);
        bad = unfit(p, s);
    }
    if (words) r[words] = 0;                        /* for what is appended behind */
    for (uint32_t n = 0; n < p->appended_count; n++) {
        const piece *q = &p->appended[n];
        r[q->to] |= extract(s->w[q->word] ^ p->same[q->word], q->mask) << q->shift;
    }
    return bad;
}

static inline __attribute__((always_inline)) void unpack(const packing *p, const uint64_t *r, state *s, uint32_t words)
{
    if (words == 1) {
        uint64_t low = r[0];
        UNROLLED
        for (uint32_t i = MODEL_WORDS; i-- > 0;) {
            s->w[i] = deposit(low, p->vary[i]) ^ p->same[i];
            low >>= p->bits[i];
        }
    } else if (words == 2) {
        uint64_t low = r[0], high = r[1];
        UNROLLED
        for (uint32_t i = MODEL_WORDS; i-- > 0;) {
            uint64_t n = p->bits[i];
            s->w[i] = deposit(low, p->vary[i]) ^ p->same[i];
            low = low >> n | high << 1 << (63 - n);
            high >>= n;
        }
    } else {
        memcpy(s->w, p->same, sizeof s->w);
        const piece *q = p->pieces, *end = q + p->piece_count;
        do s->w[q->word] |= deposit(r[q->to] >> q->shift, q->mask); while (++q < end);
    }
    for (uint32_t n = 0; n < p->appended_count; n++) {
        const piece *q = &p->appended[n];
        s->w[q->word] ^= deposit(r[q->to] >> q->shift, q->mask);
    }
}

#endif
