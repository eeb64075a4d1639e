"""The parser of a command line: how it lays out help, and what it says of a mistake."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn


class UsageError(Exception):
    """The command line makes no sense."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Parser(argparse.ArgumentParser):
    """Reports errors as UsageError (exit status 3) and lays help out for reading."""

    def __init__(self, command: str, operands: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"clew {command}",
            usage=" ".join(f"clew {command} [OPTIONS] {operands}".split()),
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=100),
            allow_abbrev=False,
            add_help=False,
        )
        self._positionals.title = "arguments"

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Like parse_args, but an unknown option is named even if something else is missing, too."""
        for word in words:
            if word == "--":
                break
            name = word.split("=")[0] if word.startswith("--") else word[:2]
            is_option = " " not in word and len(name) > 1 and name[0] == "-" and not name[1].isdigit()
            if is_option and name not in self._option_string_actions:
                self._unknown_option(name)
        return self.parse_intermixed_args(words)

    def _unknown_option(self, name: str) -> NoReturn:
        from difflib import get_close_matches

        close = get_close_matches(name, self._option_string_actions, n=1)
        hint = f"did you mean {close[0]}?" if close else f"{self.prog} --help explains the options"
        raise UsageError(f"{self.prog} has no option {name}", hint)

    def error(self, message: str) -> NoReturn:
        message = message.replace("unrecognized arguments:", "more than this command takes:")
        raise UsageError(message, _near_choice(message) or f"{self.prog} --help explains the options")


def _near_choice(message: str) -> str | None:
    """Of a value that is none of an option's: the one that is written almost like it."""
    import re
    from difflib import get_close_matches

    if not (found := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)):
        return None
    close = get_close_matches(found[1], re.findall(r"[\w-]+", found[2]), n=1)
    return f"did you mean {close[0]}?" if close else None
