/* N counters, each from 0 to M - 1 and round again: M^N states, N * M^N transitions, depth N * (M - 1). Nothing
 * fails, unless WRONG says what is wrong. */
#ifndef N
#define N 5
#endif
#ifndef M
#define M 29
#endif
#ifndef WRONG
#define WRONG false
#endif

byte count[N];

active [N] proctype counter()
{
	do
	:: d_step { assert(count[_pid] < M && !(WRONG)); count[_pid] = (count[_pid] + 1) % M }
	od
}
