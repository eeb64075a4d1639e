"""Temporal logic: formulas, their words and their automata."""
