/* N philosophers; each takes the fork to the left, then the one to the right, eats, and puts both down again. */
#ifndef N
#define N 5
#endif
bool taken[N];

active [N] proctype Philosopher() {
  do
  :: atomic { !taken[_pid] -> taken[_pid] = true };
     atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
     taken[_pid] = false;
     taken[(_pid + 1) % N] = false
  od
}
