/* N stations in a ring. Who has the token may work; a station asks for work at any time. */
#ifndef N
#define N 5
#endif
bool token[N], asked[N], busy[N];

active [N] proctype Station() {
  if :: _pid == 0 -> token[0] = true :: else fi;
  do
  :: !asked[_pid] -> asked[_pid] = true
  :: token[_pid] && asked[_pid] && !busy[_pid] -> busy[_pid] = true
  :: busy[_pid] -> atomic { busy[_pid] = false; asked[_pid] = false }
  :: token[_pid] && !busy[_pid] -> atomic { token[_pid] = false; token[(_pid + 1) % N] = true }
  od
}
