"""The terminal in the README shows what the command prints today."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def _steady(svg: str) -> str:
    return re.sub(r"\d+(\.\d+)? m?s, [\d.]+ MB|-[0-9a-f]{8}<|textLength=\"[\d.]+\"", "", svg)


def test_the_picture_is_of_this_version() -> None:
    spec = importlib.util.spec_from_file_location("terminal_picture", ROOT / "scripts" / "terminal_picture.py")
    assert spec is not None and spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    made: str = maker.picture(maker.printed()) + "\n"
    assert _steady(made) == _steady(maker.PICTURE.read_text("utf-8")), "scripts/terminal_picture.py makes it anew"
