"""Builds the documentation as a static site: python scripts/build_docs.py [--serve]. Needs `pip install 'clew[docs]'`.

Pages link to files outside docs/ (examples, results, code) as they lie in the checkout. So the site is made from a copy
with the same folders, in build/site-source. Any warning, a dead link or a page that nothing leads to, is an error.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGE = ROOT / "build" / "site-source"
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md", "bench/README.md", "bench/RESULTS.md")
LINK = re.compile(r"\]\(([^)#\s]+)")


def main(arguments: list[str]) -> int:
    stage()
    verb = ["serve"] if "--serve" in arguments else ["build", "--strict"]
    return subprocess.run([sys.executable, "-m", "mkdocs", "--quiet", *verb], cwd=ROOT).returncode


def stage() -> None:
    shutil.rmtree(STAGE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", STAGE / "docs")
    for page in PAGES:
        _copy(ROOT / page)
    for page in [*STAGE.rglob("*.md")]:
        for target in _linked_files(page):
            _copy(target)


def _linked_files(staged: Path) -> list[Path]:
    """Files of the checkout, other than pages, that a page leads to."""
    home = (ROOT / staged.relative_to(STAGE)).parent
    targets = (home / link for link in LINK.findall(staged.read_text("utf-8")) if "://" not in link)
    return [t.resolve() for t in targets if t.suffix != ".md" and t.is_file() and t.resolve().is_relative_to(ROOT)]


def _copy(file: Path) -> None:
    to = STAGE / file.relative_to(ROOT)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
