/* partition.h: one part of a breadth-first search that is spread over many processes. Compiled with PARTITION, the program
 * keeps the states whose hash is its own and does, one after the other, what it is told on standard input.
 *
 *   A line of input                    what it does, and the line of JSON it answers with
 *     start                            stores the initial states that are its own; {"type":"ready"}, or "initial" (main.h)
 *     expand N CUT                     expands at most N states of the level; with CUT they are only asked for a step.
 *                                      {"type":"expanded","left":states of the level to be expanded,"sizes":[…]}, then for
 *                                      each partition a message of so many bytes
 *     receive FROM SIZE                followed by a message of partition FROM; {"type":"received"}
 *     level                            what was found since becomes the level; {"type":"level","width":states in it}
 *     state I                          {"type":"state","from":[partition, number],"words":"…"}, in hexadecimal; no `from`: it
 *                                      is an initial state
 *     run KIND LENGTH                  followed by so many lines of words: the run along these states to a violation of the
 *                                      kind with that number; {"type":"violation",…}
 *     save                             writes the checkpoint; {"type":"checkpoint",…}, or a note why there is none
 *   All answers but `state` and `violation` also have the figures of the partition: see part_figures.
 *
 * A message is a row of blocks: a head (part_block), which bits of the states differ, the value of the others, packed
 * states, and the number of each one's parent in the partition that sends them. So it means the same to all that run this
 * program, whatever their own records look like. A state that was sent is remembered for a while, not to be sent again.
 *
 * Numbers of states are given out in order, since there is one worker: a level is a range of them.
 */
#ifndef CLEW_PARTITION_H
#define CLEW_PARTITION_H

#include "search.h"
#include "checkpoint.h"
#include "trace.h"

enum {
    MOST_PARTITIONS = 256,
    PART_STATES = sizeof(state) <= 64 ? 16384 : sizeof(state) <= 1024 ? 1024 : 64,       /* in a block */
    SENT_STATES = sizeof(state) <= 64 ? 1 << 19 : sizeof(state) <= 1024 ? 1 << 15 : 1 << 11   /* remembered */
};

typedef struct { uint32_t count, words; } part_block;

typedef struct {
    state    *states;                   /* of the block to be closed next */
    uint32_t *parents;
    uint32_t  count;
    char     *bytes;                    /* closed blocks */
    size_t    size, room;
} part_outbox;

static struct {
    part_outbox out[MOST_PARTITIONS];
    uint32_t from, at, to;              /* the level, and the first state of it that was not expanded */
    uint32_t sender;                    /* of what is stored now */
    arena    senders;                   /* for each state, the partition that has its parent */
    state   *sent;                      /* lately, at a place that its hash says */
    char    *is_sent;                   /* whether there is one at the place */
    uint64_t mask[MODEL_WORDS];         /* bits of the key */
} part;

static void part_must(const void *p) { if (!p) { perror("clew"); exit(70); } }

/* --- whose a state is --- */

static uint64_t part_hash(const state *s)
{
    uint64_t h = 0x2545f4914f6cdd1du;
    for (size_t i = 0; i < MODEL_WORDS; i++) h = mum(h ^ (s->w[i] & part.mask[i]), 0x9e3779b97f4a7c15u + 2 * i);
    return mum(h, 0xd6e8feb86659fd93u);
}

static inline int part_owner(uint64_t hash) { return (int)((hash >> 32) * (uint64_t)options.partitions >> 32); }

/* --- sending --- */

static void part_append(part_outbox *o, const void *p, size_t n)
{
    if (o->size + n > o->room) {
        o->room = 2 * (o->size + n);
        o->bytes = realloc(o->bytes, o->room);
        part_must(o->bytes);
    }
    memcpy(o->bytes + o->size, p, n);
    o->size += n;
}

/* What has the same value in all states of the block is sent once. */
static void part_close_block(part_outbox *o)
{
    if (!o->count) return;
    packing p = {0};
    memcpy(p.carried, search.st.pack.carried, sizeof p.carried);
    memset(p.vary, 0, sizeof p.vary);
    memcpy(p.same, o->states[0].w, sizeof p.same);
    for (uint32_t n = 1; n < o->count; n++) packing_widen(&p, &o->states[n], 0);
    packing_arrange(&p);
    part_block head = {o->count, p.words};
    part_append(o, &head, sizeof head);
    part_append(o, p.vary, sizeof p.vary);
    part_append(o, p.same, sizeof p.same);
    for (uint32_t n = 0; n < o->count; n++) {
        uint64_t r[MODEL_WORDS + 2];
        pack(&p, &o->states[n], r, 0);
        part_append(o, r, 8 * (size_t)p.words);
    }
    part_append(o, o->parents, o->count * sizeof *o->parents);
    o->count = 0;
}

static void part_send(int owner, uint64_t hash, const state *s, uint32_t parent)
{
    size_t place = hash % SENT_STATES;
    if (part.is_sent[place] && !memcmp(&part.sent[place], s, sizeof *s)) return;
    part.sent[place] = *s;
    part.is_sent[place] = 1;
    part_outbox *o = &part.out[owner];
    o->states[o->count] = *s;
    o->parents[o->count] = parent;
    if (++o->count == PART_STATES) part_close_block(o);
}

/* --- storing --- */

static void part_insert(sink *c)
{
    uint32_t before = store_count(&search.st);
    store_insert(&search.st, c);
    uint32_t now = store_count(&search.st);
    if (now == before) return;
    if (!arena_has(&part.senders, now)) store_fill(&search.st, FULL_MEMORY);
    else memset(part.senders.base + before, (int)part.sender, now - before);
}

/* Successors of others go into their outboxes, the rest is stored. */
static void part_drain(sink *c)
{
    uint32_t own = 0, all = c->count;
    for (uint32_t n = 0; n < all; n++) {
        uint64_t hash = part_hash(&c->batch[n]);
        int owner = part_owner(hash);
        if (owner != options.partition) {
            part_send(owner, hash, &c->batch[n], c->parents[n]);
            continue;
        }
        if (own != n) {
            c->batch[own] = c->batch[n];
            c->names[own] = c->names[n];
            c->parents[own] = c->parents[n];
            c->context_of[own] = c->context_of[n];
        }
        own++;
    }
    c->arrivals += all - own;
    c->count = own;
    if (own) part_insert(c);
    c->count = 0;
}

/* --- what it is told to do --- */

static void part_figures(const char *type)
{
    const worker *w = &search.workers[0];
    static const unsigned limit_of[] = {[FULL_MEMORY] = LIMIT_MEMORY, [FULL_STATES] = LIMIT_STATES, [FULL_TABLE] = LIMIT_TABLE};
    unsigned limits = search.limits | (search.st.full ? limit_of[search.st.full] : 0);
    printf("{\"type\":\"%s\",\"states\":%u,\"transitions\":%llu,\"left\":%u,\"width\":%u,\"met\":%u,\"found\":[%u,%u,%u],"
           "\"limits\":%u,\"loops\":%d,\"transient\":%d,\"ends\":%llu,\"ends_digest\":%llu,\"bytes\":%llu,\"peak\":%llu",
           type, store_count(&search.st), (unsigned long long)w->c.arrivals, part.to - part.at, part.to - part.from,
           search.met, search.found[0], search.found[1], search.found[2], limits, w->c.loops, w->c.transient,
           (unsigned long long)w->ends, (unsigned long long)w->ends_digest, (unsigned long long)resident(),
           (unsigned long long)peak_resident());
}

static void part_answer(const char *type)
{
    part_figures(type);
    printf("}\n");
}

static int part_start(void)
{
    sink *c = search.sinks[0];
    c->parent = NOBODY;
    part.sender = (uint32_t)options.partition;
    if (!model_initial(c)) return 0;
    uint32_t own = 0;
    for (uint32_t n = 0; n < c->count; n++)
        if (part_owner(part_hash(&c->batch[n])) == options.partition) {
            c->batch[own] = c->batch[n];
            c->context_of[own] = c->context_of[n];
            own++;
        }
    c->count = own;
    if (own) part_insert(c);
    c->count = 0;
    c->arrivals = 0;
    part.to = store_count(&search.st);
    return 1;
}

static void part_expand(uint32_t most, int cut)
{
    worker *w = &search.workers[0];
    part.sender = (uint32_t)options.partition;
    for (; most > 0 && part.at < part.to && !store_full(&search.st); most--) search_expand(w, part.at++, cut);
    part_drain(&w->c);
    part_figures("expanded");
    printf(",\"sizes\":[");
    for (int n = 0; n < options.partitions; n++) {
        part_close_block(&part.out[n]);
        printf(n ? ",%zu" : "%zu", part.out[n].size);
    }
    printf("]}\n");
    for (int n = 0; n < options.partitions; n++) {
        fwrite(part.out[n].bytes, 1, part.out[n].size, stdout);
        part.out[n].size = 0;
    }
}

static void part_broken(const char *what) __attribute__((noreturn));
static void part_broken(const char *what)
{
    fprintf(stderr, "partition: %s\n", what);
    exit(64);
}

static void part_read(void *p, size_t n)
{
    if (n && fread(p, 1, n, stdin) != n) part_broken("the input ends in the middle of a message");
}

/* A block of states. Bytes of the message that are left: `size`. */
static size_t part_receive_block(sink *c, uint32_t from, size_t size)
{
    part_block head;
    packing p = {0};
    size_t length = sizeof head + sizeof p.vary + sizeof p.same;
    if (size < length) part_broken("a message is cut off");
    part_read(&head, sizeof head);
    part_read(p.vary, sizeof p.vary);
    part_read(p.same, sizeof p.same);
    memcpy(p.carried, search.st.pack.carried, sizeof p.carried);
    packing_arrange(&p);
    length += head.count * (8 * (size_t)head.words + 4);
    if (head.words != p.words || head.count > PART_STATES || size < length) part_broken("a message makes no sense");
    uint64_t *records = malloc(8 * (size_t)head.words * head.count + 1);
    uint32_t *parents = malloc(4 * (size_t)head.count + 1);
    part_must(records);
    part_must(parents);
    part_read(records, 8 * (size_t)head.words * head.count);
    part_read(parents, 4 * (size_t)head.count);
    uint64_t arrivals = c->arrivals;               /* counted where they came from */
    part.sender = from;
    for (uint32_t n = 0; n < head.count && !store_full(&search.st); n++) {
        unpack(&p, records + (size_t)n * head.words, &c->batch[c->count], 0);
        c->parents[c->count] = parents[n];
        c->context_of[c->count++] = c->context;
        if (c->count == BATCH || n + 1 == head.count) part_insert(c);
    }
    c->count = 0;
    c->arrivals = arrivals;
    free(records);
    free(parents);
    return length;
}

static void part_receive(uint32_t from, size_t size)
{
    while (size) size -= part_receive_block(search.sinks[0], from, size);
    part_answer("received");
}

static void part_level(void)
{
    part.from = part.at = part.to;
    part.to = store_count(&search.st);
    part_answer("level");
}

static void part_state(uint32_t i)
{
    state s;
    if (i >= store_count(&search.st)) part_broken("no such state");
    store_read(&search.st, search.sinks[0]->contexts, i, &s);
    uint32_t parent = store_parent(&search.st, i);
    printf("{\"type\":\"state\",");
    if (parent != NOBODY) printf("\"from\":[%u,%u],", (unsigned char)part.senders.base[i], parent);
    printf("\"words\":\"");
    for (size_t n = 0; n < MODEL_WORDS; n++) printf(n ? " %llx" : "%llx", (unsigned long long)s.w[n]);
    printf("\"}\n");
}

static void part_listed(const void *run, uint32_t n, state *s) { *s = ((const state *)run)[n]; }

static void part_run(unsigned kind, uint32_t length)
{
    state *run = malloc((length + (size_t)1) * sizeof *run);
    part_must(run);
    for (uint32_t n = 0; n < length; n++)
        for (size_t i = 0; i < MODEL_WORDS; i++) {
            unsigned long long word;
            if (scanf("%llx", &word) != 1) part_broken("a run is cut off");
            run[n].w[i] = word;
        }
    if (kind >= KINDS || !length) part_broken("no such run");
    print_run((enum kind)kind, length, part_listed, run);
    free(run);
}

/* --- checkpoints --- */

static int part_save(void)
{
    const worker *w = &search.workers[0];
    uint64_t figures[] = {part.from, part.at, part.to, w->ends, w->ends_digest};
    return put_bytes(figures, sizeof figures) && put_bytes(part.senders.base, store_count(&search.st));
}

static void part_load(void)
{
    worker *w = &search.workers[0];
    uint64_t figures[5], states = search.st.used;
    get_bytes(figures, sizeof figures);
    part.from = (uint32_t)figures[0], part.at = (uint32_t)figures[1], part.to = (uint32_t)figures[2];
    w->ends = figures[3], w->ends_digest = figures[4];
    if (!arena_has(&part.senders, states)) checkpoint_bad("it does not fit into the memory there is");
    get_bytes(part.senders.base, states);
}

/* --- the program --- */

static void part_business(int number, int over)
{
    (void)over;
    store_business(&search.st, number);
}

static int part_open(void)
{
    if (options.partitions < 1 || options.partitions > MOST_PARTITIONS || options.partition >= options.partitions)
        part_broken("--partition I --partitions N: I < N <= 256");
    if (search_ready(1) < 0 || !arena_reserve(&part.senders, (size_t)1 << 32)) return 0;
    team_open(1, part_business);
    search.sinks[0]->drain = part_drain;
    state carried = {{0}};
    model_carried(&carried);
    for (size_t i = 0; i < MODEL_WORDS; i++) part.mask[i] = ~carried.w[i];
    part.sent = calloc(SENT_STATES, sizeof *part.sent);
    part.is_sent = calloc(SENT_STATES, 1);
    part_must(part.sent);
    part_must(part.is_sent);
    for (int n = 0; n < options.partitions; n++) {
        part.out[n].states = malloc(PART_STATES * sizeof(state));
        part.out[n].parents = malloc(PART_STATES * sizeof(uint32_t));
        part_must(part.out[n].states);
        part_must(part.out[n].parents);
    }
    return 1;
}

/* Ends when the input does. */
static int partition_main(void)
{
    char line[256];
    unsigned long long x, y;
    signal(SIGINT, SIG_IGN);                       /* whoever gives the orders decides what an interrupt means */
    if (!part_open()) {
        fputs("clew: out of memory\n", stderr);
        return 70;
    }
    if (options.resume) checkpoint_read(part_load);
    while (fgets(line, sizeof line, stdin)) {
        x = y = 0;
        if (!strcmp(line, "start\n")) {
            if (!options.resume && !part_start()) {
                printf("{\"type\":\"initial\"}\n");
                return 65;
            }
            part_answer("ready");
        } else if (sscanf(line, "expand %llu %llu", &x, &y) == 2) part_expand((uint32_t)x, y != 0);
        else if (sscanf(line, "receive %llu %llu", &x, &y) == 2) part_receive((uint32_t)x, (size_t)y);
        else if (!strcmp(line, "level\n")) part_level();
        else if (sscanf(line, "state %llu", &x) == 1) part_state((uint32_t)x);
        else if (sscanf(line, "run %llu %llu", &x, &y) == 2) part_run((unsigned)x, (uint32_t)y);
        else if (!strcmp(line, "save\n")) checkpoint_write(part_save);
        else if (strcmp(line, "\n")) part_broken("unknown order");
        if (fflush(stdout)) return 74;
    }
    return 0;
}

#endif
