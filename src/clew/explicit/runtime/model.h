/* model.h: the contract between a model and the searches (the StateSpace view in C).
 *
 *   A model provides                                           (generated from a Network, or written by hand)
 *     MODEL_WORDS               length of a state in 64-bit words; unused bytes of a state are always zero
 *     MODEL_ASKS_TIMEOUT        1 if expanding again with `timeout` set can give more steps
 *     MODEL_HAS_MARKS           1 if steps carry acceptance marks: `mark` of the sink when they are emitted. Then also
 *       MODEL_CONDITIONS        how many acceptance conditions there are, at most 64: condition i has bit i
 *       MODEL_MARK_BITS         how many there can be, as a constant, if MODEL_CONDITIONS is none
 *       MODEL_FAIR_SHIFT        weak fairness, if defined: condition MODEL_FAIR_SHIFT + p is met when process p moves, which
 *                               the model marks, or cannot move, which is what it is if the model does not put p into
 *                               `movers` of the sink when it expands a state
 *       MODEL_STRONG_SHIFT      strong fairness, if defined, too: conditions from MODEL_FAIR_SHIFT on need not be met;
 *                               MODEL_FAIR_SHIFT + p says that process p moves, MODEL_STRONG_SHIFT + p that it can, and a
 *                               cycle on which it can has to have one on which it does
 *       model_ends(c, s)        emits what follows the state `s`, which has no step: `s` again, with name STUTTER, where
 *                               runs that end are said to repeat their last state; nothing where they are no runs
 *       MODEL_PART_OF(s)        if defined, a macro: runs stay in states of one part for ever, from some state on. Parts in
 *                               which no run is accepting have number 0
 *     MODEL_HAS_MONITOR         1 if there is an automaton beside it: see monitor.h
 *     MODEL_HAS_EVENTS          1 if that also reads what steps do: then bits of `events` of the sink say what happens in
 *                               the step that is made
 *     MODEL_REDUCES             1 if only some steps of a state need be taken: see reduce.h. Then also
 *       model_part(c, s, p)     emits every step of process `p`
 *     MODEL_STORES_INSIDE       1 if states inside indivisible sequences are stored, too: see stored_inside.h
 *     MODEL_IS_FOREIGN          1 if it uses memory outside the state, so that one worker has to do it all
 *     model_initial(c)          emits the initial states; 0 if one cannot be computed
 *     model_expand(c, s)        emits every step that can be taken in `s`; returns how many were offered
 *     model_continue(c, s, p)   the same for process `p` alone, which has the exclusive right to move
 *     model_may_end(s)          whether having no step in `s` is all right
 *     model_carried(s)          sets the bits of `s` that are carried along but are not part of the key
 *     model_kinds(kinds, most)  numbers the bytes of a state so that those of one kind have the same number (0: none), and
 *                               says which bits they can have at most
 *
 *   A model uses
 *     next(c, s)                a fresh successor, a copy of `s`, to be changed and then emitted
 *     emit(c, t, name)          `t`, made by next, is a successor; beside an automaton, once for each of its moves
 *     emit_one(c, t, name)      the same, as it is
 *     emit_inside(c, t, name, p) the same, but `p` keeps the right to move: `t` is passed through, not stored
 *     fail(c, kind, name)       something is wrong in the step of that name
 *     of_kind(kinds, most, k, at, size, n, bits)   n values of `size` bytes from offset `at` on, which have at most those
 *                               bits, are of kinds k, k + 1, … bytewise
 *     need_room(what)           the layout has no room for another process or channel: the run starts over with more
 *     c->timeout                whether nothing can move without it
 *
 * A step is named by process and step number, for a handshake also those of the receiver. A step that is tried and
 * breaks down is offered, fails and emits nothing. States are byte strings: no pointers, nothing of the host.
 *
 * A program is one file: the model, which ends by including searches.h and so the program around it. Of most models the
 * searches need only the constants MODEL_WORDS, MODEL_ASKS_TIMEOUT and MODEL_REDUCES: then it is two, compiled with
 * SEARCHES_ARE_APART and those constants, and searches.c, which is the same for many models, is kept compiled.
 */
#ifndef CLEW_MODEL_H
#define CLEW_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MODEL_HAS_MARKS
#define MODEL_HAS_MARKS 0
#endif
#ifndef MODEL_HAS_MONITOR
#define MODEL_HAS_MONITOR 0
#endif
#ifndef MODEL_HAS_EVENTS
#define MODEL_HAS_EVENTS 0
#endif
#ifndef MODEL_REDUCES
#define MODEL_REDUCES 0
#endif
#ifndef MODEL_STORES_INSIDE
#define MODEL_STORES_INSIDE 0
#endif
#ifndef MODEL_IS_FOREIGN
#define MODEL_IS_FOREIGN 0
#endif

/* Programs for short states are compiled without trees, unless one is asked for. */
#define TREE_FROM 8
#ifndef TREE_IS_POSSIBLE
#define TREE_IS_POSSIBLE (MODEL_WORDS > TREE_FROM)
#endif
#ifndef STORE_IS_LOSSY
#define STORE_IS_LOSSY 0
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#ifdef SEARCHES_ARE_APART
#define SHARED                          /* seen from the other file, too */
#else
#define SHARED static
#endif

typedef union state { uint64_t w[MODEL_WORDS]; } state;

/* Names of steps: process, step, and 1 + receiving process, its step. */
typedef uint64_t name_t;
#define NAME(pid, step)                    ((name_t)(pid) | (name_t)(step) << 16)
#define HANDSHAKE(name, partner, step)     ((name) | (name_t)((partner) + 1) << 8 | (name_t)(step) << 40)
#define STUTTER                            (~(name_t)0)      /* nothing happens, for ever */

/* What can be wrong. */
enum kind { ASSERTION, RUNTIME_ERROR, DEADLOCK, TRACE, KINDS };

enum {
    BATCH         = 64,
    INSIDE_DEPTH  = MODEL_WORDS <= 512 ? 200 : 16,   /* of the walk inside an indivisible sequence; keeps the stack small */
    INSIDE_VISITS = 20000
};

/* Numbers for new states: a worker takes them in chunks. */
typedef struct { uint32_t next, end, spare, spare_end; } cursor;

typedef struct sink sink;
struct sink {
    /* successors that wait to be stored */
    state    *batch;
    name_t   *names;
    uint32_t *parents;
    uint64_t *marks;                              /* acceptance marks of the steps that led to them; NULL: not kept */
    uint32_t  count, room;
    void    (*drain)(sink *);                     /* makes room */

    /* storing them: see store.h */
    int       number;                             /* of the worker */
    uint64_t *records, *hashes;
    uint32_t *stored;                             /* where each of them is now */
    cursor    fresh, fresh_nodes;
    struct context *contexts;
    uint16_t *context_of, context;

    /* the expansion in progress */
    uint32_t  parent;                             /* index of the state that is expanded */
    int       timeout;
    uint64_t  mark;                               /* marks of the steps taken since, inside an indivisible sequence */
    uint64_t  movers;                             /* processes that can take a step, where that matters */
    uint64_t  arrivals;                           /* successors emitted, ever */
#if MODEL_HAS_MONITOR
    uint64_t  was_true, was_false;                /* atoms of the automaton, in some state that was expanded */
    uint16_t  ways[MONITOR_WAYS];                 /* how the automaton can move in the state that is expanded */
    int       way_count;
#endif
#if MODEL_HAS_EVENTS
    uint64_t  letter;                             /* what is true in the state that is expanded */
    uint64_t  events;                             /* what happens in the step in progress */
    int       wants[MONITOR_WANTS];               /* what events are compared with */
#endif
#if MODEL_REDUCES
    name_t   *firsts;                             /* the first step of each way, which may be a sequence */
    int       only;                               /* the process that is asked; -1: all of them */
    int       whole;                              /* the steps of the expanded state cannot be told apart, or one broke down */
    uint64_t  reduced, forced;                    /* states some of whose steps were left out; that the proviso kept from it */
    uint64_t  offered, taken;                     /* successors there were, and those stored */
    struct trial { uint64_t offered, taken; int in_vain; } trial;   /* since then it is seen whether that is worth while */
    struct undecided { uint32_t state, from, few; } undecided[BATCH + 1];   /* whose chosen successors are not stored yet */
    uint32_t  undecided_count;
    uint32_t *doubtful, doubtful_count, doubtful_room;   /* see chain.h */
    struct pair *pairs;                           /* which steps concern which: see stubborn.h */
    struct situation *situations;                 /* what was chosen before */
#endif
    void    (*failed)(sink *, enum kind, name_t);
    void    (*record)(sink *, const state *, name_t);   /* sees every successor, if set */

    /* inside indivisible sequences: see inside.h */
    int       depth;
    int       visits;
    int       gave_up;
    name_t    path[INSIDE_DEPTH];
    struct inner *graph;
    int       loops;                              /* a loop of transient states was met */
    int       transient;                          /* some transient state was met */
};

SHARED void inside(sink *c, const state *t, name_t name, int control);
SHARED void need_room(const char *what) __attribute__((noreturn));

static inline state *next(sink *c, const state *from)
{
    if (unlikely(c->count == c->room)) c->drain(c);
    state *t = &c->batch[c->count];
    *t = *from;
#if MODEL_HAS_EVENTS
    c->events = 0;
#endif
    return t;
}

/* `t` must be the last result of next. */
static inline void emit_one(sink *c, const state *t, name_t name)
{
    if (unlikely(c->record != NULL)) c->record(c, t, name);
    c->names[c->count] = name;
    c->parents[c->count] = c->parent;
    if (TREE_IS_POSSIBLE || STORE_IS_LOSSY) c->context_of[c->count] = c->context;
#if MODEL_REDUCES
    c->firsts[c->count] = c->depth ? c->path[0] : name;
#endif
    if (MODEL_HAS_MARKS) c->marks[c->count] = c->mark;
    c->count++;
}

#if MODEL_HAS_MONITOR || MODEL_STORES_INSIDE
static void emit(sink *c, const state *t, name_t name);
static void emit_inside(sink *c, const state *t, name_t name, int control);
#else
static inline void emit(sink *c, const state *t, name_t name) { emit_one(c, t, name); }
static inline void emit_inside(sink *c, const state *t, name_t name, int control) { inside(c, t, name, control); }
#endif

static inline void of_kind(uint16_t *kinds, uint8_t *most, int kind, size_t at, size_t size, int n, uint32_t bits)
{
    for (size_t i = 0; i < size * (size_t)n; i++) {
        kinds[at + i] = (uint16_t)(kind + (int)(i % size));
        most[at + i] = (uint8_t)(bits >> i % size * 8);
    }
}

static inline void fail(sink *c, enum kind kind, name_t name)
{
#if MODEL_REDUCES
    if (kind == RUNTIME_ERROR) c->whole = 1;
#endif
    c->failed(c, kind, name);
}

#if MODEL_REDUCES
/* Which steps are enough. */
typedef struct {
    uint64_t processes;                 /* whose steps are chosen */
    uint32_t count;                     /* successors chosen */
    int      ignores_failure;           /* what is left out may later fail */
} choice;
#endif

#ifdef SEARCHES_ARE_APART
int  model_initial(sink *c);
int  model_expand(sink *c, const state *s);
int  model_continue(sink *c, const state *s, int pid);
int  model_may_end(const state *s);
void model_carried(state *s);
void model_kinds(uint16_t *kinds, uint8_t *most);
#if MODEL_REDUCES
int  model_part(sink *c, const state *s, int pid);
int  stubborn_choose(sink *c, const state *s, uint32_t from, choice *best);
#endif
#endif

#endif
