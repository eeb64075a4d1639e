/* A stack without locks, and the ABA problem (Treiber 1986).
 *
 * expect: violated: assertion
 * states: 37356
 * states-plain: 54139
 *
 * A pool of free nodes is kept as a linked stack. To pop, a thread reads the
 * top node and its successor, then swaps the top for the successor if the top
 * is still the same. "Still the same" is the trap: the node may have been
 * popped and pushed back in the meantime, with another successor. The top
 * reads A, then B, then A again, the swap succeeds, and a node that somebody
 * else owns becomes the top of the stack. Look for the thread that sleeps
 * through most of the counterexample. Try next: -DCOUNTED, which stores a
 * counter beside the top, so that every change shows; with it the model holds.
 */

#ifndef THREADS
#define THREADS 3
#endif
#ifndef NODES
#define NODES 2
#endif
#ifndef ROUNDS
#define ROUNDS 1        /* times each thread takes and returns a node */
#endif
#define NIL 0

byte next[NODES + 1];   /* the links; node 0 is NIL */
byte top;
byte version;           /* changes of the top, seen only if COUNTED */
bool owned[NODES + 1];  /* ghost: the node belongs to a thread */

#ifdef COUNTED
#define count_change() version++
#else
#define count_change() skip
#endif

inline read_top() {
  d_step {
    seen = top;
    stamp = version
  }
}

inline swap_top(new, success) {
  d_step {
    success = (top == seen && version == stamp);
    if
    :: success ->
       top = new;
       count_change();
       assert(!owned[top])
    :: else
    fi
  }
}

inline pop(node) {
  do
  :: read_top();
     if
     :: seen == NIL -> skip  /* empty: look again */
     :: else ->
        behind = next[seen];
        atomic {
          swap_top(behind, done);
          if
          :: done ->
             node = seen;
             owned[node] = true;
             break
          :: else
          fi
        }
     fi
  od
}

inline push(node) {
  owned[node] = false;
  do
  :: read_top();
     next[node] = seen;
     swap_top(node, done);
     if
     :: done -> break
     :: else
     fi
  od
}

proctype Thread() {
  byte seen, stamp, behind, mine, round;
  bool done;

  for (round : 1 .. ROUNDS) {
    pop(mine);
    push(mine)
  }
}

init {
  byte i;

  atomic {
    for (i : 1 .. NODES) {
      next[i] = top;
      top = i
    }
    for (i : 1 .. THREADS) {
      run Thread()
    }
  }
}
