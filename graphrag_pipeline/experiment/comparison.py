"""Comparing runs: their means, every pair with its statistics, and the queries that differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.corrections import benjamini_hochberg, holm
from graphrag_pipeline.experiment.halves import Split, choose
from graphrag_pipeline.experiment.letters import letters
from graphrag_pipeline.experiment.measures import Scores
from graphrag_pipeline.experiment.resampling import Interval, Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import ALPHA, TIE, Paired, mean, paired

MOST_RUNS = 26
"""Most runs in one comparison: beyond, letters and a table of all pairs say nothing to a reader."""
STAR = "*"


@dataclass(frozen=True, slots=True)
class Standing:
    """One run by one measure.

    Args:
        measure: The measure.
        run: The run.
        mean: Mean over all judged queries.
        interval: Its bootstrap interval; None for one query.
        letters: Runs that share a letter do not differ significantly (Holm, .05). With a baseline: a star
            where the run differs significantly from it, else nothing.
    """

    measure: str
    run: str
    mean: float
    interval: Interval | None
    letters: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs by one measure; differences are first minus second.

    Args:
        measure: The measure.
        first: The one run.
        second: The other; the baseline, if there is one.
        paired: What was found.
        holm: Its p-value, adjusted by Holm over all pairs and measures.
        benjamini_hochberg: The same, by Benjamini and Hochberg.
    """

    measure: str
    first: str
    second: str
    paired: Paired
    holm: float
    benjamini_hochberg: float

    @property
    def significant(self) -> bool:
        """Whether it holds at level .05 after Holm's correction."""
        return self.holm < ALPHA


@dataclass(frozen=True, slots=True)
class Contrast:
    """One query on which runs differ.

    Args:
        measure: The measure.
        query: The query's id.
        values: One value a run, in the order of the runs.
        spread: The largest value minus the smallest.
    """

    measure: str
    query: str
    values: tuple[float, ...]
    spread: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that was found.

    Args:
        queries: How many queries every mean is over.
        runs: Names of the runs, as given.
        measures: Names of the measures, as asked for.
        baseline: The run that all others are compared with; None when every pair is.
        resampling: How intervals and p-values were drawn.
        standings: By measure, the best run first.
        pairs: By measure, pairs in the order of the runs.
        contrasts: By measure, the largest spread first.
        split: What a choice on half of the queries is worth; None when it was not asked for.
    """

    queries: int
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    baseline: str | None
    resampling: Resampling
    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    contrasts: tuple[Contrast, ...]
    split: Split | None


def compare(
    scores: Scores, how: Resampling, *, baseline: str | None = None, most: int = 5, split: bool = False
) -> Comparison:
    """Compare runs.

    Args:
        scores: Their values.
        how: How to draw.
        baseline: The run to compare all others with; None compares every pair.
        most: How many queries to list a measure, of those that differ most.
        split: Whether to choose on half A and report on half B as well.

    Raises:
        DatasetError: There are no queries, too few runs or too many, no such baseline, or no way to split.
    """
    check(scores.runs, baseline)
    if not scores.queries or not scores.measures:
        raise DatasetError("There is nothing to compare: no query is judged, or no measure is asked for.")
    pairs = _pairs(scores, baseline, how)
    standings = [_standings(scores, place, pairs, baseline, how) for place in range(len(scores.measures))]
    return Comparison(
        queries=len(scores.queries),
        runs=scores.runs,
        measures=scores.measures,
        baseline=baseline,
        resampling=how,
        standings=tuple(standing for of_measure in standings for standing in of_measure),
        pairs=pairs,
        contrasts=tuple(
            contrast for place in range(len(scores.measures)) for contrast in _contrasts(scores, place, most)
        ),
        split=choose(scores, baseline, how) if split else None,
    )


def check(runs: Sequence[str], baseline: str | None) -> None:
    """Refuse what cannot be compared; it needs no file, so that it can be asked before any is read.

    Raises:
        DatasetError: There are too few runs or too many, or there is no such baseline.
    """
    if not 2 <= len(runs) <= MOST_RUNS:
        raise DatasetError(f"A comparison is of 2 to {MOST_RUNS} runs, not of {len(runs)}.")
    if baseline is not None and baseline not in runs:
        raise DatasetError(
            f"There is no run {baseline!r}.", where="--baseline", hint=f"Runs: {', '.join(runs)}."
        )


def _pairs(scores: Scores, baseline: str | None, how: Resampling) -> tuple[Pair, ...]:
    if baseline is None:
        places = list(combinations(range(len(scores.runs)), 2))
    else:
        second = scores.runs.index(baseline)
        places = [(first, second) for first in range(len(scores.runs)) if first != second]
    found = [
        (measure, scores.runs[first], scores.runs[second], paired(values[first], values[second], how))
        for measure, values in zip(scores.measures, scores.values, strict=True)
        for first, second in places
    ]
    p_values = [statistics.p for *_, statistics in found]
    adjusted = zip(found, holm(p_values), benjamini_hochberg(p_values), strict=True)
    return tuple(Pair(*parts, by_holm, by_rate) for parts, by_holm, by_rate in adjusted)


def _standings(
    scores: Scores, place: int, pairs: Sequence[Pair], baseline: str | None, how: Resampling
) -> list[Standing]:
    measure, values = scores.measures[place], scores.values[place]
    ranked = sorted(range(len(scores.runs)), key=lambda run: -mean(values[run]))
    names = [scores.runs[run] for run in ranked]
    marks = _marks(names, [pair for pair in pairs if pair.measure == measure and pair.significant], baseline)
    return [
        Standing(measure, scores.runs[run], mean(values[run]), mean_interval(values[run], how), mark)
        for run, mark in zip(ranked, marks, strict=True)
    ]


def _marks(names: Sequence[str], significant: Sequence[Pair], baseline: str | None) -> Sequence[str]:
    if baseline is not None:
        different = {pair.first for pair in significant}
        return [STAR if name in different else "" for name in names]
    at = {name: place for place, name in enumerate(names)}
    ends = [sorted((at[pair.first], at[pair.second])) for pair in significant]
    return letters(len(names), [(low, high) for low, high in ends])


def _contrasts(scores: Scores, place: int, most: int) -> list[Contrast]:
    values = scores.values[place]
    spreads = np.ptp(values, axis=0)
    # Queries are sorted, and the sort is stable: of equal spreads the lower id comes first.
    ranked = [query for query in np.argsort(-spreads, kind="stable")[:most] if spreads[query] > TIE]
    measure = scores.measures[place]
    return [
        Contrast(measure, scores.queries[query], tuple(values[:, query].tolist()), float(spreads[query]))
        for query in ranked
    ]
