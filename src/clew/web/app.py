"""The addresses of the Explorer. Each handler reads the request and asks the session; nothing is decided here."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from clew.core.diagnostics import InputError
from clew.host.crashes import write_crash_report
from clew.report.diagnostics import diagnostic_json
from clew.report.explorer.requests import BadRequest, OutOfDate
from clew.report.explorer.subject import NoSpace, exported, view_of
from clew.report.inline_page import STYLE, VIEWER, page_file
from clew.web.session import Session, check_json

EXPLORER = (
    "explorer.js",
    "server.js",
    "check_panel.js",
    "line_chart.js",
    "trace_panel.js",
    "space_panel.js",
    "state_panel.js",
    "graph_picture.js",
    "graph_panel.js",
)
EXPLORER_STYLE = "explorer.css"
_TYPES = {"js": "text/javascript", "css": "text/css"}

Answer = Callable[[Session, Any], Any]


def application(session: Session) -> Starlette:
    """Answers all requests that the guard lets through."""

    def question(ask: Answer) -> Callable[[Request], Awaitable[Response]]:
        """A handler that reads what was asked (the body of a POST, else the query and path) and runs in a thread."""

        async def handle(request: Request) -> Response:
            wanted: dict[str, Any] = {**request.query_params, **request.path_params}
            if request.method == "POST":
                body = await request.body()
                try:
                    found = json.loads(body or b"{}")
                except ValueError:
                    return _error(400, "the request is not JSON")
                if not isinstance(found, dict):
                    return _error(400, "the request is not a JSON object")
                wanted |= found
            return await run_in_threadpool(_answered, ask, session, wanted, request.url.path)

        return handle

    routes = [
        Route("/", _page),
        Route("/page/{name}", _file),
        Route("/api/about", question(lambda s, _: s.about())),
        Route("/api/status", question(lambda s, _: s.status())),
        Route("/api/reload", question(_reload), methods=["POST"]),
        Route("/api/traces", question(lambda s, _: s.traces_json())),
        Route("/api/traces/{name}", question(_trace)),
        Route("/api/traces/{name}/watch", question(_watch), methods=["POST"]),
        Route("/api/traces/{name}/as/{form}", question(_exported)),
        Route("/api/traces/{name}/walk", question(_along), methods=["POST"]),
        Route("/api/walk", question(_walk), methods=["POST"]),
        Route("/api/path", question(_path), methods=["POST"]),
        Route("/api/grow", question(_grow), methods=["POST"]),
        Route("/api/graph", question(_graph), methods=["POST"]),
        Route("/api/class", question(_class), methods=["POST"]),
        Route("/api/colours", question(_colours), methods=["POST"]),
        Route("/api/automata", question(lambda s, w: s.subject.automata())),
        Route("/api/runs", question(lambda s, w: s.runs_json())),
        Route("/api/checks", question(lambda s, w: s.checks_json()), methods=["GET"]),
        Route("/api/checks", question(lambda s, w: check_json(s.begin_check(w))), methods=["POST"]),
        Route("/api/checks/{number:int}", question(_check)),
        Route("/api/checks/{number:int}/stop", question(_stop), methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={404: _not_found, 405: _not_found})
    app.state.session = session
    return app


def _answered(ask: Answer, session: Session, wanted: dict[str, Any], path: str) -> Response:
    try:
        found = ask(session, wanted)
    except OutOfDate as reason:
        return _error(409, str(reason))
    except (BadRequest, NoSpace) as reason:
        return _error(400, str(reason))
    except InputError as error:
        message = "; ".join(one.message for one in error.diagnostics)
        return _error(422, message, [diagnostic_json(one) for one in error.diagnostics])
    except (KeyError, TypeError, ValueError) as reason:
        return _error(400, f"the request makes no sense: {type(reason).__name__}: {reason}")
    except Exception as error:
        place = write_crash_report(error, ["explore", path])
        summary = " ".join(f"{type(error).__name__}: {error}".split())
        return _error(500, f"internal error: {summary}" + (f" (please report it with {place})" if place else ""))
    return found if isinstance(found, Response) else JSONResponse(found)


def _error(status: int, message: str, diagnostics: list[dict[str, Any]] | None = None) -> Response:
    return JSONResponse({"error": message, "diagnostics": diagnostics or []}, status)


async def _not_found(request: Request, _error_: Exception) -> Response:
    return _error(404, f"there is nothing at {request.url.path}")


async def _page(request: Request) -> Response:
    """The page: an import map, and what starts it."""
    modules = {f"clew/{name}": f"./page/{name}" for name in (*VIEWER, *EXPLORER)}
    title = escape(request.app.state.session.subject.title)
    nonce = request.scope["nonce"]
    return HTMLResponse(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title} · Clew</title>\n"
        f'<link rel="icon" href="data:,">\n<link rel="stylesheet" href="./page/{STYLE}">\n'
        f'<link rel="stylesheet" href="./page/{EXPLORER_STYLE}">\n'
        f'<script type="importmap" nonce="{nonce}">{json.dumps({"imports": modules})}</script>\n</head>\n'
        '<body class="whole">\n<div class="clew" id="explorer"></div>\n'
        f'<script type="module" nonce="{nonce}">import "clew/explorer.js";</script>\n</body>\n</html>\n'
    )


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in (*VIEWER, *EXPLORER, STYLE, EXPLORER_STYLE):
        return _error(404, f"there is no file {name}")
    return PlainTextResponse(page_file(name), media_type=_TYPES[name.rpartition(".")[2]])


# --- traces


def _trace(session: Session, wanted: dict[str, Any]) -> Any:
    trace, about, texts = session.trace(wanted["name"])
    return view_of(trace, texts, about)


def _watch(session: Session, wanted: dict[str, Any]) -> Any:
    trace, _, _ = session.trace(wanted["name"])
    return session.subject.watch_along(trace, str(wanted["text"]))


def _exported(session: Session, wanted: dict[str, Any]) -> Any:
    trace, about, texts = session.trace(wanted["name"])
    form = wanted["form"]
    view = view_of(trace, texts, about, whole=True) if form == "html" else {}
    return PlainTextResponse(exported(trace, form, view), media_type="text/html" if form == "html" else "text/plain")


def _along(session: Session, wanted: dict[str, Any]) -> Any:
    trace, _, _ = session.trace(wanted["name"])
    return session.current(wanted.get("generation")).along(trace, int(wanted["position"]))


# --- states


def _reload(session: Session, _: dict[str, Any]) -> Any:
    session.reload()
    return session.status()


def _walk(session: Session, wanted: dict[str, Any]) -> Any:
    subject = session.current(wanted.get("generation"))
    choices = [int(choice) for choice in wanted.get("choices", ())]
    return subject.walk(int(wanted["start"]), choices, [str(text) for text in wanted.get("watches", ())][:50])


def _path(session: Session, wanted: dict[str, Any]) -> Any:
    return session.current(wanted.get("generation")).path_to(int(wanted["state"]))


def _grow(session: Session, wanted: dict[str, Any]) -> Any:
    return session.current(wanted.get("generation")).grow(int(wanted["most"]))


def _graph(session: Session, wanted: dict[str, Any]) -> Any:
    return session.current(wanted.get("generation")).graph(wanted)


def _colours(session: Session, wanted: dict[str, Any]) -> Any:
    states = [int(number) for number in wanted["states"]]
    return session.current(wanted.get("generation")).colouring(states, str(wanted["by"]))


def _class(session: Session, wanted: dict[str, Any]) -> Any:
    by = [str(part) for part in wanted["by"]]
    return session.current(wanted.get("generation")).class_of(int(wanted["state"]), by)


# --- checks


def _check(session: Session, wanted: dict[str, Any]) -> Any:
    since, thinned = int(wanted.get("since", 0)), int(wanted.get("thinned", 0))
    return check_json(session.check(wanted["number"]), since, thinned)


def _stop(session: Session, wanted: dict[str, Any]) -> Any:
    check = session.check(wanted["number"])
    session.checks.stop(check)
    return check_json(check)
