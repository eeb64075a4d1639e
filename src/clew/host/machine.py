"""How much memory and how many processors there are for a run."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_CONTAINERS = (  # limit and use, by version of control groups
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def free_memory() -> int | None:
    """Bytes that can be used now without swapping or being killed for it; None where this cannot be known."""
    free = [_free_in_machine()]
    free += [_free_in_container(Path(limit), Path(used)) for limit, used in _CONTAINERS]
    return min((amount for amount in free if amount is not None), default=None)


def processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _free_in_machine() -> int | None:
    with contextlib.suppress(OSError):
        for line in Path("/proc/meminfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("MemAvailable"):
                return int(line.split()[1]) * 1024
    return None


def _free_in_container(limit: Path, used: Path) -> int | None:
    """The files hold numbers, or `max` where there is no limit. Cached files count as used, but are given up."""
    with contextlib.suppress(OSError, ValueError):
        most, now = int(limit.read_text(encoding="utf-8")), int(used.read_text(encoding="utf-8"))
        figures = (line.split() for line in (limit.parent / "memory.stat").read_text(encoding="utf-8").splitlines())
        cached = sum(int(amount) for name, amount in figures if name in ("active_file", "inactive_file"))
        return max(0, most - max(0, now - cached))
    return None
