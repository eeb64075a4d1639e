"""From a file to a result: read, load, choose an engine, ask it. Shared by the command line and the library."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from clew.core.clusters import Cluster, parse_swarm
from clew.core.diagnostics import NOWHERE, Diagnostic, InputError, Severity, Span
from clew.core.engines import HUNTS, Limits, Observer, Request, Search
from clew.core.hunting import Hunt, parse_hunt
from clew.core.network import Network
from clew.core.properties import Property, PropertyKind
from clew.core.records import record
from clew.core.registry import LoadedModel, LoadOptions, language_of, load_language, options_without_meaning
from clew.core.results import Decision, Evidence, Result, Statistics
from clew.core.stores import LossyStore, parse_store
from clew.core.temporal import Ends, Fairness
from clew.core.views import SpaceView
from clew.host.asking import asked
from clew.host.sources import read_source
from clew.host.waiting import waiting_notes

DEEPEST_EXPRESSION = 30_000  # Python frames: generated models have conditions of thousands of terms
NO_SYMMETRY = "--reduce symmetry: has no interchangeable objects"
FORMULA_KINDS = ("ltl", "ctl", "pattern", "reach", "monitor")


@record
class ModelOptions:
    """How a model is read."""

    language: str | None = None
    defines: dict[str, str] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    granularity: str = "default"
    compat: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()  # to be checked besides those written in it
    patterns: tuple[str, ...] = ()  # the same, in words
    branching: tuple[str, ...] = ()  # the same, in CTL
    composed: tuple[str, ...] = ()  # files of scenarios and further parts
    features: tuple[str, ...] = ()
    no_symmetry: tuple[str, ...] = ()  # types whose elements are not to be exchanged
    switches: tuple[tuple[str, str], ...] = ()  # further choices that a language offers
    goals: tuple[str, ...] = ()  # conditions that are to be reached
    monitors: tuple[str, ...] = ()  # files with automata that no run may be accepted by

    def for_language(self, *, counting: bool = False) -> LoadOptions:
        """`counting`: steps exactly as the peer of the language counts them; else as verdicts need them."""
        switches = {"granularity": self.granularity, **dict(self.switches)}
        if counting:
            switches["counts"] = "spin"
        if self.compat:
            switches["compat"] = ",".join(self.compat)
        if self.features:
            switches["features"] = ",".join(self.features)
        if self.no_symmetry:
            switches["no-symmetry"] = ",".join(self.no_symmetry)
        given = (self.formulas, self.patterns, self.branching, self.composed, self.goals)
        monitors = tuple((path, read_source(path)) for path in self.monitors)
        return LoadOptions(self.defines, self.include, switches, *given, monitors=monitors)

    def given(self) -> tuple[str, ...]:
        """The options, as on the command line, that say something here."""
        said = {
            "-D": self.defines,
            "-I": self.include,
            "--granularity": self.granularity != "default",
            "--compat": self.compat,
            "--with": self.composed,
            "--feature": self.features,
            "--no-symmetry": self.no_symmetry,
            **{f"--{name}": True for name, _ in self.switches},
        }
        return tuple(option for option, value in said.items() if value)

    def as_json(self) -> dict[str, Any]:
        return {
            "language": self.language,
            "defines": dict(sorted(self.defines.items())),
            "include": list(self.include),
            "granularity": self.granularity,
            "compat": list(self.compat),
            **{name: list(given) for name, given in self._of_model_programs() if given},
            **({"switches": dict(self.switches)} if self.switches else {}),
        }

    def _of_model_programs(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return ("with", self.composed), ("features", self.features), ("no_symmetry", self.no_symmetry)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ModelOptions:
        """The inverse of as_json, with the formulas among the properties that were asked for."""
        return cls(
            data.get("language"),
            dict(data.get("defines", {})),
            tuple(data.get("include", ())),
            data.get("granularity", "default"),
            tuple(data.get("compat", ())),
            formulas_in(data.get("properties", ())),
            formulas_in(data.get("properties", ()), "pattern"),
            formulas_in(data.get("properties", ()), "ctl"),
            tuple(data.get("with", ())),
            tuple(data.get("features", ())),
            tuple(data.get("no_symmetry", ())),
            goals=formulas_in(data.get("properties", ()), "reach"),
            monitors=formulas_in(data.get("properties", ()), "monitor"),
            switches=tuple(dict(data.get("switches", {})).items()),
        )


@record
class CheckOptions:
    """What is asked about a model and how it is searched. `as_json` leaves out what has no influence on the answer."""

    engine: str = "auto"
    properties: tuple[str, ...] = ()  # NAME or KIND:TEXT; none means those written in the model
    search: Search = "bfs"
    keep_going: bool = False
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    workers: int | None = None
    store: str = "auto"
    ends: Ends | None = None  # None: as is usual for properties of the kind
    fair: Fairness = "none"
    algorithm: str | None = None  # for temporal properties
    minimal_cycle: bool = False
    reduce: str = "auto"
    proviso: str | None = None  # of the reduction; None: what is usual for the search
    keep_c: str | None = None  # a folder for the generated program
    hunt: str = ""  # settings of a hunt
    cluster: str | None = None  # address of a Ray cluster
    swarm: str = ""  # how many searches, or which

    def as_json(self) -> dict[str, Any]:
        return {
            "engine": self.engine,
            "properties": list(self.properties),
            "search": self.search,
            "keep_going": self.keep_going,
            "max_states": self.limits.states,
            "max_depth": self.limits.depth,
            "max_memory": self.limits.memory,
            "max_time": self.limits.seconds,
            "seed": self.seed,
            "workers": self.workers,
            "store": self.store,
            "ends": self.ends,
            "fair": self.fair,
            "algorithm": self.algorithm,
            "minimal_cycle": self.minimal_cycle,
            "hunt": self.hunt,
            "cluster": self.cluster,
            "swarm": self.swarm,
            "reduce": self.reduce,
            "proviso": self.proviso,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> CheckOptions:
        """The inverse of as_json."""
        limits = Limits(data["max_states"], data["max_depth"], data["max_memory"], data["max_time"])
        names = (
            "search",
            "keep_going",
            "seed",
            "workers",
            "store",
            "ends",
            "fair",
            "algorithm",
            "minimal_cycle",
            "hunt",
            "reduce",
            "proviso",
        )
        return cls(data["engine"], tuple(data["properties"]), limits=limits, **{name: data[name] for name in names})


def load_model(path: str, options: ModelOptions, *, counting: bool = False) -> LoadedModel:
    """Reads a model in whatever language it is. Raises InputError."""
    text = read_source(path)
    return load_text(path, text, options, counting=counting)


def load_text(path: str, text: str, options: ModelOptions, *, counting: bool = False) -> LoadedModel:
    """Like load_model, for a text that is already read."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST_EXPRESSION))
    entry = language_of(path, text, options.language)
    model = load_language(entry).load(path, text, options.for_language(counting=counting))
    idle = [
        *(f"{o} says nothing to a model in {entry.name}" for o in options_without_meaning(options.given(), entry)),
        *(f"-D {name}: the name {name} is not in the model" for name in _names_that_are_nowhere(model, options)),
    ]
    warnings = (Diagnostic(Severity.WARNING, "idle-option", message, Span(path, 0)) for message in idle)
    return replace(model, warnings=(*warnings, *model.warnings)) if idle else model


def _names_that_are_nowhere(model: LoadedModel, options: ModelOptions) -> list[str]:
    """Definitions that change nothing: a count for another N than was meant must not look like one for this N."""
    if not options.defines:
        return []
    texts = [text for _, text in model.files]
    texts += [*options.formulas, *options.patterns, *options.branching, *options.goals, *options.defines.values()]
    words = set(re.findall(r"\w+", "\n".join(texts)))
    return [name for name in options.defines if name not in words]


def main_file(model: LoadedModel) -> str:
    """What people call the model: the file they named."""
    return model.files[0][0] if model.files else model.name


def check_model(
    model: LoadedModel,
    model_options: ModelOptions,
    options: CheckOptions,
    observer: Observer | None = None,
    on_the_way: Mapping[str, Any] = MappingProxyType({}),
) -> Result:
    """Decides the chosen properties. `on_the_way`: further options of the request that have no influence on the answer:
    `checkpoint` (Checkpoints), `improved` (called with each better counterexample of a hunt). Raises InputError if a
    property is unknown or no engine can."""
    chosen = chosen_properties(model, options.properties)
    return _ask(model, model_options, options, chosen, observer, on_the_way)


def unfinished(model: LoadedModel, model_options: ModelOptions, options: CheckOptions) -> Result:
    """What is known before the search: nothing."""
    properties = chosen_properties(model, options.properties)
    return Result(
        main_file(model),
        model.language,
        options.engine,
        {**model_options.as_json(), **options.as_json()},
        tuple(Decision(p, "unknown", "the search has not ended", Evidence("none", "")) for p in properties),
        Statistics(),
        ("killed",),
        model.warnings,
    )


def count_model(
    model: LoadedModel, model_options: ModelOptions, options: CheckOptions, observer: Observer | None = None
) -> Result:
    """Explores everything and decides nothing: a result without decisions, reduced only if asked for symmetry."""
    reduce = "symmetry" if options.reduce == "symmetry" else "none"
    return _ask(model, model_options, replace(options, reduce=reduce, proviso=None), (), observer)


def _ask(
    model: LoadedModel,
    model_options: ModelOptions,
    options: CheckOptions,
    properties: tuple[Property, ...],
    observer: Observer | None,
    on_the_way: Mapping[str, Any] = MappingProxyType({}),
) -> Result:
    _check_symmetry(model, options)
    extra = {
        "seed": options.seed,
        "workers": options.workers,
        "store": options.store if options.store in ("table", "tree") else None,
        "lossy": _lossy(options),
        "compat": model_options.compat or None,
        "ends": options.ends,
        "fair": options.fair if options.fair != "none" else None,
        "algorithm": options.algorithm,
        "minimal_cycle": options.minimal_cycle or None,
        "reduce": options.reduce if options.reduce != "none" else None,
        "proviso": options.proviso,
        "keep_c": options.keep_c,
        "hunt": _hunt(options),
        "cluster": _cluster(options),
        **on_the_way,
    }
    request = Request(
        model.view,
        properties,
        options.search,
        options.limits,
        options.keep_going or not properties,
        {name: value for name, value in extra.items() if value is not None},
    )
    engine, answer = asked(options.engine, request, observer)
    notes = answer.notes
    if options.workers is not None and options.workers > 1 and engine == "reference":
        notes = (*notes, "the reference engine works with one worker")
    notes = (*notes, *waiting_notes(model.view, answer.decisions))
    return Result(
        main_file(model),
        model.language,
        engine,
        {**model_options.as_json(), **options.as_json()},
        answer.decisions,
        answer.statistics,
        answer.limits_hit,
        model.warnings,
        notes,
        answer.omission,
    )


def _check_symmetry(model: LoadedModel, options: CheckOptions) -> None:
    if options.reduce != "symmetry":
        return
    if not isinstance(model.view, SpaceView) or model.view.up_to_isomorphism is None:
        raise InputError.at(Span(main_file(model), 0), "no-symmetry", NO_SYMMETRY)


def _hunt(options: CheckOptions) -> Hunt | None:
    if options.search not in HUNTS:
        if options.hunt:
            raise InputError.at(NOWHERE, "hunt", "--hunt has settings for --search hunt")
        return None
    try:
        return parse_hunt(options.hunt)
    except ValueError as reason:
        raise InputError.at(NOWHERE, "hunt", str(reason)) from None


def _cluster(options: CheckOptions) -> Cluster | None:
    if options.cluster is None:
        if options.swarm:
            raise InputError.at(NOWHERE, "swarm", "--swarm says which searches run on a --cluster")
        return None
    try:
        return Cluster(options.cluster, parse_swarm(options.swarm) if options.swarm else None)
    except ValueError as reason:
        raise InputError.at(NOWHERE, "swarm", str(reason)) from None


def _lossy(options: CheckOptions) -> LossyStore | None:
    try:
        return parse_store(options.store, options.limits.memory)
    except ValueError as reason:
        raise InputError.at(NOWHERE, "store", str(reason)) from None


def chosen_properties(model: LoadedModel, wanted: Iterable[str]) -> tuple[Property, ...]:
    """The properties named on the command line (by name, by kind, or as KIND:TEXT), or all of the model's."""
    wanted = tuple(wanted)
    if not wanted:
        return model.properties
    chosen: list[Property] = []
    for item in wanted:
        kind, _, text = item.partition(":")
        name = text.strip() if kind in FORMULA_KINDS and text.strip() else item
        name = Path(name).name if kind == "monitor" else name
        known = (*model.properties, *model.further)
        kinds = (kind, "never") if kind == "monitor" else (kind,)  # a file may hold a claim
        found = [p for p in known if item == p.kind or (name == p.name and (name == item or p.kind in kinds))]
        if not found:
            raise _unknown_property(item, model)
        chosen.extend(p for p in found if p not in chosen)
    return tuple(chosen)


def formulas_in(wanted: Iterable[str], kind: str = "ltl") -> tuple[str, ...]:
    """The formulas of a kind among the properties named on the command line; a model is read together with them."""
    parts = [item.partition(":") for item in wanted]
    return tuple(dict.fromkeys(text.strip() for known, _, text in parts if known == kind and text.strip()))


def _unknown_property(item: str, model: LoadedModel) -> InputError:
    kind, colon, text = item.partition(":")
    known = (*model.properties, *model.further)
    names = ", ".join(dict.fromkeys([*(p.name for p in known), *(p.kind for p in known)]))
    if colon and kind in FORMULA_KINDS and not text.strip():
        message = f"{kind}: is followed by {'a file' if kind == 'monitor' else 'a text'}, and here is none"
    elif colon and kind == "reach":
        message = f"conditions to be reached can be given for model programs only, and this is {model.language}"
    elif colon and kind in get_args(PropertyKind):
        message = f"a property of kind '{kind}' is written in the model, not on the command line"
    elif colon:
        message = f"unknown kind of property '{kind}'"
    else:
        message = f"{main_file(model)} has no property '{item}'"
    hint = (
        f"this model has: {names or 'none'}; a formula is written ltl:TEXT or pattern:TEXT, an automaton monitor:FILE"
    )
    if kind == "reach" and isinstance(model.view, Network):
        goal = text.strip()
        hint = f"--ctl 'EF ({goal})' asks the same; or --ltl '[] !({goal})', whose counterexample leads there"
    return InputError.at(NOWHERE, "unknown-property", message, hint)
