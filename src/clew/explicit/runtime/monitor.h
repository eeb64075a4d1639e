/* monitor.h: an automaton beside a model. A state of the product is a state of the model with that of the automaton in it.
 *
 *   The model provides             (generated)
 *     MODEL_HAS_MONITOR            1
 *     MONITOR_WAYS                 how many edges leave a state of the automaton, at most
 *     MONITOR_INITIAL              where it starts
 *     MONITOR_END                  the state in which it has matched, whatever comes; -1: none
 *     MONITOR_ONLY_ENDS            if defined: it matches in no other way than by its end
 *     MONITOR_ENDS                 what a run that ends means: ENDS_STUTTER, ENDS_MAXIMAL or ENDS_INFINITE
 *     MONITOR_ENDED                with ENDS_MAXIMAL: the letter behind the end of a run
 *     model_letter(c, s, &broken)  which atoms are true in an ordinary state, as bits
 *     monitor_enabled(q, a, ways)  the edges that can be taken from `q` on letter `a`; returns how many
 *     monitor_target, monitor_marks   tables of the edges
 *     monitor_part                 table of the states: the part of the automaton they are in, see model.h
 *
 *   With events                    (MODEL_HAS_EVENTS)
 *     MONITOR_WANTS                how many values events are compared with
 *     monitor_wants(c, s, &broken) computes them
 *     monitor_happened(events)     events as bits of a letter
 *
 * The automaton moves once for each step between ordinary states, by the letter of the state that is left and of the step;
 * inside an indivisible sequence events are kept behind the acceptance marks. If it cannot
 * move, or if an atom has no value, the state has no successors. Its end is a state that nothing leaves, with all marks.
 */
#ifndef CLEW_MONITOR_H
#define CLEW_MONITOR_H

#define ENDS_STUTTER  0
#define ENDS_MAXIMAL  1
#define ENDS_INFINITE 2

#define MODEL_PART_OF(s) monitor_part[G(s)->monitor]

static void monitor_match(sink *c, const state *s)
{
    state *t = next(c, s);
    G(t)->monitor = MONITOR_END;
    c->mark = MONITOR_ALL;
    emit_one(c, t, STUTTER);
    c->mark = 0;
}

/* Keeps in mind which atoms were ever true or false. */
static inline void monitor_read(sink *c, uint64_t letter)
{
    c->was_true |= letter;
    c->was_false |= ~letter;
}

/* Finds out how the automaton can move in `s`; 1 if there is nothing else to be done here. */
static inline int monitor_begin(sink *c, const state *s)
{
    int broken = 0, q = (int)G(s)->monitor;
    if (q == MONITOR_END) {
        monitor_match(c, s);
        return 1;
    }
#if MONITOR_ENDS == ENDS_MAXIMAL
    uint64_t letter = G(s)->over ? MONITOR_ENDED : model_letter(c, s, &broken);
#else
    uint64_t letter = model_letter(c, s, &broken);
#endif
    c->way_count = 0;
#if MODEL_HAS_EVENTS
    monitor_wants(c, s, &broken);
#endif
    if (unlikely(broken)) {
        fail(c, RUNTIME_ERROR, STUTTER);
        return 1;
    }
#if MODEL_HAS_EVENTS
    c->letter = letter;
    return 0;
#endif
    monitor_read(c, letter);
    c->way_count = monitor_enabled(q, letter, c->ways);
    if (MONITOR_END >= 0)
        for (int i = 0; i < c->way_count; i++)
            if (monitor_target[c->ways[i]] == MONITOR_END) {
                monitor_match(c, s);
                return 1;
            }
    return c->way_count == 0;
}

static inline uint64_t monitor_moved(name_t name)
{
#ifdef MODEL_FAIR_SHIFT
    return name == STUTTER ? 0 : (uint64_t)1 << (MODEL_FAIR_SHIFT + (name & 0xff));
#else
    (void)name;
    return 0;
#endif
}

#if MODEL_HAS_EVENTS
/* How the automaton can move beside the step to `t`; returns the marks of its steps without their events. */
static inline uint64_t monitor_listen(sink *c, const state *t)
{
    uint64_t events = c->events | c->mark >> (MODEL_CONDITIONS), letter = c->letter | monitor_happened(events);
    monitor_read(c, letter);
    c->way_count = monitor_enabled((int)G(t)->monitor, letter, c->ways);
    return c->mark & (((uint64_t)1 << (MODEL_CONDITIONS)) - 1);
}

static inline uint64_t monitor_events(const sink *c) { return c->events << (MODEL_CONDITIONS); }
#else
static inline uint64_t monitor_listen(sink *c, const state *t) { (void)t; return c->mark; }
static inline uint64_t monitor_events(const sink *c) { (void)c; return 0; }
#endif

static void emit_watched(sink *c, const state *t, name_t name)
{
    uint64_t before = c->mark, mark = monitor_listen(c, t);
    state whole;
    if (c->way_count > 1) whole = *t;
    for (int i = 0; i < c->way_count; i++) {
        state *u = i ? next(c, &whole) : (state *)t;
        G(u)->monitor = monitor_target[c->ways[i]];
        c->mark = mark | monitor_moved(name) | monitor_marks[c->ways[i]];
        emit_one(c, u, name);
    }
    c->mark = before;
}

static void emit(sink *c, const state *t, name_t name) { emit_watched(c, t, name); }

static void emit_inside(sink *c, const state *t, name_t name, int control)
{
    uint64_t mark = c->mark;
    c->mark |= monitor_moved(name) | monitor_events(c);
    inside(c, t, name, control);
    c->mark = mark;
}

/* `found` steps of process `pid` are offered in the state that is expanded. */
static inline int monitor_offers(sink *c, int pid, int found)
{
    if (found) c->movers |= (uint64_t)1 << pid;
    return found;
}

static int model_may_end(const state *s);

static void model_ends(sink *c, const state *s)
{
#if MONITOR_ENDS == ENDS_INFINITE
    if (!model_may_end(s)) fail(c, DEADLOCK, STUTTER);
#else
    state *t = next(c, s);
#if MONITOR_ENDS == ENDS_MAXIMAL
    G(t)->over = 1;
#endif
    emit(c, t, STUTTER);
#endif
}

#endif
