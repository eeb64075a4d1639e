/* A token ring that repairs itself (Dijkstra 1974).
 *
 * expect: holds
 * states: 3126
 * states-plain: 3126
 * ltl: stabilises holds
 *
 * N machines in a ring each hold a number below K and can see their left
 * neighbour's. A machine has the token when its number differs from the
 * neighbour's; machine 0 has it when the two are equal. Passing the token on
 * means changing one's own number. The model starts from every possible
 * assignment of numbers, as if after a burst of faults, with up to N tokens at
 * once. The assertion says that no move creates a token; the formula that one
 * day exactly one is left, whoever moves and in whatever order. Try next:
 * -DK=2, where the assertion still holds but the formula does not.
 */

#ifndef N
#define N 5  /* machines */
#endif
#ifndef K
#define K 5  /* numbers; fewer than N - 1 are too few */
#endif

byte x[N];
byte tokens;  /* ghost: machines that hold a token */

inline count_tokens() {
  tokens = (x[0] == x[N - 1]);
  for (j : 1 .. N - 1) {
    tokens = tokens + (x[j] != x[j - 1])
  }
  j = 0
}

proctype Bottom() {
  byte before, j;

  do
  :: d_step {
       x[0] == x[N - 1] ->
       x[0] = (x[0] + 1) % K;
       before = tokens;
       count_tokens();
       assert(1 <= tokens && tokens <= before);
       before = 0
     }
  od
}

proctype Other(byte i) {
  byte before, j;

  do
  :: d_step {
       x[i] != x[i - 1] ->
       x[i] = x[i - 1];
       before = tokens;
       count_tokens();
       assert(1 <= tokens && tokens <= before);
       before = 0
     }
  od
}

init {
  byte i, j;

  atomic {
    for (i : 0 .. N - 1) {
      select (j : 0 .. K - 1);
      x[i] = j
    }
    count_tokens();
    run Bottom();
    for (i : 1 .. N - 1) {
      run Other(i)
    }
  }
}

ltl stabilises { <>[] (tokens == 1) }
