"""A real server on this machine, which fails in any way that a test asks for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from graphrag_lyra_http.bridge import LyraHttp
from graphrag_lyra_http.params import LyraHttpParams

ANSWER = {
    "nodes": [{"node_id": "lyra.audit", "node_type": "concept", "label": "Audit (LYRA)"}],
    "edges": [],
    "paths": [["lyra.audit"]],
}


@dataclass
class Asked:
    """A request as the server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Behaviour = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Does what the next behaviour says; the last one is repeated."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        self._answer(self.rfile.read(size))

    def do_GET(self) -> None:
        self._answer(b"")

    def _answer(self, body: bytes) -> None:
        server = self.server
        headers = {name.lower(): value for name, value in self.headers.items()}
        server.asked.append(Asked(self.command, self.path, headers, body))
        behaviour = server.behaviours.pop(0) if len(server.behaviours) > 1 else server.behaviours[0]
        self.close_connection = True
        behaviour(self)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server with a script; threads that still write when a test ends are let go."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviours: list[Behaviour] = [says(ANSWER)]
        self.asked: list[Asked] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is what some tests want."""


def sends(body: bytes, status: int = 200, kind: str | None = "application/json", **headers: str) -> Behaviour:
    """Send a body of any kind."""

    def behave(handler: Handler) -> None:
        handler.send_response(status)
        if kind is not None:
            handler.send_header("Content-Type", kind)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def says(value: object, status: int = 200, **headers: str) -> Behaviour:
    """Send JSON."""
    return sends(json.dumps(value).encode(), status, **headers)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHRAG_LYRA_TOKEN", raising=False)
    monkeypatch.delenv("GRAPHRAG_LYRA_URL", raising=False)


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts a token, and the server it is for, into the environment."""

    def given(url: str, value: str = "t0") -> None:
        monkeypatch.setenv("GRAPHRAG_LYRA_TOKEN", value)
        monkeypatch.setenv("GRAPHRAG_LYRA_URL", url)

    return given


@pytest.fixture
def make(server: Server) -> Callable[..., LyraHttp]:
    """Makes bridges to the server, which wait next to nothing between attempts."""

    def made(**params: object) -> LyraHttp:
        given = {"base_url": server.url, "backoff_s": 0.001, **params}
        return LyraHttp(params=LyraHttpParams.model_validate(given))

    return made
