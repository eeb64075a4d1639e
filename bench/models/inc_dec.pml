/* One counter goes up, another down, both around; the monitor fails when they are at their ends at the same time: one
 * valuation of MAX * MAX - far from the start, and awkward for bitstate hashing (after T. C. Ruys, 2001). */
#ifndef MAX
#define MAX 999
#endif

int up, down;

active proctype increment() { do :: up = (up + 1) % MAX od }
active proctype decrement() { do :: down = (down - 1) % MAX od }
active proctype monitor()   { do :: assert(!(up == MAX - 1 && down == 1 - MAX)) od }
