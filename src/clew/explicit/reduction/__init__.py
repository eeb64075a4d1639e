"""Partial-order reduction: which steps concern each other, found out before the search."""
