"""Checks JSON values against the project's JSON Schema files, for the few keywords they use."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
KNOWN = {
    "$schema", "$id", "$defs", "$ref", "title", "type", "required", "additionalProperties", "properties", "items",
    "minItems", "maxItems", "anyOf", "enum", "const",
}  # fmt: skip


def schema(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((files("clew.report") / "schema" / name).read_text())
    return data


def misfits(value: Any, shape: Any, root: Any, where: str = "$") -> list[str]:
    """What does not fit, with its place; empty if everything does."""
    if isinstance(shape, bool):
        return [] if shape else [f"{where}: not allowed"]
    assert set(shape) <= KNOWN, f"this checker does not know {set(shape) - KNOWN}"
    if "$ref" in shape:
        target = shape["$ref"]
        if target.startswith("#/$defs/"):
            return misfits(value, root["$defs"][target.rsplit("/", 1)[1]], root, where)
        return misfits(value, schema(target), schema(target), where)
    if "anyOf" in shape:
        tries = [misfits(value, option, root, where) for option in shape["anyOf"]]
        return [] if any(not t for t in tries) else min(tries, key=len)
    found = []
    if "const" in shape and value != shape["const"]:
        found.append(f"{where}: {value!r} is not {shape['const']!r}")
    if "enum" in shape and value not in shape["enum"]:
        found.append(f"{where}: {value!r} is not one of {shape['enum']}")
    if "type" in shape:
        right = isinstance(value, TYPES[shape["type"]]) and (shape["type"] == "boolean" or not isinstance(value, bool))
        if not right:
            return [f"{where}: {value!r} is not of type {shape['type']}"]
    if isinstance(value, dict):
        known = shape.get("properties", {})
        found += [f"{where}: {name} is missing" for name in shape.get("required", ()) if name not in value]
        for name, inner in value.items():
            found += misfits(inner, known.get(name, shape.get("additionalProperties", True)), root, f"{where}.{name}")
    if isinstance(value, list):
        if not shape.get("minItems", 0) <= len(value) <= shape.get("maxItems", len(value)):
            found.append(f"{where}: {len(value)} items")
        for index, inner in enumerate(value):
            found += misfits(inner, shape.get("items", True), root, f"{where}[{index}]")
    return found


def assert_fits(value: Any, name: str) -> None:
    assert misfits(value, schema(name), schema(name)) == []
