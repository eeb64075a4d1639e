/* Mutual exclusion for two processes (Peterson 1981).
 *
 * expect: holds
 * states: 38
 * states-plain: 38
 * ltl: first_enters holds
 *
 * Two workers share a critical section with nothing but ordinary variables:
 * each first says that it wants to enter, then politely gives the other the
 * turn. Look at the order of those two lines; the whole proof rests on it. The
 * counter `inside` is a ghost: the algorithm never reads it, only the
 * assertion does. Try next: peterson_broken.pml, where the lines are swapped.
 */

#define other (1 - _pid)

bool wants[2];  /* wants[i]: worker i would like to enter */
byte turn;      /* who goes first when both would */
byte inside;    /* ghost: workers in the critical section */

active [2] proctype Worker() {
  do
  :: wants[_pid] = true;
     turn = other;
waiting:
     (!wants[other] || turn == _pid);
critical:
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}

/* Who waits gets in: the other cannot pass a second time before. */
ltl first_enters { [] (Worker[0]@waiting -> <> Worker[0]@critical) }
