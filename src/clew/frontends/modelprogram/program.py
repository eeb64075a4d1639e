"""A model program as it was found in a module: its parts, their state variables, and what each action symbol does."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

from clew.core.diagnostics import InputError, Span
from clew.core.near_names import did_you_mean
from clew.core.records import record
from clew.frontends.modelprogram.declarations import DECLARED, FEATURES, MARK, Domain, Mark, ModelProgram, New
from clew.frontends.modelprogram.elements import Abstract, Instance
from clew.frontends.modelprogram.values import parts_of

MUTABLE = (list, dict, set, bytearray)
DONT_CARE = (inspect.Parameter.empty, Any)


@record
class Parameter:
    """A parameter of an action: where its values come from. Neither: this part does not care."""

    name: str
    domain: Domain | None = None
    new: type[Instance] | None = None


@record
class Contribution:
    """What one part of the program does at an action symbol. `any_arity`: it never allows it, with any arguments."""

    parameters: tuple[Parameter, ...]
    body: Callable[..., Any]
    span: Span
    guards: tuple[tuple[Callable[..., Any], tuple[int, ...]], ...] = ()
    observable: bool = False
    cleanup: bool = False
    any_arity: bool = False


@dataclass(slots=True)
class Part:
    """A module, a class or a scenario: its variables live in `holder`."""

    name: str
    holder: dict[str, Any]
    variables: tuple[str, ...]
    actions: dict[str, Contribution]
    invariants: list[tuple[str, Callable[[], Any], Span]] = field(default_factory=list)
    accepting: list[Callable[[], Any]] = field(default_factory=list)
    filters: list[tuple[str, Callable[[], Any]]] = field(default_factory=list)
    propositions: dict[str, Callable[[], Any]] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)  # of variables
    words: frozenset[str] = frozenset()  # of a scenario: the symbols in its terms
    constants: tuple[Any, ...] = ()  # what its code reads and nothing changes


@dataclass(slots=True)
class Program:
    """All parts, and the classes of objects they share."""

    name: str
    path: str
    parts: list[Part]
    classes: tuple[type[Instance], ...]
    abstract: tuple[type[Abstract], ...]
    ranged: frozenset[type[Instance]]  # some action or function ranges over all objects of these classes
    words: frozenset[str] = frozenset()  # names and texts that its code uses
    constants: tuple[Any, ...] = ()  # what its code reads and nothing changes

    def add(self, other: Program) -> None:
        """Composes it with another program."""
        self.parts += other.parts
        self.classes += other.classes
        self.abstract += other.abstract
        self.ranged |= other.ranged
        self.words |= other.words
        self.constants += other.constants

    @property
    def words_of_scenarios(self) -> frozenset[str]:
        return frozenset(word for part in self.parts for word in part.words)

    @property
    def symbols(self) -> list[str]:
        return list(dict.fromkeys(symbol for part in self.parts for symbol in part.actions))

    @property
    def propositions(self) -> dict[str, Callable[[], Any]]:
        return {name: test for part in self.parts for name, test in part.propositions.items()}


def collect(module: ModuleType, path: str, features: Iterable[str] = ()) -> Program:
    """The program in a module that has been executed. Raises InputError, located."""
    return _Collector(module, path, frozenset(features)).program()


class _Collector:
    def __init__(self, module: ModuleType, path: str, features: frozenset[str]) -> None:
        self.module = module
        self.path = path
        self.features = features
        self.namespace = vars(module)
        self.declared: list[FunctionType] = DECLARED.get(module.__name__, [])
        named = [f for f in self._own(FunctionType) if f not in self.declared]
        self.functions = [*(f for f in self.declared if "." not in f.__qualname__), *named]
        self.models = [cls for cls in self._own(type) if issubclass(cls, ModelProgram)]
        self.classes = tuple(cls for cls in self._own(type) if issubclass(cls, Instance))

    def program(self) -> Program:
        parts = [self._module_part()] if any(_mark(f) for f in self.functions) else []
        for cls in self.models:
            if cls not in FEATURES.names or FEATURES.names[cls] in self.features:
                parts.append(self._class_part(cls))
        unknown = self.features - {FEATURES.names.get(cls) for cls in self.models}
        if unknown:
            known = ", ".join(sorted(FEATURES.names[c] for c in self.models if c in FEATURES.names)) or "none"
            raise InputError.at(
                Span(self.path, 1), "unknown-feature", f"no feature '{sorted(unknown)[0]}'", f"known: {known}"
            )
        if not any(part.actions for part in parts):
            raise InputError.at(Span(self.path, 1), "no-actions", "declares no action", "mark functions with @action")
        abstract = tuple(cls for cls in self._own(type) if issubclass(cls, Abstract))
        constants = tuple(value for part in parts for value in part.constants)
        used = frozenset(word for code in self._codes() for word in words(code))
        ranged = self._ranged(parts)
        return Program(self.module.__name__, self.path, parts, self.classes, abstract, ranged, used, constants)

    def _own(self, kind: type) -> list[Any]:
        """What the module itself defines, in order; not what it imports."""
        name = self.module.__name__
        return [v for v in self.namespace.values() if isinstance(v, kind) and getattr(v, "__module__", None) == name]

    def _ranged(self, parts: Iterable[Part]) -> frozenset[type[Instance]]:
        if any("instances" in code.co_names for code in self._codes()):
            return frozenset(self.classes)
        found = set()
        for part in parts:
            for contribution in part.actions.values():
                for parameter in contribution.parameters:
                    source = parameter.domain.source if parameter.domain else None
                    if isinstance(source, type) and issubclass(source, Instance):
                        found.add(source)
        return frozenset(cls for cls in self.classes if any(issubclass(cls, wide) for wide in found))

    def _codes(self) -> Iterator[CodeType]:
        for function in self.functions:
            yield from _nested(function.__code__)
        for cls in self._own(type):
            for member in vars(cls).values():
                if isinstance(member, FunctionType):
                    yield from _nested(member.__code__)

    # --- models that are modules ---

    def _module_part(self) -> Part:
        codes = [code for function in self.functions for code in _nested(function.__code__)]
        written = _stored(codes, "STORE_GLOBAL")
        variables = [name for name in self.namespace if name in written]
        lines = _assigned_lines(self.path, self.namespace.get("__clew_text__", ""))
        spans = {name: Span(self.path, lines.get(name, 1)) for name in (*variables, *written)}
        for name in written:
            if name not in self.namespace:
                raise InputError.at(spans[name], "no-initial-value", f"state variable '{name}' has no initial value")
        self._refuse_hidden(written)
        read = _stored(codes, "LOAD_GLOBAL")
        self._refuse_mutable({n: v for n, v in self.namespace.items() if n in read | written}, spans, lines)
        constants = self._constants(self.namespace, read - written, lines)
        part = Part(self.module.__name__, self.namespace, tuple(variables), {}, spans=spans, constants=constants)
        self._declared(part, self.functions, ())
        return part

    def _refuse_hidden(self, written: set[str]) -> None:
        """An action that assigns a variable without `global` changes nothing, which is never what was meant."""
        for function in self.functions:
            mark, code = _mark(function), function.__code__
            if mark is None or mark.role != "action":
                continue
            for name in code.co_varnames[code.co_argcount :]:
                value = self.namespace.get(name, self)
                if name in written or not (value is self or callable(value) or isinstance(value, ModuleType)):
                    message = f"action '{mark.symbol}' assigns a '{name}' of its own, not the variable of the model"
                    raise InputError.at(self._span(function), "no-global", message, f"global {name}")

    # --- models that are classes ---

    def _class_part(self, cls: type[ModelProgram]) -> Part:
        model = cls()
        members = {
            name: member for base in reversed(cls.__mro__) for name, member in vars(base).items() if base is not object
        }
        bases = tuple(f"{base.__qualname__}." for base in cls.__mro__)
        declared = [f for f in self.declared if f.__qualname__.startswith(bases)]
        named = [m for m in members.values() if isinstance(m, FunctionType) and m not in declared]
        functions = [*declared, *named]
        codes = [code for function in functions for code in _nested(function.__code__)]
        for name, value in members.items():
            if (
                not name.startswith("__")
                and not callable(value)
                and not isinstance(value, property | classmethod | staticmethod)
            ):
                model.__dict__.setdefault(name, value)
        holder = model.__dict__
        written = _stored(codes, "STORE_ATTR")
        lines = _assigned_lines(self.path, self.namespace.get("__clew_text__", ""), cls.__name__)
        spans = {name: Span(self.path, lines.get(name, _line(cls))) for name in holder}
        self._refuse_mutable(holder, spans, lines)
        variables = tuple(name for name in holder if name in written)
        constants = self._constants(holder, holder.keys() - written, lines)
        part = Part(cls.__name__, holder, variables, {}, spans=spans, constants=constants)
        self._declared(part, functions, (model,))
        return part

    # --- both ---

    def _refuse_mutable(self, values: Mapping[str, Any], spans: Mapping[str, Span], lines: Mapping[str, int]) -> None:
        for name, value in values.items():
            if isinstance(value, MUTABLE):
                span = spans.get(name) or Span(self.path, lines.get(name, 1))
                kind = type(value).__name__
                hint = {"list": "Sequence or a tuple", "dict": "Map", "set": "Set"}.get(kind, "an immutable value")
                raise InputError.at(
                    span, "mutable-value", f"'{name}' is a {kind}, which can change unseen", f"use {hint}"
                )

    def _constants(self, values: Mapping[str, Any], names: Iterable[str], lines: Mapping[str, int]) -> tuple[Any, ...]:
        """What code reads and never assigns. Objects must not be in there: their fields would be part of no state."""
        found = []
        for name in sorted(names):
            value = values.get(name)
            if isinstance(value, type | FunctionType | ModuleType):
                continue
            todo = [value]
            while todo:
                part = todo.pop()
                if isinstance(part, Instance):
                    message = f"'{name}' holds objects, but no action assigns it, so that they are part of no state"
                    hint = "make the objects in an action, or assign the variable in one"
                    raise InputError.at(Span(self.path, lines.get(name, 1)), "object-outside-state", message, hint)
                todo += parts_of(part)
            found.append(value)
        return tuple(found)

    def _declared(self, part: Part, functions: Sequence[FunctionType], receiver: tuple[Any, ...]) -> None:
        """Sorts the functions of a part by what they were declared to be."""
        guards: dict[str, list[FunctionType]] = {}
        actions: list[tuple[Mark, FunctionType]] = []
        for function in functions:
            mark = _mark(function)
            bound = function.__get__(*receiver) if receiver else function
            match mark.role if mark else None:
                case "action":
                    actions.append((mark, function))  # type: ignore[arg-type]
                case "guard":
                    guards.setdefault(mark.symbol, []).append(function)  # type: ignore[union-attr]
                case "invariant":
                    part.invariants.append((function.__name__, bound, self._span(function)))
                case "accepting":
                    part.accepting.append(bound)
                case "filter":
                    part.filters.append((function.__name__, bound))
                case "proposition":
                    part.propositions[function.__name__] = bound
                case None if function.__name__.endswith("_enabled"):
                    guards.setdefault(function.__name__.removesuffix("_enabled"), []).append(function)
        for mark, function in actions:
            if mark.symbol in part.actions:
                raise InputError.at(
                    self._span(function), "duplicate-action", f"action '{mark.symbol}' is declared twice"
                )
            part.actions[mark.symbol] = self._contribution(part, mark, function, guards.pop(mark.symbol, []), receiver)
        for symbol, left in guards.items():
            message = f"a guard of '{symbol}', which is no action here"
            raise InputError.at(self._span(left[0]), "no-such-action", message, _meant(symbol, part.actions))

    def _contribution(
        self, part: Part, mark: Mark, function: FunctionType, guards: list[FunctionType], receiver: tuple[Any, ...]
    ) -> Contribution:
        span = self._span(function)
        try:
            hints = inspect.get_annotations(function, eval_str=True)
        except Exception as error:
            raise InputError.at(span, "bad-annotation", f"action '{mark.symbol}': {error}") from None
        names = list(inspect.signature(function).parameters)[len(receiver) :]
        parameters = tuple(
            self._parameter(part, mark.symbol, name, hints.get(name, Any), span, receiver) for name in names
        )
        bound = []
        for test in guards:
            asked = list(inspect.signature(test).parameters)[len(receiver) :]
            for name in asked:
                if name not in names:
                    raise InputError.at(
                        self._span(test), "no-such-parameter", f"'{mark.symbol}' has no parameter '{name}'"
                    )
            bound.append((test.__get__(*receiver) if receiver else test, tuple(names.index(name) for name in asked)))
        body = function.__get__(*receiver) if receiver else function
        return Contribution(parameters, body, span, tuple(bound), mark.observable, mark.cleanup)

    def _parameter(
        self, part: Part, symbol: str, name: str, hint: Any, span: Span, receiver: tuple[Any, ...]
    ) -> Parameter:
        if isinstance(hint, New):
            if not (isinstance(hint.cls, type) and issubclass(hint.cls, Instance)):
                what = getattr(hint.cls, "__name__", hint.cls)
                message = f"parameter '{name}' of action '{symbol}': {what} is no class of objects"
                raise InputError.at(span, "no-domain", message, f"class {what}(Instance): …")
            return Parameter(name, new=hint.cls)
        if hint in DONT_CARE:
            return Parameter(name)
        if isinstance(hint, Domain):
            return Parameter(name, Domain(self._source(part, symbol, hint.source, span, receiver)))
        if hint is bool:
            return Parameter(name, Domain((False, True)))
        if isinstance(hint, type) and issubclass(hint, Enum | Abstract | Instance):
            return Parameter(name, Domain(hint if issubclass(hint, Instance) else tuple(hint)))
        if isinstance(hint, range | tuple | frozenset):
            return Parameter(name, Domain(hint))
        what = getattr(hint, "__name__", hint)
        message = f"parameter '{name}' of action '{symbol}' has no domain: {what} has too many values, or none"
        raise InputError.at(span, "no-domain", message, 'say which: Domain("variable"), range(3), an enum, New(Class)')

    def _source(self, part: Part, symbol: str, source: Any, span: Span, receiver: tuple[Any, ...]) -> Any:
        if not isinstance(source, str):
            return source
        if source in part.variables or (source in part.holder and not callable(part.holder[source])):
            return source
        found = getattr(receiver[0], source, None) if receiver else part.holder.get(source)
        if callable(found):
            return found
        message = f"action '{symbol}': there is no variable or function '{source}' to take values from"
        raise InputError.at(span, "no-domain", message, _meant(source, (*part.variables, *part.holder)))

    def _span(self, function: FunctionType) -> Span:
        return Span(self.path, function.__code__.co_firstlineno)


def _meant(name: str, known: Iterable[str]) -> str:
    """A hint, if a name looks like a known one."""
    return did_you_mean(name, (word for word in known if not word.startswith("_")))


def _mark(function: FunctionType) -> Mark | None:
    return getattr(function, MARK, None)


def _nested(code: CodeType) -> Iterator[CodeType]:
    """A function and the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def words(code: CodeType) -> Iterator[str]:
    """The names and texts that code uses."""
    yield from code.co_names
    yield from (constant for constant in code.co_consts if isinstance(constant, str))


def _stored(codes: Iterable[CodeType], operation: str) -> set[str]:
    return {i.argval for code in codes for i in dis.get_instructions(code) if i.opname == operation}


def _line(cls: type) -> int:
    first = next((m.__code__.co_firstlineno for m in vars(cls).values() if isinstance(m, FunctionType)), 1)
    return first


def _assigned_lines(path: str, text: str, class_name: str | None = None) -> dict[str, int]:
    """The lines where names of the module, or attributes of a class in it, get their first values."""
    import ast

    found: dict[str, int] = {}
    body = ast.parse(text).body
    if class_name is not None:
        body = next((n.body for n in body if isinstance(n, ast.ClassDef) and n.name == class_name), [])
    for node in body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, node.lineno)
    return found
