"""Lossy stores: the figures of the analysis, measurements beside it, and counts of whole models.

python -m bench.stores figures                    what the formulas give: figure 1 and the numbers of the paper
python -m bench.stores montecarlo                 random states in tables, 100 seeds: measured and expected omissions
python -m bench.stores hashes                     nanoseconds for a hash
python -m bench.stores equal CORPUS...            whether 64-bit signatures give the exact counts, all models
python -m bench.stores error                      an error beyond the memory of an exact search
python -m bench.stores models CORPUS...           exact counts, 64-bit signatures, small tables; times
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.stores.equal import equal
from bench.stores.tables import error, figures, hashes, models, montecarlo


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.stores", description=__doc__)
    parser.add_argument("what", choices=("figures", "montecarlo", "hashes", "equal", "error", "models"))
    parser.add_argument("corpus", nargs="*", help="folders or files")
    parser.add_argument("--states", type=int, default=2_000_000, help="montecarlo: states in a table")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--most", type=int, default=2_000_000, help="models: leave out those with more states")
    parser.add_argument("--least", type=int, default=10_000, help="models: leave out those with fewer")
    asked = parser.parse_intermixed_args(words)
    with tempfile.TemporaryDirectory() as folder:
        match asked.what:
            case "figures":
                return figures()
            case "montecarlo":
                return montecarlo(Path(folder), asked.states, asked.seeds)
            case "hashes":
                return hashes(Path(folder))
            case "equal":
                return equal(asked.corpus, asked.most)
            case "error":
                return error()
            case _:
                return models(asked.corpus, asked.least, asked.most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
