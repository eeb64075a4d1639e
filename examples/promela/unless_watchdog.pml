/* A watchdog that resets a hanging controller in the middle of its work.
 *
 * expect: holds
 * states: 506
 * states-plain: 506
 *
 * A controller moves coins from one account to the other, one at a time, and
 * may hang at any point. When nothing else in the system can move, the
 * watchdog's timer runs out and pulls the reset line, which tears the
 * controller out of whatever it was doing. To survive that, it writes both
 * balances to a journal before it touches them, and on restart rolls back an
 * unfinished transfer. The assertions say that no coin is lost or made, and
 * that the work gets done in the end. Look at where the journal becomes valid.
 * Try next: mark it valid before it is written.
 */

#ifndef COINS
#define COINS 3
#endif
#ifndef FAULTS
#define FAULTS 3       /* times the controller may hang, at most */
#endif

typedef Balances {
  byte from;
  byte to
}

Balances account;
Balances journal;
bool journal_valid;
bool reset;            /* the reset line */
bool finished;
byte faults = FAULTS;

inline may_hang() {
  if
  :: skip
  :: faults > 0 ->
     faults--;
     false             /* never gets past here */
  fi
}

inline transfer() {
  journal.from = account.from;
  may_hang();
  journal.to = account.to;
  journal_valid = true;
  may_hang();
  account.from--;
  may_hang();
  account.to++;
  may_hang();
  journal_valid = false
}

inline recover() {
  if
  :: journal_valid ->
     account.from = journal.from;
     account.to = journal.to;
     journal_valid = false
  :: else
  fi;
  assert(account.from + account.to == COINS)
}

active proctype Controller() {
  account.from = COINS;
restart:
  {
    do
    :: account.from > 0 -> transfer()
    :: else -> break
    od
  } unless {
    reset;
    reset = false;
    recover();
    goto restart
  };
  assert(account.to == COINS);
  finished = true
}

active proctype Watchdog() {
  do
  :: timeout -> reset = true
  :: finished -> break
  od
}
