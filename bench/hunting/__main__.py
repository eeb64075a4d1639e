"""Iterated search refinement (`--search hunt`): the experiments of J. Ernits (2007).

python -m bench.hunting table41                three philosophers, tables of 5 to 12 bits
python -m bench.hunting incdec                 the incrementer and decrementer, over several seeds
python -m bench.hunting philosophers           2 to 255 philosophers, in two orders of processes
python -m bench.hunting compare                other searches with the same processor time
python -m bench.hunting cores                  1, 2, … workers
python -m bench.hunting blocks FILE            the goal of blocks.4 of the BEEM collection, its plan checked
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.hunting import blocks, table41, tables


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hunting", description=__doc__)
    parser.add_argument("what", choices=("table41", "incdec", "philosophers", "compare", "cores", "blocks"))
    parser.add_argument("file", nargs="?", help="blocks: the model")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of processor time for each search")
    parser.add_argument("--sizes", type=int, nargs="*", default=[5, 10, 20, 50, 100, 255], help="philosophers")
    parser.add_argument("--orders", nargs="*", choices=tables.ORDERS, default=tables.ORDERS, help="philosophers")
    parser.add_argument("--order", choices=("first", "last", "random"), default="first", help="blocks: of the steps")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    asked = parser.parse_intermixed_args(words)
    match asked.what:
        case "table41":
            print(table41.table())
            return 0
        case "incdec":
            return tables.incdec(asked.seeds, asked.budget)
        case "philosophers":
            return tables.philosophers(asked.seeds, asked.budget, asked.sizes, asked.orders)
        case "compare":
            return tables.compare(asked.seeds, asked.budget)
        case "cores":
            return tables.cores(asked.seeds, asked.budget, asked.workers)
        case _:
            return blocks.solve(Path(asked.file), asked.seeds, asked.budget, asked.order)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
