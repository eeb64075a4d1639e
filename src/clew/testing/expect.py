"""Conformance as a test: `@conforms("cache.py")` above a function that gives an implementation."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import Any

from clew.core.diagnostics import InputError
from clew.host.checking import ModelOptions
from clew.testing.actions import TestedModel, model_to_test
from clew.testing.conformance import Plan, Tested, run_all
from clew.testing.minimise import Minimal, minimised
from clew.testing.steppers import Stepper, missing_method
from clew.testing.suites import Suite, make_suite


class NotConforming(AssertionError):
    """The implementation does not do what the model says; the text is the shortest run that shows it."""

    def __init__(self, found: Minimal, first: Tested) -> None:
        self.found = found
        self.first = first
        super().__init__("\n".join(failure_lines(found, first)))


class Model:
    """A model to test against: a file, looked for in the folder `beside` first, or the module it was imported as."""

    def __init__(
        self,
        model: str | PathLike[str] | ModuleType,
        defines: Mapping[str, object] | None = None,
        beside: Path | None = None,
    ) -> None:
        __tracebackhide__ = True
        path = model.__file__ if isinstance(model, ModuleType) else fspath(model)
        assert path is not None, "the module has no file"
        if beside is not None and (beside / path).is_file():
            path = str(beside / path)
        values = {name: str(value) for name, value in (defines or {}).items()}
        try:
            self.tested: TestedModel = model_to_test(path, ModelOptions(defines=values))
        except InputError as error:  # what is wrong with the model, without the way it was found
            raise InputError(error.diagnostics) from None

    def suite(self, coverage: str = "transitions") -> Suite:
        return make_suite(self.tested, coverage)

    def conforms(self, stepper: Stepper, **plan: Any) -> list[Tested]:
        """Tests an implementation; arguments as the fields of `Plan`. Raises NotConforming."""
        __tracebackhide__ = True
        missing = missing_method(stepper)
        if missing is not None:
            what = f"{type(stepper).__name__} is no stepper: it has no method '{missing}'"
            raise TypeError(f"{what}; derive one from clew.testing.Adapter")
        how = Plan(**plan)
        runs = run_all(self.tested, stepper, how)
        if not runs[-1].passed:
            raise NotConforming(minimised(self.tested, stepper, runs[-1], how), runs[-1])
        return runs


def conforms(
    model: str | PathLike[str] | ModuleType, defines: Mapping[str, object] | None = None, **plan: Any
) -> Callable[[Callable[..., Stepper]], Callable[..., None]]:
    """Turns a function that gives a stepper into a test that it conforms to the model, a file beside the test or in the
    current folder."""

    def decorate(make: Callable[..., Stepper]) -> Callable[..., None]:
        beside = Path(inspect.getfile(inspect.unwrap(make))).parent

        @functools.wraps(make)
        def test(*args: Any, **kwargs: Any) -> None:
            __tracebackhide__ = True
            stepper = make(*args, **kwargs)
            try:
                Model(model, defines, beside).conforms(stepper, **plan)
            finally:
                close = getattr(stepper, "close", None)
                if callable(close):
                    close()

        return test

    return decorate


def failure_lines(found: Minimal, first: Tested) -> list[str]:
    """What went wrong, for people: the actions of the shortest run, and what was expected at its end."""
    count = len(found.run.taken)
    how = "no shorter sequence does" if found.is_shortest else f"the shortest found in {found.executions} executions"
    lines = [f"fails after {count} action{'' if count == 1 else 's'} ({how}):"]
    number = 0
    for action, observed in found.run.actions:
        number += not observed
        lines.append(f"       ← {action}" if observed else f"  {number:>3}  {action}")
    lines += [f"  ✗ {found.run.reason}", f"  first seen with seed {first.seed}, after {len(first.taken)} actions"]
    lines.append(f"  as a test case: TestSuite(TestCase({', '.join(map(str, found.run.taken))}))")
    return lines
