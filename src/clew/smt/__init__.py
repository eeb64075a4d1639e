"""Proofs and counterexamples by a solver: bounded search, induction, Horn clauses."""
