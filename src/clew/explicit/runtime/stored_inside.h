/* stored_inside.h: a search that stores the states inside indivisible sequences and in the middle of handshakes, too, as
 * Spin's breadth-first search does. For its figures only.
 *
 *   emit, emit_inside          as in model.h
 *   emit_offer(c, s, o)        (handshake.h) the state in the middle: the sender has moved, the message is on offer
 *   offered_now(s)             the offer of such a state
 *   is_inside(s)               whether it is one of these states
 *
 * A state has besides: `control`, 1 + the process that alone may move, and `offerer`, `offer_step`, which are carried
 * along and not part of the key; `offering`, the channel, and `message`. A handshake nobody takes is a dead end, which is
 * why not every deadlock is seen. Inside a sequence an offer is made only if somebody takes it.
 */
#ifndef CLEW_STORED_INSIDE_H
#define CLEW_STORED_INSIDE_H

static inline int is_inside(const state *s) { return G(s)->control || G(s)->offering; }

static inline void emit_with(sink *c, const state *t, name_t name, int control)
{
    G(t)->control = (uint8_t)control;
    G(t)->offering = G(t)->offerer = 0;
    G(t)->offer_step = 0;
    memset(G(t)->message, 0, sizeof G(t)->message);
    emit_one(c, t, name);
}

static void emit(sink *c, const state *t, name_t name) { emit_with(c, t, name, 0); }
static void emit_inside(sink *c, const state *t, name_t name, int control) { emit_with(c, t, name, control + 1); }

static inline offer offered_now(const state *s)
{
    offer o = {G(s)->offering, G(s)->offerer, process_at[G(s)->offerer], G(s)->offer_step, 0, 0, 0, {0}, 0, 1};
    o.n = G(s)->message[0];
    for (int i = 0; i < MESSAGE_FIELDS; i++) o.m[i] = G(s)->message[1 + i];
    return o;
}

#endif
