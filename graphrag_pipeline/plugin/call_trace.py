"""Telling each call into a plugin while it happens, for whoever asks which plugin did what and when."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from graphrag_pipeline.plugin.causes import cause
from graphrag_pipeline.plugin.hookspecs import PREFIX

T = TypeVar("T")
Write = Callable[[str], object]

_SHOWN = 200


def to_stderr(line: str) -> None:
    """Write a line to standard error, whatever that is at the moment."""
    sys.stderr.write(f"{line}\n")


class CallTrace:
    """Makes calls into plugins, and writes a line about each: what, whose, what came of it, how long.

    Args:
        write: Takes a line; None traces nothing.
    """

    def __init__(self, write: Write | None = None) -> None:
        self._write = write

    def call(self, what: str, plugin: str, function: Callable[..., T], *arguments: object) -> T:
        """Return what a call returns, or raise what it raises.

        Args:
            what: The hook, or ``import``.
            plugin: Name of the plugin.
            function: What is called.
            *arguments: What it is given.
        """
        if self._write is None:
            return function(*arguments)
        started = time.perf_counter()
        try:
            given = function(*arguments)
        except BaseException as error:
            self._tell(what, plugin, f"raised {cause(error)}", started)
            raise
        self._tell(what, plugin, _shown(given) if what.startswith(PREFIX) else "", started)
        return given

    def _tell(self, what: str, plugin: str, outcome: str, started: float) -> None:
        assert self._write is not None
        milliseconds = (time.perf_counter() - started) * 1000
        said = f" -> {outcome}" if outcome else ""
        line = f"plugins: {plugin}: {what}{said} ({milliseconds:.2f} ms)"
        self._write("".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line))


def _shown(given: object) -> str:
    if given is None:
        return ""
    if not isinstance(given, list | tuple):
        return type(given).__name__
    text = f"[{', '.join(map(_name, given))}]"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _name(item: object) -> str:
    # Nothing is known of it yet, and what an object says of itself may be an error.
    return str(item) if isinstance(item, str | Path) else getattr(item, "__name__", type(item).__name__)
