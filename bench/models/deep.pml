/* x from 0 to HALF and back, again and again: a cycle of 2 * HALF states, as deep as it is long. */
#ifndef HALF
#define HALF 5000000
#endif

int x;
bool down;

active proctype counter()
{
	do
	:: d_step { !down -> x++; down = (x == HALF) }
	:: d_step { down -> x--; down = (x != 0) }
	od
}
