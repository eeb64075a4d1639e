/* The alternating bit protocol over lossy lines (Bartlett and others 1969).
 *
 * expect: holds
 * states: 623
 * states-plain: 623
 * ltl: in_step holds
 *
 * A sender delivers items in order although both lines lose messages. One bit
 * on every message is enough to tell a new item from a repeated one. Losses
 * are caused by a third process that steals whatever it likes, so that neither
 * party can know. The sender's timer is not modelled: it may repeat a message
 * at any moment, which covers every setting of the timer, good or bad. Look at
 * the two receptions of the sender: only the acknowledgement with its own bit
 * counts. Try next: accept any acknowledgement, and find the shortest run that
 * loses an item.
 */

#ifndef CAPACITY
#define CAPACITY 2  /* messages under way in each direction */
#endif
#ifndef ITEMS
#define ITEMS 4     /* items are numbered 0 .. ITEMS - 1, then 0 again */
#endif

chan data = [CAPACITY] of { byte, bit };
chan acks = [CAPACITY] of { bit };

active proctype Sender() {
  byte item;
  bit tag;

  do
  :: data!item(tag)        /* the first time, or once more */
  :: acks?eval(tag) ->     /* arrived: go on to the next item */
     atomic {
       item = (item + 1) % ITEMS;
       tag = 1 - tag
     }
  :: acks?eval(1 - tag)    /* an echo of the previous item */
  od
}

active proctype Receiver() {
  byte item;
  byte wanted;
  bit tag;
  bit expected;

  do
  :: data?item(tag) ->
     if
     :: tag == expected ->
        assert(item == wanted);
        wanted = (wanted + 1) % ITEMS;
        expected = 1 - expected
     :: else               /* seen before: the acknowledgement was lost */
     fi;
     acks!tag
  od
}

active proctype Thief() {
  do
  :: data?_(_)
  :: acks?_
  od
}

/* The two ends never drift apart by more than one item. */
ltl in_step {
  [] (Receiver:wanted == Sender:item
      || Receiver:wanted == (Sender:item + 1) % ITEMS)
}
