"""Choosing the configs of a sweep: all of them, some at random, or those that an optimiser proposes."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from graphrag_pipeline.config.sweep_axis import Axis, Interval
from graphrag_pipeline.config.sweep_space import SweepPoint, SweepSpace
from graphrag_pipeline.errors import DatasetError

GRID, RANDOM, TPE, NSGA2 = SAMPLERS = ("grid", "random", "tpe", "nsga2")
"""Names of samplers."""
HALF_A, EVERY = "half A of the queries", "all queries"
"""What an optimiser is told of."""
STUDIES = (TPE, NSGA2)
"""Those that are told what points were worth."""
_SMALLER = ("-", "min:")
_SIGNS = (*_SMALLER, "max:")


class Sampler(Protocol):
    """Proposes configs until it has no more."""

    def ask(self, count: int) -> list[SweepPoint]:
        """Return the next points, at most ``count``; none when there are no more."""

    def tell(self, point: SweepPoint, values: Sequence[float] | None) -> None:
        """Say what a point is worth.

        Args:
            point: One that was asked for.
            values: A value for each objective, none of them NaN; None when the point failed.
        """


def make_sampler(
    name: str,
    space: SweepSpace,
    *,
    trials: int,
    seed: int = 0,
    objectives: Sequence[str] = (),
    journal: Path | None = None,
    owner: str = "",
    half_a: bool = True,
) -> Sampler:
    """Return a sampler.

    Args:
        name: One of :data:`SAMPLERS`.
        space: What is swept.
        trials: Most points of a sampler other than ``grid``.
        seed: The same seed gives the same points, also when a sweep is interrupted and goes on.
        objectives: What an optimiser makes larger; smaller with ``-`` or ``min:`` before it.
        journal: File of an optimiser's study; processes and machines that name the same share it.
        owner: Name of this process among those that share a study. A point that a process of this name
            asked for, and said nothing of, is asked for again.
        half_a: Whether an optimiser is told what points are worth on half A of the queries, else on all. A
            study is told one or the other.

    Raises:
        ConfigError: A grid has no end or too many points.
        DatasetError: An objective or a study is wrong, or Optuna is not installed.
    """
    if name == GRID:
        return GridSampler(space)
    if name == RANDOM:
        return RandomSampler(space, trials, seed)
    if name not in SAMPLERS or journal is None:
        raise ValueError(f"no sampler {name!r}, or no journal for it")
    from graphrag_pipeline.experiment.sweep.optuna_sampler import OptunaSampler

    told = told_of(half_a=half_a)
    return OptunaSampler(
        name, space, trials=trials, seed=seed, objectives=objectives, journal=journal, owner=owner, told=told
    )


def told_of(*, half_a: bool) -> str:
    """Return the name of the queries that a study is told of, as its sweep and its journal have it."""
    return HALF_A if half_a else EVERY


class GridSampler:
    """Every point of the grid, in order.

    Args:
        space: What is swept.
    """

    def __init__(self, space: SweepSpace) -> None:
        self._points = space.points()

    def ask(self, count: int) -> list[SweepPoint]:
        """Return the next points."""
        return list(itertools.islice(self._points, count))

    def tell(self, point: SweepPoint, values: Sequence[float] | None) -> None:
        """Nothing: what comes next does not depend on it."""


class RandomSampler:
    """Points drawn at random: of a grid each at most once, else each number by itself.

    Args:
        space: What is swept.
        trials: Most points.
        seed: Of the random numbers.
    """

    def __init__(self, space: SweepSpace, trials: int, seed: int) -> None:
        self._points = self._drawn(space, trials, seed)

    def ask(self, count: int) -> list[SweepPoint]:
        """Return the next points."""
        return list(itertools.islice(self._points, count))

    def tell(self, point: SweepPoint, values: Sequence[float] | None) -> None:
        """Nothing: what comes next does not depend on it."""

    def _drawn(self, space: SweepSpace, trials: int, seed: int) -> Iterator[SweepPoint]:
        source = random.Random(seed)
        if space.size is not None:
            places = source.sample(range(space.size), min(trials, space.size))
            yield from (_point_at(space, number, place) for number, place in enumerate(places))
            return
        for number in range(trials):
            yield space.point(number, {axis.key: _draw(axis, source) for axis in space.axes})


def _point_at(space: SweepSpace, number: int, place: int) -> SweepPoint:
    """Return the point at a place of the grid, as if all had been listed."""
    choice: dict[str, str] = {}
    for axis in reversed(space.axes):
        assert not isinstance(axis.values, Interval)
        place, at = divmod(place, axis.values.size)
        choice[axis.key] = axis.values.text(at)
    return space.point(number, choice)


def _draw(axis: Axis, source: random.Random) -> str:
    values = axis.values
    if not isinstance(values, Interval):
        return values.text(source.randrange(values.size))
    low, high = values.low, values.high
    if "log" in axis.tags:
        drawn = math.exp(source.uniform(math.log(low), math.log(high)))
        drawn = min(max(drawn, low), high)  # the logarithm and back may be a bit off
        return str(round(drawn)) if values.whole else repr(drawn)
    return str(source.randint(int(low), int(high))) if values.whole else repr(source.uniform(low, high))


# -- objectives -----------------------------------------------------------------------------------


def measure_of(objective: str) -> str:
    """Return the measure that an objective names: ``tokens`` of ``-tokens``."""
    return _read(objective)[1]


def is_smaller_better(objective: str) -> bool:
    """Whether an objective is made smaller: ``-tokens``, ``min:tokens``."""
    return _read(objective)[0] in _SMALLER


def check_objectives(objectives: Sequence[str]) -> None:
    """Refuse objectives that contradict each other, or that are none.

    Raises:
        DatasetError: There are none, or two are of one measure.
    """
    names = [measure_of(objective) for objective in objectives]
    if not names:
        raise DatasetError(
            "A sampler needs an objective.", hint="--objective nDCG@10, or --objective -tokens"
        )
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise DatasetError(f"The objective {name!r} is given twice.", hint="Give each measure once.")


def _read(objective: str) -> tuple[str, str]:
    sign = next((sign for sign in _SIGNS if objective.startswith(sign)), "")
    name = objective.removeprefix(sign)
    if not name.strip():
        raise DatasetError(
            f"{objective!r} names no measure.",
            hint="--objective nDCG@10 is made larger, --objective -tokens smaller",
        )
    return sign, name
