/* Leader election in a unidirectional ring (Chang and Roberts 1979).
 *
 * expect: holds
 * states: 3112
 * states-plain: 3498
 *
 * N nodes sit in a ring. Each knows its own number and can send only to its
 * neighbour; nobody knows who else is there. Every node proposes itself, and a
 * proposal travels on until it meets a node with a larger number. Only the
 * largest comes home, and its node announces itself in a second lap. The model
 * tries every order in which the numbers can sit around the ring and every
 * order in which messages can arrive, and asserts that there is one leader,
 * the right one, known to all. Try next: -DN=5, or let a node forward smaller
 * numbers too.
 */

#ifndef N
#define N 4  /* nodes, numbered 1 .. N in some order */
#endif

mtype = { candidate, elected };

chan link[N] = [N] of { mtype, byte };  /* link[i] leads to place i */
byte leaders;                           /* ghost: nodes that think they won */

proctype Node(chan in, out; byte me) {
  byte who;

  xr in;
  xs out;

  out!candidate(me);
  do
  :: in?candidate(who) ->
     if
     :: who > me -> out!candidate(who)
     :: who < me -> skip  /* we are larger: this one cannot win */
     :: who == me ->      /* it went all the way round */
        leaders++;
        assert(leaders == 1);
        out!elected(me)
     fi
  :: in?elected(who) ->
     if
     :: who != me -> out!elected(who)
     :: else              /* everybody has heard */
     fi;
     break
  od;
  assert(who == N)
}

/* Seat the nodes: number N at place 0, since a ring has no beginning, and the
 * others in any order. A chosen number that is taken stands for the next free
 * one. */
init {
  bool taken[N];
  byte place;
  byte number;

  atomic {
    run Node(link[0], link[1], N);
    for (place : 1 .. N - 1) {
      select (number : 1 .. N - 1);
      do
      :: taken[number] -> number = number % (N - 1) + 1
      :: else -> break
      od;
      taken[number] = true;
      run Node(link[place], link[(place + 1) % N], number)
    }
    number = 0
  }
  (_nr_pr == 1);
  assert(leaders == 1)
}
