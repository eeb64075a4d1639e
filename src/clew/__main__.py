"""`python -m clew` is the `clew` command."""

import os
import signal


def run() -> int:
    """Ctrl-C while modules are still being loaded ends with a message, too."""
    try:
        from clew.cli.main import main

        return main()
    except KeyboardInterrupt:
        os.write(2, b"clew: interrupted\n")
        return 2
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left to be interrupted


if __name__ == "__main__":
    raise SystemExit(run())
