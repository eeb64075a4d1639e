"""Compilers: the same counts with each, none at all, some that fail; the cache; programs compiled by hand."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.cli.main import main
from clew.explicit import prepare as prepared
from clew.host import compiler
from clew.host.compiler import Common, CompilerError, RefusedProgram, begin, build, find_compiler, prepare
from tests.explicit.command import EXAMPLES, SOURCES, run
from tests.explicit.native import needs_compiler

SOME_EXAMPLES = "alternating_bit bakery elevator lockfree_stack_aba needham_schroeder producer_consumer".split()
LEADER = EXAMPLES / "leader_election.pml"  # too many states for the interpreter to be done at once
CHECKED, COUNTED = "3,192 states", "3,112"
HELLO = '#include <stdio.h>\nint main(void) { return puts("hello") < 0; }\n'

Changes = dict[str, str]


@pytest.fixture
def no_compiler_on_path(tmp_path: Path) -> Changes:
    """A machine that has at most the compiler of the package `ziglang`."""
    (tmp_path / "bin").mkdir()
    return {"PATH": str(tmp_path / "bin"), "CC": ""}


@pytest.fixture
def no_compiler(tmp_path: Path, no_compiler_on_path: Changes) -> Changes:
    """A machine without any."""
    (tmp_path / "hidden" / "ziglang").mkdir(parents=True)
    (tmp_path / "hidden" / "ziglang" / "__init__.py").touch()
    return {**no_compiler_on_path, "PYTHONPATH": f"{tmp_path / 'hidden'}:{SOURCES}"}


def needs_ziglang(changes: Changes, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", changes["PATH"])
        patch.delenv("CC", raising=False)
        if find_compiler() is None:
            pytest.skip("the package 'ziglang' is not installed: its compiler was not compared with the system's")


def counts(name: str, cwd: Path, changes: Changes) -> tuple[int, int, int]:
    done = run("count", "--engine", "native", "--json", EXAMPLES / f"{name}.pml", cwd=cwd, changes=changes)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["statistics"]
    return figures["states"], figures["transitions"], figures["depth"]


# --- the same answers with every compiler


@needs_compiler
def test_the_compiler_of_ziglang_gives_the_same_counts(
    tmp_path: Path, no_compiler_on_path: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_ziglang(no_compiler_on_path, monkeypatch)
    answer = json.loads(run("check", "--json", LEADER, cwd=tmp_path, changes=no_compiler_on_path).stdout)
    assert (answer["engine"], answer["verdict"]) == ("native", "holds")
    for name in SOME_EXAMPLES:
        assert counts(name, tmp_path, no_compiler_on_path) == counts(name, tmp_path, {}), name


@needs_compiler
@pytest.mark.parametrize("other", ["gcc", "clang"])
def test_another_compiler_gives_the_same_counts(other: str, tmp_path: Path) -> None:
    path = shutil.which(other) or pytest.skip(
        f"{other} is not installed: it was not compared with the system's compiler"
    )
    for name in SOME_EXAMPLES:
        assert counts(name, tmp_path, {"CC": path}) == counts(name, tmp_path, {}), name


# --- no compiler that works


def test_without_any_compiler_the_reference_engine_answers_and_says_so(tmp_path: Path, no_compiler: Changes) -> None:
    done = run("check", LEADER, cwd=tmp_path, changes=no_compiler)
    assert CHECKED in done.stdout
    assert "note: the native engine was not used: no C compiler found; install cc, or the Python" in done.stdout


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-cc", "CC=no-such-cc names no program that can be run"),
        ("false", "false does not work: it ends with status 1"),
        ("./wrong", "wrong does not work: wrong: error: it is Sunday"),
        ("./killed", "killed was killed; there may be too little memory"),
        ("./garbage", "garbage cannot be run: Exec format error"),
    ],
)
def test_a_compiler_that_fails_is_named(command: str, message: str, tmp_path: Path) -> None:
    for name, text in {
        "wrong": "#!/bin/sh\necho wrong: error: it is Sunday >&2\nexit 4\n",
        "killed": "#!/bin/sh\nkill -KILL $$\n",
        "garbage": "\1\2\3",
    }.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    chosen = run("check", "--engine", "native", LEADER, cwd=tmp_path, changes={"CC": command})
    assert (chosen.returncode, chosen.stdout) == (3, "")
    assert "the native engine cannot do this: " in chosen.stderr and message in chosen.stderr
    automatic = run("check", LEADER, cwd=tmp_path, changes={"CC": command})
    assert CHECKED in automatic.stdout
    assert "note: the native engine was not used: " in automatic.stdout and message in automatic.stdout


@needs_compiler
def test_a_program_that_is_refused_by_a_compiler_that_works() -> None:
    with pytest.raises(RefusedProgram) as refused:
        build("int main(void) { return nothing; }", None, ())
    assert "nothing" in refused.value.output


# --- where programs are made and kept


@needs_compiler
def test_a_program_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    path = build(HELLO, None, ())
    made = path.stat().st_ino
    assert subprocess.run([path], capture_output=True, check=True).stdout == b"hello\n"
    assert build(HELLO, None, ()) == path and path.stat().st_ino == made
    assert list(tmp_path.iterdir()) == [path]


@needs_compiler
def test_other_flags_and_another_text_are_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    assert len({build(HELLO, None, ()), build(HELLO, None, ("-O1",)), build(HELLO + "\n", None, ())}) == 3


@needs_compiler
def test_a_program_given_up_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    begin(HELLO, None, ()).cancel()
    assert list(tmp_path.iterdir()) == []
    assert build(HELLO, None, ()).exists()


@needs_compiler
def test_the_programs_used_least_recently_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "KEPT_PROGRAMS", 2)
    first, second = build(HELLO, None, ()), build(HELLO + "\n", None, ())
    for age, path in enumerate([second, first]):
        os.utime(path, (age, age))
    third = build(HELLO + "\n\n", None, ())
    assert (first.exists(), second.exists(), third.exists()) == (True, False, True)


@needs_compiler
def test_what_a_killed_clew_left_is_removed_a_day_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path))
    old, fresh = tmp_path / ".model-a.1-1", tmp_path / ".model-b.1-1"
    for folder in (old, fresh):
        folder.mkdir()
    os.utime(old, (0, 0))
    build(HELLO, None, ())
    assert (old.exists(), fresh.exists()) == (False, True)


SQUARE = "int square(int n) { return n * n * FACTOR; }\n"
USES_IT = "int square(int); int main(void) { return square(3); }\n"


@pytest.fixture
def squares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file that programs have in common, beside the cache."""
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "square.c").write_text(SQUARE)
    return tmp_path / "headers"


def program_of_two_files(text: str, headers: Path, factor: int) -> Path:
    return begin(text, headers, (), common=Common("square.c", own=(f"-DFACTOR={factor}",))).program()


@needs_compiler
def test_a_common_file_is_compiled_once(squares: Path, tmp_path: Path) -> None:
    path = program_of_two_files(USES_IT, squares, 2)
    (kept,) = (tmp_path / "cache").glob("common-*")
    made = kept.stat().st_ino
    other = program_of_two_files(USES_IT + "\n", squares, 2)
    assert [subprocess.run([program], check=False).returncode for program in (path, other)] == [18, 18]
    assert kept.stat().st_ino == made
    assert set((tmp_path / "cache").iterdir()) == {path, other, kept}


@needs_compiler
def test_a_common_file_that_is_compiled_otherwise_or_has_changed_is_another_one(squares: Path, tmp_path: Path) -> None:
    path, other = (program_of_two_files(USES_IT, squares, factor) for factor in (1, 2))
    (squares / "square.c").write_text(SQUARE.replace("FACTOR", "FACTOR * 3"))
    changed = program_of_two_files(USES_IT, squares, 1)
    assert [subprocess.run([program], check=False).returncode for program in (path, other, changed)] == [9, 18, 27]
    assert len(list((tmp_path / "cache").glob("common-*"))) == 3


@needs_compiler
def test_a_common_file_that_was_forgotten_is_compiled_again(squares: Path, tmp_path: Path) -> None:
    program_of_two_files(USES_IT, squares, 2)
    (kept,) = (tmp_path / "cache").glob("common-*")
    kept.unlink()
    assert subprocess.run([program_of_two_files(USES_IT + "\n", squares, 2)], check=False).returncode == 18
    assert kept.exists()


@needs_compiler
@pytest.mark.parametrize("broken", ["model", "common"])
def test_a_program_of_two_files_that_is_refused_leaves_nothing(broken: str, squares: Path, tmp_path: Path) -> None:
    (squares / "square.c").write_text("nonsense" if broken == "common" else SQUARE)
    with pytest.raises(RefusedProgram):
        program_of_two_files("nonsense" if broken == "model" else USES_IT, squares, 2)
    assert list((tmp_path / "cache").iterdir()) == []


@needs_compiler
def test_a_program_of_two_files_given_up_leaves_nothing(squares: Path, tmp_path: Path) -> None:
    begin(USES_IT, squares, (), common=Common("square.c", own=("-DFACTOR=2",))).cancel()
    assert list((tmp_path / "cache").iterdir()) == []


@needs_compiler
def test_the_searches_are_compiled_once_for_models_of_one_size(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for most in (200, 201):  # longer states than those for which there may be searches already
        model = tmp_path / f"{most}.pml"
        body = f"do :: atomic {{ n < {most} -> a[n % 200] = 1; n++ }} :: else -> break od"
        model.write_text(f"byte n, a[200]; active proctype P() {{ {body} }}")
        done = run("count", "--engine", "native", "--json", model, cwd=tmp_path, changes={"CLEW_CACHE": str(cache)})
        assert json.loads(done.stdout)["statistics"]["states"] == most + 3
    assert len(list(cache.glob("model-*"))) == 2
    assert len(list(cache.glob("common-*"))) == 1


@needs_compiler
def test_what_was_made_when_clew_was_installed_is_not_made_again(
    squares: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "installed"))
    kept = prepare(squares, (), Common("square.c", own=("-DFACTOR=2",))).program()
    assert list((tmp_path / "installed").rglob("*.o")) == [kept]
    path = program_of_two_files(USES_IT, squares, 2)
    assert subprocess.run([path], check=False).returncode == 18
    assert list((tmp_path / "cache").iterdir()) == [path]


@needs_compiler
def test_a_check_finds_the_searches_that_were_made_when_clew_was_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "installed"))
    monkeypatch.setattr(prepared, "USUAL_WORDS", (1,))
    assert prepared.main() == 0
    model = tmp_path / "small.pml"
    model.write_text("byte n; active proctype P() { do :: n < 200 -> n++ :: else -> break od }")
    for command in ("check", "count"):
        assert main([command, "--engine", "native", str(model)]) in (0, 1)
    assert len(list((tmp_path / "cache").glob("model-*"))) == 2
    assert not list((tmp_path / "cache").glob("common-*"))


def test_an_installation_without_a_compiler_prepares_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("CC", "no-such-cc")
    assert prepared.main() == 3
    assert "CC=no-such-cc names no program" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@needs_compiler
def test_a_cache_folder_that_cannot_be_written(tmp_path: Path) -> None:
    done = run("count", "--engine", "native", LEADER, cwd=tmp_path, changes={"CLEW_CACHE": "/dev/null/clew"})
    assert done.returncode == 0 and COUNTED in done.stdout


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with 16 KB, most of it used: a program does not fit, a text may."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "clew", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small file system cannot be mounted: a full disk was not tried")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@needs_compiler
def test_a_full_disk_under_the_cache(full_disk: Path, tmp_path: Path) -> None:
    done = run("count", "--engine", "native", LEADER, cwd=tmp_path, changes={"CLEW_CACHE": str(full_disk)})
    assert done.returncode == 0 and COUNTED in done.stdout
    assert list(full_disk.iterdir()) == []


@needs_compiler
def test_a_full_disk_everywhere(full_disk: Path, tmp_path: Path) -> None:
    changes = {"CLEW_CACHE": str(full_disk), "TMPDIR": str(full_disk)}
    done = run("count", "--engine", "native", LEADER, cwd=tmp_path, changes=changes)
    assert (done.returncode, done.stdout) == (3, "")
    assert "there is no place for a compiled program" in done.stderr and "No space left" in done.stderr


@needs_compiler
def test_a_full_disk_and_no_other_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_CACHE", "/dev/null/clew")
    monkeypatch.setattr(compiler, "temporary_folder", lambda: Path("/dev/null/tmp"))
    with pytest.raises(CompilerError, match="there is no place for a compiled program: /dev/null/tmp"):
        build(HELLO, None, ())


# --- by hand


@needs_compiler
@pytest.mark.parametrize("command", ["count", "check"])
def test_the_program_that_is_kept_can_be_compiled_and_run_by_hand(command: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = run(command, "--json", "--keep-c", kept, EXAMPLES / "bakery.pml", cwd=tmp_path)
    answer = json.loads(done.stdout)
    make, start = (shlex.split(line) for line in (kept / "README").read_text().splitlines() if line.startswith("    "))
    subprocess.run(make, cwd=kept, check=True)
    lines = subprocess.run(start, cwd=kept, check=True, capture_output=True, text=True).stdout.splitlines()
    result = json.loads(lines[-1])
    assert answer["engine"] == "native"
    for figure in ("states", "transitions", "depth"):
        assert result[figure] == answer["statistics"][figure]


@needs_compiler
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    done = run("count", "--keep-c", "/dev/null/kept", LEADER, cwd=tmp_path)
    assert done.returncode == 3
    assert "/dev/null/kept: error: cannot be written: Not a directory" in done.stderr
