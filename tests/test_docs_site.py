"""The documentation builds as a site without a warning: no dead link, no missing anchor."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_site_builds_without_a_warning() -> None:
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    script = [sys.executable, str(ROOT / "scripts" / "build_docs.py")]
    built = subprocess.run(script, capture_output=True, text=True, env=quiet)
    assert (built.returncode, built.stdout + built.stderr) == (0, "")
