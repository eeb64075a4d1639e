"""Tests from models: suites made before, and implementations tested against a model as it runs. See docs/testing.md."""

from __future__ import annotations

from clew.testing.actions import Action
from clew.testing.conformance import Plan
from clew.testing.expect import Model, NotConforming, conforms
from clew.testing.steppers import Adapter, Stepper
from clew.testing.suites import Suite, make_suite, read_suite

__all__ = [
    "Action",
    "Adapter",
    "Model",
    "NotConforming",
    "Plan",
    "Stepper",
    "Suite",
    "conforms",
    "make_suite",
    "read_suite",
]
