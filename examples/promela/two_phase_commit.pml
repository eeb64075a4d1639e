/* Two-phase commit with a coordinator that may crash (Gray 1978).
 *
 * expect: holds
 * states: 5611
 * states-plain: 5540
 *
 * A coordinator asks every participant to vote and commits only if all say
 * yes. It may crash at any moment, even halfway through announcing its
 * decision. Participants notice the crash and ask one another: whoever has an
 * outcome shares it. Atomicity, never one commit beside one abort, holds in
 * every run. The price is the state called `end_blocked`: all have voted yes,
 * the coordinator is gone, and nobody may commit or abort. It is declared a
 * valid end here. Try next: -DBLOCKING_IS_AN_ERROR, which takes that
 * declaration away, and read the shortest way into the famous blocked state.
 */

#ifndef N
#define N 2                       /* participants */
#endif

#ifdef BLOCKING_IS_AN_ERROR
#define uncertain blocked
#else
#define uncertain end_blocked
#endif

mtype = { prepare, yes, no, commit, abort };

chan port[N] = [2] of { mtype, chan };  /* to participant i, with an address */
bool crashed;                           /* the coordinator is down */
byte committed;                         /* participants that have committed */
byte aborted;                           /* participants that have aborted */

active proctype Coordinator() {
  chan votes = [N] of { mtype };
  mtype vote;
  mtype decision = commit;
  byte i;

  {
    for (i : 0 .. N - 1) {
      port[i]!prepare(votes)
    }
    for (i : 0 .. N - 1) {
      votes?vote;
      if
      :: vote == no -> decision = abort
      :: else
      fi
    }
    for (i : 0 .. N - 1) {
      port[i]!decision(votes)
    }
  } unless {
    crashed
  };
end:
  false                           /* done or dead; `votes` stays readable */
}

active proctype Fate() {
  if
  :: crashed = true
  :: skip
  fi
}

inline settle(outcome) {
  d_step {
    if
    :: outcome == commit -> committed++
    :: else -> aborted++
    fi;
    assert(committed == 0 || aborted == 0)
  }
}

proctype Participant(byte me) {
  chan home;
  mtype outcome;

  if
  :: port[me]?prepare(home) ->
     if
     :: home!yes
     :: home!no ->
        settle(abort);
        goto done
     fi
  :: crashed && empty(port[me]) ->      /* never asked: free to give up */
     settle(abort);
     goto done
  fi;

uncertain:
  if
  :: port[me]?outcome(home) -> settle(outcome)
  :: crashed && committed > 0 -> settle(commit)
  :: crashed && aborted > 0 -> settle(abort)
  fi;

done:
  skip
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run Participant(i)
    }
  }
}
