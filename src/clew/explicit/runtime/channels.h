/* channels.h: receiving from a channel whose shape is not known before.
 *
 *   find(q, n, wanted, fields, anywhere, err)   place of the first message whose `fields` have the wanted values, or -1
 *   take(q, at, m, keep)                        its values; removes it unless `keep`; returns how many there are
 */
#ifndef CLEW_CHANNELS_H
#define CLEW_CHANNELS_H

static inline int find(const struct queue *q, int n, const int *wanted, unsigned fields, int anywhere, int *err)
{
    int m[MESSAGE_FIELDS];
    for (int at = 0; at < q->length; at++) {
        int fits = 1;
        if (message(q, at, m) < n) {
            *err = 1;
            return -1;
        }
        for (int i = 0; i < n; i++) fits &= !(fields >> i & 1) || m[i] == wanted[i];
        if (fits) return at;
        if (!anywhere) return -1;
    }
    return -1;
}

static inline int take(struct queue *q, int at, int *m, int keep)
{
    int n = message(q, at, m);
    if (!keep) drop(q, at);
    return n;
}

#endif
