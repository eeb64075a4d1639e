/* The ring buffer of a small device in C, under every timing of its interrupt.
 *
 * expect: holds
 * states: 182
 *
 * An interrupt puts bytes into a ring and the main loop takes them out, with
 * no lock between them. It works because each side changes only its own
 * index, and only after it has touched the slot: `filled` and `taken` run on
 * and wrap around at 256, their difference is the number of bytes in the
 * ring. The C below is the code of the device; the model cuts it where the
 * interrupt may come in and asserts that every byte arrives once, in order.
 * `c_track` makes the ring, which lives outside the model, part of its state.
 * Put `ring.filled++` in front of the store to see what arrives then.
 */
c_decl {
#define SLOTS 2

	typedef struct {
		unsigned char slot[SLOTS];
		unsigned char filled, taken;
	} Ring;

	Ring ring = { .filled = 254, .taken = 254 };
}

c_track "&ring" "sizeof(Ring)";

#define BYTES 5

active proctype interrupt() {
	byte next = 1;

	do
	:: next <= BYTES && c_expr { (unsigned char)(ring.filled - ring.taken) < SLOTS } ->
		c_code { ring.slot[ring.filled % SLOTS] = Pinterrupt->next; };
		c_code { ring.filled++; };
		next++
	:: next > BYTES -> break
	od
}

active proctype main_loop() {
	byte got, expected = 1;

	do
	:: c_expr { ring.filled != ring.taken } ->
		c_code { Pmain_loop->got = ring.slot[ring.taken % SLOTS]; };
		assert(got == expected);
		c_code { ring.taken++; };
		expected++
	:: expected > BYTES -> break
	od
}
