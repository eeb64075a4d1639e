"""The native explicit-state engine: C generated from a `Network`, compiled with a runtime of headers."""
