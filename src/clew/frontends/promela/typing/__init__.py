"""Types of Promela by inference: what messages does each channel carry, in every process it reaches?

`infer.infer(model)` reads a parsed model and returns a `Typing`: the type of every name, what each reference stands
for, and diagnostics with related positions. The algorithm follows Donaldson and Gay, "Etch: An Enhanced Type Checking
Tool for Promela" (SPIN 2005): unification of channel contents, with recursive types and numeric subtyping.
"""
