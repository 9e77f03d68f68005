"""The rule ``time``: when a node was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeAlias

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.filters.rules.dates import Period, period_of
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene
from graphrag_pipeline.stages.filters.rules.property import PropertyPath, absent
from graphrag_pipeline.stages.filters.rules.values import SINGLE, values_at

EVER = 1 << 62
"""Microseconds that no year of four digits reaches."""


def _moment(value: int | str) -> int | str:
    if isinstance(value, bool) or period_of(value) is None:
        raise ValueError(f"must be a year or a date such as 1998-05-17, got {value!r:.60}")
    return value


Moment: TypeAlias = Annotated[int | str, AfterValidator(_moment)]


class TimeParams(Params):
    """A stretch of time that a node's own must overlap; without limits it must have a date."""

    key: PropertyPath | None = None
    """Property that holds a date or a year."""
    start: PropertyPath | None = None
    """Property that holds when it began, in place of ``key``; without a value it has always been."""
    end: PropertyPath | None = None
    """Property that holds when it ended; without a value it goes on."""
    from_: Moment | None = Field(default=None, alias="from")
    """First year or date that counts; null sets no limit."""
    until: Moment | None = None
    """Last year or date that counts, all of it; null sets no limit."""
    undated: Literal["keep", "drop"] = "drop"
    """What happens to a node without a date, or with one that cannot be read. ``keep`` leaves it to other
    rules."""

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        pair = self.start is not None or self.end is not None
        if pair == (self.key is not None):
            raise ValueError("name either key, or start and end: the properties that hold dates")
        first, last = self.window
        if first >= last:
            raise ValueError(f"from {self.from_!r} is after until {self.until!r}, so nothing fits")
        return self

    @property
    def window(self) -> Period:
        """The stretch of time, without a limit where none is set."""
        first, last = period_of(self.from_), period_of(self.until)
        return Period(-EVER if first is None else first.start, EVER if last is None else last.end)


@dataclass(frozen=True)
class TimeTest:
    """Whether a node's time overlaps the window."""

    params: TimeParams

    label = "time"
    reasons = ("time: outside", "time: undated")

    @cached_property
    def _window(self) -> Period:
        return self.params.window

    def applies(self, query: Query) -> bool:
        """Always."""
        return True

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Read each candidate's dates."""
        first, last = self._window
        found = [self._periods(properties) for properties in scene.properties(rows)]
        dated = np.array([bool(periods) for periods in found], dtype=np.bool_)
        holds = np.array(
            [any(start < last and end > first for start, end in periods) for periods in found],
            dtype=np.bool_,
        )
        judged = np.ones_like(dated) if self.params.undated == "drop" else dated
        return Judgement(holds, judged, np.where(dated, 0, 1))

    def _periods(self, properties: Mapping[str, Any]) -> list[Period]:
        if self.params.key is not None:
            return _read(properties, self.params.key)
        starts, ends = (_read(properties, path) for path in (self.params.start, self.params.end))
        if not starts and not ends:
            return []
        whole = Period(
            min((period.start for period in starts), default=-EVER),
            max((period.end for period in ends), default=EVER),
        )
        return [whole] if whole.start < whole.end else []

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Say which properties no candidate has."""
        paths = (self.params.key, self.params.start, self.params.end)
        return tuple(line for path in paths if path is not None for line in absent(path, scene))


def _read(properties: Mapping[str, Any], path: str | None) -> list[Period]:
    if path is None:
        return []
    value = properties.get(path)
    values = (value,) if value.__class__ in SINGLE else values_at(properties, path)
    return [period for value in values if (period := period_of(value)) is not None]
