"""Time, memory and verdicts of liveness checks: Clew beside Spin's `pan -a` and `pan -a -f`."""
