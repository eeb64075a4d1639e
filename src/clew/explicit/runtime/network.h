/* network.h: what the C generated from any Network needs: access to its parts, arithmetic, processes, channels.
 *
 *   G(s)  HEAD(s, pid)  AT(s, offset)       the system, a process, any part of a state
 *   INDEX  QUOTIENT  REMAINDER              checked arithmetic; sets the local variable `err`
 *   first_of, one_of, location_of, …        questions about processes
 *   remove_process, set_priority            changes of processes
 *   channel, add_channel, is_not_full       channels
 *   offer                                   a message that a handshake would pass
 */
#ifndef CLEW_NETWORK_H
#define CLEW_NETWORK_H

#define AT(s, offset)  ((char *)(s) + (offset))
#define G(s)           ((struct model *)(s))
#define HEAD(s, pid)   ((struct head *)AT(s, process_at[pid]))

#define INDEX(i, n)      ({ unsigned i_ = (unsigned)(i); if (unlikely(i_ >= (n))) { err = 1; i_ = 0; } i_; })
#define QUOTIENT(a, b)   ({ int a_ = (a), b_ = (b); b_ == 0 ? (err = 1) : b_ == -1 ? (int)-(unsigned)a_ : a_ / b_; })
#define REMAINDER(a, b)  ({ int a_ = (a), b_ = (b); b_ == 0 ? (err = 1) : b_ == -1 ? 0 : a_ % b_; })
#define NO_HANDSHAKE(q)  (capacity_of[SHAPE(q)] == 0 ? (err = 1) : 0)

typedef struct {
    int      number, pid;
    size_t   off;
    uint32_t step, target;
    int      asked;                     /* inside how many questions whether a process is enabled */
    int      n, m[MESSAGE_FIELDS];
    int      wrong_length;              /* the send had more or fewer values than the channel has fields */
    int      is_sent;                   /* the sender has moved already: see stored_inside.h */
} offer;

/* --- processes --- */

static inline int first_of(const state *s, int tag)
{
    for (int i = 0; i < G(s)->processes; i++)
        if (TAG(s, i) == tag) return i;
    return -1;
}

static inline int one_of(const state *s, int tag, int pid)
{
    return pid >= 0 && pid < G(s)->processes && TAG(s, pid) == tag ? pid : -1;
}

static inline int location_of(const state *s, int pid)
{
    return pid >= 0 && pid < G(s)->processes ? HEAD(s, pid)->at : 0;
}

static inline int priority_of(const state *s, int pid)
{
    if (pid < 0 || pid >= G(s)->processes) return 0;
#if HAS_PRIORITY
    return HEAD(s, pid)->priority;
#else
    return 1;
#endif
}

static inline int set_priority(state *t, int pid, int value)
{
    if (pid < 0 || pid >= G(t)->processes) return 1;
    if (value < 1 || value > 255) return 0;
#if HAS_PRIORITY
    HEAD(t, pid)->priority = (uint8_t)value;
#endif
    return 1;
}

/* --- channels --- */

static const struct queue no_channel;

static inline struct queue *channel(const state *s, int number, int *err)
{
    if (unlikely(number < 1 || number > CHANNELS(s))) {
        *err = 1;
        return (struct queue *)&no_channel;
    }
    return (struct queue *)AT(s, channel_at[number]);
}

/* A channel for handshakes is never full. */
static inline int is_not_full(const struct queue *q)
{
    return capacity_of[SHAPE(q)] == 0 || q->length < capacity_of[SHAPE(q)];
}

/* Channels are numbered in order of creation. */
static inline int add_channel(state *t, int shape, int number, int *err)
{
    if (number > MOST_CHANNELS) {
        *err = 1;
        return 0;
    }
    if (number > CHANNEL_ROOM) need_room("channels");
    struct queue *q = (struct queue *)AT(t, channel_at[number]);
    (void)q; (void)shape;
#if HAS_SHAPE
    q->shape = (uint8_t)shape;
#endif
#if CHANNELS_VARY
    G(t)->channels = (uint8_t)number;
#endif
    return number;
}

/* Removes the youngest process and its channels. */
static inline void remove_process(state *t, int pid)
{
    int tag = TAG(t, pid);
#if CHANNELS_VARY
    for (uint32_t n = channels_of[tag]; n; n--) {
        struct queue *q = (struct queue *)AT(t, channel_at[G(t)->channels--]);
        memset(q, 0, size_of[SHAPE(q)]);
    }
#endif
    memset(HEAD(t, pid), 0, frame_of[tag]);
    G(t)->processes--;
}

#endif
