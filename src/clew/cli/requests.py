"""From parsed arguments to the options of a check."""

from __future__ import annotations

from argparse import Namespace

from clew.core.engines import Limits
from clew.host.checking import CheckOptions, ModelOptions, formulas_in


def model_options(arguments: Namespace) -> ModelOptions:
    return ModelOptions(
        arguments.language,
        dict(arguments.defines),
        tuple(arguments.include),
        arguments.granularity,
        tuple(sorted(set(arguments.compat))),
        formulas_in(getattr(arguments, "properties", ())),
        formulas_in(getattr(arguments, "properties", ()), "pattern"),
        formulas_in(getattr(arguments, "properties", ()), "ctl"),
        tuple(arguments.composed),
        tuple(arguments.features),
        tuple(getattr(arguments, "no_symmetry", ())),
        goals=formulas_in(getattr(arguments, "properties", ()), "reach"),
        monitors=formulas_in(getattr(arguments, "properties", ()), "monitor"),
        switches=_switches(arguments),
    )


def model_words(options: ModelOptions) -> list[str]:
    """The words of a command line that reads a model in this way: the inverse of `model_options`."""
    words: list[str] = []
    repeated = {
        "-D": [f"{name}={value}" for name, value in options.defines.items()],
        "-I": options.include,
        "--compat": options.compat,
        "--with": options.composed,
        "--feature": options.features,
        "--no-symmetry": options.no_symmetry,
    }
    if options.language:
        words += ["--language", options.language]
    if options.granularity != "default":
        words += ["--granularity", options.granularity]
    for option, given in repeated.items():
        words += [word for value in given for word in (option, value)]
    for name, value in options.switches:
        words += [f"--{name}"] if value == "yes" else [f"--{name}", value]
    return words


def _switches(arguments: Namespace) -> tuple[tuple[str, str], ...]:
    """Choices that only some languages offer, as far as they were made."""
    found = {
        "foreach": arguments.foreach,
        "bad": arguments.bad,
        "blocking": "yes" if arguments.blocking else None,
        "order": arguments.order,
        "sift": "yes" if arguments.sift else None,
        "strict": "yes" if arguments.strict else None,
        "distinct-pid": "yes" if arguments.distinct_pid else None,
        "narrowing": arguments.narrowing,
    }
    return tuple((name, value) for name, value in found.items() if value is not None)


def check_options(arguments: Namespace) -> CheckOptions:
    limits = Limits(arguments.max_states, arguments.max_depth, arguments.max_memory, arguments.max_time)
    return CheckOptions(
        arguments.engine,
        tuple(getattr(arguments, "properties", ())),
        arguments.search,
        getattr(arguments, "keep_going", False),
        limits,
        arguments.seed,
        arguments.workers,
        arguments.store,
        getattr(arguments, "ends", None),
        getattr(arguments, "fair", "none"),
        getattr(arguments, "algorithm", None),
        getattr(arguments, "minimal_cycle", False),
        getattr(arguments, "reduce", "none"),
        getattr(arguments, "proviso", None),
        arguments.keep_c,
        getattr(arguments, "hunt", ""),
        arguments.cluster,
        getattr(arguments, "swarm", ""),
    )
