"""Long models: processor time of inference, which should grow with the length and no faster."""

from __future__ import annotations

import gc
import time
from statistics import median

from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.typing.infer import infer

LINES = (1_250, 2_500, 5_000, 10_000)
ROUNDS = 3


def long_model(lines: int) -> str:
    """Clients and servers that pass channels on, as many as fill the lines; a fifth of the channels is undeclared."""
    units = max(lines // 20, 1)
    text = ["mtype = { request, reply, stop };"]
    for n in range(units):
        text += [
            f"chan box{n} = [2] of {{ mtype, chan }};",
            f"byte count{n};",
            f"proctype Server{n}(chan in; byte limit) {{",
            "  chan peer;",
            "  byte seen;",
            "  do",
            "  :: in?request(peer) ->",
            "     seen = seen + 1;",
            "     peer!reply, seen % 16;",
            f"     count{n}++",
            "  :: seen > limit -> break",
            "  od",
            "}",
            f"active proctype Client{n}() {{",
            "  chan me = [1] of { mtype, byte };",
            f"  chan other; other = box{(n * 7 + 1) % units};",
            f"  run Server{n}(box{n}, {n % 200});",
            "  byte got; other!request(me);",
            "  me?reply, got; assert(got < 16)",
            "}",
        ]
    return "\n".join(text) + "\n"


def run() -> int:
    print("| lines | parse, s | inference, s | both, s |\n|---|---|---|---|")
    worst = 0.0
    for lines in LINES:
        text = long_model(lines)
        parses, infers = [], []
        for _ in range(ROUNDS):
            gc.collect()
            start = time.process_time()
            model = parse_text(text, "long.pml")
            middle = time.process_time()
            found = infer(model)
            infers.append(time.process_time() - middle)
            parses.append(middle - start)
            assert not found.diagnostics
        parse, inference = median(parses), median(infers)
        worst = parse + inference
        print(f"| {text.count(chr(10)):,} | {parse:.2f} | {inference:.2f} | {parse + inference:.2f} |")
    return 0 if worst < 2 else 1
