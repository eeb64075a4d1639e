/* handshake.h: a send on a channel without buffer together with each receive that can take the message now.
 *
 *   handshake(c, s, o)         emits a successor for each way to take the offered message; returns how many
 *   can_handshake(c, s, o)     whether there is any
 *
 * In the middle of a handshake the sender has moved on; receivers are asked in that state. With priorities only the
 * receivers of the highest priority count.
 */
#ifndef CLEW_HANDSHAKE_H
#define CLEW_HANDSHAKE_H

static inline const state *in_the_middle(const state *s, const offer *o, state *middle)
{
    if (!LOCATIONS_ARE_SEEN) return s;
    *middle = *s;
    ((struct head *)AT(middle, o->off))->at = o->target;
    return middle;
}

static inline int can_handshake(sink *c, const state *s, const offer *o)
{
    state middle;
    const state *seen = in_the_middle(s, o, &middle);
    for (int pid = G(s)->processes - 1; pid >= 0; pid--)
        if (pid != o->pid && may_take(s, pid, o->number) && accept(c, s, seen, pid, o, 1)) return 1;
    return 0;
}

#if MODEL_STORES_INSIDE
static int emit_offer(sink *c, const state *s, const offer *o)
{
    state *t = next(c, s);
    name_t name = NAME(o->pid, o->step);
    if (!sent(c, t, o, name)) return 0;
    G(t)->control = 0;
    G(t)->offering = (uint8_t)o->number;
    G(t)->offerer = (uint8_t)o->pid;
    G(t)->offer_step = (uint16_t)o->step;
    G(t)->message[0] = o->n;
    for (int i = 0; i < MESSAGE_FIELDS; i++) G(t)->message[1 + i] = i < o->n ? o->m[i] : 0;
    emit_one(c, t, name);
    return 1;
}
#endif

static int handshake(sink *c, const state *s, const offer *o)
{
    state middle;
    const state *seen = in_the_middle(s, o, &middle);
    int found = 0;
#if MODEL_STORES_INSIDE
    if (!o->is_sent) return G(s)->control && !can_handshake(c, s, o) ? 0 : emit_offer(c, s, o);
#endif
#if HAS_PRIORITY
    int highest = 0;
    for (int pid = G(s)->processes - 1; pid >= 0; pid--)
        if (pid != o->pid && HEAD(s, pid)->priority > highest && accept(c, s, seen, pid, o, 1))
            highest = HEAD(s, pid)->priority;
#endif
    for (int pid = G(s)->processes - 1; pid >= 0; pid--) {
        if (pid == o->pid || !may_take(s, pid, o->number)) continue;
#if HAS_PRIORITY
        if (HEAD(s, pid)->priority != highest) continue;
#endif
        found += accept(c, s, seen, pid, o, 0);
    }
    return found;
}

#endif
