/* The dining philosophers, each reaching left first (Dijkstra 1965).
 *
 * expect: violated: deadlock
 * shortest: 4
 * states: 118
 * states-plain: 118
 *
 * N philosophers sit around a table with one fork between any two neighbours,
 * and need both forks to eat. A fork is a channel with room for one name: to
 * pick it up is to leave one's name there, to put it back is to remove it.
 * Everyone is polite, nobody does anything wrong, and still the dinner ends
 * when each holds the left fork and waits for the right one. Look at the last
 * state of the counterexample: it is a circle of waiting. Try next:
 * dining_philosophers_ordered.pml, which breaks the circle with one rule.
 */

#ifndef N
#define N 4  /* philosophers */
#endif

#define left  _pid
#define right ((_pid + 1) % N)

chan fork[N] = [1] of { pid };

active [N] proctype Philosopher() {
  do
  :: fork[left]!_pid;   /* waits while the neighbour has it */
     fork[right]!_pid;
     /* eats */
     fork[right]?_;
     fork[left]?_
  od
}
