"""`clew convert`: the same system in another language."""

from __future__ import annotations

import json
from argparse import Namespace

from clew.cli import status
from clew.cli.console import Console
from clew.cli.output import write_answer
from clew.cli.requests import model_options
from clew.core.diagnostics import InputError, Span
from clew.core.registry import converter
from clew.host.checking import load_model, main_file

SCHEMA = "clew.conversion/1"


def run(arguments: Namespace, console: Console) -> int:
    model = load_model(arguments.file, model_options(arguments))
    convert = converter(model.language, arguments.to)
    if convert is None:
        message = f"cannot be converted: {model.language} to {arguments.to}"
        raise InputError.at(Span(main_file(model), 0), "no-conversion", message)
    text = convert(model.view)
    if arguments.json:
        answer = {
            "schema": SCHEMA,
            "model": arguments.file,
            "language": model.language,
            "to": arguments.to,
            "text": text,
        }
        text = json.dumps(answer, indent=2, ensure_ascii=False)
    write_answer(text, arguments.output, console)
    return status.HOLDS
