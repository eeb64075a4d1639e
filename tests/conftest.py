"""What all tests need: Ctrl-C that works, also where it is ignored when they start (in the background of a shell)."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
