"""The three errors of the Etch paper and its mtype example: what inference says, and what Spin says and when."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from clew.core.diagnostics import Severity
from clew.frontends.promela.parser import parse_text
from clew.frontends.promela.typing.infer import infer
from tests.promela.test_typing import CLIENT_SERVER, ERRORS

MTYPES = "mtype = { red, green };\nactive proctype P() { mtype a, b, c; a = b + c }\n"


def run() -> int:
    texts = {"none": CLIENT_SERVER, **{f"error {n}": CLIENT_SERVER.replace(*pair) for n, pair in ERRORS.items()}}
    texts["mtype arithmetic"] = MTYPES
    spin = shutil.which("spin")
    print("| model | Clew | Spin, parsing | Spin, verifying |\n|---|---|---|---|")
    for name, text in texts.items():
        found = [d for d in infer(parse_text(text, "m.pml")).diagnostics if d.severity is Severity.ERROR]
        mine = "; ".join(f"line {d.span.line}: {d.message}" for d in found) or "no error"
        accepted, verified = _asked(spin, text) if spin else ("not installed", "")
        print(f"| {name} | {mine} | {accepted} | {verified} |")
    return 0


def _asked(spin: str, text: str) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "m.pml").write_text(text)

        def out(*command: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)

        parsed = out(spin, "-a", "m.pml")
        if parsed.returncode or not (Path(folder) / "pan.c").exists():
            return "rejected", ""
        said = [line for line in (parsed.stdout + parsed.stderr).splitlines() if line.strip() and "saw" not in line]
        out("gcc", "-w", "-O0", "-DSAFETY", "-o", "pan", "pan.c")
        run_ = out("./pan", "-m10000")
        errors = [line.removeprefix("pan:1: ") for line in run_.stdout.splitlines() if line.startswith("pan:1:")]
        trail = out(spin, "-t", "-v", "m.pml").stdout if errors else ""
        clashes = [line.strip() for line in trail.splitlines() if "type-clash" in line or "type clash" in line]
        verified = (errors[0] if errors else "no error") + (f"; in the trail: {clashes[0]}" if clashes else "")
        return "; ".join(["accepted", *said[:1]]), verified
