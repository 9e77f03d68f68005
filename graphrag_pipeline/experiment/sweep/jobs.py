"""Answering queries in several processes; one of them writes."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context

from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.experiment.sweep.messages import Message, Messages
from graphrag_pipeline.experiment.sweep.request import Request, Workshop
from graphrag_pipeline.experiment.sweep.store import StoredRow

AHEAD = 4
"""Queries a process has waiting: rows that nobody has written yet take memory."""

Task = tuple[int, int]
"""A group, and the place of a query."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a task gave.

    Args:
        task: The task.
        rows: A row for every config of the group.
        executions: How many executions of stages it took.
        messages: What the library said in another process.
    """

    task: Task
    rows: Sequence[StoredRow]
    executions: int
    messages: tuple[Message, ...] = ()


def in_turn(workshop: Workshop, tasks: Iterable[Task]) -> Generator[Answer, None, None]:
    """Yield the answers of tasks, one after the other, in this process."""
    for task in tasks:
        yield _answered(workshop, task)


def in_processes(
    request: Request, points: Sequence[SweepPoint], tasks: Iterable[Task], jobs: int
) -> Generator[Answer, None, None]:
    """Yield the answers of tasks as they come, from several processes.

    Each makes the configs for itself; a compiled graph that is kept on disk is mapped into memory, and so
    the same memory for all.

    Raises:
        GraphRAGError: A process ended before its time.
    """
    # Spawned, not forked: a fork of a process with threads may wait for ever for a lock.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (request, points))
    waiting: set[Future[Answer]] = set()
    try:
        for task in tasks:
            waiting.add(pool.submit(_in_process, task))
            if len(waiting) >= jobs * AHEAD:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    except BrokenProcessPool as error:
        raise GraphRAGError(
            "A process of the sweep ended before its time: it was killed, or ran out of memory.",
            hint="The same command goes on where it stopped; --jobs 1 takes the least memory.",
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Process:
    """What a process of a pool has."""

    workshop: Workshop
    messages: Messages


_here: list[_Process] = []
"""The one entry of a process of a pool; empty in any other."""


def _begin(request: Request, points: Sequence[SweepPoint]) -> None:
    # Ctrl-C reaches every process of a terminal; the first one stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What making the configs says, the first process has said already.
    messages = Messages.kept()
    host = request.host()
    workshop = Workshop(request, request.space(host), host, points)
    messages.taken()
    _here.append(_Process(workshop, messages))


def _in_process(task: Task) -> Answer:
    [here] = _here
    return replace(_answered(here.workshop, task), messages=here.messages.taken())


def _answered(workshop: Workshop, task: Task) -> Answer:
    group, query = task
    answering = workshop.answering(group)
    before = answering.executions
    rows = answering.rows(query)
    return Answer(task, rows, answering.executions - before)
