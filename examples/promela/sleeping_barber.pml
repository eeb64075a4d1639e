/* The sleeping barber (Dijkstra 1965).
 *
 * expect: holds
 * states: 428
 * states-plain: 428
 * ltl: patience_pays holds under weak fairness
 * ctl: AG (Customer[0]@seated -> AF Customer[0]@leaving) holds under weak fairness
 *
 * A barber's shop has one barber, a few chairs and customers who come and go.
 * Who finds a chair sits down and waits; who finds none walks on. The barber
 * sleeps while the chairs are empty. The row of chairs is a channel of process
 * numbers, so that queueing, sleeping and waking need no further code: an
 * empty channel puts the barber to sleep, and the answer is addressed to the
 * one customer whose hair was cut. Try next: seat the customers by their
 * number (a sorted send, chairs!!_pid) and state patience_pays for the last of
 * them.
 */

#ifndef CUSTOMERS
#define CUSTOMERS 4
#endif
#ifndef CHAIRS
#define CHAIRS 2
#endif

chan chairs = [CHAIRS] of { pid };
chan goodbye = [0] of { pid };
byte shorn;                    /* ghost: haircuts not yet admired */

active [CUSTOMERS] proctype Customer() {
  do
  :: chairs!_pid ->
seated:
     goodbye?eval(_pid) ->
leaving:
     assert(shorn == 1);
     shorn--
  :: full(chairs)              /* walk on, come back another day */
  od
}

active proctype Barber() {
  pid customer;

  do
  :: chairs?customer ->
     (shorn == 0);
     shorn++;
     assert(!(chairs??[eval(customer)]));  /* nobody sits on two chairs */
     goodbye!customer
  od
}

ltl patience_pays { [] (Customer[0]@seated -> <> Customer[0]@leaving) }
