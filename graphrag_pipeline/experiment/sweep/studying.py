"""Letting a sampler choose configs: it proposes some, is told what they are worth, and proposes again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrag_pipeline.config.sweep_space import SweepPoint
from graphrag_pipeline.experiment.sweep.conducting import Conductor
from graphrag_pipeline.experiment.sweep.running import Progress
from graphrag_pipeline.experiment.sweep.samplers import Sampler, measure_of
from graphrag_pipeline.experiment.sweep.standings import Standings, read_standings


def study(
    conductor: Conductor,
    sampler: Sampler,
    objectives: Sequence[str],
    *,
    batch: int,
    jobs: int,
    progress: Progress,
) -> int:
    """Run what a sampler proposes until it has no more, and return how many executions of stages it took.

    Args:
        conductor: The sweep; its store is open.
        sampler: What proposes.
        objectives: Names of the measures that the sampler is told, each with its sign.
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
            sampler.tell(point, _worth(found, point, objectives))
    return executions


def _worth(found: Standings, point: SweepPoint, objectives: Sequence[str]) -> list[float] | None:
    """Return the value of each objective; None when a query failed, or there is no value."""
    place = next(place for place, known in enumerate(found.points) if known.number == point.number)
    if found.points[place].failed:
        return None
    means = found.means()[:, place]
    values = [
        found.points[place].seconds if name == "seconds" else float(means[found.measures.index(name)])
        for name in map(measure_of, objectives)
    ]
    return None if np.isnan(values).any() else values
