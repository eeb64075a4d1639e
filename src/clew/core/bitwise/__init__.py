"""Formulas and procedures of a `TransitionSystem` over any algebra of Booleans: BDDs, a solver's terms, bools."""
