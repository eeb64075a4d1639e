"""Implementations of `cache.py` to be tested against it: plain, asynchronous, with threads, and behind HTTP.

    clew test examples/python/cache.py --against examples/python/cache_service.py:Correct
    clew test examples/python/cache.py --against examples/python/cache_service.py:Forgetful
    clew test examples/python/cache.py --against examples/python/cache_service.py:ForgetfulService

`Forgetful` has a bug: what was written and not yet stored is lost when the cache is emptied.
"""

import asyncio
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from clew.testing import Adapter


class Cache:
    """Writes go to the cache, and to the store when the cache is emptied."""

    def __init__(self, forgetful=False):
        self.forgetful = forgetful
        self.store, self.cache = {}, {}

    def write(self, key, value):
        self.cache[key] = value

    def evict(self):
        if not self.forgetful:
            self.store.update(self.cache)
        self.cache.clear()

    def read(self, key):
        return self.cache.get(key, self.store.get(key, 0))


class Correct(Adapter):
    forgetful = False

    def begin(self):
        self.cache = Cache(self.forgetful)

    def Write(self, key, value):
        self.cache.write(key, value)

    def Evict(self):
        self.cache.evict()

    def Read(self, key):
        return "Got", self.cache.read(key)


class Forgetful(Correct):
    forgetful = True


class WithThreads(Correct):
    """Answers come later, from another thread."""

    def Read(self, key):
        threading.Thread(target=lambda: self.told("Got", self.cache.read(key))).start()


class Asynchronous(Correct):
    async def Write(self, key, value):
        await asyncio.sleep(0)
        self.cache.write(key, value)

    async def Read(self, key):
        asyncio.get_running_loop().call_soon(lambda: self.told("Got", self.cache.read(key)))


class Service(Correct):
    """The cache as a service: a server in this process, requests over a socket."""

    server = None

    def begin(self):
        self.end()
        cache = Cache(self.forgetful)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                name, *args = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = json.dumps(getattr(cache, name)(*args)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def end(self):
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def ask(self, *words):
        url = f"http://127.0.0.1:{self.server.server_port}/"
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(words).encode())) as answer:
            return json.load(answer)

    def Write(self, key, value):
        self.ask("write", key, value)

    def Evict(self):
        self.ask("evict")

    def Read(self, key):
        return "Got", self.ask("read", key)


class ForgetfulService(Service):
    forgetful = True
