"""Who may ask: only pages of this server, by the address that has the token in it.

A page of somebody else's in the same browser can send requests to this machine; it knows no token, and what it sends
names another origin. A name that was made to point at this machine (DNS rebinding) shows in the Host header.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1 << 20
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self' 'nonce-{nonce}'; "
    "style-src 'self' 'unsafe-inline'; img-src data: blob: 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Guard:
    """Refuses what does not come from our own page, and says so to the browser in the headers of all answers."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app = app
        self.prefix = f"/{token}"
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), text.format(nonce=nonce).encode()) for name, text in HEADERS.items()]
                message["headers"] = [*message.get("headers", ()), *added]
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal:
            status, text = refusal
            await PlainTextResponse(text + "\n", status)(scope, receive, guarded_send)
            return
        inside = {**scope, "path": scope["path"][len(self.prefix) :], "nonce": nonce}
        inside.pop("raw_path", None)
        await self.app(inside, receive, guarded_send)

    def _refusal(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        if headers.get("host") not in self.hosts:
            return 403, "this server answers on this machine only"
        path: str = scope["path"]
        known = secrets.compare_digest(path[: len(self.prefix)].encode(), self.prefix.encode())
        if not known or path[len(self.prefix) : len(self.prefix) + 1] != "/":
            return 403, "use the address that `clew explore` printed: it has a token in it"
        if headers.get("origin") not in (None, *self.origins) or headers.get("sec-fetch-site", "none") == "cross-site":
            return 403, "this request comes from another page"
        length = headers.get("content-length", "0")
        if scope["method"] == "POST" and not (length.isdigit() and int(length) <= LARGEST_BODY):
            return 413, "this request is too large, or does not say how large it is"
        return None
