"""Real tokens of OpenAI's models, by tiktoken, from tables on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, NoReturn

from pydantic import Field

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.stages.tokens.optional import need

CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
"""The environment variable that names tiktoken's directory of tables."""

_loading = RLock()


class TiktokenParams(Params):
    """Which encoding."""

    encoding: str = Field(default="o200k_base", min_length=1)
    """Name of the encoding: ``o200k_base``, ``cl100k_base``, or one that an installed package adds."""


class Tiktoken(Component[TiktokenParams]):
    """The tokens of an encoding; names of special tokens in the text are counted as the text they are.

    The encoding's table must be on this machine already: in the directory that ``TIKTOKEN_CACHE_DIR``
    names, or in a package that adds encodings. Nothing is downloaded.
    """

    name = "tiktoken"
    Params = TiktokenParams

    def __init__(self, params: TiktokenParams | None = None) -> None:
        super().__init__(params)
        self._encoding = _load(self.params.encoding)

    def count(self, text: str) -> int:
        """Return how many tokens the text is."""
        return len(self._encoding.encode_ordinary(text))


class _NotHereError(Exception):
    """A table would have to be fetched."""


def _load(name: str) -> Any:  # Any: the package is optional
    tiktoken = need("tiktoken", "tiktoken", "tiktoken")
    known = tiktoken.list_encoding_names()
    if name not in known:
        raise PluginError(
            f"tiktoken has no encoding {name!r}.",
            hint=f"counter_params.encoding is one of: {', '.join(known)}.",
        )
    try:
        with _local_only():
            return tiktoken.get_encoding(name)
    except _NotHereError as error:
        directory = os.environ.get(CACHE_VARIABLE)
        raise PluginError(
            f"The table of the encoding {name!r} is not on this machine, and nothing is downloaded.",
            where=f"{CACHE_VARIABLE}={directory}" if directory else f"{CACHE_VARIABLE} is not set",
            hint=f"Point {CACHE_VARIABLE} at a directory where tiktoken has kept the table, "
            "or take counter=scripts, which needs none.",
        ) from error


@contextmanager
def _local_only() -> Iterator[None]:
    """Let tiktoken read files while an encoding loads, and nothing from elsewhere.

    It fetches a table that is not in its directory, and one there that is damaged, without being asked, and
    has no switch against that. All its reading goes through one function, which is replaced meanwhile.
    """
    load = need("tiktoken.load", "tiktoken", "tiktoken")
    with _loading:
        read = load.read_file

        def read_here(path: str) -> bytes:
            if "://" in path:
                _refuse(path)
            data: bytes = read(path)
            return data

        load.read_file = read_here
        try:
            yield
        finally:
            load.read_file = read


def _refuse(path: str) -> NoReturn:
    raise _NotHereError(path)
