"""The rule ``property``: what a node's properties hold."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Self, TypeAlias

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.filters.rules.dates import Period, period_of
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene
from graphrag_pipeline.stages.filters.rules.regex import MAX_PATTERN, searcher
from graphrag_pipeline.stages.filters.rules.values import MAX_STEPS, SINGLE, values_at

Scalar: TypeAlias = str | bool | int | float
Check: TypeAlias = Callable[[Any], bool]  # Any: a stored value may be anything


def _path(path: str) -> str:
    if path.count(".") >= MAX_STEPS:
        raise ValueError(f"a path has at most {MAX_STEPS} steps, this one has {path.count('.') + 1}")
    return path


def _bound(bound: int | float | str) -> int | float | str:
    if isinstance(bound, bool) or (isinstance(bound, str) and period_of(bound) is None):
        raise ValueError(f"must be a number, a year or a date such as 1998-05-17, got {bound!r:.60}")
    return bound


def _pattern(pattern: str) -> str:
    searcher(pattern)
    return pattern


PropertyPath: TypeAlias = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_path)]
"""A key, or keys joined by dots."""
Bound: TypeAlias = Annotated[int | float | str, AfterValidator(_bound)]


class PropertyParams(Params):
    """What one value of a property must be; with no condition the property has to be there."""

    key: PropertyPath
    """Key of the property; ``a.b`` is ``b`` in what is under ``a``."""
    exists: bool | None = None
    """Whether there has to be a value; null and an empty list are none."""
    eq: Scalar | None = None
    """The value; a number equals a number, a text a text, true and false themselves."""
    in_: tuple[Scalar, ...] | None = Field(default=None, alias="in", max_length=10_000)
    """Values of which it is one."""
    gt: Bound | None = None
    """It is more than this number, or wholly after this date."""
    ge: Bound | None = None
    """It is this number or more, or does not begin before this date."""
    lt: Bound | None = None
    """It is less than this number, or wholly before this date."""
    le: Bound | None = None
    """It is this number or less, or does not end after this date."""
    regex: Annotated[str, Field(max_length=MAX_PATTERN), AfterValidator(_pattern)] | None = None
    """A pattern of RE2 that is found in it, where it is text; needs the extra ``regex``."""

    @model_validator(mode="after")
    def _absent_has_no_value(self) -> Self:
        if self.exists is False and any(True for _ in checks(self)):
            raise ValueError("a property that must not exist has no value: leave the other conditions out")
        return self


def checks(params: PropertyParams) -> Iterator[Check]:
    """Yield every condition that one value must meet."""
    if params.eq is not None:
        yield _one_of((params.eq,))
    if params.in_ is not None:
        yield _one_of(params.in_)
    for name in _COMPARE:
        bound: int | float | str | None = getattr(params, name)
        if bound is not None:
            yield _compared(name, bound)
    if params.regex is not None:
        found = searcher(params.regex)
        yield lambda value: isinstance(value, str) and found(value)


def _one_of(wanted: tuple[Scalar, ...]) -> Check:
    known = frozenset((_kind(value), value) for value in wanted)
    return lambda value: isinstance(value, str | int | float) and (_kind(value), value) in known


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "flag"
    return "text" if isinstance(value, str) else "number"


_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "gt": lambda value, bound: value.start >= bound.end,
    "ge": lambda value, bound: value.start >= bound.start,
    "lt": lambda value, bound: value.end <= bound.start,
    "le": lambda value, bound: value.end <= bound.end,
}
_COMPARE_NUMBERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "gt": lambda value, bound: value > bound,
    "ge": lambda value, bound: value >= bound,
    "lt": lambda value, bound: value < bound,
    "le": lambda value, bound: value <= bound,
}


def _compared(name: str, bound: int | float | str) -> Check:
    if not isinstance(bound, str):
        return _compared_to_number(name, bound)
    periods, limit = _COMPARE[name], period_of(bound)

    def check(value: object) -> bool:
        period: Period | None = period_of(value)
        return period is not None and periods(period, limit)

    return check


def _compared_to_number(name: str, bound: int | float) -> Check:
    """Compare numbers; a bound that may be a year, as YAML reads one, meets dates as well."""
    numbers = _COMPARE_NUMBERS[name]
    dated = _compared(name, str(bound)) if isinstance(bound, int) and 1000 <= bound <= 9999 else None

    def check(value: object) -> bool:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return numbers(value, bound)
        return dated is not None and isinstance(value, str) and dated(value)

    return check


@dataclass(frozen=True)
class PropertyTest:
    """Whether one of a property's values meets every condition."""

    params: PropertyParams

    @property
    def label(self) -> str:
        """The rule and its property."""
        return f"property {self.params.key}"

    @property
    def reasons(self) -> tuple[str, ...]:
        """One."""
        return (self.label,)

    @cached_property
    def _checks(self) -> tuple[Check, ...]:
        return tuple(checks(self.params))

    def applies(self, query: Query) -> bool:
        """Always."""
        return True

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Look at each candidate's properties."""
        holds = np.array([self._holds(found) for found in scene.properties(rows)], dtype=np.bool_)
        return Judgement.of(holds)

    def _holds(self, properties: Mapping[str, Any]) -> bool:
        value = properties.get(self.params.key)
        if value.__class__ in SINGLE:
            return self.params.exists is not False and all(check(value) for check in self._checks)
        values = values_at(properties, self.params.key)
        if self.params.exists is False:
            return next(values, None) is None
        return any(all(check(value) for check in self._checks) for value in values)

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Say that no candidate has the property."""
        return absent(self.params.key, scene)


def absent(path: str, scene: Scene) -> tuple[str, ...]:
    """Return a line when no candidate has a property, with the key most like it."""
    known: dict[str, None] = {}
    for properties in scene.properties(np.arange(len(scene.candidates))):
        if next(values_at(properties, path), None) is not None:
            return ()
        known.update(dict.fromkeys(map(str, properties)))
    nearest = difflib.get_close_matches(path, known, n=1)
    meant = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return (f"no candidate has the property {path!r}{meant}",)
