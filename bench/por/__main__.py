from __future__ import annotations

import sys

from bench.por import __doc__, audited, compare, corpus_run, cost, random_run, table

COMMANDS = {
    "table": table.main,
    "compare": compare.main,
    "audit": audited.main,
    "corpus": corpus_run.main,
    "cost": cost.main,
    "random": random_run.main,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        print(__doc__)
        sys.exit(3)
    sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
