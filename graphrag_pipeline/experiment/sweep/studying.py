"""Letting a sampler choose configs: it proposes some, is told what they are worth, and proposes again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.halves import can_split
from graphrag_pipeline.experiment.sweep.conducting import Conductor
from graphrag_pipeline.experiment.sweep.running import Progress
from graphrag_pipeline.experiment.sweep.samplers import Sampler, measure_of
from graphrag_pipeline.experiment.sweep.standings import Standings, read_standings


def study(
    conductor: Conductor,
    sampler: Sampler,
    objectives: Sequence[str],
    *,
    half_a: bool = True,
    batch: int,
    jobs: int,
    progress: Progress,
) -> int:
    """Run what a sampler proposes until it has no more, and return how many executions of stages it took.

    Args:
        conductor: The sweep; its store is open.
        sampler: What proposes.
        objectives: Names of the measures that the sampler is told, each with its sign.
        half_a: Whether it is told what points are worth on half A of the queries, so that half B has no
            part in any choice; else on all.
        batch: How many configs it proposes at a time.
        jobs: How many processes answer queries.
        progress: Told how many queries are done, of how many of the batch.
    """
    executions = 0
    while points := sampler.ask(batch):
        prepared = conductor.prepare(points)
        tasks, _ = conductor.open_tasks(prepared)
        executions += conductor.run(prepared, tasks, jobs=jobs, progress=progress)
        found = read_standings(conductor.directory)
        for point in points:
            sampler.tell(point, worth(found, point, objectives, half_a=half_a))
    return executions


def holds_back_half(judged: Judged) -> bool:
    """Tell whether a study can be told of half A alone: both halves have a query with something to find.

    Where no query has, both halves must have a query.
    """
    every = [question.query_id for question in judged.dataset.questions]
    known = judged.qrels.relevance
    with_gold = [query for query in every if any(grade > 0 for grade in known.get(query, {}).values())]
    return can_split(with_gold or every)


def worth(
    found: Standings, point: SweepPoint, objectives: Sequence[str], *, half_a: bool
) -> list[float] | None:
    """Return the value of each objective; None when a query failed, or there is no value.

    Args:
        found: What the sweep found so far.
        point: One of its points.
        objectives: Names of measures, each with its sign.
        half_a: Whether to look at half A of the queries alone.
    """
    place = next(place for place, known in enumerate(found.points) if known.number == point.number)
    means = found.mean_on_a if half_a else found.mean
    failed = int(found.failed_on_a[place]) if half_a else found.points[place].failed
    seconds = float(found.seconds_on_a[place]) if half_a else found.points[place].seconds
    if failed:
        return None
    values = [
        seconds if name == "seconds" else float(means[found.measures.index(name), place])
        for name in map(measure_of, objectives)
    ]
    return None if np.isnan(values).any() else values
