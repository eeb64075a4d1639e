/* Mutual exclusion by numbered tickets (Lamport 1974).
 *
 * expect: holds
 * states: 7770
 * states-plain: 8145
 *
 * As in a bakery, a customer draws a ticket and the lowest number is served
 * first. The charm of the algorithm is that drawing is not atomic: customers
 * read the other tickets one at a time, two may end up with the same number,
 * and the lower name then goes first. Look at `choosing`, the doorway: it
 * keeps a customer from being overtaken between computing a number and writing
 * it down. Try next: -DNO_DOORWAY, and see how the assertion fails; -DN=3
 * -DROUNDS=1 to see how quickly interleavings grow.
 */

#ifndef N
#define N 2       /* customers */
#endif
#ifndef ROUNDS
#define ROUNDS 2  /* visits of each customer */
#endif

#define me _pid
#define goes_first(a, b) \
  (ticket[a] < ticket[b] || (ticket[a] == ticket[b] && a < b))

bool choosing[N];
byte ticket[N];  /* 0: not in the queue */
byte inside;     /* ghost: customers at the counter */

inline draw_ticket() {
  highest = 0;
  for (i : 0 .. N - 1) {
    if
    :: ticket[i] > highest -> highest = ticket[i]
    :: else
    fi
  }
  ticket[me] = highest + 1
}

active [N] proctype Customer() {
  byte highest;
  byte round;
  byte i;

  for (round : 1 .. ROUNDS) {
#ifdef NO_DOORWAY
    draw_ticket();
#else
    choosing[me] = true;
    draw_ticket();
    choosing[me] = false;
#endif
    for (i : 0 .. N - 1) {
      !choosing[i];
      (ticket[i] == 0 || i == me || goes_first(me, i))
    }
    inside++;
    assert(inside == 1);
    inside--;
    ticket[me] = 0
  }
}
