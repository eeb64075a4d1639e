"""Builds the wheel and uses it as a stranger would: python scripts/try_wheel.py

In an empty environment under a path with spaces and accents, far from the checkout, in several locales: `clew check`,
the pytest plugin, and `clew explore` in a headless browser. Needs the network for pip, and the `dev` extra.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.web.browser import browser, explorer  # noqa: E402

LOCALES: tuple[Mapping[str, str], ...] = (
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "de_DE.ISO-8859-1", "PYTHONIOENCODING": "iso-8859-1"},
)
TEST = """
import clew
from cache_service import Correct

@clew.conforms("cache.py", runs=5)
def test_cache(): return Correct()
"""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="à l'essai ") as folder:
        home = Path(folder)
        commands = install(home)
        for name in ("promela/peterson_broken.pml", "python/cache.py", "python/cache_service.py"):
            shutil.copy(ROOT / "examples" / name, home)
        (home / "test_cache.py").write_text(TEST, "utf-8")
        for locale in LOCALES:
            clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "CLEW", "VIRTUAL_ENV"))}
            surroundings = {**clean, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), **locale}
            tried(1, [commands / "clew", "check", "peterson_broken.pml"], home, surroundings)
            tried(0, [commands / "python", "-m", "pytest", "-q", "test_cache.py"], home, surroundings)
            seen = explored(commands / "clew", home, surroundings)
            print(f"{locale['LC_ALL']}: check, pytest and explore ({seen!r}) work")
    return 0


def install(home: Path) -> Path:
    """The folder of the commands."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(home), str(ROOT)]
    subprocess.run(wheel, check=True)
    (built,) = home.glob("*.whl")
    print(f"{built.name}: {built.stat().st_size // 1024} KB")
    venv.create(home / "own environment", with_pip=True)
    commands = home / "own environment" / "bin"
    own_pip = [str(commands / "python"), *pip[1:]]
    subprocess.run([*own_pip, "install", str(built), "pytest"], check=True)
    return commands


def tried(expected: int, command: list[Path | str], home: Path, surroundings: Mapping[str, str]) -> None:
    done = subprocess.run([str(word) for word in command], cwd=home, env=surroundings, capture_output=True)
    if done.returncode != expected or b"Traceback" in done.stderr:
        text = (done.stdout + done.stderr).decode(errors="replace")
        raise SystemExit(f"{command} ended with {done.returncode}, not {expected}:\n{text}")


def explored(clew: Path, home: Path, surroundings: Mapping[str, str]) -> str:
    """What the page says of the last run."""
    with (
        browser() as chromium,
        explorer("last", folder=home, clew=[str(clew)], environment=surroundings) as address,
    ):
        page = chromium.new_page()
        page.goto(address)
        text: str = page.locator('[data-role="reason"]:visible').inner_text(timeout=120_000)
        return text


if __name__ == "__main__":
    sys.exit(main())
