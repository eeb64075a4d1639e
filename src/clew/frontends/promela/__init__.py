"""Promela, as Spin 6.5.2 accepts and executes it."""
