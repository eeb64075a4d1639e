"""The simulator in the terminal, driven by textual's pilot."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.host.checking import ModelOptions, load_model
from clew.host.spaces import reference_space

pytest.importorskip("textual", reason="textual is not installed")

from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from clew.tui.app import Simulator
from clew.tui.walk import Walk

PROMELA = "byte x\nactive [2] proctype P() {\n  x++;\n  x = x * 2\n}\n"
PYTHON = "from clew.model import *\nn = 0\n@action\ndef Up(k: range(1, 3)):\n    global n\n    n += k\n"
PYTHON += "@guard('Up')\ndef _(): return n < 4\n"


def simulator(folder: Path, name: str, text: str) -> Simulator:
    (folder / name).write_text(text)
    model = load_model(str(folder / name), ModelOptions())
    return Simulator(Walk(reference_space(model)), name, dict(model.files))


def driven(app: Simulator, script: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    async def run() -> None:
        async with app.run_test(size=(130, 40)) as pilot:
            await script(pilot)

    asyncio.run(run())


def shown(app: Simulator, name: str) -> str:
    found = app.query_one(f"#{name}")
    return str((found if isinstance(found, Static) else found.query_one(Static)).content)


async def until(pilot: Pilot[None], seen: Callable[[], bool]) -> None:
    """Waits until what keys have started is done; the limit is only there so that a mistake does not hang."""
    for _ in range(3000):
        if seen():
            return
        await pilot.pause(0.01)
    screen = {name: shown(pilot.app, name) for name in ("title", "values", "chart")}  # type: ignore[arg-type]
    pytest.fail(f"this did not come: {screen}")


def test_steps_are_taken_undone_and_taken_again(tmp_path: Path) -> None:
    app = simulator(tmp_path, "p.pml", PROMELA)

    async def script(pilot: Pilot[None]) -> None:
        assert app.query_one("#choices", OptionList).option_count == 2 and shown(app, "chart") == "no step yet"
        await pilot.press("enter")
        await until(pilot, lambda: "● x = 1" in shown(app, "values"))
        assert "was 0" in shown(app, "values")
        assert "✓ taken" in shown(app, "source") and "◀ P(" in shown(app, "source")
        await pilot.press("left")
        await until(pilot, lambda: "  x = 0" in shown(app, "values"))
        assert len(app.walk.ahead) == 1
        await pilot.press("right")
        await until(pilot, lambda: "● x = 1" in shown(app, "values"))
        await pilot.press("r", "r")
        await until(pilot, lambda: len(app.walk.taken) == 3)
        await pilot.press("g")
        await until(pilot, lambda: not app.walk.taken)
        await pilot.press("G")
        await until(pilot, lambda: len(app.walk.taken) == 3 and "P(" in shown(app, "chart"))

    driven(app, script)


def test_watches_are_evaluated_in_every_state_and_errors_are_told(tmp_path: Path) -> None:
    app = simulator(tmp_path, "m.py", PYTHON)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("w", *"n", "space", "greater_than_sign", "space", "1", "enter")
        await until(pilot, lambda: "n > 1 = false" in shown(app, "values"))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "n > 1 = true" in shown(app, "values"))
        await pilot.press("w", *"nothing", "enter")
        await until(pilot, lambda: len(app._notifications) == 1)
        assert len(app.walk.watches) == 1
        await pilot.press("tab")
        app.action_unwatch()
        assert "n > 1" not in shown(app, "values")

    driven(app, script)


def test_a_stuck_state_is_told(tmp_path: Path) -> None:
    app = simulator(tmp_path, "m.py", PYTHON)

    async def script(pilot: Pilot[None]) -> None:
        for taken in (1, 2):
            await pilot.press("down", "enter")
            await until(pilot, lambda taken=taken: len(app.walk.taken) == taken)  # type: ignore[misc]
        await until(pilot, lambda: "no action is enabled" in shown(app, "title"))

    driven(app, script)


def test_a_trace_lies_ahead(tmp_path: Path) -> None:
    app = simulator(tmp_path, "m.py", PYTHON)
    other = simulator(tmp_path, "m.py", PYTHON)
    for _ in range(2):
        other.walk.take(other.walk.choices()[-1][0])
    app.walk.follow(other.walk.trace, "a trace")

    async def script(pilot: Pilot[None]) -> None:
        assert "step 0 of 2" in shown(app, "title")
        await pilot.press("G")
        await until(pilot, lambda: "● n = 4" in shown(app, "values"))
        assert not app.walk.ahead

    driven(app, script)


def test_without_a_terminal_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.pml").write_text(PROMELA)
    assert main(["simulate", "--tui", str(tmp_path / "p.pml")]) == 3
    assert "terminal" in capsys.readouterr().err
