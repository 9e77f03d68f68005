"""Telling a person at a terminal that something is going on."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PERIOD = 0.5
"""Seconds between two signs of life."""


@contextmanager
def shown(what: str) -> Iterator[None]:
    """Show ``what`` and the seconds that passed while the body runs, where standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    stream, started, done = sys.stderr, time.monotonic(), threading.Event()

    def tell() -> None:
        while not done.wait(PERIOD):
            stream.write(f"\r{what}: {time.monotonic() - started:.0f} s")
            stream.flush()

    thread = threading.Thread(target=tell, name="graphrag-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        stream.write("\r\x1b[K")
        stream.flush()
