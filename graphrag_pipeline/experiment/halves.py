"""Choosing a run on one half of the queries and reporting it on the other.

The best of many runs looks better than it is: among equally good ones, the luckiest wins. On queries that
had no part in the choice, luck is no help.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.corrections import holm
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.resampling import Interval, Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import Paired, mean, paired


@dataclass(frozen=True, slots=True)
class Choice:
    """The run that was chosen by a measure, and what it is worth on queries that did not choose it.

    Args:
        measure: The measure.
        chosen: The best run on half A.
        in_sample: Its mean on half A. It was chosen for being high, so it is too high on average.
        held_out: Its mean on half B: the figure to report.
        interval: Bootstrap interval of ``held_out``.
        rival: What it is tested against: the baseline, or else the second on half A.
        rival_held_out: The rival's mean on half B.
        against: The chosen run against the rival, on half B.
        holm: The p-value of that test, adjusted over the measures.
    """

    measure: str
    chosen: str
    in_sample: float
    held_out: float
    interval: Interval | None
    rival: str
    rival_held_out: float
    against: Paired
    holm: float


@dataclass(frozen=True, slots=True)
class Split:
    """Choices by half.

    Args:
        queries_a: How many queries chose.
        queries_b: How many queries are reported on.
        choices: One a measure.
    """

    queries_a: int
    queries_b: int
    choices: tuple[Choice, ...]


def in_half_a(query: str) -> bool:
    """Tell whether a query is in half A, by its id alone: further queries never move it."""
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).digest()[0] % 2 == 0


def can_split(queries: Iterable[str]) -> bool:
    """Tell whether each half has a query."""
    return len({in_half_a(query) for query in queries}) == 2


def choose(scores: Scores, baseline: str | None, how: Resampling) -> Split:
    """Choose the best run on half A by each measure, and report it on half B.

    Of equal ones the first is chosen.

    Raises:
        DatasetError: A half has no query.
    """
    half_a = np.array([in_half_a(query) for query in scores.queries])
    if half_a.all() or not half_a.any():
        count = len(scores.queries)
        raise DatasetError(
            f"The queries cannot be split: all {count} are in one half."
            if count > 1
            else "One query cannot be split.",
            hint="Leave --split out, and say that the best run was chosen on the queries it is reported on.",
        )
    found = [_choose(scores, place, half_a, baseline, how) for place in range(len(scores.measures))]
    adjusted = holm([against.p for _, _, against in found])
    choices = []
    for place, ((best, rival, against), p) in enumerate(zip(found, adjusted, strict=True)):
        values = scores.values[place]
        choices.append(
            Choice(
                measure=scores.measures[place],
                chosen=scores.runs[best],
                in_sample=mean(values[best][half_a]),
                held_out=mean(values[best][~half_a]),
                interval=mean_interval(values[best][~half_a], how),
                rival=scores.runs[rival],
                rival_held_out=mean(values[rival][~half_a]),
                against=against,
                holm=p,
            )
        )
    in_a = int(half_a.sum())
    return Split(in_a, len(half_a) - in_a, tuple(choices))


def _choose(
    scores: Scores, place: int, half_a: NDArray[np.bool_], baseline: str | None, how: Resampling
) -> tuple[int, int, Paired]:
    values = scores.values[place]
    ranked = sorted(range(len(values)), key=lambda run: -mean(values[run][half_a]))
    best, second = ranked[:2]
    rival = second if baseline in (None, scores.runs[best]) else scores.runs.index(str(baseline))
    return best, rival, paired(values[best][~half_a], values[rival][~half_a], how)
