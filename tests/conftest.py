"""What all tests need: Ctrl-C that works, also where it is ignored when they start (in the background of a shell); and
generated examples that are the same in every run, however busy the machine is."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "clew", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("clew")
