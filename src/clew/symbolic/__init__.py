"""Sets of states as formulas: decision diagrams, fixpoints, CTL."""
