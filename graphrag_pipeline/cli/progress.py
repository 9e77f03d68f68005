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
def shown(what: str, noun: str = "records", *, rate: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show ``what`` and the seconds that passed while the body runs, where standard error is a terminal.

    The body is given a function to call with how much is done and how much there is; once it has been
    called, a bar is shown too.

    Args:
        what: What is going on.
        noun: What is counted.
        rate: Whether the bar tells how many of them are done in a second, and how long the rest will take.
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
            text = line(what, state[0], state[1], time.monotonic() - started, noun, rate=rate)
            stream.write(f"\r{text}\x1b[K")
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


def line(
    what: str, done: int, total: int, seconds: float, noun: str = "records", *, rate: bool = False
) -> str:
    """Return the line that is shown: with a bar when ``total`` is known, above 0; see :func:`shown`."""
    if not total:
        return f"{what}: {seconds:.0f} s"
    filled = WIDTH * min(done, total) // total
    bar = "█" * filled + "░" * (WIDTH - filled)
    text = f"{what}: {bar} {100 * min(done, total) // total} % of {total:,} {noun}, {seconds:.0f} s"
    if not rate or not done or seconds <= 0:
        return text
    return f"{text}, {done / seconds:.3g} a second, {max(total - done, 0) * seconds / done:.0f} s to go"
