"""`python -m bench.conformance`: corpora, `random`, `ltl` and `traces` for generated programs, `temporal` for
formulas and claims of corpora, `replay` for traces."""

from __future__ import annotations

import sys

from . import corpus_run, random_run, random_traces, replay_in_spin, temporal


def main(arguments: list[str]) -> int:
    """Dispatch on the first word; without a known word the arguments are corpora."""
    match arguments:
        case ["random", *rest]:
            return random_run.main(rest)
        case ["temporal", *rest]:
            return temporal.main(rest)
        case ["ltl", *rest]:
            return temporal.main_random(rest)
        case ["traces", *rest]:
            return random_traces.main(rest)
        case ["replay", *rest]:
            return replay_in_spin.main(rest)
        case _:
            return corpus_run.main(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
