"""Model programs: what a transition costs, what reduction by isomorphism costs and gains, and how others compare.

    python -m bench.model_programs table [--from 4] [--to 12] [--plain-to 12] [--svg FILE]
    python -m bench.model_programs exact [--random 10000]
    python -m bench.model_programs peers [--pymodel FOLDER]

table: the dining philosophers of each size, over every state and up to isomorphism, each in a process of its own.
exact: the published and derived sizes, each counted in several ways that must agree; and random values.
peers: the same philosophers in other tools, in one run.
"""
