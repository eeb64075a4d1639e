/* Peterson's algorithm with two lines swapped.
 *
 * expect: violated: assertion
 * shortest: 9
 * states: 98
 * states-plain: 98
 * ctl: EF inside == 2 holds
 *
 * Each worker gives away the turn before it says that it wants to enter. Both
 * lines are still there, each worker on its own behaves as before, and tests
 * rarely notice. Yet a worker that pauses between the two has already made its
 * polite gesture, and the other, seeing no competitor, walks in; the gesture
 * of the second then lets the first follow. Read the counterexample beside
 * peterson.pml: the interesting step is the one where nothing happens.
 * Compilers and processors swap such independent-looking writes by themselves,
 * which is why real code needs a memory fence at this place.
 */

#define other (1 - _pid)

bool wants[2];  /* wants[i]: worker i would like to enter */
byte turn;      /* who goes first when both would */
byte inside;    /* ghost: workers in the critical section */

active [2] proctype Worker() {
  do
  :: turn = other;
     wants[_pid] = true;
     (!wants[other] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
