"""Several processes that work for one: it hands out tasks, and takes what they give."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from graphrag_pipeline.errors import LostProcessError

AHEAD = 4
"""Tasks a process has waiting: answers that nobody has taken yet take memory."""


@contextmanager
def processes(
    jobs: int, hint: str, begin: Callable[..., None], *told: object
) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes while the body runs; afterwards they end at once, whatever they are doing.

    Args:
        jobs: How many.
        hint: What to do when one of them is lost.
        begin: Called once in each process.
        told: What it is called with.

    Raises:
        LostProcessError: A process ended before its time.
    """
    # Spawned, not forked: a fork of a process with threads may wait for ever for a lock.
    context = get_context("spawn")
    held, let_go = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _begin, (held, begin, told))
    try:
        yield pool
        pool.shutdown()
    except BrokenProcessPool as error:
        raise LostProcessError(
            "A process ended before its time: it was killed, ran out of memory, or a plugin ended it.",
            hint=f"{hint}; --jobs 1 takes the least memory.",
        ) from error
    finally:
        let_go.close()
        pool.shutdown(cancel_futures=True)
        held.close()


def _begin(held: Connection, begin: Callable[..., None], told: tuple[object, ...]) -> None:
    # What plugins print must not get between results.
    sys.stdout = sys.stderr
    # Ctrl-C reaches every process of a terminal; the first one stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(held,), name="graphrag-held", daemon=True).start()
    begin(*told)


def _end_with(held: Connection) -> None:
    """End this process as soon as the first one lets go of it, or is no more."""
    try:
        held.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
