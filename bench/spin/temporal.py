"""Temporal properties through Spin: acceptance cycles, claims, non-progress cycles, weak fairness."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import child

from .build import Refusal, generate, pan_compiler
from .output import DEPTH_TOO_SMALL

DEPTHS = (100_000, 10_000_000)
DEEPEST = 80_000_000
_ERROR = re.compile(r"^pan:\d+: (.*?)(?: \(at depth -?\d+\))?\s*$", re.MULTILINE)
_ASSERTED = re.compile(r"-> assert\((.*)\) \}$", re.MULTILINE)  # in claims: Spin makes assertions of safety properties
_FAILED = "assertion violated"
_TEMPORAL = ("acceptance cycle", "accept stutter", "claim violated", "end state in claim reached", "non-progress cycle")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`holds`, `violated`, `refused`, or `unknown`: a limit was hit, or something else went wrong first."""

    verdict: str
    message: str = ""


class Verifier:
    """The verifiers of one model, compiled when they are needed. `reduced`: as users do with a large model, optimized,
    with compressed states and, where Spin allows it (not beside fairness and handshakes), partial-order reduction."""

    def __init__(
        self, model: Path, scratch: Path, *, seconds: float = 60.0, megabytes: int = 4096, reduced: bool = False
    ) -> None:
        self.reduced = reduced
        self.model = model
        self.scratch = scratch
        self.seconds = seconds
        self.megabytes = megabytes
        self.refusal: Refusal | None = generate(model, scratch, seconds=seconds)
        self._made: dict[tuple[str, ...], Refusal | None] = {}
        claims = scratch / "_spin_nvr.tmp"
        self._asserted = {_bare(text) for text in _ASSERTED.findall(claims.read_text())} if claims.exists() else set()

    def claim(self, name: str | None, *, fair: bool) -> Verdict:
        """`pan -a`, of the claim or formula of that name if there are several."""
        named = ["-N", name] if name is not None else []
        return self._run((), ["-a", *(["-f"] if fair else []), *named])

    def acceptance(self, *, fair: bool) -> Verdict:
        """`pan -a` without any claim."""
        return self._run(("-DNOCLAIM",), ["-a", *(["-f"] if fair else [])])

    def progress(self, *, fair: bool) -> Verdict:
        """`pan -l`."""
        return self._run(("-DNP",), ["-l", *(["-f"] if fair else [])])

    def _run(self, flags: tuple[str, ...], options: Sequence[str]) -> Verdict:
        if not self.reduced or "-f" in options:
            flags = (*flags, "-DNOREDUCE")
        if flags not in self._made:
            self._made[flags] = self.refusal or self._compile(flags)
        refusal = self._made[flags]
        if refusal is not None:
            return Verdict("refused", refusal.message)
        verdict = self._search(flags, options)
        asserts = verdict.verdict == "unknown" and "assertion violated" in verdict.message
        return self._search(flags, ["-A", *options]) if asserts else verdict

    def _search(self, flags: tuple[str, ...], options: Sequence[str]) -> Verdict:
        for depth in (*DEPTHS, DEEPEST) if self.reduced else DEPTHS:
            argv = [f"./{_name(flags)}", f"-m{depth}", "-E", "-w20", *options]
            done = child.run(argv, cwd=self.scratch, seconds=self.seconds, megabytes=self.megabytes + 1024, merge=True)
            if DEPTH_TOO_SMALL not in done.stdout or any(text in done.stdout for text in _TEMPORAL):
                break
        return self._judged(done)

    def _compile(self, flags: tuple[str, ...]) -> Refusal | None:
        wide = ("-DNFAIR=5", "-DVECTORSZ=4096", f"-DMEMLIM={self.megabytes}")
        argv = [
            pan_compiler(),
            "-w",
            *(("-O2", "-DCOLLAPSE") if self.reduced else ("-O0",)),
            *wide,
            *flags,
            f"-I{self.model.parent}",
        ]
        argv += ["-o", _name(flags), "pan.c", "-lm"]
        done = child.run(argv, cwd=self.scratch, seconds=120, merge=True)
        return None if done.status == 0 else Refusal("gcc-rejects", done.stdout[-300:])

    def _judged(self, done: child.Finished) -> Verdict:
        texts = _ERROR.findall(done.stdout)
        found = [text for text in texts if text.startswith(_TEMPORAL) or self._is_of_claim(text)]
        if found:
            return Verdict("violated", found[0])
        if texts:
            return Verdict("unknown", f"met first: {texts[0]}")
        if done.stopped or "errors: 0" not in done.stdout or DEPTH_TOO_SMALL in done.stdout:
            return Verdict("unknown", done.stopped or done.stdout.strip()[-200:])
        return Verdict("holds")

    def _is_of_claim(self, text: str) -> bool:
        return text.startswith(_FAILED) and _bare(text.removeprefix(_FAILED)) in self._asserted


def _bare(text: str) -> str:
    """A condition without what the verifier writes differently."""
    return re.sub(r"[\s()]", "", text.replace("q_len", "len").replace("._p==", "@"))


def _name(flags: tuple[str, ...]) -> str:
    return "pan" + "".join(flags)
