/* A chain of N cells between a source of bits and a sink; each cell holds at most one bit. */
#ifndef N
#define N 5
#endif
bool holds[N], value[N];

active proctype Source() {
  do
  :: atomic { !holds[0] -> holds[0] = true; value[0] = false }
  :: atomic { !holds[0] -> holds[0] = true; value[0] = true }
  od
}
active [N - 1] proctype Cell() {  /* pids 1 .. N - 1 move from cell _pid - 1 to cell _pid */
  do
  :: atomic { holds[_pid - 1] && !holds[_pid] ->
       holds[_pid] = true; value[_pid] = value[_pid - 1]; holds[_pid - 1] = false; value[_pid - 1] = false }
  od
}
active proctype Sink() {
  do
  :: atomic { holds[N - 1] -> holds[N - 1] = false; value[N - 1] = false }
  od
}
