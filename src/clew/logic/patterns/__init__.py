"""Specification patterns: properties in words, their formulas, and what the words mean.

A property is a *pattern* (what must hold) in a *scope* (where it must hold). The catalogues turn it into a formula; the
oracle says what it means by intervals of a run, without any formula, so that it can judge the catalogues.
"""
