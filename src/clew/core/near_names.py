"""What somebody meant who wrote a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the known name most like this one, capitals aside; `otherwise` if there is none."""
    from difflib import get_close_matches  # only needed when something is wrong already

    names = {word.casefold(): word for word in known}
    near = get_close_matches(name.casefold(), names, 1)
    return f"did you mean '{names[near[0]]}'?" if near else otherwise
