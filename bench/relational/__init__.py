"""Relational models: random comparison with an explicit interpreter, and the tables of Chang and Jackson (2006)."""
