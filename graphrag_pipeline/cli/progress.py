"""Telling a person at a terminal that something is going on."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PERIOD = 0.2
"""Seconds between two signs of life."""
WIDTH = 30
"""Cells of the bar."""


@contextmanager
def shown(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show ``what`` and the seconds that passed while the body runs, where standard error is a terminal.

    The body is given a function to call with how much is done and how much there is; once it has been
    called, a bar is shown too.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    stream, started, stop = sys.stderr, time.monotonic(), threading.Event()
    state = [0, 0]

    def report(done: int, total: int) -> None:
        state[:] = done, total

    def tell() -> None:
        while not stop.wait(PERIOD):
            stream.write(f"\r{line(what, state[0], state[1], time.monotonic() - started)}\x1b[K")
            stream.flush()

    thread = threading.Thread(target=tell, name="graphrag-progress", daemon=True)
    thread.start()
    try:
        yield report
    finally:
        stop.set()
        thread.join()
        stream.write("\r\x1b[K")
        stream.flush()


def line(what: str, done: int, total: int, seconds: float) -> str:
    """Return the line that is shown: with a bar when ``total`` is known, above 0."""
    if not total:
        return f"{what}: {seconds:.0f} s"
    filled = WIDTH * min(done, total) // total
    bar = "█" * filled + "░" * (WIDTH - filled)
    return f"{what}: {bar} {100 * min(done, total) // total} % of {total:,} records, {seconds:.0f} s"
