/* Priority inversion, as it befell Mars Pathfinder (1997).
 *
 * expect: violated: assertion
 * shortest: 15
 * states: 117
 * states-plain: 117
 *
 * Three tasks share one processor, and a task runs only while no more
 * important one is ready. The most important (bus management) and the least
 * important (weather data) share a lock. If weather is interrupted while it
 * holds the lock, bus management must wait for it; that is short and was
 * planned. But then communication, of middle importance and with nothing to do
 * with the lock, keeps weather from running, and so keeps the most important
 * task waiting for as long as it likes. A watchdog on Mars noticed and reset
 * the spacecraft. Try next: -DINHERIT, the repair uploaded from Earth: the
 * holder of the lock runs with the importance of the task that waits for it.
 * With it the model holds.
 */

#ifndef PATIENCE
#define PATIENCE 3       /* slices the bus task can wait before the reset */
#endif

#ifdef INHERIT
#define raised (bus == blocked)
#else
#define raised false
#endif

mtype = { asleep, ready, blocked };

mtype bus = asleep;      /* high priority */
mtype comm = asleep;     /* medium; weather, the lowest, never sleeps */
bool locked;
byte late;               /* slices comm has run while bus was blocked */

/* Interrupts make tasks ready, at any time. */
active proctype Interrupts() {
  do
  :: bus == asleep -> bus = ready
  :: comm == asleep -> comm = ready
  od
}

active proctype Bus() provided (bus == ready) {
  do
  :: if
     :: d_step {
          !locked ->
          locked = true
        };
        late = 0;
        locked = false;
        bus = asleep
     :: locked -> bus = blocked
     fi
  od
}

active proctype Comm() provided (comm == ready && bus != ready && !raised) {
  do
  :: late = (bus == blocked && late <= PATIENCE -> late + 1 : late);
     assert(late <= PATIENCE)
  :: comm = asleep
  od
}

active proctype Weather() provided (bus != ready && (comm != ready || raised)) {
  do
  :: d_step {
       !locked ->
       locked = true
     };
     skip;               /* put the data on the bus */
     d_step {
       locked = false;
       if
       :: bus == blocked -> bus = ready
       :: else
       fi
     }
  od
}
