"""A hand-made trace with a handshake, a buffered message, an atomic sequence and a process that ends."""

from __future__ import annotations

from clew.core.diagnostics import Span
from clew.core.traces import Message, ProcessView, Trace, TraceState, TraceStep


def at(line: int) -> Span:
    return Span("models/ring.pml", line, 3, 4)


INITIAL = TraceState(
    {"x": "0", "q": "[]", "client(1).n": "3"},
    (ProcessView(0, "server", 1, at(4)), ProcessView(1, "client", 1, at(20))),
)
FINAL = TraceState({"x": "2", "q": "[]"}, (ProcessView(0, "server", 4, at(8)),))

STEPS = (
    TraceStep(
        1,
        "client",
        7,
        at(20),
        "c!req(n)",
        partner=0,
        partner_process="server",
        partner_step=2,
        partner_span=at(4),
        partner_text="c?req(m)",
        message=Message("handshake", "c", ("req", "3"), 1, 0),
        changes={"x": ("0", "1")},
    ),
    TraceStep(
        0, "server", 3, at(5), "q!ack", message=Message("send", "q", ("ack",), 0), changes={"q": ("[]", "[ack]")}
    ),
    TraceStep(
        1,
        "client",
        8,
        at(21),
        "q?ack",
        message=Message("receive", "q", ("ack",), receiver=1),
        changes={"q": ("[ack]", "[]")},
        transient=True,
    ),
    TraceStep(1, "client", 9, at(22), 'printf("done; 100%\\n")', output=("done; 100%\n",), transient=True),
    TraceStep(1, "client", 10, at(23), "-end-", changes={"client(1).n": ("3", None)}),
    TraceStep(0, "server", 4, at(6), "assert(x == 1)", changes={"x": ("1", "2")}, note="assertion violated: x == 1"),
)
TRACE = Trace(INITIAL, STEPS, FINAL, "assertion violated: x == 1")
LASSO = Trace(INITIAL, STEPS[:3], INITIAL, "the cycle has no progress", loop=1)
