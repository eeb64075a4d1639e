"""Counts, time and memory of Clew's native engine against Spin's verifier on the same models."""
