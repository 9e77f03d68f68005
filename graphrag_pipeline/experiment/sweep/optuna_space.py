"""What is swept as Optuna is given it, and back: distributions, values, and how many configs there are.

Imported only when Optuna is used: it loads it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from graphrag_pipeline.config.sweep_axis import Axis, Choices, Interval, Steps
from graphrag_pipeline.config.sweep_space import SweepSpace

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

Texts: TypeAlias = tuple[str, ...]
"""The values of a config as text, in the order of the keys."""


def distributions(space: SweepSpace) -> dict[str, BaseDistribution]:
    """Return what Optuna draws each swept key from."""
    return {axis.key: _distribution(axis) for axis in space.axes}


def texts_of(space: SweepSpace, params: Mapping[str, Any]) -> Texts:  # Any: what a distribution gives
    """Return the values of a trial as text."""
    return tuple(_text(axis, params[axis.key]) for axis in space.axes)


def params_of(space: SweepSpace, texts: Texts) -> dict[str, Any]:  # Any: what a distribution takes
    """Return texts as the values of a trial."""
    from optuna.distributions import FloatDistribution, IntDistribution

    params: dict[str, Any] = {}
    for axis, text in zip(space.axes, texts, strict=True):
        drawn = _distribution(axis)
        whole, part = isinstance(drawn, IntDistribution), isinstance(drawn, FloatDistribution)
        params[axis.key] = int(text) if whole else float(text) if part else text
    return params


def count_configs(space: SweepSpace) -> int | None:
    """Return how many configs can be proposed; None when a key may be any number of an interval."""
    sizes = [_size(axis) for axis in space.axes]
    return None if None in sizes else math.prod(size for size in sizes if size is not None)


def another(space: SweepSpace, taken: Collection[Texts], seed: str) -> Texts:
    """Return a config that is not taken, the same for the same seed.

    There must be one, and :func:`count_configs` a number.
    """
    sizes = [_size(axis) or 1 for axis in space.axes]
    every = math.prod(sizes)
    start = random.Random(seed).randrange(every)
    configs = (_at(space, sizes, (start + step) % every) for step in range(every))
    return next(texts for texts in configs if texts not in taken)


def _at(space: SweepSpace, sizes: list[int], place: int) -> Texts:
    texts = []
    for axis, size in zip(reversed(space.axes), reversed(sizes), strict=True):
        place, at = divmod(place, size)
        texts.append(_nth(axis, at))
    return tuple(reversed(texts))


def _nth(axis: Axis, at: int) -> str:
    values = axis.values
    if isinstance(values, Choices):
        return _distinct(values)[at]
    return str(int(values.low) + at) if isinstance(values, Interval) else values.text(at)


def _distinct(values: Choices) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values.texts))


def _size(axis: Axis) -> int | None:
    values = axis.values
    if isinstance(values, Choices):
        return len(_distinct(values))
    if isinstance(values, Interval):
        return int(values.high) - int(values.low) + 1 if values.whole else None
    return values.size


def _distribution(axis: Axis) -> BaseDistribution:
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    values, log = axis.values, "log" in axis.tags
    if isinstance(values, Choices):
        return CategoricalDistribution(_distinct(values))
    if isinstance(values, Interval):
        if values.whole:
            return IntDistribution(int(values.low), int(values.high), log=log)
        return FloatDistribution(float(values.low), float(values.high), log=log)
    low, high = sorted(Decimal(values.text(at)) for at in (0, values.size - 1))
    if values.whole and (not log or abs(values.step) == 1):
        return IntDistribution(int(low), int(high), log=log, step=1 if log else int(abs(values.step)))
    # A logarithmic scale has no steps in Optuna: what it proposes is moved to the nearest one.
    return FloatDistribution(float(low), float(high), log=log, step=None if log else float(abs(values.step)))


def _text(axis: Axis, value: Any) -> str:  # Any: what the distribution gives
    values = axis.values
    # Optuna's number may be one of numpy, which shows itself otherwise.
    text = repr(float(value)) if isinstance(value, float) else str(value)
    if isinstance(values, Steps):
        place = round((Decimal(text) - values.start) / values.step)
        return values.text(min(max(place, 0), values.size - 1))
    return text
