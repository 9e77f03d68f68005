"""Answering queries in several processes; one of them writes."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.experiment.messages import Message, Messages
from graphrag_pipeline.experiment.processes import processes
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.sweep.store import StoredRow
from graphrag_pipeline.experiment.sweep.workshop import Workshop, space_of

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
        LostProcessError: A process ended before its time.
    """
    hint = "The same command goes on where it stopped"
    with processes(jobs, _in_process, hint, _begin, request, points) as pool:
        yield from pool.as_they_come((task,) for task in tasks)


@dataclass(frozen=True, slots=True)
class _Process:
    """What a process of a pool has."""

    workshop: Workshop
    messages: Messages


_here: list[_Process] = []
"""The one entry of a process of a pool; empty in any other."""


def _begin(request: Request, points: Sequence[SweepPoint]) -> None:
    # What making the configs says, the first process has said already.
    messages = Messages.kept()
    host = request.host()
    workshop = Workshop(request, space_of(request, host), host, points)
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
