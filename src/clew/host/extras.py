"""How to install an extra, the libraries that only some uses of Clew need: from where this Clew was installed.

A bare `clew[tui]` would ask a package registry, which may know another program of that name.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def install_command(extra: str) -> str:
    """A command for the shell that adds the extra to the environment that Clew runs in."""
    return f"{shlex.quote(sys.executable)} -m pip install {_source(extra)}"


def _source(extra: str) -> str:
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        text = distribution("clew").read_text("direct_url.json")
    except PackageNotFoundError:  # run from its sources
        return shlex.quote(f"{Path(__file__).parents[3]}[{extra}]")
    if text is None:
        return shlex.quote(f"clew[{extra}]")
    origin = json.loads(text)
    url = urlsplit(origin["url"])
    named = f"{unquote(url.path)}[{extra}]" if url.scheme == "file" else f"clew[{extra}] @ {origin['url']}"
    return ("-e " if origin.get("dir_info", {}).get("editable") else "") + shlex.quote(named)
