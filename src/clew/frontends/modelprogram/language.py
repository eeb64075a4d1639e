"""`LANGUAGE`: a Python module that declares a model with `clew.model`."""

from __future__ import annotations

import hashlib
import sys
import traceback
from types import CodeType, ModuleType
from typing import Any

from clew.core.diagnostics import Diagnostic, InputError, Severity, Span
from clew.core.properties import Property
from clew.core.registry import LoadedModel, LoadOptions
from clew.core.statespace import StateSpace
from clew.core.views import SpaceView
from clew.frontends.modelprogram.declarations import DECLARED, Choice
from clew.frontends.modelprogram.elements import ModelError
from clew.frontends.modelprogram.program import Program, collect
from clew.frontends.modelprogram.space import ModelSpace


class ModelProgramLanguage:
    name = "python"

    def load(self, path: str, text: str, options: LoadOptions) -> LoadedModel:
        code = _compiled(path, text)
        name = path.rpartition("/")[2].removesuffix(".py") or "model"

        def program() -> Program:
            return read_program(code, path, text, name, options)

        def fresh() -> StateSpace[Any, Any]:
            return _space(program())

        found = program()
        _space(found)
        invariants = [item for part in found.parts for item in part.invariants]
        properties = [Property(called, "invariant", f"invariant {called}", span) for called, _, span in invariants]
        properties += [
            Property("assertions", "assertion", "no assertion fails"),
            Property("deadlock", "deadlock", "some action is enabled, or the state is accepting"),
            Property("runtime-errors", "runtime-error", "no action raises an exception"),
        ]
        bounds = tuple(called for part in found.parts for called, _ in part.filters)
        return LoadedModel(name, self.name, SpaceView(name, fresh, bounds), tuple(properties), (), ((path, text),))

    def lint(self, path: str, text: str, options: LoadOptions) -> tuple[Diagnostic, ...]:
        try:
            self.load(path, text, options)
        except InputError as error:
            return tuple(error.diagnostics)
        return ()


def _compiled(path: str, text: str) -> CodeType:
    try:
        return compile(text, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        span = Span(path, error.lineno or 1, error.offset or 1)
        raise InputError.at(span, "syntax", error.msg) from None
    except ValueError as error:
        raise InputError.at(Span(path, 1), "syntax", str(error)) from None


def read_program(code: CodeType, path: str, text: str, name: str, options: LoadOptions) -> Program:
    """Executes the module anew: its own variables, its own classes. Raises InputError, located."""
    unique = f"clew_model_{hashlib.sha256(path.encode()).hexdigest()[:8]}_{name}"
    module = ModuleType(unique)
    module.__file__ = path
    module.__dict__["__clew_text__"] = text
    before = sys.modules.get(unique)
    sys.modules[unique] = module  # data classes look their module up
    Choice.given, Choice.used = options.defines, set()
    DECLARED.pop(unique, None)
    try:
        exec(code, module.__dict__)
        features = options.switches.get("features", "")
        program = collect(module, path, [f for f in features.split(",") if f])
    except InputError:
        raise
    except ModelError as error:
        raise InputError.at(Span(path, _line(error, path)), "model-error", str(error)) from None
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        raise InputError.at(Span(path, _line(error, path)), "model-error", message) from None
    finally:
        if before is not None:
            sys.modules[unique] = before
    unused = set(options.defines) - Choice.used
    if unused:
        given = sorted(unused)[0]
        raise InputError.at(
            Span(path, 1),
            "unknown-parameter",
            f"has no parameter '{given}'",
            f'N = parameter("{given}", 3) declares one',
        )
    program.name = name
    return program


def _space(program: Program) -> ModelSpace:
    try:
        return ModelSpace(program)
    except ModelError as error:
        raise InputError.at(Span(program.path, 1), "mutable-value", f"in the initial state: {error}") from None


def _line(error: BaseException, path: str) -> int:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return (lines[-1] if lines else 1) or 1


LANGUAGE = ModelProgramLanguage()

__all__ = ["LANGUAGE", "ModelProgramLanguage", "Severity", "read_program"]
