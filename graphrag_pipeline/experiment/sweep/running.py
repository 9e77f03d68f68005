"""Running a sweep: what has no rows yet is answered, and written query by query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.experiment.messages import say
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.sweep.answering import unanswered
from graphrag_pipeline.experiment.sweep.jobs import Task, in_processes, in_turn
from graphrag_pipeline.experiment.sweep.store import Store
from graphrag_pipeline.experiment.sweep.workshop import Workshop

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sweep takes.

    Args:
        configs: How many configs there are.
        distinct: How many of them differ in what the measures see.
        queries: How many queries each answers.
        separate: Executions of stages when each config runs by itself.
        shared: Executions of stages with each distinct one run once.
        left: Of ``shared``, those that are not done yet.
        graphs: How many graphs the configs run on.
    """

    configs: int
    distinct: int
    queries: int
    separate: int
    shared: int
    left: int
    graphs: int

    @property
    def saved(self) -> float:
        """How many times fewer executions sharing takes."""
        return self.separate / self.shared if self.shared else 1.0


def plan_of(workshop: Workshop, tasks: Sequence[Task] | None = None) -> Plan:
    """Return what a sweep takes, and what is left of it.

    Args:
        workshop: Its configs.
        tasks: What is not done yet; None when nothing is.
    """
    questions = workshop.dataset.questions
    groups = workshop.groups
    every = [(group, query) for group in range(len(groups)) for query in range(len(questions))]
    executions = {task: groups[task[0]].executions(questions[task[1]]) for task in every}
    return Plan(
        configs=sum(len(group.points) for group in groups),
        distinct=sum(group.distinct for group in groups),
        queries=len(questions),
        separate=len(questions) * sum(group.stages for group in groups),
        shared=sum(executions.values()),
        left=sum(executions[task] for task in (every if tasks is None else tasks)),
        graphs=len(groups),
    )


def open_tasks(workshop: Workshop, store: Store) -> list[Task]:
    """Return the queries that a config of a group has no row for, by group, in the order of the set."""
    queries = range(len(workshop.dataset.questions))
    done = [store.done(query) for query in queries]
    return [
        (place, query)
        for place, group in enumerate(workshop.groups)
        for query in queries
        if not done[query].issuperset(group.points)
    ]


def run(
    request: Request,
    workshop: Workshop,
    points: Sequence[SweepPoint],
    store: Store,
    tasks: Sequence[Task],
    *,
    jobs: int,
    progress: Progress,
) -> int:
    """Answer queries, and write what they gave; return how many executions of stages it took.

    Args:
        request: The sweep.
        workshop: The configs.
        points: The same, as another process is told of them.
        store: Where rows go; each query is written whole or not at all.
        tasks: What to answer.
        jobs: How many processes answer; 1 means this one.
        progress: Told how many queries are done, of how many.
    """
    total, executions = len(tasks), 0
    parallel = jobs > 1 and total > 1
    answers = in_processes(request, points, tasks, min(jobs, total)) if parallel else in_turn(workshop, tasks)
    try:
        for done, answer in enumerate(answers, start=1):
            _, query = answer.task
            say(answer.messages)
            store.write(query, unanswered(answer.rows, store.done(query)))
            executions += answer.executions
            progress(done, total)
    finally:
        answers.close()  # ends the processes, also after Ctrl-C
    return executions
