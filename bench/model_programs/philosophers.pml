/* The philosophers of examples/python/philosophers.py: the same states and steps, but for Init. */
byte holder[N];   /* 0: free */
byte mood[N];
active [N] proctype P() {
  end: do
  :: d_step { mood[_pid] == 0 && holder[_pid] == 0; holder[_pid] = _pid + 1; mood[_pid] = 1 }
  :: d_step { mood[_pid] == 1 && holder[(_pid + 1) % N] == 0; holder[(_pid + 1) % N] = _pid + 1; mood[_pid] = 2 }
  :: d_step { mood[_pid] == 2; holder[_pid] = 0; mood[_pid] = 3 }
  :: d_step { mood[_pid] == 3; holder[(_pid + 1) % N] = 0; mood[_pid] = 0 }
  od
}
