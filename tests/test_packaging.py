"""The wheel, unpacked into a folder whose name has spaces and accents, works without the checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
COUNTER = "byte x;\nactive [3] proctype P() {\n  do\n  :: x < 200 -> x++\n  :: x > 0 -> x--\n  od\n}\n"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    home = tmp_path_factory.mktemp("réseau avec espaces") / "site packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(home)
    return home


def run(installed: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(installed),
        "LC_ALL": "C",
        "XDG_CACHE_HOME": str(cwd / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=300
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
