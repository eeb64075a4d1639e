"""What can be wrong with a request of the page."""

from __future__ import annotations


class BadRequest(ValueError):
    """The request makes no sense; says why."""


class OutOfDate(Exception):
    """The request speaks of a model that has been read anew since."""
