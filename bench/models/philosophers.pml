/* N dining philosophers, each of whom takes the left fork first: 3^N - 1 states, one of them a deadlock. */
#ifndef N
#define N 8
#endif

#define LEFT  fork_taken[_pid]
#define RIGHT fork_taken[(_pid + 1) % N]

bit fork_taken[N];

active [N] proctype philosopher()
{
thinking:
	atomic { !LEFT -> LEFT = 1 };
	atomic { !RIGHT -> RIGHT = 1 };
eating:
	LEFT = 0;
	RIGHT = 0;
	goto thinking
}
