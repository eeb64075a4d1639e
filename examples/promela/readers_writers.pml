/* Readers and writers with a turnstile (after Courtois and others 1971).
 *
 * expect: holds
 * states: 5236
 * states-plain: 5236
 *
 * Any number of readers may be in the room together, a writer must be alone.
 * The first reader in switches the light on and thereby locks the room, the
 * last one out switches it off. With that alone, readers who keep coming would
 * keep writers out for good, so everybody passes a turnstile first, and a
 * waiting writer stands in it. Look at the order in which a writer takes
 * turnstile and room. Try next: leave the turnstile out and see that safety
 * does not need it; -DREADERS=4 to see the room fill up.
 */

#ifndef READERS
#define READERS 3
#endif
#ifndef WRITERS
#define WRITERS 2
#endif

bool turnstile = true;  /* semaphores: true when free */
bool mutex = true;
bool room = true;

byte present;           /* readers counted in, protected by mutex */
byte reading, writing;  /* ghosts: who is really in the room */

inline P(semaphore) {
  atomic {
    semaphore;
    semaphore = false
  }
}

inline V(semaphore) {
  semaphore = true
}

active [READERS] proctype Reader() {
  do
  :: P(turnstile);
     V(turnstile);

     P(mutex);
     present++;
     if
     :: present == 1 -> P(room)
     :: else
     fi;
     V(mutex);

     reading++;
     assert(writing == 0);
     reading--;

     P(mutex);
     present--;
     if
     :: present == 0 -> V(room)
     :: else
     fi;
     V(mutex)
  od
}

active [WRITERS] proctype Writer() {
  do
  :: P(turnstile);
     P(room);
     writing++;
     assert(writing == 1 && reading == 0);
     writing--;
     V(room);
     V(turnstile)
  od
}
