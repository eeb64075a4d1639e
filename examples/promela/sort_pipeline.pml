/* Sorting with a pipeline that grows as it is needed.
 *
 * expect: holds
 * states: 8307
 * states-plain: 9692
 *
 * Each stage keeps the smallest number it has seen and passes the others on to
 * a successor, which it starts when the first of them turns up. After the last
 * number a stop mark runs down the pipeline, and every stage gives up its
 * number just before it passes the mark on; so they come out in order. The
 * model feeds in every sequence of N numbers up to MAX, repetitions included.
 * The expected order needs no second algorithm: a sorted send (two exclamation
 * marks) puts a message where it belongs. Look at how stages run while numbers
 * still arrive. Try next: send the stop mark first and the number second.
 */

#ifndef N
#define N 3      /* numbers to sort */
#endif
#ifndef MAX
#define MAX 3    /* their size: 1 .. MAX */
#endif
#define STOP 0

chan sorted = [1] of { byte };

proctype Stage(chan in) {
  chan out = [1] of { byte };
  bool has_successor;
  byte kept;
  byte number;

  in?kept;
  do
  :: in?number ->
     if
     :: number == STOP -> break
     :: else
     fi;
     if
     :: !has_successor ->
        has_successor = true;
        run Stage(out)
     :: else
     fi;
     if
     :: number < kept ->
        out!kept;
        kept = number
     :: else ->
        out!number
     fi
  od;
  sorted!kept;
  if
  :: has_successor -> out!STOP
  :: else
  fi
}

init {
  chan first = [1] of { byte };
  chan reference = [N] of { byte };
  byte number;
  byte expected;
  byte i;

  run Stage(first);
  for (i : 1 .. N) {
    select (number : 1 .. MAX);
    reference!!number;
    first!number
  }
  first!STOP;
  for (i : 1 .. N) {
    sorted?number;
    reference?expected;
    assert(number == expected)
  }
}
