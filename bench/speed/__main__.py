"""`python -m bench.speed`: `scan`, `counts`, `time`, `growth`."""

from __future__ import annotations

import sys

from .options import run

if __name__ == "__main__":
    try:
        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\ninterrupted; what was measured is kept", file=sys.stderr)
        sys.exit(130)
