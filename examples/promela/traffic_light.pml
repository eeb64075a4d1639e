/* Two traffic lights at a crossing, and a sensor that may be impatient.
 *
 * expect: holds
 * states: 12
 * states-plain: 12
 * ltl: north_gets_green holds under weak fairness
 * ctl: AG EF north == green holds
 * ctl: AG (AF north == green && EF east == green) holds under weak fairness
 * ctl: AF AG north == green violated
 *
 * A light turns green only while the other is red, and then lets the other go
 * first. That the two are never green together is an assertion: it is about
 * states. That a car is not kept waiting for ever is about runs: it takes a
 * temporal formula, and a scheduler that forgets nobody (--fair weak). CTL can
 * say both at once: the north is not kept waiting, and the east is never shut
 * out (--ctl FORMULA --fair weak).
 */

mtype = { red, green };
mtype north = red, east = red;
bool north_first = true;

active proctype North() {
  do
  :: atomic { east == red && north_first -> north = green };
     assert(east == red);
     atomic { north = red; north_first = false }
  od
}

active proctype East() {
  do
  :: atomic { north == red && !north_first -> east = green };
     assert(north == red);
     atomic { east = red; north_first = true }
  od
}

active proctype Sensor() {
  bool car;
  do :: car = !car od
}

ltl north_gets_green { [] <> (north == green) }
