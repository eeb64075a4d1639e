"""Relational programs as decision diagrams: what statements and procedures do, and which states satisfy a formula."""
