"""The bridge."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from graphrag_lyra_http.address import Address
from graphrag_lyra_http.answers import ids, thoughts
from graphrag_lyra_http.breaker import Breaker
from graphrag_lyra_http.cassettes import Cassettes, Question
from graphrag_lyra_http.connection import Deadline
from graphrag_lyra_http.exchange import Request, exchange
from graphrag_lyra_http.failures import CallError
from graphrag_lyra_http.params import LyraHttpParams
from graphrag_lyra_http.server import TOKEN, address_of, token, token_fault
from graphrag_lyra_http.waits import backoff
from graphrag_pipeline import Component

T = TypeVar("T")

SHARE = 0.95
"""Part of ``timeout_s`` that a call may take, so that its own error comes before that of the pipeline."""
MODES = {"off": "http", "record": "record", "replay": "replay"}


class LyraHttp(Component[LyraHttpParams]):
    """Asks LYRA over HTTP, or what was kept of earlier answers. It may be shared between threads.

    Args:
        params: Where LYRA is, and how long to wait for it.
    """

    name = "lyra_http"
    Params = LyraHttpParams

    def __init__(self, params: LyraHttpParams | None = None) -> None:
        super().__init__(params)
        self._breaker = Breaker(self.params.breaker_failures, self.params.breaker_reset_s)
        directory = self.params.cassette_dir
        self._cassettes = None if directory is None else Cassettes(Path(directory))
        self.mode = MODES[self.params.cassette_mode]

    def __reduce__(self) -> tuple[type[LyraHttp], tuple[LyraHttpParams]]:
        # A lock cannot be sent to another process; each has its own breaker.
        return type(self), (self.params,)

    @property
    def local(self) -> bool:
        """Whether answers come from files, so that no call can hang."""
        return self.params.cassette_mode == "replay"

    # Any: the pipeline checks the answer entry by entry.
    def graph_of_thought_query(self, query: str, depth: int = 3) -> Mapping[str, Any]:
        """Return the graph of thought of a query.

        Raises:
            CallError: There is no answer.
        """
        question = Question("graph_of_thought_query", {"query": query, "depth": depth})
        return self._answer(question, self.params.query_path, thoughts)

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        """Return ids of the terms that match.

        Raises:
            CallError: There is no answer.
        """
        question = Question("vocab_lookup", {"term": term, "namespace": namespace})
        return self._answer(question, self.params.vocab_path, lambda body: ids(body, "terms"))

    def harmonic_expand(self, concept: str) -> list[str]:
        """Return ids of related concepts.

        Raises:
            CallError: There is no answer.
        """
        question = Question("harmonic_expand", {"concept": concept})
        return self._answer(question, self.params.expand_path, lambda body: ids(body, "concepts"))

    def _answer(self, question: Question, path: str, read: Callable[[bytes], T]) -> T:
        if self._cassettes is not None and self.params.cassette_mode == "replay":
            return read(self._cassettes.find(question))
        body, answer = self._guarded(question, path, read)
        if self._cassettes is not None and self.params.cassette_mode == "record":
            self._cassettes.keep(question, body)
        return answer

    def _guarded(self, question: Question, path: str, read: Callable[[bytes], T]) -> tuple[bytes, T]:
        """Ask behind the breaker."""
        request = self._request(question, path)
        if (wait := self._breaker.wait()) > 0:
            raise CallError(
                f"it failed {self.params.breaker_failures} times in a row and is not asked for {wait:.1f} s",
                where=request.address.origin_url,
            )
        try:
            body = self._asked(request, question.key)
            answer = read(body)
        except CallError as error:
            (self._breaker.failed if error.is_servers else self._breaker.succeeded)()
            raise
        except BaseException:
            self._breaker.told_nothing()
            raise
        self._breaker.succeeded()
        return body, answer

    def _asked(self, request: Request, key: str) -> bytes:
        """Ask, and again where that may help."""
        params = self.params
        all_of_it = Deadline.within(math.inf if params.timeout_s is None else params.timeout_s * SHARE)
        for attempt in range(params.retries + 1):
            try:
                deadline = Deadline(min(all_of_it.at, Deadline.within(params.attempt_timeout_s).at))
                return exchange(request, deadline, params.max_response_bytes)
            except CallError as error:
                if not error.may_pass or attempt == params.retries:
                    raise
                pause = backoff(attempt, params.backoff_s, params.backoff_max_s, params.seed, key)
                pause = max(pause, error.after or 0.0)
                if time.monotonic() + pause >= all_of_it.at:
                    raise  # there would be no time left for another attempt
                time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _request(self, question: Question, path: str) -> Request:
        server = address_of(self.params.base_url)
        if server is None:
            raise CallError("GRAPHRAG_LYRA_URL is not set any more", is_servers=False)
        address = server.below(path)
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "Connection": "close"}
        headers |= {"User-Agent": "graphrag-lyra-http", **self.params.headers, **_authorization(address)}
        if self.params.method == "GET":
            text = urlencode(question.arguments, errors="surrogatepass")
            return Request("GET", Address(*address.origin, f"{address.path}?{text}"), None, headers)
        body = json.dumps(question.arguments).encode("ascii")
        return Request("POST", address, body, {**headers, "Content-Type": "application/json"})


def _authorization(address: Address) -> dict[str, str]:
    secret = token()
    if not secret:
        return {}
    # The params were checked when the config was read; this is where the token leaves.
    if fault := token_fault(address):
        raise CallError(fault, is_servers=False)
    if not secret.isascii() or not secret.isprintable():
        raise CallError(f"{TOKEN} is no token: it must be printable ASCII", is_servers=False)
    if address.scheme != "https" and not address.is_this_machine:
        raise CallError(
            "a token is not sent unencrypted to another machine",
            where=address.origin_url,
            hint=f"Use https://, or take {TOKEN} out of the environment.",
            is_servers=False,
        )
    return {"Authorization": f"Bearer {secret}"}
