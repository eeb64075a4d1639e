"""Implementations by name: `MODULE:FACTORY`, a file or an importable module, and what makes a stepper in it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from clew.core.diagnostics import InputError, Span
from clew.testing.steppers import Stepper, missing_method


@contextmanager
def implementation(name: str) -> Iterator[Stepper]:
    """The stepper, closed behind the block if it can be. Raises InputError if it cannot be made."""
    where, colon, factory = name.rpartition(":")
    if not colon or not factory.isidentifier():
        raise _wrong(name, "is not of the form MODULE:FACTORY", "as in service.py:Adapter")
    module = _module(where)
    make = getattr(module, factory, None)
    if not callable(make):
        raise _wrong(where, f"has no '{factory}' that makes a stepper")
    try:
        stepper = make()
    except Exception as error:
        raise _wrong(name, f"cannot be started: {type(error).__name__}: {error}") from None
    missing = missing_method(stepper)
    if missing is not None:
        raise _wrong(name, f"makes no stepper: there is no method '{missing}'", "derive it from clew.testing.Adapter")
    try:
        yield stepper
    finally:
        close = getattr(stepper, "close", None)
        if callable(close):
            close()


def _module(where: str) -> ModuleType:
    here = str(Path.cwd())  # last: a file that happens to be called random.py must not hide the library
    if here not in sys.path:
        sys.path.append(here)
    try:
        if not where.endswith(".py"):
            return importlib.import_module(where)
        path = Path(where)
        if not path.is_file():
            raise _wrong(where, "no such file")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        return module
    except InputError:
        raise
    except Exception as error:
        raise _wrong(where, f"cannot be loaded: {type(error).__name__}: {error}") from None


def _wrong(where: str, message: str, hint: str = "") -> InputError:
    return InputError.at(Span(where, 0), "no-implementation", message, hint)
