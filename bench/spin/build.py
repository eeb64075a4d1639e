"""From a model to an executable verifier: the preprocessor, `spin -a`, the C compiler."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bench.common import child

GRANULARITY = {"default": (), "fine": ("-o1", "-o2", "-o3")}
FULL_SEARCH = ("-DNOREDUCE", "-DSAFETY", "-DNOCLAIM")
"""The state space itself: no partial-order reduction, no acceptance cycles, no claim."""
WIDE_VECTOR = 30_000
"""Bytes of a state for models that do not fit into Spin's usual 1,024."""
_LINE_MARK = re.compile(r'^# (\d+) "([^"]*)"', re.MULTILINE)
_C_CODE = re.compile(r"\b(c_code|c_expr|c_decl|c_state|c_track)\b")
_STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no verifier. `outcome` is `spin-rejects`, `gcc-rejects` or `limit`: not done in time."""

    outcome: str
    message: str


@lru_cache(maxsize=1)
def spin_version() -> str:
    """What `spin -V` says; raises FileNotFoundError when Spin is not installed."""
    spin = shutil.which("spin")
    if spin is None:
        raise FileNotFoundError("the peer is not installed: no 'spin' on the PATH")
    return subprocess.run([spin, "-V"], capture_output=True, text=True, check=False).stdout.strip()


def pan_compiler() -> str:
    """gcc, or what `$PAN_CC` names: tcc compiles a small verifier in a fortieth of the time."""
    return os.environ.get("PAN_CC", "gcc")


def preprocessed(model: Path) -> str:
    """The model after Spin's own preprocessor, with file names cut to their last part; errors are kept as text."""
    with tempfile.TemporaryDirectory(prefix="preprocess-") as scratch:
        argv = ["gcc", "-std=gnu99", "-E", "-x", "c", f"-I{model.parent}", str(model)]
        done = child.run(argv, cwd=Path(scratch), seconds=30)
    marks = _LINE_MARK.sub(lambda m: f'# {m.group(1)} "{Path(m.group(2)).name}"', done.stdout)
    return marks + ("" if done.status == 0 else f"\npreprocessor: {done.status}")


def has_embedded_c(text: str) -> bool:
    """Does preprocessed text hold C fragments?"""
    return _C_CODE.search(_STRING.sub('""', text)) is not None


def generate(
    model: Path, scratch: Path, *, granularity: str = "default", defines: Sequence[str] = (), seconds: float = 60.0
) -> Refusal | None:
    """`spin -a` into `scratch`; None when it accepts.

    The model is copied and its folder made known to the preprocessor: Spin and pan write beside their input. Spin
    hands what follows `-E` to its preprocessor through a shell; its own `-I` means something else.
    """
    shutil.copyfile(model, scratch / model.name)
    include = "-E-I" + shlex.quote(str(model.parent))
    argv = ["spin", "-a", *GRANULARITY[granularity], *(f"-D{text}" for text in defines), include, model.name]
    done = child.run(argv, cwd=scratch, seconds=seconds, merge=True)
    if done.stopped:
        return Refusal("limit", "spin -a did not finish")
    if done.status == 0 and (scratch / "pan.c").exists():
        return None
    complaint = _complaint(done.stdout) or f"spin -a ended with status {done.status}"
    written = " (yet it wrote pan.c)" if (scratch / "pan.c").exists() else ""
    return Refusal("spin-rejects", complaint + written)


def compile_pan(
    model: Path,
    scratch: Path,
    flags: Sequence[str],
    *,
    name: str = "pan",
    seconds: float = 120.0,
    basis: Sequence[str] = FULL_SEARCH,
) -> Refusal | None:
    """The C compiler on the generated `pan.c`; None when it accepts. What another one refuses gcc decides."""
    for compiler in dict.fromkeys((pan_compiler(), "gcc")):
        argv = [compiler, "-w", *basis, *flags, f"-I{model.parent}", "-o", name, "pan.c", "-lm"]
        done = child.run(argv, cwd=scratch, seconds=seconds, merge=True)
        if done.status == 0 and not done.stopped:
            return None
    if done.stopped:
        return Refusal("limit", "the C compiler did not finish")
    errors = [line for line in done.stdout.splitlines() if "error" in line or "undefined" in line]
    return Refusal("gcc-rejects", "; ".join(errors[:3]) or done.stdout[:300])


def _complaint(output: str) -> str:
    """The lines of Spin's output that say what is wrong."""
    lines = [line.strip() for line in output.splitlines() if re.search(r"\b[Ee]rror\b|^tl_spin:", line)]
    return "; ".join(lines[:3]) or output.strip()[:300]
