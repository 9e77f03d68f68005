"""Regular expressions that take time linear in the text, whatever the pattern."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

MAX_PATTERN = 1000
"""Most characters of a pattern."""
MAX_MEMORY = 1 << 20
"""Bytes that a compiled pattern may take."""


@lru_cache(maxsize=256)
def searcher(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a pattern is found somewhere in a text.

    Python's own engine may take time exponential in the text, and both pattern and text may come from
    anybody. RE2 does not (R. Cox, "Regular expression matching can be simple and fast", 2007).

    Raises:
        ValueError: The package is not installed, or the pattern is none that RE2 runs.
    """
    try:
        re2 = import_module("re2")
    except ImportError as error:
        raise ValueError(
            "regex needs the package google-re2, which is not installed: "
            'pip install "graphrag-pipeline[regex]"'
        ) from error
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    try:
        compiled = re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        raise ValueError(
            f"{pattern!r:.60} is no pattern that RE2 runs: {_said(error)}; it knows no look-around and no "
            "references to groups"
        ) from error

    def search(text: str) -> bool:
        try:
            return compiled.search(text) is not None
        except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
            return compiled.search(text.encode("utf-8", "replace").decode("utf-8")) is not None

    return search


def _said(error: BaseException) -> str:
    said = error.args[0] if error.args else error
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
