/* Two clients ask, a server answers: properties of messages, and properties in words.
 *
 * expect: holds
 * states: 130
 * states-plain: 130
 * formula: [] (ask!request(0) -> <> answer[0]?reply(_)) => holds
 * formula: [] (ask!request(0) -> X answer[0]?reply(_)) => violated
 * formula: [] (reaches(Client@answered) -> <> ask!request(_)) => holds
 * pattern: reaches(Client@answered) precedes parity == 1 => holds
 * pattern: absence of answer[1]!reply(_) between ask!request(0) and answer[0]!reply(_) => violated
 *
 * In a formula, q!m(_) is true where the next step sends such a message, q?m(_)
 * where it receives one, and reaches(P@label) where it leads a process there.
 * Ask about them with --ltl FORMULA and --pattern WORDS. Why is the last
 * property violated? Two requests may wait at once. What if ask has room for
 * one message?
 */

#ifndef ROOM
#define ROOM 2
#endif

mtype = { request, reply };

chan ask = [ROOM] of { mtype, byte };
chan answer[2] = [0] of { mtype, byte };
bit parity;                      /* of the number of replies */

active [2] proctype Client() {
  byte value;
  do
  :: ask!request(_pid);
     answer[_pid]?reply(value);
answered:
     assert(value == _pid)
  od
}

active proctype Server() {
  byte who;
end:
  do
  :: ask?request(who);
     answer[who]!reply(who);
     parity = 1 - parity
  od
}
