"""`python -m clew.explicit.prepare`: compiles the searches for the usual models, once for an installation."""

from __future__ import annotations

from clew.explicit.program import RUNTIME, searches, usual_flags
from clew.explicit.reduction.generated import Reduction
from clew.host.compiler import Build, CompilerError, prepare
from clew.host.machine import processors

USUAL_WORDS = range(1, 8)  # the lengths of the states of most models
REDUCED = Reduction("chain").constants


def main() -> int:
    flags = usual_flags()
    begun: list[Build] = []
    try:
        for reduced in (REDUCED, {}):  # for `clew check` and for `clew count`
            for words in USUAL_WORDS:
                if len(begun) == processors():
                    begun.pop(0).program()
                constants = {"MODEL_WORDS": words, "MODEL_ASKS_TIMEOUT": 0, **reduced}
                begun.append(prepare(RUNTIME, flags, searches(constants, flags)))
        while begun:
            begun.pop(0).program()
    except CompilerError as error:
        print(error)
        return 3
    finally:
        for build in begun:
            build.cancel()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
