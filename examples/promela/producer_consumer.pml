/* Producers and consumers around a bounded buffer.
 *
 * expect: holds
 * states: 5138
 * states-plain: 18758
 *
 * The buffer is a process: producers hand parcels to it and consumers collect
 * them, each time by rendezvous, so that nothing is stored in channels. Every
 * parcel carries an address, and a consumer accepts only its own; the
 * assertion says that parcels from one producer to one consumer arrive in
 * order. Look at the three cases of the buffer: a process that had already
 * chosen to receive could not change its mind and send, so it must choose only
 * between what is possible. Try next: hand out the youngest parcel first;
 * -DPRODUCERS=2 for more than a million states.
 */

#ifndef PRODUCERS
#define PRODUCERS 1
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
#define SERIALS 2                 /* serial numbers: 0, 1, 0, 1, ... */

typedef Parcel {
  byte from;
  byte serial
}

typedef Slot {
  byte to;
  Parcel parcel
}

typedef Ring {
  Slot slot[CAPACITY];
  byte first;
  byte count
}

#define oldest ring.slot[ring.first]
#define vacant ring.slot[(ring.first + ring.count) % CAPACITY]

chan put = [0] of { byte, Parcel };  /* an address and what goes there */
chan get = [0] of { byte, Parcel };

inline accept() {
  put?vacant.to(vacant.parcel) ->
  ring.count++
}

inline deliver() {
  get!oldest.to(oldest.parcel) ->
  ring.first = (ring.first + 1) % CAPACITY;
  ring.count--
}

active proctype Buffer() {
  Ring ring;

  do
  :: ring.count == 0 -> accept()
  :: ring.count == CAPACITY -> deliver()
  :: else ->
     if
     :: accept()
     :: deliver()
     fi
  od
}

proctype Producer(byte me) {
  Parcel parcel;
  byte sent[CONSUMERS];
  byte to;

  parcel.from = me;
  do
  :: select (to : 0 .. CONSUMERS - 1);
     parcel.serial = sent[to];
     put!to(parcel);
     sent[to] = (sent[to] + 1) % SERIALS
  od
}

proctype Consumer(byte me) {
  Parcel parcel;
  byte expected[PRODUCERS];

  do
  :: get?eval(me)(parcel) ->
     assert(parcel.serial == expected[parcel.from]);
     expected[parcel.from] = (parcel.serial + 1) % SERIALS
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. PRODUCERS - 1) {
      run Producer(i)
    }
    for (i : 0 .. CONSUMERS - 1) {
      run Consumer(i)
    }
  }
}
