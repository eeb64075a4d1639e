-- The philosophers of examples/python/philosophers.py for rumur: the same states and steps, but for Init. @N@ is their number.
const N: @N@;
type P: 0 .. N - 1;
var holder: array [P] of 0 .. N;
    mood: array [P] of 0 .. 3;
startstate begin
  for p: P do holder[p] := 0; mood[p] := 0; end;
end;
ruleset p: P do
  rule "TakeLeft" mood[p] = 0 & holder[p] = 0 ==> begin holder[p] := p + 1; mood[p] := 1; end;
  rule "TakeRight" mood[p] = 1 & holder[(p + 1) % N] = 0 ==> begin holder[(p + 1) % N] := p + 1; mood[p] := 2; end;
  rule "ReleaseLeft" mood[p] = 2 ==> begin holder[p] := 0; mood[p] := 3; end;
  rule "ReleaseRight" mood[p] = 3 ==> begin holder[(p + 1) % N] := 0; mood[p] := 0; end;
end;
