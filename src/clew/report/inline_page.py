"""One self-contained HTML file around the trace viewer: no server, no network, nothing beside it.

The modules of `page/` name each other as `clew/NAME.js`. A server maps these names to its own addresses; here an import
map holds the modules themselves.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib import resources
from typing import Any

VIEWER = (
    "dom.js",
    "theme.js",
    "trace_data.js",
    "rows.js",
    "timeline.js",
    "steps_list.js",
    "variables_table.js",
    "sequence_chart.js",
    "source_view.js",
    "exports.js",
    "trace_view.js",
)
STYLE = "page.css"
POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:"


@cache
def page_file(name: str) -> str:
    """The text of a file of the viewer."""
    return resources.files("clew.report").joinpath("page", name).read_text(encoding="utf-8")


def import_map() -> str:
    """A `<script type="importmap">` with the viewer's modules in it."""
    modules = {
        f"clew/{name}": "data:text/javascript;base64," + base64.b64encode(page_file(name).encode()).decode()
        for name in VIEWER
    }
    return f'<script type="importmap">{_in_script({"imports": modules})}</script>'


def mounted_view(view: Mapping[str, Any], name: str, **options: bool | str) -> str:
    """A trace view inside a page that has the import map and the style: the place, the data, and what joins them.
    `name` is unique in the page; `options` are those of `mountTraceView`."""
    return (
        f'<div class="clew" id="{name}"></div>\n'
        f'<script type="application/json" id="{name}-data">{_in_script(view)}</script>\n'
        f'<script type="module">import {{ mountTraceView }} from "clew/trace_view.js";\n'
        f'mountTraceView(document.getElementById("{name}"), '
        f'JSON.parse(document.getElementById("{name}-data").textContent), {_in_script(options)});</script>\n'
    )


def page(title: str, body: Iterable[str], classes: str = "") -> str:
    """A whole HTML page with the style and the modules of the viewer; `body` is HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{page_file(STYLE)}</style>\n{import_map()}\n</head>\n"
        f'<body class="{escape(classes)}">\n{"".join(body)}</body>\n</html>\n'
    )


def trace_page(view: Mapping[str, Any]) -> str:
    """A page with nothing but a trace."""
    about = f"{view['title']}: {view['property']}" if view["property"] else str(view["title"])
    return page(about, [mounted_view(view, "trace")], "whole")


def _in_script(data: Any) -> str:
    """JSON that may stand in a script element: nothing in it ends the element or opens a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
