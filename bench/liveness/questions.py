"""What is asked: models with formulas, out of a file in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.common import corpus

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.toml"
OWN_MODELS = HERE.parent / "models"
CLAIM = "asked"
"""The name under which a formula is put into a model."""


@dataclass(frozen=True, slots=True)
class Question:
    """Does the formula hold of the model, on all runs or on weakly fair ones?"""

    model: Path
    formula: str
    fair: bool
    verdict: str
    defines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return " ".join([self.model.name, *self.defines])

    @property
    def label(self) -> str:
        """The model and what is asked of it."""
        return f"{self.name}: {self.formula}" + (" (fair)" if self.fair else "")

    @property
    def group(self) -> str:
        return f"{self.verdict}, {'weak fairness' if self.fair else 'all runs'}"

    def text(self) -> str:
        """The model with the formula in it."""
        return f"{self.model.read_text(errors='replace')}\n\nltl {CLAIM} {{ {self.formula} }}\n"


def read(file: Path, folders: Iterable[Path], only: str) -> list[Question]:
    """The questions about models that are in the folders, or are our own. Raises FileNotFoundError, ValueError."""
    found = corpus.find([*folders, OWN_MODELS], only).models
    models = {path.name: path for path in reversed(found)}
    questions: list[Question] = []
    for entry in tomllib.loads(file.read_text())["question"]:
        for name in entry["models"]:
            if name in models:
                fair, defines = entry.get("fair", False), tuple(entry.get("defines", ()))
                questions.append(Question(models[name], entry["formula"], fair, entry["verdict"], defines))
    return questions
