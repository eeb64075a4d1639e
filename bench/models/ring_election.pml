/* N nodes in a ring elect the one with the largest number: each passes on what is larger than its own. */
#ifndef N
#define N 6
#endif

#define NUMBER    ((3 * _pid) % N)	/* not in the order of the ring, for N that 3 does not divide */
#define NEIGHBOUR link[(_pid + 1) % N]

chan link[N] = [2] of { byte };
byte leaders;

active [N] proctype node()
{
	byte seen;

	NEIGHBOUR!NUMBER;
	do
	:: link[_pid]?seen ->
		if
		:: seen > NUMBER -> NEIGHBOUR!seen
		:: seen < NUMBER
		:: seen == NUMBER -> leaders++; assert(leaders == 1); break
		fi
	od
}
