"""Graphs for people and tools: a neutral form, what makes one, and one writer per format."""
