/* Go-back-N with a window of N messages: both channels lose messages and have room for N of them. */
#ifndef N
#define N 3
#endif

#define NUMBERS (N + 1)
#define SENT    ((next + NUMBERS - base) % NUMBERS)

chan data = [N] of { byte };
chan acks = [N] of { byte };

active proctype sender()
{
	byte base, next, answer;

	do
	:: SENT < N -> data!next; next = (next + 1) % NUMBERS
	:: acks?answer -> base = (answer + 1) % NUMBERS
	:: SENT > 0 && empty(acks) -> next = base
	od
}

active proctype receiver()
{
	byte expected, got;

	do
	:: data?got ->
		if
		:: got == expected -> acks!got; expected = (expected + 1) % NUMBERS
		:: else -> acks!((expected + N) % NUMBERS)
		fi
	od
}

active proctype loss()
{
	do
	:: data?_
	:: acks?_
	od
}
