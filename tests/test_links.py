"""Links between the texts of the repository: the file is there, and so is the heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md"), *ROOT.glob("examples/*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")


def headings(text: Path) -> set[str]:
    """What follows `#` in a link to a heading, as forges make it."""
    titles = re.findall(r"^#+ (.*)$", text.read_text("utf-8"), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").lower() for title in titles)
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in plain}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text.relative_to(ROOT)))
def test_links_lead_somewhere(text: Path) -> None:
    for path, heading in LINK.findall(text.read_text("utf-8")):
        target = (text.parent / path) if path else text
        assert target.exists(), f"{path} is not there"
        if heading and target.suffix == ".md":
            assert heading in headings(target), f"{path} has no heading #{heading}"
