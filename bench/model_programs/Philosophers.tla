---- MODULE Philosophers ----
\* The philosophers of examples/python/philosophers.py for TLC: the same states and steps, but for Init.
EXTENDS Naturals
CONSTANT N
VARIABLES holder, mood
vars == <<holder, mood>>
P == 0 .. N - 1
Right(p) == (p + 1) % N
Init == holder = [p \in P |-> 0] /\ mood = [p \in P |-> 0]
TakeLeft(p) == /\ mood[p] = 0 /\ holder[p] = 0
               /\ holder' = [holder EXCEPT ![p] = p + 1] /\ mood' = [mood EXCEPT ![p] = 1]
TakeRight(p) == /\ mood[p] = 1 /\ holder[Right(p)] = 0
                /\ holder' = [holder EXCEPT ![Right(p)] = p + 1] /\ mood' = [mood EXCEPT ![p] = 2]
ReleaseLeft(p) == mood[p] = 2 /\ holder' = [holder EXCEPT ![p] = 0] /\ mood' = [mood EXCEPT ![p] = 3]
ReleaseRight(p) == mood[p] = 3 /\ holder' = [holder EXCEPT ![Right(p)] = 0] /\ mood' = [mood EXCEPT ![p] = 0]
Next == \E p \in P : TakeLeft(p) \/ TakeRight(p) \/ ReleaseLeft(p) \/ ReleaseRight(p)
Spec == Init /\ [][Next]_vars
====
