"""The best config of a sweep, and what it is worth on queries that had no part in choosing it."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.halves import Split, choose
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.resampling import Resampling
from graphrag_pipeline.experiment.sweep.results import SweepResults
from graphrag_pipeline.experiment.sweep.standings import Standings, Values, read_values

LOWER_IS_BETTER = ("tokens", "candidates", "context_nodes", "redundancy", "seconds")
"""Measures of which less is better, other things being equal."""


def ranked(found: SweepResults | Standings, measure: str) -> list[int]:
    """Return the places of all points, the best mean first; of equal ones the first stays first.

    A point without a mean comes last.
    """
    means = found.means()[found.measures.index(measure)]
    sign = 1 if measure in LOWER_IS_BETTER else -1
    return sorted(range(len(means)), key=lambda place: (bool(np.isnan(means[place])), sign * means[place]))


def chosen(found: Standings, how: Resampling) -> Split | None:
    """Choose the best point on half A of the queries by each measure, and report it on half B.

    Only measures of which more is better choose.

    Returns:
        What was chosen; None where there is nothing to choose, or no way to split.

    Raises:
        DatasetError: The store is damaged.
    """
    finished = [place for place, point in enumerate(found.points) if point.status != "unfinished"]
    measures = [
        place
        for place, name in enumerate(found.measures)
        if name not in LOWER_IS_BETTER and not np.isnan(found.mean_on_a[place, finished]).any()
    ]
    if len(finished) < 2 or not measures:
        return None
    # The two best of each measure are all that is needed: no other point can be chosen, or come second.
    best = sorted({place for measure in measures for place in _two_best(found, measure, finished)})
    values = read_values(found.directory, [found.points[place].number for place in best])[measures]
    judged = np.asarray(np.isfinite(values).all(axis=(0, 1)))
    scores = Scores(
        tuple(query for query, kept in zip(found.queries, judged.tolist(), strict=True) if kept),
        tuple(str(found.points[place].number) for place in best),
        tuple(found.measures[place] for place in measures),
        values[:, :, judged],
    )
    try:
        return choose(scores, None, how) if scores.queries else None
    except DatasetError:
        return None


def _two_best(found: Standings, measure: int, places: list[int]) -> list[int]:
    """Return the best and the next one that is worse: against an equal one there is nothing to say."""
    means: Values = found.mean_on_a[measure]
    best, *rest = sorted(places, key=lambda place: -means[place])
    return [best, next((place for place in rest if means[place] < means[best]), rest[0])]
