"""How much memory this process uses."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


def resident_bytes() -> int:
    """Memory in use now; where the system does not say, the most that was ever in use."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
