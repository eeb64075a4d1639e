"""Whoever starts the command may have closed what it writes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.explicit.command import run


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
@pytest.mark.parametrize(("text", "status"), [("active proctype P() { skip }", 0), ("active proctype P() {", 3)])
def test_the_status_is_what_it_always_is(closed: str, text: str, status: int, tmp_path: Path) -> None:
    model = tmp_path / "m.pml"
    model.write_text(text)
    done = run("check", model, cwd=tmp_path, before=("sh", "-c", f'exec "$@" {closed}', "sh"))
    assert done.returncode == status
    assert "Traceback" not in done.stderr
