/* N counters; each counts to 7 and begins again when the one before it is at 0. */
#ifndef N
#define N 5
#endif
byte count[N];

active [N] proctype Counter() {
  do
  :: count[_pid] < 7 -> count[_pid]++
  :: count[_pid] == 7 && count[(_pid + N - 1) % N] == 0 -> count[_pid] = 0
  od
}
