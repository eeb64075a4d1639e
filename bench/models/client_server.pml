/* CLIENTS clients and SERVERS servers share a duplex channel (the case study of Couvreur, Duret-Lutz and Poitrenaud,
 * SPIN 2005, Table 3). With --granularity fine and 3 clients the product with the formula has 783 states and 2,371
 * transitions for 1 server, 22,147 states and 93,537 transitions for 3 servers (Cou99 visits all of the first). */

#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifndef SERVERS
#define SERVERS 1
#endif

chan up = [CLIENTS] of { byte };
chan down = [SERVERS] of { byte };

active [CLIENTS] proctype Client() {
idle:
  skip;
request:
  skip;
  up!_pid;
waits:
  down?eval(_pid);
  goto idle
}

active [SERVERS] proctype Server() {
  byte id;
receive:
  up?id;
work:
  skip;
reply:
  skip;
  down!id;
  goto receive
}

ltl served { [] (Client[0]@waits -> <> Client[0]@idle) }
