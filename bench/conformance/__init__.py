"""Comparison of Clew with the peer model checker Spin: acceptance, state counts, verdicts, traces."""
