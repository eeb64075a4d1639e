"""The pytest plugin: a fixture `clew_model` that reads models. See docs/testing.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from clew.testing.expect import Model


@pytest.fixture
def clew_model(request: pytest.FixtureRequest) -> Callable[..., Model]:
    """`clew_model("cache.py", N=3)` is the model in a file beside the test (or in the current folder), with parameters;
    `.conforms(stepper)` tests against it, `.suite()` makes test cases."""

    def read(path: str, **defines: Any) -> Model:
        __tracebackhide__ = True
        from clew.testing.expect import Model

        return Model(path, defines, request.path.parent)

    return read
