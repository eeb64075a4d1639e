"""The scripts `./clew` and `./test`, run in a copy of the checkout with a stand-in for Python: nothing is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Answers the version question, "makes" an environment whose python is itself, notes each pip call, and shows arguments.
FAKE_PYTHON = """#!/bin/sh
here=$(dirname "$0")
case "$*" in
    -c*) printf '%s\\n' ${FAKE_ANSWER:-3.12.1 usable} ;;
    "-m venv "*) mkdir -p "$3/bin" && : >"$3/pyvenv.cfg" && cp "$0" "$3/bin/python" ;;
    "-m pip "*)
        echo "pip says something"
        for last in "$@"; do :; done
        echo "$last" >>"$here/../pip-calls"
        case "$last" in *"${FAKE_PIP_REFUSES:-nothing}") exit 1 ;; esac
        exit ${FAKE_PIP_STATUS:-0} ;;
    "-P -m clew"*) shift 3; for argument in "$@"; do printf '<%s>\\n' "$argument"; done ;;
    *) printf 'ran: %s\\n' "$*" ;;
esac
"""


class Checkout:
    """A copy of what the scripts need, a search path whose only Python is the stand-in, and the runs made with them."""

    def __init__(self, root: Path, tools: Path) -> None:
        self.root = root
        self.tools = tools
        self.venv = root / ".venv"

    def run(
        self, *arguments: str, script: str | Path = "clew", cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / script, *arguments],
            cwd=cwd or self.root,
            env={"PATH": f"{self.tools}", "HOME": f"{self.root}", **env},
            capture_output=True,
            text=True,
        )

    def installs(self) -> list[str]:
        """What pip was asked to install, oldest first."""
        return (self.venv / "pip-calls").read_text().splitlines()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root, tools = tmp_path / "a checkout", tmp_path / "tools"
    (root / "scripts").mkdir(parents=True)
    tools.mkdir()
    for name in ("clew", "test", "pyproject.toml", "scripts/bootstrap.sh"):
        shutil.copy(ROOT / name, root / name)
    for tool in ("sh", "cmp", "cp", "dirname", "mkdir", "mv", "readlink", "rm", "rmdir", "sed", "sleep", "tail"):
        (tools / tool).symlink_to(shutil.which(tool) or pytest.skip(f"no {tool}"))
    (tools / "python3").write_text(FAKE_PYTHON)
    (tools / "python3").chmod(0o755)
    (tools / "gcc").symlink_to(tools / "sh")
    return Checkout(root, tools)


def test_first_use_installs_and_later_uses_do_not(checkout: Checkout) -> None:
    first, second = checkout.run("--help"), checkout.run("--help")
    assert (first.stdout, first.stderr) == ("<--help>\n", "clew: setting up (first use, about a minute) …\n")
    assert (second.stdout, second.stderr) == ("<--help>\n", "")
    assert checkout.installs() == [f"{checkout.root}"]


def test_without_a_c_compiler_one_is_installed(checkout: Checkout) -> None:
    (checkout.tools / "gcc").unlink()
    result = checkout.run("x")
    assert "there is no C compiler: one is installed as a Python package" in result.stderr
    assert (result.stdout, checkout.installs()) == ("<x>\n", [f"{checkout.root}[compiler]"])
    assert checkout.run("x").stderr == ""


def test_a_c_compiler_that_cannot_be_installed_is_done_without(checkout: Checkout) -> None:
    (checkout.tools / "gcc").unlink()
    result = checkout.run("x", FAKE_PIP_REFUSES="[compiler]")
    assert "it could not be installed; large models will be explored slowly" in result.stderr
    assert (result.stdout, checkout.installs()) == ("<x>\n", [f"{checkout.root}[compiler]", f"{checkout.root}"])


def test_arguments_arrive_unchanged(checkout: Checkout) -> None:
    assert checkout.run("a b", "", "*", "$HOME", "--", "'").stdout == "<a b>\n<>\n<*>\n<$HOME>\n<-->\n<'>\n"


def test_runs_through_links_from_another_directory(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("a checkout/clew")
    (tmp_path / "link to link").symlink_to(tmp_path / "link")
    result = checkout.run("x", script=tmp_path / "link to link", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "<x>\n")
    assert checkout.installs() == [f"{checkout.root}"]


def test_a_changed_pyproject_is_installed_again(checkout: Checkout) -> None:
    checkout.run()
    with (checkout.root / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    assert checkout.run().stderr == "clew: updating the environment …\n"
    assert checkout.run().stderr == ""
    assert len(checkout.installs()) == 2


def test_a_copied_checkout_gets_its_own_environment(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run()
    copy = Checkout(shutil.copytree(checkout.root, tmp_path / "copy"), checkout.tools)
    copy.run()
    assert copy.installs() == [f"{copy.root}"]


def test_the_development_tools_have_their_own_stamp(checkout: Checkout) -> None:
    checkout.run()
    assert checkout.run("-k", "trace", script="test").stdout == "ran: -m pytest -k trace\n"
    assert checkout.run().stderr == ""
    assert checkout.installs() == [f"{checkout.root}", f"{checkout.root}[dev]"]


def test_an_unusable_explicit_python_is_refused(checkout: Checkout) -> None:
    result = checkout.run(PYTHON="/does/not/exist")
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr == "clew: PYTHON=/does/not/exist is not a working Python 3.11 or newer\n"
    assert not checkout.venv.exists()


def test_an_old_python_is_refused_with_its_version(checkout: Checkout) -> None:
    result = checkout.run(FAKE_ANSWER="3.9.2")
    assert result.returncode == 3
    assert "needs Python 3.11 or newer and found none (python3 is 3.9.2)" in result.stderr


def test_a_python_without_venv_names_the_package_to_install(checkout: Checkout) -> None:
    result = checkout.run(FAKE_ANSWER="3.11.2 enough")
    assert result.returncode == 3
    assert "apt install python3-venv" in result.stderr


def test_a_failed_install_shows_the_log_and_is_not_taken_as_good(checkout: Checkout) -> None:
    failed = checkout.run(FAKE_PIP_STATUS="1")
    assert (failed.returncode, failed.stdout) == (3, "")
    assert "    pip says something\n" in failed.stderr
    assert f"{checkout.venv}/clew-setup/setup.log" in failed.stderr
    assert checkout.run("x").stdout == "<x>\n"
    assert len(checkout.installs()) == 1, "the second run starts from an empty environment"


def test_a_lock_left_by_a_dead_process_is_taken_over(checkout: Checkout) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    lock = checkout.root / ".venv.lock"
    lock.mkdir()
    (lock / "pid").write_text(f"{dead.pid}\n")
    assert checkout.run("x").stdout == "<x>\n"
    assert not lock.exists()


def test_a_folder_that_is_no_environment_is_left_alone(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").touch()
    result = checkout.run(CLEW_VENV=f"{tmp_path / 'mine'}")
    assert result.returncode == 3
    assert [entry.name for entry in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_clew_venv_names_the_environment(checkout: Checkout, tmp_path: Path) -> None:
    assert checkout.run("x", CLEW_VENV="elsewhere/env", cwd=tmp_path).stdout == "<x>\n"
    assert (tmp_path / "elsewhere/env/clew-setup/runtime.toml").exists()
    assert not checkout.venv.exists()
