"""Several processes that work for one: it hands out tasks, and takes what they give.

Each has a pipe of its own. The pools of the standard library share one between all processes, and wait for
ever for one that is killed while it sends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar

from graphrag_pipeline.errors import GraphRAGError, LostProcessError

AHEAD = 4
"""Tasks a process has waiting: answers that nobody has taken yet take memory."""
PATIENCE_S = 5.0
"""Seconds that a process has to end when there is nothing more to do."""

Task = tuple[Any, ...]  # Any: arguments of whatever is called
Found = TypeVar("Found")


@contextmanager
def processes(
    jobs: int, call: Callable[..., Found], hint: str, begin: Callable[..., None], *told: object
) -> Iterator[Processes[Found]]:
    """Give processes while the body runs; they end with it, and with this process, whatever they are doing.

    Args:
        jobs: How many.
        call: What is called with the arguments of each task.
        hint: What to do when one of them is lost.
        begin: Called once in each process.
        told: What it is called with.
    """
    # Spawned, not forked: a fork of a process with threads may wait for ever for a lock.
    context = get_context("spawn")
    held, let_go = context.Pipe(duplex=False)
    workers: list[_Worker] = []
    try:
        with _no_interrupt():
            for _ in range(jobs):
                here, there = context.Pipe()
                process = context.Process(target=_work, args=(there, held, call, begin, told))
                process.start()
                there.close()
                workers.append(_Worker(process, here))
        yield Processes(workers, hint)
        for worker in workers:
            worker.connection.close()
        for worker in workers:
            worker.process.join(PATIENCE_S)
    finally:
        let_go.close()
        for worker in workers:
            worker.process.kill()
            worker.process.join()
            worker.connection.close()
        held.close()


class _Worker:
    """A process, its pipe, and the tasks that it has and has not answered, the first first."""

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self.process, self.connection = process, pipe
        self.waiting: list[int] = []


class Processes(Generic[Found]):
    """Processes that answer tasks.

    Args:
        workers: The processes.
        hint: What to do when one of them is lost.
    """

    def __init__(self, workers: Sequence[_Worker], hint: str) -> None:
        self._workers = workers
        self._hint = hint
        self._ahead = len(workers) * AHEAD
        self._open = 0

    def as_they_come(self, tasks: Iterable[Task]) -> Iterator[Found]:
        """Yield the answers of tasks as they come.

        Raises:
            LostProcessError: A process ended before its time.
        """
        for _, found in self._answers(tasks):
            self._open += 1
            yield found

    def in_order(self, tasks: Iterable[Task]) -> Iterator[Found]:
        """Yield the answers of tasks in the order of the tasks.

        Raises:
            LostProcessError: A process ended before its time.
        """
        early: dict[int, Found] = {}
        for number, answer in self._answers(tasks):
            early[number] = answer
            while self._open in early:
                found = early.pop(self._open)
                self._open += 1
                yield found

    def _answers(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Found]]:
        """Yield number and answer of each task; none is handed out that is far ahead of what was yielded."""
        self._open, left = 0, iter(enumerate(tasks))
        upcoming = next(left, None)
        while True:
            while upcoming is not None and upcoming[0] < self._open + self._ahead:
                if not self._hand_out(*upcoming):
                    break
                upcoming = next(left, None)
            busy = [worker for worker in self._workers if worker.waiting]
            if not busy:
                return
            ready = connection.wait([worker.connection for worker in busy])
            for worker in busy:
                if worker.connection in ready:
                    yield worker.waiting[0], self._taken(worker)

    def _hand_out(self, number: int, task: Task) -> bool:
        """Give a task to the process that has the fewest; tell whether there was one with room."""
        worker = min(self._workers, key=lambda worker: len(worker.waiting))
        if len(worker.waiting) >= AHEAD:
            return False
        try:
            worker.connection.send(task)
        except OSError as error:
            raise self._lost(worker) from error
        worker.waiting.append(number)
        return True

    def _taken(self, worker: _Worker) -> Found:
        try:
            succeeded, found = worker.connection.recv()
        except (EOFError, OSError) as error:
            raise self._lost(worker) from error
        del worker.waiting[0]
        if not succeeded:
            raise found
        answer: Found = found
        return answer

    def _lost(self, worker: _Worker) -> LostProcessError:
        worker.process.join(PATIENCE_S)
        code = worker.process.exitcode
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        return LostProcessError(
            f"A process ended before its time, with {how}.",
            hint="It was killed, ran out of memory, or a plugin ended it. "
            f"{self._hint}; --jobs 1 takes the least memory.",
        )


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back while processes start, which inherit that: it is for the first one to stop them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # It is started with the first process otherwise, and lets signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in a process that works ---------------------------------------------------------------------------


def _work(
    pipe: Connection,
    held: Connection,
    call: Callable[..., object],
    begin: Callable[..., None],
    told: tuple[object, ...],
) -> None:
    # What plugins print must not get between results.
    sys.stdout = sys.stderr
    # Ctrl-C reaches every process of a terminal; the first one stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(held,), name="graphrag-held", daemon=True).start()
    begin(*told)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(_answered(call, task))


def _answered(call: Callable[..., object], task: Task) -> bytes:
    try:
        return bytes(ForkingPickler.dumps((True, call(*task))))
    except Exception as error:  # noqa: BLE001  # the first process raises it
        error.add_note("".join(traceback.format_exception(error)))
        return _told(error)


def _told(error: Exception) -> bytes:
    try:
        return bytes(ForkingPickler.dumps((False, error)))
    except Exception:  # noqa: BLE001  # what it holds may refuse in any way
        told = GraphRAGError(f"A process failed: {type(error).__name__}: {error}")
        return bytes(ForkingPickler.dumps((False, told)))


def _end_with(held: Connection) -> None:
    """End this process as soon as the first one lets go of it, or is no more."""
    try:
        held.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)
