/* checkpoint.h: an exact search on disk: the store, what is left to be expanded, and the figures so far.
 *
 *   checkpoint_wanted()       whether it is time for one
 *   checkpoint_write(save)    writes the store and what save() adds, to another file first; what goes wrong is told and the
 *                             search goes on
 *   checkpoint_read(load)     the other way round, into a store that was opened just now; ends the program with status 66 if
 *                             the file is damaged or belongs to another program
 *   put_bytes(p, n), get_bytes(p, n)   for what a search adds
 *   saved_number(i)           numbers of states are written without gaps, so that any number of workers can go on
 *
 * The file: a head (below), the bits kept in records, records, parents, nodes of the tree if there is one, what the search
 * adds, and a checksum of it all. Tables are not written but made again.
 */
#ifndef CLEW_CHECKPOINT_H
#define CLEW_CHECKPOINT_H

#include <errno.h>

#include "search.h"

enum { BAD_CHECKPOINT_STATUS = 66, SUM_BLOCK = 1 << 20 };

typedef struct {
    char     magic[8];
    char     fingerprint[64];           /* of the program */
    uint32_t room, version;             /* processes there is room for: whoever starts the program wants to know it first */
    uint64_t words, used, stride, in_tree, narrowed, rearranged;
    uint64_t depth, arrivals, limits, met, found[KINDS];
    uint64_t loops, transient, nodes, node_gaps, depth_first;
    double   seconds;
} checkpoint_head;

static struct {
    FILE    *file;
    uint64_t sum;
    double   next;                      /* when the next one is due */
    range    gaps[2 * MOST_WORKERS];    /* numbers that no state has, in order */
    uint32_t gap_count;
    size_t   filled;                    /* of the block to be written next */
    unsigned char block[SUM_BLOCK];
} saving;

static void saving_sum(const void *p, size_t n)
{
    const unsigned char *bytes = p;
    for (; n >= 8; bytes += 8, n -= 8) {
        uint64_t x;
        memcpy(&x, bytes, 8);
        saving.sum = mum(saving.sum ^ x ^ 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u);
    }
    for (; n; bytes++, n--) saving.sum = mum(saving.sum ^ *bytes, 0xd6e8feb86659fd93u);
}

/* --- writing --- */

static int put_block(void)
{
    saving_sum(saving.block, saving.filled);
    int written = fwrite(saving.block, 1, saving.filled, saving.file) == saving.filled;
    saving.filled = 0;
    return written;
}

static int put_bytes(const void *p, size_t n)
{
    while (n) {
        size_t part = n < SUM_BLOCK - saving.filled ? n : SUM_BLOCK - saving.filled;
        memcpy(saving.block + saving.filled, p, part);
        saving.filled += part;
        p = (const char *)p + part;
        n -= part;
        if (saving.filled == SUM_BLOCK && !put_block()) return 0;
    }
    return 1;
}

static int by_from(const void *a, const void *b)
{
    uint32_t x = ((const range *)a)->from, y = ((const range *)b)->from;
    return (x > y) - (x < y);
}

static uint32_t gaps_of(range *gaps, size_t offset)
{
    uint32_t n = 0;
    for (int w = 0; w < search.count; w++) {
        const cursor *at = (const cursor *)((const char *)search.sinks[w] + offset);
        if (at->next < at->end) gaps[n++] = (range){at->next, at->end};
        if (at->spare < at->spare_end) gaps[n++] = (range){at->spare, at->spare_end};
    }
    qsort(gaps, n, sizeof *gaps, by_from);
    return n;
}

static uint32_t saved_number(uint32_t i)
{
    uint32_t less = 0;
    if (i == NOBODY) return i;
    for (uint32_t n = 0; n < saving.gap_count && saving.gaps[n].from < i; n++) less += saving.gaps[n].to - saving.gaps[n].from;
    return i - less;
}

/* Calls put(from, to) for all numbers that states have. */
static int put_used(int (*put)(uint32_t from, uint32_t to))
{
    uint32_t from = 0;
    for (uint32_t n = 0; n < saving.gap_count; n++) {
        if (from < saving.gaps[n].from && !put(from, saving.gaps[n].from)) return 0;
        from = saving.gaps[n].to;
    }
    return from >= search.st.used || put(from, search.st.used);
}

static int put_packing(const packing *p)
{
    return put_bytes(p->vary, sizeof p->vary) && put_bytes(p->same, sizeof p->same) &&
           put_bytes(&p->appended_count, sizeof p->appended_count) && put_bytes(p->appended, sizeof p->appended) &&
           put_bytes(&p->extensions, sizeof p->extensions) && put_bytes(p->before, sizeof p->before);
}

static int put_records(uint32_t from, uint32_t to)
{
    return put_bytes(record_at(&search.st, from), (size_t)(to - from) * search.st.stride);
}

static int put_parents(uint32_t from, uint32_t to)
{
    uint32_t block[4096];
    while (from < to) {
        uint32_t n = 0;
        for (; n < 4096 && from < to; n++, from++) block[n] = saved_number(parents_of(&search.st)[from]);
        if (!put_bytes(block, n * sizeof *block)) return 0;
    }
    return 1;
}

static int checkpoint_put(int (*save)(void))
{
    const store *st = &search.st;
    range node_gaps[2 * MOST_WORKERS];
    saving.gap_count = gaps_of(saving.gaps, offsetof(sink, fresh));
    checkpoint_head head = {.magic = "clewckp", .room = (uint32_t)options.room, .version = 4, .words = MODEL_WORDS,
                            .used = store_count(st), .stride = st->stride, .in_tree = (uint64_t)st->in_tree,
                            .narrowed = (uint64_t)st->narrowed, .rearranged = st->rearranged, .depth = search.depth,
                            .arrivals = search_arrivals(), .limits = search.limits & LIMIT_DEPTH, .met = search.met,
                            .nodes = st->in_tree ? st->nodes.used : 0, .depth_first = (uint64_t)options.depth_first,
                            .seconds = seconds()};
    head.node_gaps = st->in_tree ? gaps_of(node_gaps, offsetof(sink, fresh_nodes)) : 0;
    memcpy(head.fingerprint, options.fingerprint, sizeof head.fingerprint);
    for (int kind = 0; kind < KINDS; kind++) head.found[kind] = saved_number(search.found[kind]);
    for (int w = 0; w < search.count; w++)
        head.loops |= (uint64_t)search.sinks[w]->loops, head.transient |= (uint64_t)search.sinks[w]->transient;
    saving.sum = saving.filled = 0;
    if (!put_bytes(&head, sizeof head) || !put_packing(&st->pack) || !put_used(put_records) || !put_used(put_parents)) return 0;
    if (st->in_tree && (!put_bytes(node_gaps, head.node_gaps * sizeof *node_gaps) ||
                        !put_bytes(values_of(&st->nodes), st->nodes.used * (size_t)8))) return 0;
    return save() && put_block() && fwrite(&saving.sum, sizeof saving.sum, 1, saving.file) == 1;
}

static int checkpoint_wanted(void) { return options.checkpoint && options.checkpoint_every > 0 && seconds() >= saving.next; }

static void checkpoint_write(int (*save)(void))
{
    char path[4096];
    snprintf(path, sizeof path, "%s.new", options.checkpoint);
    saving.file = fopen(path, "wb");
    int written = saving.file && checkpoint_put(save) && !fflush(saving.file) && !fsync(fileno(saving.file));
    int why = errno;
    if (saving.file && fclose(saving.file) && written) written = 0, why = errno;
    if (written && rename(path, options.checkpoint)) written = 0, why = errno;
    if (!written) {
        remove(path);
        printf("{\"type\":\"note\",\"text\":\"no checkpoint was written: %s\"}\n", strerror(why));
    } else printf("{\"type\":\"checkpoint\",\"states\":%u,\"seconds\":%.3f}\n", store_count(&search.st), seconds());
    fflush(stdout);
    saving.next = seconds() + options.checkpoint_every;
}

/* --- reading --- */

static void checkpoint_bad(const char *why) __attribute__((noreturn));
static void checkpoint_bad(const char *why)
{
    printf("{\"type\":\"bad-checkpoint\",\"reason\":\"%s\"}\n", why);
    fflush(stdout);
    exit(BAD_CHECKPOINT_STATUS);
}

static void get_bytes(void *p, size_t n)
{
    if (fread(p, 1, n, saving.file) != n) checkpoint_bad("it is cut off");
}

static void fit_index(table *t, uint64_t used)
{
    while (used + CHUNK > ((uint64_t)1 << t->bits) / 8 * 5 && t->bits < 32) t->bits++;
    if (!arena_has(&t->slots, table_bytes(t))) checkpoint_bad("it does not fit into the memory there is");
    if (t->bits >= HUGE_BITS) arena_huge(&t->slots, table_bytes(t));
}

static void get_tree(store *st, const checkpoint_head *head)
{
    range gaps[2 * MOST_WORKERS];
    if (!tree_open(&st->nodes, st->pack.words, st->index.slots.reserved, st->alone)) checkpoint_bad("there is no memory for it");
    if (head->node_gaps > 2 * MOST_WORKERS || head->nodes >= UINT32_MAX) checkpoint_bad("its head makes no sense");
    get_bytes(gaps, head->node_gaps * sizeof *gaps);
    if (!arena_has(&st->nodes.values, head->nodes * 8)) checkpoint_bad("it does not fit into the memory there is");
    get_bytes(values_of(&st->nodes), head->nodes * 8);
    st->nodes.used = (uint32_t)head->nodes;
    fit_index(&st->nodes.index, head->nodes);
    uint64_t gap = 0;
    for (uint32_t i = 0; i < st->nodes.used; i++) {
        if (gap < head->node_gaps && i == gaps[gap].from) {
            i = gaps[gap++].to - 1;
            continue;
        }
        uint64_t h = node_hash(values_of(&st->nodes)[i]);
        put_entry(&st->nodes.index, entry_of(h, i));
    }
    cursor *fresh = &search.sinks[0]->fresh_nodes;
    tree_prepare(&st->nodes, fresh, 0);
    tree_blank(&st->nodes, fresh, &search.sinks[0]->contexts[0]);
    for (int w = 0; w < search.count; w++)
        for (int n = 0; n <= BATCH; n++) search.sinks[w]->contexts[n] = search.sinks[0]->contexts[0];
}

/* Everything appended is appended again. */
static void get_packing(packing *p)
{
    uint32_t count, extensions, before[MOST_EXTENSIONS];
    piece appended[MOST_APPENDED];
    get_bytes(p->vary, sizeof p->vary);
    get_bytes(p->same, sizeof p->same);
    get_bytes(&count, sizeof count);
    get_bytes(appended, sizeof appended);
    get_bytes(&extensions, sizeof extensions);
    get_bytes(before, sizeof before);
    packing_arrange(p);
    for (uint32_t n = 0; n <= count; n++) {
        while (p->extensions < extensions && p->extensions < MOST_EXTENSIONS && before[p->extensions] == n)
            if (!packing_extend(p)) checkpoint_bad("its records have another form");
        if (n == count) break;
        if (n >= MOST_APPENDED || appended[n].word >= MODEL_WORDS || !packing_append(p, appended[n].mask, appended[n].word))
            checkpoint_bad("its records have another form");
    }
}

static void get_store(store *st, const checkpoint_head *head)
{
    if (head->used >= UINT32_MAX) checkpoint_bad("its head makes no sense");
    get_packing(&st->pack);
    st->in_tree = head->in_tree != 0;
    st->stride = st->in_tree ? 8 : 4 * (size_t)st->pack.units;
    if (st->stride != head->stride || (st->in_tree && !TREE_IS_POSSIBLE)) checkpoint_bad("its records have another form");
    st->narrowed = (int)head->narrowed;
    st->rearranged = (uint32_t)head->rearranged;
    st->used = (uint32_t)head->used;
    if (!arena_has(&st->states, st->used * st->stride + 8) || !arena_has(&st->parents, st->used * (size_t)4))
        checkpoint_bad("it does not fit into the memory there is");
    get_bytes(st->states.base, st->used * st->stride);
    get_bytes(parents_of(st), st->used * (size_t)4);
    if (st->in_tree) get_tree(st, head);
    recent_forget(st);
    fit_index(&st->index, st->used);
    uint32_t words = st->in_tree ? 1 : st->pack.key_words;
    for (uint32_t i = 0; i < st->used; i++) {
        uint64_t r[MODEL_WORDS + 2];
        memcpy(r, record_at(st, i), 8 * (size_t)words);
        if (!st->in_tree) r[words - 1] &= st->pack.last;
        put_entry(&st->index, entry_of(hash_of(r, words), i));
    }
}

/* Nothing of the file is believed before its checksum was seen to be right. */
static void checkpoint_verify(void)
{
    uint64_t sum;
    if (fseeko(saving.file, 0, SEEK_END)) checkpoint_bad(strerror(errno));
    off_t left = ftello(saving.file) - (off_t)sizeof sum;
    if (left < (off_t)sizeof(checkpoint_head)) checkpoint_bad("it is cut off");
    rewind(saving.file);
    saving.sum = 0;
    while (left) {
        size_t part = left < SUM_BLOCK ? (size_t)left : SUM_BLOCK;
        get_bytes(saving.block, part);
        saving_sum(saving.block, part);
        left -= (off_t)part;
    }
    get_bytes(&sum, sizeof sum);
    if (sum != saving.sum) checkpoint_bad("its checksum is wrong");
    rewind(saving.file);
}

static void checkpoint_read(void (*load)(void))
{
    checkpoint_head head;
    saving.file = fopen(options.resume, "rb");
    if (!saving.file) checkpoint_bad(strerror(errno));
    if (fread(&head, sizeof head, 1, saving.file) != 1 || memcmp(head.magic, "clewckp", 8) || head.version != 4)
        checkpoint_bad("it is no checkpoint, or cut off");
    checkpoint_verify();
    get_bytes(&head, sizeof head);
    if (memcmp(head.fingerprint, options.fingerprint, sizeof head.fingerprint) || head.words != MODEL_WORDS ||
        head.depth_first != (uint64_t)options.depth_first) checkpoint_bad("it belongs to another model or search");
    get_store(&search.st, &head);
    search.depth = head.depth;
    search.limits = (unsigned)head.limits;
    search.met = (unsigned)head.met;
    for (int kind = 0; kind < KINDS; kind++) search.found[kind] = (uint32_t)head.found[kind];
    search.sinks[0]->arrivals = head.arrivals;
    search.sinks[0]->loops = (int)head.loops;
    search.sinks[0]->transient = (int)head.transient;
    load();
    fclose(saving.file);
    started -= head.seconds;
    options.max_seconds += head.seconds;
    saving.next = seconds() + options.checkpoint_every;
}

#endif
