"""Automata from files: Hanoi omega-automata, and plain lists of edges."""
