"""`LANGUAGE`: a Python module that declares a model with `clew.model`."""

from __future__ import annotations

import hashlib
import keyword
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import CodeType, ModuleType
from typing import Any

from clew.core.diagnostics import Diagnostic, InputError, Span
from clew.core.near_names import did_you_mean
from clew.core.outline import Outline
from clew.core.properties import Property
from clew.core.registry import LoadedModel, LoadOptions, formula_file
from clew.core.statespace import StateSpace
from clew.core.views import SpaceView
from clew.frontends.modelprogram.canonical_space import CanonicalSpace
from clew.frontends.modelprogram.conditions import Condition, condition, names_elements, read_atom
from clew.frontends.modelprogram.declarations import DECLARED, Choice
from clew.frontends.modelprogram.elements import ModelError
from clew.frontends.modelprogram.program import Program, collect
from clew.frontends.modelprogram.scenarios import read_scenario
from clew.frontends.modelprogram.space import ModelSpace
from clew.frontends.modelprogram.symmetry import chosen_types, distinguished
from clew.host.sources import read_source
from clew.logic import formulas as f
from clew.logic.parse import parse_ltl

SCENARIO = ".fsm"


class ModelProgramLanguage:
    name = "python"
    keywords = tuple(keyword.kwlist)

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        files = [(path, text), *((file, read_source(file)) for file in options.composed)]
        codes = [_compiled(file, source) for file, source in files if not file.endswith(SCENARIO)]
        fixed = [name for name in options.switches.get("no-symmetry", "").split(",") if name]

        def program() -> Program:
            return read_programs(codes, files, options)

        def with_goals(space: ModelSpace) -> ModelSpace:
            here = space.program
            space.goals = tuple((text, condition(here, text, span)) for text, span in goals)
            return space

        def fresh() -> StateSpace[Any, Any]:
            return with_goals(_space(ModelSpace, program()))

        def up_to_isomorphism() -> StateSpace[Any, Any]:
            found = program()
            types = [*chosen_types(found, fixed), *distinguished(found)]
            return with_goals(_space(lambda p: CanonicalSpace(p, fixed=types), found))

        found = program()
        _space(ModelSpace, found)
        goals = [(text, Span(formula_file(n, "reach"), 1)) for n, text in enumerate(options.goals)]
        formulas = {text: _formula(found, text, n) for n, text in enumerate(options.formulas)}
        for text, span in goals:
            if not isinstance(read_atom(found, text, span), Condition):
                raise InputError.at(span, "not-a-condition", f"'{text}' is an action, not a condition on states")
        kept = distinguished(found)
        types = {cls for cls in (*found.classes, *found.abstract) if cls not in kept} - {*chosen_types(found, fixed)}
        if any(names_elements(found, text) for text, _ in goals):
            types = set()
        remarks = tuple(
            f"elements of {cls.__name__} are not interchangeable: {named} is named" for cls, named in kept.items()
        )
        invariants = [item for part in found.parts for item in part.invariants]
        properties = [Property(called, "invariant", f"invariant {called}", span) for called, _, span in invariants]
        properties += [
            Property("assertions", "assertion", "no assertion fails"),
            Property("deadlock", "deadlock", "some action is enabled, or the state is accepting"),
            Property("runtime-errors", "runtime-error", "no action raises an exception"),
        ]
        properties += [Property(text, "ltl", text) for text in formulas]
        properties += [Property(text, "reach", text) for text, _ in goals]
        bounds = tuple(called for part in found.parts for called, _ in part.filters)
        view = SpaceView(found.name, fresh, bounds, up_to_isomorphism if types else None, remarks, formulas)
        return LoadedModel(found.name, self.name, view, tuple(properties), (), tuple(files))

    def outline(self, path: str, text: str, options: LoadOptions) -> Outline:
        from clew.frontends.modelprogram.outline import outline_of

        return outline_of(path, text)

    def at_a_glance(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        """Whether it can be compiled. `lint` also runs the module, which is not for a text that is being typed."""
        try:
            _compiled(path, text)
        except InputError as error:
            return error.diagnostics
        return ()

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        try:
            self.load(path, text, options)
        except InputError as error:
            return tuple(error.diagnostics)
        return ()


def _formula(program: Program, text: str, number: int) -> f.Formula:
    def atom(words: str, place: Span) -> f.Atom:
        return f.Atom(words, read_atom(program, words, place))

    return parse_ltl(text, atom, Span(formula_file(number), 1))


def _compiled(path: str, text: str) -> CodeType:
    try:
        return compile(text, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        span = Span(path, error.lineno or 1, error.offset or 1)
        raise InputError.at(span, "syntax", error.msg) from None
    except ValueError as error:
        raise InputError.at(Span(path, 1), "syntax", str(error)) from None


def read_programs(codes: Sequence[CodeType], files: Sequence[tuple[str, str]], options: LoadOptions) -> Program:
    """The program in the first file composed with what is in the others: further programs, which may import the first
    by its name, and scenarios. Raises InputError, located."""
    Choice.given, Choice.known = options.defines, set()
    features = [name for name in options.switches.get("features", "").split(",") if name]
    left = iter(codes)
    main: Program | None = None
    with ExitStack() as imported:
        for path, text in files:
            if path.endswith(SCENARIO):
                assert main is not None
                main.parts.append(read_scenario(text, path))
            elif main is None:
                main, module = _executed(next(left), path, text, features)
                imported.enter_context(_known_as(main.name, module))
            else:
                main.add(_executed(next(left), path, text, ())[0])
    assert main is not None
    for given in sorted(set(options.defines) - Choice.known):
        hint = did_you_mean(given, Choice.known, otherwise=f'N = parameter("{given}", 3) declares one')
        raise InputError.at(Span(main.path, 1), "unknown-parameter", f"has no parameter '{given}'", hint)
    return main


@contextmanager
def _known_as(name: str, module: ModuleType) -> Iterator[None]:
    """Inside, `import name` gives the module."""
    before = sys.modules.get(name)
    sys.modules[name] = module  # data classes look their module up, too
    try:
        yield
    finally:
        if before is not None:
            sys.modules[name] = before
        else:
            sys.modules.pop(name, None)


def _executed(code: CodeType, path: str, text: str, features: Iterable[str]) -> tuple[Program, ModuleType]:
    """Executes a module anew: its own variables, its own classes. Raises InputError, located."""
    name = path.rpartition("/")[2].removesuffix(".py") or "model"
    unique = f"clew_model_{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}_{name}"
    module = ModuleType(unique)
    module.__file__ = path
    module.__dict__["__clew_text__"] = text
    DECLARED.pop(unique, None)
    with _known_as(unique, module):
        try:
            exec(code, module.__dict__)
            program = collect(module, path, features)
        except InputError:
            raise
        except ModelError as error:
            raise InputError.at(Span(path, _line(error, path)), "model-error", str(error)) from None
        except (Exception, SystemExit) as error:
            message = f"{type(error).__name__}: {error}"
            raise InputError.at(Span(path, _line(error, path)), "model-error", message) from None
    program.name = name
    for part in program.parts:
        part.name = name if part.name == unique else part.name
    return program, module


def _space(make: Callable[[Program], ModelSpace], program: Program) -> ModelSpace:
    try:
        return make(program)
    except ModelError as error:
        raise InputError.at(Span(program.path, 1), "mutable-value", f"in the initial state: {error}") from None


def _line(error: BaseException, path: str) -> int:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return (lines[-1] if lines else 1) or 1


LANGUAGE = ModelProgramLanguage()
