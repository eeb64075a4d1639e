"""What the editor may choose, in `initializationOptions`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from clew.core.records import record
from clew.core.registry import LoadOptions


@record
class Settings:
    """`delay`: seconds without typing before a text is looked at. `seconds`, `bytes`: limits of a check. `steps`: of a
    simulation."""

    defines: Mapping[str, str] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.2
    seconds: float = 60.0
    bytes: int = 2 << 30
    steps: int = 100
    seed: int = 1

    def for_language(self) -> LoadOptions:
        return LoadOptions(self.defines, self.include, self.switches)


def settings_from(given: object) -> Settings:
    """Reads `{"defines": {"N": "3"}, "include": [], "distinctPid": false, "narrowing": true, "delay": 0.2, …}`. What
    is missing or of another type has its default."""
    found: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    defines = found.get("defines")
    include = found.get("include")
    switches = {}
    if found.get("distinctPid") is True:
        switches["distinct-pid"] = "yes"
    if found.get("narrowing") is False:
        switches["narrowing"] = "off"
    usual = Settings()
    return Settings(
        {str(name): str(value) for name, value in defines.items()} if isinstance(defines, Mapping) else {},
        tuple(map(str, include)) if isinstance(include, list) else (),
        switches,
        max(_number(found.get("delay"), usual.delay), 0.0),
        max(_number(found.get("maxTime"), usual.seconds), 0.1),
        max(int(_number(found.get("maxMemory"), usual.bytes)), 1 << 20),
        max(int(_number(found.get("steps"), usual.steps)), 1),
        int(_number(found.get("seed"), usual.seed)),
    )


def _number(given: object, usual: float) -> float:
    return float(given) if isinstance(given, (int, float)) and not isinstance(given, bool) else usual
