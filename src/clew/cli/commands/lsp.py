"""`clew lsp`: a language server for editors."""

from __future__ import annotations

import importlib.util
from argparse import Namespace

from clew.cli import status
from clew.cli.console import Console
from clew.core.diagnostics import NOWHERE, InputError
from clew.host.extras import install_command


def run(arguments: Namespace, console: Console) -> int:
    """Speaks the Language Server Protocol on stdin and stdout until the editor says goodbye."""
    if importlib.util.find_spec("pygls") is None:
        raise InputError.at(NOWHERE, "no-pygls", "clew lsp needs pygls", install_command("editor"))
    from clew.editor.server import make_server

    make_server().start_io()
    return status.HOLDS
