"""Spin 6.5: its verifier `pan` generated, compiled and run."""
