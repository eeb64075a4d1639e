/* N counters, each from 0 to M - 1 and round again: M^N states, N * M^N transitions, depth N * (M - 1). Nothing fails. */
#ifndef N
#define N 5
#endif
#ifndef M
#define M 29
#endif

byte count[N];

active [N] proctype counter()
{
	do
	:: d_step { assert(count[_pid] < M); count[_pid] = (count[_pid] + 1) % M }
	od
}
