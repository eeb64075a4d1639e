"""Loading the model of a run from the texts saved in it."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path

from clew.core.diagnostics import InputError, Span
from clew.core.registry import LoadedModel
from clew.host.checking import ModelOptions, load_model
from clew.host.runs import Run


def load_saved_model(run: Run) -> LoadedModel:
    """The model as it was when it was checked; the original file is not needed. Raises InputError.

    Saved texts keep their places relative to each other, so that reading them from the folder of the run finds the
    same includes under the same names."""
    description = run.options()
    options = ModelOptions.from_json(description.get("options", {}))
    root = run.folder / "model"
    if not root.is_dir():
        raise InputError.at(Span(str(run.folder), 0), "damaged-run", "the run has no model text")
    main = str(run.main_file().relative_to(root))
    folders = sorted({str(Path(place).parent) for place in description.get("files", {}).values()})
    language = description.get("language") or options.language
    saved = description.get("files", {})
    composed = tuple(str(saved.get(name, name)) for name in options.composed)
    monitors = tuple(str(saved.get(name, name)) for name in options.monitors)
    include = (*options.include, *folders)
    options = dataclasses.replace(options, language=language, include=include, composed=composed, monitors=monitors)
    with contextlib.chdir(root):
        return load_model(main, options)


def original_names(run: Run) -> dict[str, str]:
    """From the names of saved texts to the names they had when they were checked."""
    return {place: name for name, place in run.options().get("files", {}).items()}
