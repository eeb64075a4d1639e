#!/usr/bin/env python3
"""Makes the terminal in the README: `.venv/bin/python scripts/terminal_picture.py [FILE]`.

It shows what `clew check examples/promela/peterson_broken.pml` prints, in the colours of a terminal.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORDS = ("check", "examples/promela/peterson_broken.pml")
PICTURE = ROOT / "docs" / "images" / "check.svg"
TITLE = f"Terminal: clew {' '.join(WORDS)} shows the violated assertion and the shortest counterexample"
LEFT, TOP, LINE, COLUMN = 18.0, 52, 19, 8.43
COLOURS = {"2": "#8b949e", "31": "#ff6b68", "33": "#e0b155", "34": "#6fa8ff", "35": "#d28bea", "36": "#56c2d0"}
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def printed() -> str:
    """What the command prints, with escape codes for colours."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "clew", *WORDS],
            cwd=ROOT,
            env={**os.environ, "FORCE_COLOR": "1", "NO_COLOR": "", "CLEW_RUNS": folder},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.stdout.replace(folder, ".clew/runs")


def picture(text: str) -> str:
    lines = [f"$ ./clew {' '.join(WORDS)}", *text.splitlines(), "$"]
    width = round(2 * LEFT + COLUMN * max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines))
    height = TOP + LINE * len(lines) + 6
    body = [part for number, line in enumerate(lines) for part in _line(line, TOP + LINE * number)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{TITLE}">',
            f"<title>{TITLE}</title>",
            f'<rect width="{width}" height="{height}" rx="9" fill="#161b22"/>',
            '<circle cx="20" cy="17" r="5.5" fill="#ff5f57"/><circle cx="38" cy="17" r="5.5" fill="#febc2e"/>'
            '<circle cx="56" cy="17" r="5.5" fill="#28c840"/>',
            f'<g font-family="{FONT}" font-size="14" fill="#d8dee4" xml:space="preserve">',
            *body,
            "</g>",
            "</svg>",
        ]
    )


def _line(line: str, y: int) -> Iterator[str]:
    """Its words where they stand; a run of two or more spaces is a gap, so that fonts cannot move what is behind it."""
    column, look = 0, ""
    for piece in re.split(r"(\x1b\[[\d;]*m)", line):
        if code := re.fullmatch(r"\x1b\[([\d;]*)m", piece):
            look = _look(code[1].split(";"))
            continue
        for text in re.findall(r" +|\S+(?: \S+)*", piece):
            if text.strip():
                length = (
                    f' textLength="{COLUMN * len(text):.1f}" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
                )
                yield f'<text x="{LEFT + COLUMN * column:.1f}" y="{y}"{length}{look}>{escape(text, quote=False)}</text>'
            column += len(text)


def _look(codes: list[str]) -> str:
    bold = ' font-weight="bold"' if "1" in codes else ""
    return bold + "".join(f' fill="{COLOURS[code]}"' for code in codes if code in COLOURS)


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else PICTURE).write_text(picture(printed()) + "\n", encoding="utf-8")
