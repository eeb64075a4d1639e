"""Never claims in files of their own, put behind the text of a model, whose macros and names they see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from clew.core.diagnostics import InputError
from clew.frontends.promela import syntax as ast

_NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE)


class ClaimFiles:
    """`automata`: the files that are none, but automata in another format."""

    def __init__(self, monitors: Sequence[tuple[str, str]]) -> None:
        self.claims = [(path, text) for path, text in monitors if _is_claim(text)]
        self.automata = [(path, text) for path, text in monitors if not _is_claim(text)]

    def behind(self, text: str) -> str:
        """The text of the model with the claims behind it."""
        return text + "".join(f'\n#line 1 "{path}"\n{claim}\n' for path, claim in self.claims)

    def settled(self, model: ast.Model, path: str, text: str) -> ast.Model:
        """The model with claims that are named after their files. Raises InputError for a file with anything else."""
        if not self.claims:
            return model
        named = [self._named(unit) for unit in model.units]
        files = [(name, text if name == path else known) for name, known in model.files]
        return replace(model, units=tuple(named), files=(*files, *self.claims))

    def _named(self, unit: ast.Unit) -> ast.Unit:
        if not any(unit.span.file == path for path, _ in self.claims):
            return unit
        if not isinstance(unit, ast.Never):
            raise InputError.at(unit.span, "promela-syntax", "a file with a never claim has nothing beside it")
        return replace(unit, name=Path(unit.span.file).name)


def _is_claim(text: str) -> bool:
    return _NOT_CODE.sub("", text).lstrip().startswith("never")
