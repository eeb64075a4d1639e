/* search_bfs.h: breadth-first search, level by level, by any number of workers.
 *
 *   bfs(workers, kinds)   explores everything, or until violations of all these kinds are met; returns 0 if an initial
 *                         state cannot be computed
 *   search.found   for each kind of violation one that is as near to the start as any (in steps between ordinary states)
 *
 * States of a level are cut into pieces, which workers take one by one. A level that is small is left to one worker, so
 * that narrow models do not pay for meetings.
 */
#ifndef CLEW_SEARCH_BFS_H
#define CLEW_SEARCH_BFS_H

#include "search.h"
#if HAS_CHECKPOINTS
#include "checkpoint.h"
#endif
#if MODEL_REDUCES
#include "reduce.h"
#else
#define reduce_expand search_expand
#endif

enum { PIECE = 64, ENOUGH_TO_SHARE = 128 };

static struct {
    range   *pieces;                              /* of the level that is expanded */
    uint32_t count, room, taken;
    uint32_t left;                                /* states in it */
    int      cut;                                 /* it is as deep as may be */
    int      complete;
    int      again;                               /* its states are expanded fully after all: see chain.h */
    int      pause;                               /* for a checkpoint: nobody takes a piece */
    range   *back;                                /* pieces that are to be expanded again */
    uint32_t back_count, back_room;
#if STORE_IS_LOSSY
    uint32_t *widths, width_count, width_room;    /* of all levels */
#endif
} level;

static void bfs_made(worker *w, uint32_t from, uint32_t to)
{
    range *last = w->made_count ? &w->made[w->made_count - 1] : NULL;
    if (last && last->to == from) {
        uint32_t more = PIECE - (last->to - last->from);
        from = last->to = to - from > more ? from + more : to;
    }
    for (; from < to; from += PIECE) {
        if (w->made_count == w->made_room) w->made = grown(w->made, &w->made_room, sizeof *w->made);
        w->made[w->made_count++] = (range){from, to - from > PIECE ? from + PIECE : to};
    }
}

/* Notes which numbers the worker has used since it last did. They are used in order: the rest of a chunk, then the next. */
static void bfs_note(worker *w, const cursor *before)
{
    const cursor *now = &w->c.fresh;
    if (before->end == now->end) bfs_made(w, before->next, now->next);
    else {
        bfs_made(w, before->next, before->end);
        if (before->spare_end == now->end) bfs_made(w, before->spare, now->next);
    }
}

static void bfs_insert(sink *c)
{
    worker *w = (worker *)c;
    store *st = &search.st;
    if (unlikely(team_is_called())) meet(c->number, 0);
    if (unlikely(cursor_left(&c->fresh) < BATCH)) store_provide(st, c);
    cursor before = c->fresh;
    store_insert(st, c);
    if (before.next != c->fresh.next) bfs_note(w, &before);
}

static void bfs_flush(sink *c)
{
#if MODEL_REDUCES
    reduce_flush(c);
#else
    c->drain(c);
#endif
}

static void bfs_calls(uint32_t states)
{
    team_ask(team_for(states, ENOUGH_TO_SHARE));
}

#if MODEL_REDUCES && !REDUCES_AS_PEER
/* Some states of the level are to be expanded once more. */
static int bfs_repeats(void)
{
    uint32_t *states, count = level.again || search_stops() ? 0 : chain_end_level(&states);
    level.again = count > 0;
    if (!count) return 0;
    level.count = level.taken = 0;
    level.left = count;
    for (uint32_t i = 0; i < count; i++) {
        if (level.count == level.room) level.pieces = grown(level.pieces, &level.room, sizeof *level.pieces);
        level.pieces[level.count++] = (range){states[i], states[i] + 1};
    }
    bfs_calls(count);
    return 1;
}
#endif

/* All states of a level are expanded: the next one consists of those found meanwhile. */
static void bfs_next_level(void)
{
#if MODEL_REDUCES && !REDUCES_AS_PEER
    if (bfs_repeats()) return;
#endif
    level.count = level.taken = level.left = 0;
    uint32_t first = UINT32_MAX;
    for (int n = 0; n < search.count; n++) {
        worker *w = &search.workers[n];
        for (uint32_t i = 0; i < w->made_count; i++) {
            if (level.count == level.room) level.pieces = grown(level.pieces, &level.room, sizeof *level.pieces);
            level.left += w->made[i].to - w->made[i].from;
            level.pieces[level.count++] = w->made[i];
            if (w->made[i].from < first) first = w->made[i].from;
        }
        w->made_count = 0;
    }
    if (level.left) store_passed(&search.st, first);
#if MODEL_REDUCES
    reduce_begin_level();
#endif
#if STORE_IS_LOSSY
    if (level.width_count == level.width_room) level.widths = grown(level.widths, &level.width_room, sizeof *level.widths);
    if (level.left) level.widths[level.width_count++] = level.left;
#endif
    if (level.left) search.depth++;
    level.cut = search.depth >= options.max_depth;
    level.complete = !level.left;
    team.finished = !level.left || search_stops() || search_decided();
    bfs_calls(level.left);
}

static inline int bfs_pauses(void) { return __atomic_load_n(&level.pause, __ATOMIC_RELAXED); }

#if HAS_CHECKPOINTS
/* --- checkpoints: between pieces, when everything that was emitted is stored --- */

static int bfs_save_pieces(const range *pieces, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        range piece = {saved_number(pieces[i].from), saved_number(pieces[i].from) + pieces[i].to - pieces[i].from};
        if (!put_bytes(&piece, sizeof piece)) return 0;
    }
    return 1;
}

static int bfs_save(void)
{
    uint32_t taken = level.taken < level.count ? level.taken : level.count, counts[3] = {level.count - taken, level.back_count, 0};
    for (int n = 0; n < search.count; n++) counts[2] += search.workers[n].made_count;
    if (!put_bytes(counts, sizeof counts) || !bfs_save_pieces(level.pieces + taken, counts[0]) ||
        !bfs_save_pieces(level.back, counts[1])) return 0;
    for (int n = 0; n < search.count; n++)
        if (!bfs_save_pieces(search.workers[n].made, search.workers[n].made_count)) return 0;
    return 1;
}

static void bfs_load(void)
{
    uint32_t counts[3];
    get_bytes(counts, sizeof counts);
    for (uint64_t i = 0; i < (uint64_t)counts[0] + counts[1] + counts[2]; i++) {
        range piece;
        get_bytes(&piece, sizeof piece);
        if (i >= (uint64_t)counts[0] + counts[1]) {
            bfs_made(&search.workers[0], piece.from, piece.to);
            continue;
        }
        if (level.count == level.room) level.pieces = grown(level.pieces, &level.room, sizeof *level.pieces);
        level.pieces[level.count++] = piece;
        level.left += piece.to - piece.from;
    }
    level.cut = search.depth >= options.max_depth;
    bfs_calls(level.left);
}

/* The store was full before all successors of a piece were in it: the piece is to be expanded again. */
static void bfs_return(worker *w, uint32_t n, uint64_t arrivals)
{
    w->c.arrivals = arrivals;
    w->c.count = 0;
    pthread_mutex_lock(&search_lock);
    if (level.back_count == level.back_room) level.back = grown(level.back, &level.back_room, sizeof *level.back);
    level.back[level.back_count++] = level.pieces[n];
    pthread_mutex_unlock(&search_lock);
}
#endif

static void bfs_business(int number, int over)
{
    store_business(&search.st, number);
    if (!over) return;
    int left = level.taken < level.count && !search_stops();
#if HAS_CHECKPOINTS
    int cut_short = options.checkpoint && search_stops() && !search_decided();
    if (level.pause || cut_short) checkpoint_write(bfs_save);
#endif
    level.pause = 0;
    if (!left) bfs_next_level();
}

/* Whether a piece that has been begun is left as it is. With checkpoints it is finished if that can be. */
static inline int bfs_breaks_off(void) { return options.checkpoint ? store_full(&search.st) : search_stops(); }

static void bfs_expand_piece(worker *w, range piece)
{
    for (uint32_t i = piece.from; i < piece.to; i++) {
#if MODEL_REDUCES && !REDUCES_AS_PEER
        if (unlikely(level.again)) {
            reduce_fully(w, i);
            if (bfs_breaks_off()) break;
            continue;
        }
#endif
        reduce_expand(w, i, level.cut);
        if (unlikely(w->seen++ % 1024 == 0)) {
            search_watch(level.left);
            if (bfs_breaks_off()) break;
        }
    }
}

static void bfs_work(int number)
{
    worker *w = &search.workers[number];
    while (team_joins(number)) {
        uint32_t n;
        while (!search_stops() && !bfs_pauses() && (n = __atomic_fetch_add(&level.taken, 1, __ATOMIC_RELAXED)) < level.count) {
#if HAS_CHECKPOINTS
            if (unlikely(options.checkpoint != NULL)) {
                uint64_t arrivals = w->c.arrivals;
                bfs_expand_piece(w, level.pieces[n]);
                if (!store_full(&search.st)) w->c.drain(&w->c);
                if (store_full(&search.st)) bfs_return(w, n, arrivals);
                if (checkpoint_wanted()) __atomic_store_n(&level.pause, 1, __ATOMIC_RELAXED);
                continue;
            }
#endif
            bfs_expand_piece(w, level.pieces[n]);
        }
        if (!search_stops()) bfs_flush(&w->c);
        while (!meet(number, 1)) {}
    }
}

static void bfs_begin(void)
{
#if HAS_CHECKPOINTS
    saving.next = options.checkpoint_every;
    if (options.resume) {
        checkpoint_read(bfs_load);
        return;
    }
#endif
    bfs_made(&search.workers[0], 0, store_count(&search.st));
    bfs_next_level();
    search.depth = 0;
    level.cut = options.max_depth == 0;
}

static int bfs(int workers, unsigned kinds)
{
    int ready = search_open(workers);
    if (ready <= 0) return ready < 0;
    search.target = kinds;
    for (int n = 0; n < workers; n++) search.sinks[n]->drain = bfs_insert;
#if MODEL_REDUCES
    if (!reduce_open(bfs_insert)) {
        search.limits = LIMIT_MEMORY;
        return 1;
    }
#endif
    memset(&level, 0, sizeof level);
    team_open(workers, bfs_business);
    bfs_begin();
    team_run(bfs_work);
    search_done(level.complete);
    free(level.pieces);
    return 1;
}

#endif
