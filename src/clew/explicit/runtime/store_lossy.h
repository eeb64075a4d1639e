/* store_lossy.h: states of which only a hash is kept. The part of store.h that is different then.
 *
 *   lossy_open(st), lossy_close(st)
 *   lossy_provide(st, c)         numbers for as many states as the sink may hold
 *   lossy_insert(st, c)          stores what waits in the sink; 0 if some state does not fit the packing
 *   lossy_rearrange(st, to)      makes the records that there are anew, with another packing
 *   store_passed(st, first)      forgets the records before `first`
 *   store_parent(st, i)          from the log
 *
 * Records are those of states that are not expanded yet and of the level that is being expanded. They are in a ring, by
 * number; pages behind are given back.
 */
#ifndef CLEW_STORE_LOSSY_H
#define CLEW_STORE_LOSSY_H

static int store_uses(const store *st, uint32_t i);

static hasher store_hash;                         /* also for traces */
static wide   lossy_hashes[MOST_WORKERS][BATCH];

enum { FORGET_FROM = 1 << 16, CONTEXT_A = MODEL_WORDS, CONTEXT_B = MODEL_WORDS + 1 };

/* A successor is hashed from what is different in it. */
static void context_keep(const store *st, context *k, const state *s)
{
    (void)st;
#ifdef HASH_H3
    wide x = hash_key(&store_hash, s);
    memcpy(k->words, s->w, sizeof s->w);
    k->words[CONTEXT_A] = x.a, k->words[CONTEXT_B] = x.b;
#else
    (void)k; (void)s;
#endif
}

static inline wide lossy_hash(const context *k, const state *t)
{
#if defined(HASH_H3) && !defined(HASH_H3_FULL)
    return hash_step(&store_hash, (const state *)k->words, (wide){k->words[CONTEXT_A], k->words[CONTEXT_B]}, t);
#else
    (void)k;
    return hash_key(&store_hash, t);
#endif
}

static uint32_t lossy_ring(const arena *a, size_t stride)
{
    uint64_t room = a->reserved / stride - 2, ring = 1;
    while (ring * 2 <= room && ring < (uint64_t)1 << 32) ring *= 2;
    return (uint32_t)(ring - 1);
}

static int lossy_open(store *st)
{
    state blank = {{0}};
    hash_open(&store_hash, options.seed);
    wide x = hash_key(&store_hash, &blank);
    for (int w = 0; w < st->workers; w++)
        for (int n = 0; n <= BATCH; n++) {
            context *k = &st->sinks[w]->contexts[n];
            k->words[CONTEXT_A] = x.a, k->words[CONTEXT_B] = x.b;
        }
    if (!filter_open(&st->known, options.size, st->alone) || !log_open(&st->log, st->workers, st->most_bytes / 2)) return 0;
    if (filter_bytes(&st->known) + st->base > st->most_bytes || !arena_reserve(&st->states, st->most_bytes)) return 0;
    st->ring = lossy_ring(&st->states, st->stride);
    return 1;
}

static void lossy_close(store *st)
{
    filter_close(&st->known);
    log_close(&st->log);
    hash_close(&store_hash);
}

static uint32_t store_parent(const store *st, uint32_t i)
{
    unsigned check;
    return log_get(&st->log, i, &check);
}

/* Whole pages only. */
static void lossy_forget(store *st, uint64_t from, uint64_t to)
{
    size_t end = to * st->stride / 4096 * 4096;
    if (end > from * st->stride + 4096) arena_forget(&st->states, from * st->stride, end);
}

/* Also gives up numbers that a worker has had since then and not used: the ring need not reach back to them. */
static void store_passed(store *st, uint32_t first)
{
    for (int w = 0; w < st->workers; w++) {
        cursor *at = &st->sinks[w]->fresh;
        if (at->next < first) st->dropped += at->end - at->next, at->next = at->end;
        if (at->spare < first) st->dropped += at->spare_end - at->spare, at->spare = at->spare_end;
        if (at->next == at->end) cursor_turn(at);
    }
    st->first = first;
    if (first - st->forgotten > FORGET_FROM) {
        uint64_t room = (uint64_t)st->ring + 1, from = st->forgotten % room, to = from + (first - st->forgotten);
        lossy_forget(st, from, to < room ? to : room);
        if (to > room) lossy_forget(st, 0, to - room);
        st->forgotten = first;
    }
}

static void lossy_rearrange(store *st, const packing *to)
{
    store old = *st;
    arena states;
    if (!arena_reserve(&states, st->most_bytes)) {
        store_fill(st, FULL_MEMORY);
        return;
    }
    st->states = states;
    st->pack = *to;
    st->stride = 4 * (size_t)to->units;
    st->ring = lossy_ring(&st->states, st->stride);
    st->forgotten = st->first;
    for (uint32_t i = st->first; i < st->used; i++) {
        uint64_t r[MODEL_WORDS + 2];
        state s;
        if (!store_uses(&old, i)) continue;
        store_read(&old, NULL, i, &s);
        pack(to, &s, r, to->simple);
        put_record(st, i, r, to->words);
    }
    arena_release(&old.states);
    st->rearranged++;
}

static void lossy_provide(store *st, sink *c)
{
    if (st->used - st->first + 2 * (uint64_t)CHUNK > (uint64_t)st->ring + 1 || st->log.full ||
        store_bytes(st) + CHUNK * (st->stride + 4) > st->most_bytes) store_fill(st, FULL_MEMORY);
    else cursor_fill(&c->fresh, &st->used, CHUNK, st->most_states);
}

static inline uint64_t lossy_pack(const store *st, const state *s, uint64_t *r)
{
    if (st->pack.simple == 1) return pack(&st->pack, s, r, 1);
    if (st->pack.simple == 2) return pack(&st->pack, s, r, 2);
    return pack(&st->pack, s, r, 0);
}

static int lossy_insert(store *st, sink *c)
{
    uint64_t bad = 0;
    uint32_t fresh[BATCH], news = 0;
    wide *hashes = lossy_hashes[c->number];
    for (uint32_t i = 0; i < c->count; i++) {
        hashes[i] = lossy_hash(&c->contexts[c->context_of[i]], &c->batch[i]);
        filter_prefetch(&st->known, hashes[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {      /* most are known, and need no record */
        c->stored[i] = NOBODY;
        if (filter_knows(&st->known, hashes[i])) continue;
        bad |= lossy_pack(st, &c->batch[i], c->records + i * (MODEL_WORDS + 2));
        fresh[news++] = i;
    }
    if (unlikely(bad)) return 0;
    c->arrivals += c->count;
    for (uint32_t n = 0; n < news; n++) {
        uint32_t i = fresh[n];
        if (unlikely(c->fresh.next == c->fresh.end)) cursor_turn(&c->fresh);
        if (unlikely(c->fresh.next == c->fresh.end)) {
            store_fill(st, FULL_STATES);
            break;
        }
        enum added added = filter_add(&st->known, hashes[i]);
        if (unlikely(added == FULL)) {
            store_fill(st, FULL_TABLE);
            break;
        }
        if (added == KNOWN) continue;
        uint32_t index = c->fresh.next++;
        log_put(&st->log, c->number, index, c->parents[i], (unsigned)hashes[i].a);
        put_record(st, index, c->records + i * (MODEL_WORDS + 2), st->pack.words);
        c->stored[i] = index;
    }
    return 1;
}

#endif
