"""The contract of a bridge, as the kit of graphrag_pipeline has it."""

from __future__ import annotations

import pytest
from graphrag_lyra_http.bridge import LyraHttp
from graphrag_lyra_http.params import LyraHttpParams

from graphrag_pipeline.testing import BridgeSuite

from .conftest import ANSWER, Handler, Server, says  # noqa: TID252  # a folder with a hyphen has no other name


def _lyra(handler: Handler) -> None:
    """Answer each of the three calls in its own way."""
    thought = handler.path == "/graph-of-thought"
    says(ANSWER if thought else ["lyra.audit"])(handler)


class TestContract(BridgeSuite):
    exceptions = {"test_hash_seeds_change_nothing": "the server that it asks is in this process"}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def _served(self, server: Server) -> None:
        server.behaviours = [_lyra]
        self.url = server.url

    def make(self) -> LyraHttp:
        return LyraHttp(params=LyraHttpParams(base_url=self.url))
