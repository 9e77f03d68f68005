"""The best config of a sweep, and what it is worth on queries that had no part in choosing it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.halves import Split, choose
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.resampling import Resampling
from graphrag_pipeline.experiment.sweep.results import SweepResults

LOWER_IS_BETTER = ("tokens", "candidates", "context_nodes", "redundancy", "seconds")
"""Measures of which less is better, other things being equal."""


def ranked(found: SweepResults, measure: str) -> list[int]:
    """Return the places of all points, the best mean first; of equal ones the first stays first.

    A point without a mean comes last.
    """
    means = found.means()[found.measures.index(measure)]
    sign = 1 if measure in LOWER_IS_BETTER else -1
    return sorted(range(len(means)), key=lambda place: (bool(np.isnan(means[place])), sign * means[place]))


def chosen(found: SweepResults, how: Resampling) -> Split | None:
    """Choose the best point on half A of the queries by each measure, and report it on half B.

    Returns:
        What was chosen; None where there is nothing to choose, or no way to split.
    """
    finished = [place for place, point in enumerate(found.points) if point.status != "unfinished"]
    if len(finished) < 2:
        return None
    values = found.values[:, finished]
    places = [
        place
        for place, name in enumerate(found.measures)
        if name not in LOWER_IS_BETTER and not np.isnan(values[place]).all()
    ]
    judged: NDArray[np.bool_] = np.asarray(np.isfinite(values[places]).all(axis=(0, 1)))
    if not places or not judged.any():
        return None
    scores = Scores(
        tuple(query for query, kept in zip(found.queries, judged.tolist(), strict=True) if kept),
        tuple(str(found.points[place].number) for place in finished),
        tuple(found.measures[place] for place in places),
        values[places][:, :, judged],
    )
    try:
        return choose(scores, None, how)
    except DatasetError:
        return None
