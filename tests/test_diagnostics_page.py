"""docs/diagnostics.md: every code that the front-ends can give is there, and every example gives its code."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from clew.cli.main import main

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "diagnostics.md").read_text()
SECTIONS = dict(re.findall(r"^### (\S+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
CODES = set(
    re.findall(
        r'"((?:promela|relational)-[a-z-]+)"',
        "".join(path.read_text() for path in sorted((ROOT / "src" / "clew" / "frontends").rglob("*.py"))),
    )
)
WITHOUT_EXAMPLE = {
    "promela-file",  # about a file, not a text
    "promela-internal",  # cannot be reached by a model, as far as is known
    "promela-nesting",  # hundreds of levels
    "promela-switch",  # of an option, which the command line refuses before
    "relational-export",  # of `clew convert`
    "relational-switch",  # of an option
}
INSTEAD = {  # what lint says of the example: the parser or the types are before the stage that gives the code
    **{
        f"promela-{name}": "promela-syntax" for name in ("break", "empty", "exclusive", "late-channel", "ltl", "select")
    },
    "promela-event": "promela-message-length",
}
SUFFIX = {"promela": ".pml", "relational": ".rel"}


def test_every_code_is_documented_and_no_other() -> None:
    assert set(SECTIONS) == CODES


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_fix(code: str) -> None:
    assert re.search(r"^Fix: \S", SECTIONS[code], re.MULTILINE) or code == "promela-internal"


@pytest.mark.parametrize("code", sorted(CODES - WITHOUT_EXAMPLE))
def test_the_example_gives_the_code(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.search(r"^```(promela|relational)\n(.*?)^```", SECTIONS[code], re.MULTILINE | re.DOTALL)
    assert found is not None, f"{code} has no example"
    options = re.search(r"^With `(.*)`:", SECTIONS[code], re.MULTILINE)
    path = tmp_path / f"m{SUFFIX[found[1]]}"
    path.write_text(found[2])
    main(["lint", "--json", *shlex.split(options[1] if options else ""), str(path)])
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert INSTEAD.get(code, code) in {d["code"] for d in diagnostics}
