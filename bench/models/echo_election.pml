/* Echo election with extinction (Tel, Introduction to Distributed Algorithms, chapter 7) in a clique of three, again and
 * again; each node gets a turn at winning. The system that Couvreur, Duret-Lutz and Poitrenaud check (SPIN 2005, table
 * 2): 145,400 states, 413,351 transitions. With -D NEXT=turn the same node wins for ever: 49,335 states. */
#ifndef NEXT
#define NEXT (turn + 1) % 3
#endif
#define NOBODY 3

mtype = { token, won };

chan to_01 = [10] of { mtype, byte };
chan to_02 = [10] of { mtype, byte };
chan to_10 = [10] of { mtype, byte };
chan to_12 = [10] of { mtype, byte };
chan to_20 = [10] of { mtype, byte };
chan to_21 = [10] of { mtype, byte };
chan start_0 = [0] of { byte };
chan start_1 = [0] of { byte };
chan start_2 = [0] of { byte };

byte leader, nr_leaders, done;

#define before(a, b) ((a + turn) % 3 < (b + turn) % 3)

inline on_won() {
  if
  :: wins == 0 && r != me -> out1!won(r); out2!won(r)
  :: else -> skip
  fi;
  wins++;
  win = r
}

inline on_token(from, other) {
  if
  :: before(r, caw) -> caw = r; rec = 0; father = from; other!token(r)
  :: else -> skip
  fi;
  if
  :: r == caw ->
    rec++;
    if
    :: rec == 2 && caw == me -> out1!won(me); out2!won(me)
    :: rec == 2 && caw != me && father == near1 -> out1!token(caw)
    :: rec == 2 && caw != me && father == near2 -> out2!token(caw)
    :: else -> skip
    fi
  :: else -> skip
  fi
}

proctype Node(chan start; byte me; byte near1; chan out1; chan in1; byte near2; chan out2; chan in2) {
  byte rec, wins, win, father, caw, r, turn;
  xs out1; xs out2; xr in1; xr in2;
restart:
  start?turn;
  caw = me; rec = 0; wins = 0; father = NOBODY; win = NOBODY; r = NOBODY;
  out1!token(me); out2!token(me);
  do
  :: wins == 2 -> break
  :: in1?won(r) -> on_won()
  :: in2?won(r) -> on_won()
  :: in1?token(r) -> on_token(near1, out2)
  :: in2?token(r) -> on_token(near2, out1)
  od;
  if
  :: win == me -> leader = me; nr_leaders++; assert(nr_leaders == 1)
  :: else -> skip
  fi;
  done++;
  goto restart
}

init {
  byte turn;
  atomic {
    run Node(start_0, 0, 1, to_01, to_10, 2, to_02, to_20);
    run Node(start_1, 1, 0, to_10, to_01, 2, to_12, to_21);
    run Node(start_2, 2, 0, to_20, to_02, 1, to_21, to_12)
  };
  do
  :: true ->
     done = 0; nr_leaders = 0; leader = NOBODY;
     start_0!turn; start_1!turn; start_2!turn;
     done == 3;
     turn = NEXT
  od
}
