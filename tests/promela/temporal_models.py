"""Small Promela models with temporal properties and Spin's verdicts on them (6.5.2, -DNOREDUCE: pan -a, -l, -f)."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """`verdicts`: without and with weak fairness."""

    name: str
    text: str
    property: str
    verdicts: tuple[str, str]


COUNTER = "byte g; active proctype P() { do :: g < 5 -> g++ :: g == 5 -> g = 0 od }"
TWO = "byte x, y; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: y = 1 - y od }"
STOPS = "byte g; active proctype P() { g = 1; g = 2 }"
STUCK = "byte g; active proctype P() { g = 1; (g == 7) }"
ATOMIC = "byte g; active proctype P() { do :: atomic { g = 1; g = 2; g = 0 } od } proctype Z() { g == 0 }"
HANDSHAKE = """chan q = [0] of { byte }; byte n;
active proctype S() { do :: q!1 od } active proctype R() { byte b; do :: q?b -> n = 1 - n od }
active proctype I() { byte k; do :: k = 1 - k od }"""
LABELS = COUNTER.replace("do ::", "accept: do ::")
ONCE = "byte g; active proctype P() { accept: g = 1; do :: g = 1 - g od }"
AT_STOP = "byte g; active proctype P() { g = 1; accept: (g == 7) }"
SETTLED = " never { do :: true :: g == 2 -> goto accept od; accept: do :: g == 2 od }"
REMOTE = "active proctype P() { byte x; do :: x = 1 - x od } ltl p { []<> (P:x == 1) }"
PASSING = "byte g; active proctype P() { do :: g = 1; L: g = 0 od } ltl p { []<> P@L }"
PROGRESS = TWO.replace("y = 1 - y", "y = 1; progress: y = 0")
CLAIM = "never_0"
HOLDS, VIOLATED = "holds", "violated"
ALWAYS, NEVER, FAIR = (HOLDS, HOLDS), (VIOLATED, VIOLATED), (VIOLATED, HOLDS)

CASES = (
    Case("K4", COUNTER + " ltl p { []<> (g == 5) }", "p", ALWAYS),
    Case("settles", COUNTER + " ltl p { <>[] (g != 3) }", "p", NEVER),
    Case("precedence", COUNTER + " ltl p { [] (g == 2 -> g < 3 U g == 3) }", "p", ALWAYS),
    Case("weak until", COUNTER + " ltl p { g < 9 W g == 9 }", "p", ALWAYS),
    Case("release", COUNTER + " ltl p { g == 4 V g < 5 }", "p", ALWAYS),
    Case("no temporal operator", COUNTER + " ltl p { g == 0 }", "p", ALWAYS),
    Case("fair to all", TWO + " ltl p { []<> (y == 1) }", "p", FAIR),
    Case("fair is not enough", TWO + " ltl p { <>[] (y == 1) }", "p", NEVER),
    Case("last state repeats", STOPS + " ltl p { <>[] (g == 2) }", "p", ALWAYS),
    Case("stuck for ever", STUCK + " ltl p { <> (g == 2) }", "p", NEVER),
    Case("inside atomic", ATOMIC + " ltl p { [] (g == 0) }", "p", ALWAYS),
    Case("handshake", HANDSHAKE + " ltl p { []<> (n == 1) }", "p", FAIR),
    Case("at label", PASSING, "p", ALWAYS),
    Case("remote variable", REMOTE, "p", ALWAYS),
    Case("last mover", TWO + " ltl p { []<> (_last == 0) }", "p", FAIR),
    Case("enabled", STUCK + " ltl p { <>[] !enabled(0) }", "p", ALWAYS),
    Case("progress in a formula", PROGRESS + " ltl p { []<> !np_ }", "p", FAIR),
    Case("claim completes", COUNTER + " never { do :: true :: g == 3 -> break od }", CLAIM, NEVER),
    Case("claim blocks", COUNTER + " never { do :: g < 3 od }", CLAIM, ALWAYS),
    Case("claim accepts", COUNTER + " never { do :: true :: g == 3 -> accept: do :: true od od }", CLAIM, NEVER),
    Case("claim with else", COUNTER + " never { do :: g == 3 -> break :: else od }", CLAIM, NEVER),
    Case("claim beside a stop", STOPS + SETTLED, CLAIM, NEVER),
    Case("claim counts steps", STOPS + " never { g == 0; g == 1; g == 2; g == 1 }", CLAIM, ALWAYS),
    Case("labels beside a claim", LABELS + " never { do :: true od }", CLAIM, NEVER),
    Case("accept label", TWO.replace("y = 1 - y", "y = 1; accept: y = 0"), "acceptance", NEVER),
    Case("accept label, passed once", ONCE, "acceptance", ALWAYS),
    Case("accept label at a stop", AT_STOP, "acceptance", NEVER),
    Case("progress", PROGRESS, "progress", FAIR),
    Case("no progress at a stop", STUCK, "progress", ALWAYS),
    Case("progress by all", COUNTER.replace("-> g = 0", "-> progress: g = 0"), "progress", ALWAYS),
)  # fmt: skip
