"""Listening on this machine, at an address that nobody can guess."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable

import uvicorn

from clew.web.app import application
from clew.web.guard import Guard
from clew.web.session import Session


def serve(session: Session, port: int, tell: Callable[[str], None]) -> None:
    """Serves until Ctrl-C; `tell` gets the address as soon as it answers. Raises OSError if the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(128)
        port = listening.getsockname()[1]
        token = secrets.token_urlsafe(18)
        guarded = Guard(application(session), token, port)
        config = uvicorn.Config(
            guarded,
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        tell(f"http://127.0.0.1:{port}/{token}/")
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:  # uvicorn passes on the signal that ended it
            pass
        finally:
            session.checks.end_all()
