"""The wheel, unpacked into a folder whose name has spaces and accents, works without the checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.web.browser import LONGEST, NoBrowser, browser, explorer

ROOT = Path(__file__).parent.parent
COUNTER = "byte x;\nactive [3] proctype P() {\n  do\n  :: x < 200 -> x++\n  :: x > 0 -> x--\n  od\n}\n"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    home = tmp_path_factory.mktemp("réseau avec espaces") / "site packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(home)
    return home


BROKEN = (ROOT / "examples/promela/peterson_broken.pml").read_text("utf-8")  # shortest counterexample: 9 steps


def surroundings(installed: Path, cwd: Path, **more: str) -> dict[str, str]:
    settings = {
        "PYTHONPATH": str(installed),
        "LC_ALL": "C",
        "XDG_CACHE_HOME": str(cwd / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**os.environ, **settings, **more}


def run(installed: Path, *arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = surroundings(installed, cwd, **more)
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=3600
    )


def test_the_unpacked_wheel_is_what_runs(installed: Path, tmp_path: Path) -> None:
    shown = run(installed, "-c", "import clew; print(clew.__file__)", cwd=tmp_path)
    assert Path(shown.stdout.strip()).is_relative_to(installed), shown.stderr


def test_the_native_engine_compiles_with_the_headers_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    model = tmp_path / "zähler mit abstand.pml"
    model.write_text(COUNTER, "utf-8")
    checked = run(installed, "-m", "clew", "check", "--engine", "native", "--json", model.name, cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr
    result = json.loads(checked.stdout)
    assert (result["verdict"], result["model"]) == ("holds", model.name)


def test_isomorphism_finds_its_kernel_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    """n=6 philosophers have 130 states up to isomorphism: specs/25, table of derived counts."""
    model = tmp_path / "philosophers.py"
    model.write_text((ROOT / "examples/python/philosophers.py").read_text("utf-8"), "utf-8")
    counted = run(
        installed, "-m", "clew", "count", "--reduce", "symmetry", "-D", "N=6", "--json", model.name, cwd=tmp_path
    )
    assert counted.returncode == 0, counted.stderr
    assert json.loads(counted.stdout)["statistics"]["states"] == 130


def test_the_schemas_and_the_page_are_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    program = "from importlib.resources import files as f; p = f('clew.report'); " + (
        "print(p.joinpath('schema/result.schema.json').is_file(), p.joinpath('page/trace_view.js').is_file())"
    )
    assert run(installed, "-c", program, cwd=tmp_path).stdout.split() == ["True", "True"]


def test_the_pytest_plugin_of_the_wheel_gives_its_fixture(installed: Path, tmp_path: Path) -> None:
    shown = run(installed, "-m", "pytest", "--fixtures", "-p", "no:cacheprovider", cwd=tmp_path)
    assert f"clew_model -- {Path(os.path.relpath(installed, tmp_path))}" in shown.stdout, shown.stdout


def test_the_version_is_that_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    (metadata,) = installed.glob("clew-*.dist-info/METADATA")
    version = next(line for line in metadata.read_text("utf-8").splitlines() if line.startswith("Version: "))
    assert run(installed, "-m", "clew", "--version", cwd=tmp_path).stdout.split()[-1] == version.removeprefix(
        "Version: "
    )


def test_a_terminal_of_plain_letters_gets_plain_letters(installed: Path, tmp_path: Path) -> None:
    """`LC_ALL=POSIX` as it was before Python took it for UTF-8."""
    model = tmp_path / "zähler.pml"
    model.write_text(BROKEN, "utf-8")
    plain = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    checked = run(installed, "-m", "clew", "check", "--engine", "reference", model.name, cwd=tmp_path, **plain)
    assert checked.returncode == 1, checked.stderr
    assert "x assertion violated: inside == 1" in checked.stdout
    chart = run(installed, "-m", "clew", "trace", "--to", "chart", cwd=tmp_path, **plain)
    assert "  1      |                                      * turn = 1 - _pid" in chart.stdout.splitlines()


def test_the_explorer_of_the_wheel_shows_a_counterexample(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "m.pml").write_text(BROKEN, "utf-8")
    run(installed, "-m", "clew", "check", "--engine", "reference", "m.pml", cwd=tmp_path)
    try:
        with (
            browser() as chromium,
            explorer("last", folder=tmp_path, environment=surroundings(installed, tmp_path)) as address,
        ):
            page = chromium.new_page()
            page.set_default_timeout(LONGEST)
            page.goto(address)
            assert "assertion violated" in page.locator('[data-role="reason"]:visible').inner_text()
    except NoBrowser as missing:
        pytest.skip(f"the page could not be tried in a browser: {missing}")
