/* The Needham-Schroeder public key protocol, and Lowe's attack (1978, 1995).
 *
 * expect: violated: assertion
 * states: 3912
 * states-plain: 3912
 *
 * Alice and Bob prove to each other who they are, by sending fresh nonces back
 * under the other's public key:
 *
 *   1. A -> B: {Na, A} Kb     2. B -> A: {Na, Nb} Ka     3. A -> B: {Nb} Kb
 *
 * Mallory is the network. Every message passes through his hands; he keeps
 * what he cannot read, reads what is encrypted for him, and sends whatever he
 * can build. The protocol stood for seventeen years until Gavin Lowe noticed
 * what a model checker now finds in a moment: when Alice talks to Mallory,
 * honestly, he can talk to Bob in her name. Look at who decrypts the last
 * nonce for whom. Try next: -DLOWE, where message 2 also names its sender and
 * Alice checks it; with it the model holds.
 */

#ifdef LOWE
#define named_sender eval(peer)
#else
#define named_sender _
#endif

mtype = { msg1, msg2, msg3 };                /* which message of the protocol */
mtype = { nobody, alice, bob, mallory };     /* people, and their keys */
mtype = { nonce_a, nonce_b, nonce_m };

/* message, key, first and second content, sender named inside */
chan sent      = [0] of { mtype, mtype, mtype, mtype, mtype };
chan delivered = [0] of { mtype, mtype, mtype, mtype, mtype };

mtype alice_talks_to = nobody;
bool knows_a, knows_b;                       /* nonces Mallory has learnt */

active proctype Alice() {
  mtype peer, nonce;

  if
  :: peer = bob
  :: peer = mallory
  fi;
  alice_talks_to = peer;
  sent!msg1(peer, nonce_a, nobody, alice);
  delivered?msg2(alice, nonce_a, nonce, named_sender);
  sent!msg3(peer, nonce, nobody, nobody)
}

active proctype Bob() {
  mtype peer, nonce;

  delivered?msg1(bob, nonce, _, peer);
  sent!msg2(peer, nonce, nonce_b, bob);
  delivered?msg3(bob, nonce_b, _, _);
  assert(peer != alice || alice_talks_to == bob)
}

inline learn(n) {
  knows_a = knows_a || n == nonce_a;
  knows_b = knows_b || n == nonce_b
}

inline choose(n) {
  if
  :: n = nonce_m
  :: knows_a -> n = nonce_a
  :: knows_b -> n = nonce_b
  fi
}

active proctype Mallory() {
  mtype n = nonce_m, m = nonce_m;                   /* nonces he may send */
  mtype kept, kept_key, kept_n, kept_m, kept_name;  /* what he cannot read */

  do
  :: choose(n)
  :: choose(m)
  :: atomic {
       sent?_(mallory, n, m, _) ->
       learn(n);
       learn(m);
       n = nonce_m;
       m = nonce_m
     }
  :: sent?kept(kept_key, kept_n, kept_m, kept_name)
  :: delivered!kept(kept_key, kept_n, kept_m, kept_name)
  :: delivered!msg1(bob, n, nobody, alice)
  :: delivered!msg1(bob, n, nobody, mallory)
  :: delivered!msg2(alice, n, m, mallory)
  :: delivered!msg3(bob, n, nobody, nobody)
  od
}
