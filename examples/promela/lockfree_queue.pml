/* A queue without locks (Michael and Scott 1996).
 *
 * expect: holds
 * states: 26751
 * states-plain: 28303
 *
 * Producers and consumers share a linked list and never wait for one another.
 * All they have is compare-and-swap: write a word if it still has the value
 * last seen, and learn whether it did. Appending takes two such writes, one to
 * link the node and one to move `tail`, so every thread must cope with a tail
 * that lags behind, and does so by finishing the other's work. Look at the two
 * lines marked "help". Nodes are never reused here; lockfree_stack_aba.pml
 * shows what happens when they are. Try next: let a producer advance the tail
 * before it links its node.
 */

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef ITEMS
#define ITEMS 1                  /* appended by each producer */
#endif
#define TOTAL (PRODUCERS * ITEMS)
#define NIL 0

typedef Node {
  byte value;
  byte next
}

Node node[TOTAL + 2];            /* node 0 is NIL, node 1 the first dummy */
byte unused = 2;                 /* the next node nobody has had yet */
byte head = 1;                   /* a dummy: the first item is behind it */
byte tail = 1;                   /* the last node, or one before it */
bool taken[TOTAL];               /* ghost: values that came out */

inline compare_and_swap(word, old, new, success) {
  d_step {
    success = (word == old);
    if
    :: success -> word = new
    :: else
    fi
  }
}

proctype Producer(byte name) {
  byte i, mine, last, next;
  bool linked, moved;

  for (i : 0 .. ITEMS - 1) {
    d_step {
      mine = unused;
      unused++;
      node[mine].value = name * ITEMS + i
    }
    linked = false;
    do
    :: !linked ->
       last = tail;
       next = node[last].next;
       if
       :: next == NIL ->
          compare_and_swap(node[last].next, NIL, mine, linked)
       :: else ->
          compare_and_swap(tail, last, next, moved)  /* help */
       fi
    :: else -> break
    od;
    compare_and_swap(tail, last, mine, moved)        /* or somebody helped */
  }
}

proctype Consumer() {
  byte i, first, last, next, value;
  short newest[PRODUCERS] = -1;  /* ghost: last value seen of each producer */
  bool moved;

  do
  :: first = head;
     last = tail;
     next = node[first].next;
     if
     :: first == last && next == NIL -> break        /* empty */
     :: first == last && next != NIL ->
        compare_and_swap(tail, last, next, moved)    /* help */
     :: else ->
        value = node[next].value;
        compare_and_swap(head, first, next, moved);
        if
        :: moved ->
           assert(!taken[value]);                    /* not twice */
           taken[value] = true;
           assert(newest[value / ITEMS] < value);    /* in order */
           newest[value / ITEMS] = value
        :: else
        fi
     fi
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. PRODUCERS - 1) {
      run Producer(i)
    }
    run Consumer()
  }
  (_nr_pr == 1);
  run Consumer();                /* takes what the first one left */
  (_nr_pr == 1);
  for (i : 0 .. TOTAL - 1) {
    assert(taken[i])             /* nothing is lost */
  }
}
