"""Type inference on corpora and mutants, and how fast it is.

python -m bench.typing corpus CORPUS...          every error of every model, and its explanation
python -m bench.typing mutate [CORPUS...]        share of seeded errors found, by class (in the examples, and CORPUS)
python -m bench.typing spin                      the errors of the Etch paper, and what Spin says about them
python -m bench.typing size                      processor time on generated models of up to 10,000 lines
python -m bench.typing editor                    processor time of the language server's answers on 1,000 lines
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.typing import contrast, corpus, editor, mutate, size


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.typing", description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("corpus", "mutate", "spin", "size", "editor"))
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--list", action="store_true", help="corpus: every error, not only the table")
    given = parser.parse_args()
    match given.what:
        case "corpus":
            return corpus.run(given.folders, given.list)
        case "mutate":
            return mutate.run(given.folders)
        case "spin":
            return contrast.run()
        case "size":
            return size.run()
        case _:
            return editor.run()


if __name__ == "__main__":
    raise SystemExit(main())
