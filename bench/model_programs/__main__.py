from __future__ import annotations

import sys

from bench.model_programs import __doc__, exact, peers, table

COMMANDS = {"table": table.main, "exact": exact.main, "peers": peers.main}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        print(__doc__)
        sys.exit(3)
    sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
