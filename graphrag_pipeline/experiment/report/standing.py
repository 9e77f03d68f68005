"""The configs of a sweep in order, by one measure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.corrections import holm
from graphrag_pipeline.experiment.halves import Choice, Split, choose
from graphrag_pipeline.experiment.letters import letters
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.recorded import SWEEP
from graphrag_pipeline.experiment.resampling import Interval, Resampling, mean_interval, randomisation_p
from graphrag_pipeline.experiment.statistics import ALPHA
from graphrag_pipeline.experiment.sweep.results import SweepResults
from graphrag_pipeline.experiment.sweep.selection import LOWER_IS_BETTER

SHOWN = 50
"""Configs in the leaderboard; the file to download has all."""
LETTERED = 15
"""Configs that are compared pair by pair; with more, no number of draws would show any difference."""
HOW = Resampling()


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A sweep by one measure.

    Args:
        results: The sweep.
        measure: The measure.
        place: Its place among the measures.
        judged: Places of the queries that any config has a value for.
        order: Places of the configs that have a value for all of these, the best first; ties keep order.
        means: Means by measure and config.
    """

    results: SweepResults
    measure: str
    place: int
    judged: NDArray[np.int64]
    order: tuple[int, ...]
    means: NDArray[np.float64]

    @property
    def values(self) -> NDArray[np.float64]:
        """Values by config and judged query."""
        found: NDArray[np.float64] = self.results.values[self.place][:, self.judged]
        return found

    @property
    def lower(self) -> bool:
        """Whether less is better."""
        return self.measure in LOWER_IS_BETTER

    def name(self, point: int) -> str:
        """Return what a config is called."""
        return str(self.results.points[point].number)


def ranking(results: SweepResults, measure: str | None) -> Ranking:
    """Rank the configs; the larger the value, the better, but for measures of what is spent.

    Raises:
        DatasetError: The sweep has no such measure, or none at all.
    """
    if not results.measures:
        raise DatasetError("The sweep has no measure.", where=str(results.directory))
    wanted = results.measures[0] if measure is None else measure
    if wanted not in results.measures:
        raise DatasetError(
            f"The {SWEEP.rpartition(' ')[2]} has no measure {wanted!r}.",
            where="--measure",
            hint=f"It has {', '.join(results.measures)}.",
        )
    place = results.measures.index(wanted)
    there = ~np.isnan(results.values[place])
    judged = np.flatnonzero(there.any(axis=0))
    means = results.means()
    whole = [
        point
        for point, entry in enumerate(results.points)
        if entry.status != "unfinished" and judged.size and there[point, judged].all()
    ]
    sign = 1 if wanted in LOWER_IS_BETTER else -1
    order = sorted(whole, key=lambda point: sign * float(means[place, point]))
    return Ranking(results, wanted, place, judged, tuple(order), means)


def intervals(ranked: Ranking, how: Resampling = HOW) -> dict[int, Interval | None]:
    """Return the interval of the mean of the configs that are shown."""
    values = ranked.values
    return {point: mean_interval(values[point], how) for point in ranked.order[:SHOWN]}


def letters_of(ranked: Ranking, how: Resampling = HOW) -> dict[int, str]:
    """Return significance letters of the first :data:`LETTERED` configs, as a comparison of runs has them."""
    first = ranked.order[:LETTERED]
    if len(first) < 2:
        return {}
    values = ranked.values[list(first)]
    pairs = list(combinations(range(len(first)), 2))
    adjusted = holm([randomisation_p(values[one] - values[other], how) for one, other in pairs])
    different = [pair for pair, p in zip(pairs, adjusted, strict=True) if p < ALPHA]
    return dict(zip(first, letters(len(first), different), strict=True))


def held_out(ranked: Ranking, how: Resampling = HOW) -> tuple[Split, Choice] | None:
    """Return what choosing on one half of the queries is worth on the other; None where it cannot be said."""
    if len(ranked.order) < 2 or ranked.lower or not ranked.results.half_b_is_free:
        return None
    chosen = list(ranked.order)
    queries = tuple(ranked.results.queries[place] for place in ranked.judged)
    names = tuple(ranked.name(point) for point in chosen)
    scores = Scores(queries, names, (ranked.measure,), ranked.values[chosen][np.newaxis])
    try:
        split = choose(scores, None, how)
    except DatasetError:  # a half has no query
        return None
    return split, split.choices[0]
