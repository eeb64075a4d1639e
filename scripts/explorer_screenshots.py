#!/usr/bin/env python3
"""Makes the pictures of docs/explorer.md: `.venv/bin/python scripts/explorer_screenshots.py [FOLDER]`.

Needs Chromium and the development dependencies. Each picture is of a real Explorer on a model from `examples/`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.browser import browser, checked, explorer  # noqa: E402

SIZE = {"width": 1440, "height": 860}
GROWING = """\
/* Counters that take their time. */
int a, b, c;
active proctype count() {
  do :: a = (a + 1) % 900 :: b = (b + 1) % 900 :: c = (c + 1) % 900 od
}
"""


def role(page: Any, name: str) -> Any:
    return page.locator(f'[data-role="{name}"]:visible')


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "images")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, browser() as opened:
        runs = Path(scratch) / "runs"

        def page(theme: str = "light") -> Any:
            found = opened.new_page(viewport=SIZE, color_scheme=theme)
            found.set_default_timeout(120_000)
            return found

        def keep(shown: Any, name: str) -> None:
            shown.mouse.move(2, 2)
            shown.wait_for_timeout(400)
            shown.screenshot(path=folder / f"explorer-{name}.png")
            print(folder / f"explorer-{name}.png", flush=True)
            shown.close()

        traces(page, keep, runs)
        spaces(page, keep, runs)
        checks(page, keep, runs, Path(scratch) / "counters.pml")


def traces(page: Any, keep: Any, runs: Path) -> None:
    checked(runs, "examples/promela/needham_schroeder.pml")
    with explorer("last", "--runs-dir", str(runs), folder=ROOT) as address:
        shown = page()
        shown.goto(f"{address}#tab=trace&trace=0&step=9")
        role(shown, "position").wait_for()
        role(shown, "watch").fill("knows_a && knows_b")
        role(shown, "watch").press("Enter")
        shown.locator(".name.watch").wait_for()
        keep(shown, "trace")
    checked(runs, "examples/promela/elevator.pml", ["--property", "ground_floor_is_served"])
    with explorer("last", "--runs-dir", str(runs), folder=ROOT) as address:
        shown = page("dark")
        shown.goto(f"{address}#tab=trace&trace=0&step=6")
        role(shown, "position").wait_for()
        keep(shown, "lasso-dark")


def spaces(page: Any, keep: Any, runs: Path) -> None:
    with explorer("examples/promela/alternating_bit.pml", "--runs-dir", str(runs), folder=ROOT) as address:
        shown = page()
        shown.goto(f"{address}#tab=space&walk=0")
        for _ in range(6):
            before = shown.locator('[data-role="trail"] li').count()
            shown.locator('[data-role="offers"] [data-choice]').last.click()
            shown.locator('[data-role="trail"] li').nth(before).wait_for()
        role(shown, "state-watch").fill("len(data) + len(acks)")
        role(shown, "state-watch").press("Enter")
        shown.locator("[data-watch]").wait_for()
        keep(shown, "space")
        for layout in ("layered", "force"):
            shown = page()
            shown.goto(f"{address}#tab=space&graph=all")
            role(shown, "graph-summary").filter(has_text="all there are").wait_for()
            role(shown, "layout").select_option(layout)
            role(shown, "colour").fill("process:Receiver(1)")
            role(shown, "colour").press("Enter")
            shown.locator('[data-role="legend"] li').first.wait_for()
            keep(shown, f"states-{layout}")
    with explorer("examples/promela/elevator.pml", "--runs-dir", str(runs), folder=ROOT) as address:
        shown = page()
        shown.goto(f"{address}#tab=space&graph=classes")
        role(shown, "by").wait_for()
        role(shown, "graph-summary").filter(has_text="classes of").wait_for()
        role(shown, "by").fill("floor; doorway")
        role(shown, "by").press("Enter")
        shown.locator('[data-role="graph"] .line', has_text="doorway").first.wait_for()
        keep(shown, "classes")
    with explorer("examples/promela/alternating_bit.pml", "--runs-dir", str(runs), folder=ROOT) as address:
        shown = page("dark")
        shown.goto(f"{address}#tab=space&graph=automata&walk=0.0.0")
        shown.locator('[data-role="graph"] .node.current').first.wait_for()
        keep(shown, "processes-dark")


def checks(page: Any, keep: Any, runs: Path, model: Path) -> None:
    model.write_text(GROWING)
    options = "--max-memory 2G --workers 1 --engine native"
    with explorer(model.name, "--check", options, "--runs-dir", str(runs), folder=model.parent) as address:
        shown = page()
        shown.set_viewport_size({**SIZE, "height": 430})
        shown.goto(f"{address}#tab=check")
        shown.locator('[data-figure="depth"] .line').wait_for()
        shown.wait_for_timeout(8000)
        keep(shown, "check")


if __name__ == "__main__":
    main()
