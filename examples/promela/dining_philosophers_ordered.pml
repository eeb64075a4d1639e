/* The dining philosophers with numbered forks (after Dijkstra 1971).
 *
 * expect: holds
 * states: 117
 * states-plain: 117
 * ltl: somebody_eats holds
 *
 * The same table as in dining_philosophers.pml, with one new rule: of two
 * forks, pick up the one with the lower number first. Only the last
 * philosopher behaves differently, and the circle of waiting can no longer
 * close: whoever holds the highest fork that is taken already has the other
 * one. This is the oldest recipe against deadlock, and lock hierarchies in
 * operating systems still follow it. Try next: state that the first
 * philosopher eats again and again, and see that a fair scheduler alone does
 * not promise that.
 */

#ifndef N
#define N 4  /* philosophers */
#endif

#define last (_pid == N - 1)
#define low  (last -> 0 : _pid)
#define high (last -> N - 1 : _pid + 1)

chan fork[N] = [1] of { pid };
byte eating;  /* ghost: philosophers with both forks */

active [N] proctype Philosopher() {
  do
  :: fork[low]!_pid;
     atomic {
       fork[high]!_pid;
       eating++
     }
     assert(eating <= N / 2);
     atomic {
       eating--;
       fork[high]?eval(_pid)
     }
     fork[low]?eval(_pid)
  od
}

ltl somebody_eats { []<> (eating > 0) }
