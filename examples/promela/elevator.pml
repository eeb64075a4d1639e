/* An elevator that sweeps up and down.
 *
 * expect: holds
 * states: 1197
 * states-plain: 1197
 * ltl: ground_floor_is_served holds under weak fairness
 *
 * Buttons can be pressed at any time on any floor. The cabin keeps going in
 * one direction while there are calls ahead and turns round when there are
 * none; the door is a process of its own, told what to do over a rendezvous
 * channel. The assertion says that the cabin never moves with an open door.
 * The calls are kept as bits of one number, so that "is there a call above?"
 * is a shift. Look at how the cabin, after serving a floor, always looks for
 * calls elsewhere first: without that, one impatient passenger could keep it
 * for ever. Try next: -DFLOORS=5, or open the door before the cabin has
 * stopped.
 */

#ifndef FLOORS
#define FLOORS 4
#endif

#define call(f) (1 << (f))
#define here    (calls & call(floor))
#define above   (calls >> (floor + 1))
#define below   (calls & (call(floor) - 1))

mtype = { up, down, open, closed };

chan door = [0] of { mtype };
byte calls;              /* bit f: somebody waits at floor f */
byte floor;              /* where the cabin is */
mtype heading = up;
mtype doorway = closed;

active proctype Buttons() {
  byte f;

  do
  :: atomic {
       select (f : 0 .. FLOORS - 1);
       calls = calls | call(f);
       f = 0
     }
  od
}

active proctype Door() {
end:
  do
  :: door?open ->
     doorway = open;     /* people get in and out */
     doorway = closed;
     door!closed
  od
}

inline serve() {
  calls = calls & ~call(floor);
  door!open;
  door?closed
}

inline move(step) {
  assert(doorway == closed);
  floor = floor + step;
  assert(floor < FLOORS)
}

active proctype Cabin() {
  do
  :: if
     :: here -> serve()
     :: else
     fi;
     if
     :: heading == up && above -> move(1)
     :: heading == down && below -> move(-1)
     :: heading == up && !above && below -> heading = down
     :: heading == down && !below && above -> heading = up
     :: !above && !below -> (calls != 0)
     fi
  od
}

ltl ground_floor_is_served {
  [] ((calls & 1) -> <> (floor == 0 && doorway == open))
}
