/* An elevator for N floors; at each floor somebody may call it, and somebody inside may choose the floor. */
#ifndef N
#define N 5
#endif
bool called[N], chosen[N], up = true, open;
byte at;

active proctype Elevator() {
  do
  :: !open && (called[at] || chosen[at]) -> atomic { open = true; called[at] = false; chosen[at] = false }
  :: open -> open = false
  :: !open && up && at < N - 1 -> at++
  :: !open && !up && at > 0 -> at--
  :: !open && up && at == N - 1 -> up = false
  :: !open && !up && at == 0 -> up = true
  od
}
active [N] proctype Floor() {  /* pid 1 is at floor 0 */
  do
  :: atomic { !called[_pid - 1] -> called[_pid - 1] = true }
  :: atomic { open && !chosen[_pid - 1] -> chosen[_pid - 1] = true }
  od
}
