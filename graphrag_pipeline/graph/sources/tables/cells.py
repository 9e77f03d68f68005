"""The cells of node and edge tables, clean, a column at a time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any, Protocol

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.clean import UNFIT, clean_text, clean_value
from graphrag_pipeline.graph.reading.scalars import as_number, missing
from graphrag_pipeline.graph.sources.intake import NAN_VALUE, NO_WEIGHT, Intake
from graphrag_pipeline.graph.sources.tables.columns import columns_text

# Any throughout: a cell holds anything.

PROPERTIES = "properties"
SIMPLE = frozenset({str, int, float, bool, type(None)})
EXACT = 2**53
"""Whole numbers up to here are exact in a float64."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a table.

    Args:
        columns: The cells of each column; all are equally many.
        count: How many rows there are.
        place: Gives the place of a row, for messages.
    """

    columns: Mapping[str, Sequence[Any]]
    count: int
    place: Callable[[int], str]


class Table(Protocol):
    """A table that is read in batches."""

    @property
    def name(self) -> str:
        """What the table is called in the account of rows: the name of its file."""

    @property
    def where(self) -> str:
        """The file, for messages."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns, each once."""

    def batches(self) -> Iterator[Batch]:
        """Read the rows.

        Raises:
            GraphSourceError: The file is damaged.
        """


def same(value: Any) -> Any:
    """Return a value as it is."""
    return value


@dataclass(frozen=True, slots=True)
class Reading:
    """How a format writes its cells.

    Args:
        trimmed: Whether spaces around ids mean nothing.
        value: Gives the value that a property's cell stands for.
        weight: Gives the number that a cell stands for; None where it is none.
    """

    trimmed: bool = False
    value: Callable[[Any], Any] = same
    weight: Callable[[Any], float | None] = as_number


class Cells:
    """Gives the columns of a batch, clean; most columns are found clean at once, and as fast."""

    def __init__(
        self, intake: Intake, reading: Reading, batch: Batch, roles: Mapping[str, str], exact: bool
    ) -> None:
        self._intake = intake
        self._reading = reading
        self._batch = batch
        self._roles = roles
        self._exact = exact

    def blanks(self, at: int, texts: Mapping[str, str]) -> None:
        """Remark what is empty in a row that was taken as it is."""
        for what, text in texts.items():
            if not text:
                self._intake.blank(what, self._batch.place(at))

    def ids(self, role: str) -> Sequence[str]:
        """Return a column of ids as text; the empty text where there is none."""
        values = self._batch.columns[self._roles[role]]
        if not _all_text(values):
            values = [self._id(value, at) for at, value in enumerate(values)]
        if self._reading.trimmed and not self._exact:
            trimmed = [value.strip() for value in values]
            if trimmed != values:
                for at, (before, after) in enumerate(zip(values, trimmed, strict=True)):
                    if before != after:
                        self._intake.repair("spaces around an id were removed", self._batch.place(at))
                values = trimmed
        if _fit(values):
            return values
        clean = self._intake.ids.clean
        return [clean(value, self._told(at), self._batch.place(at)) for at, value in enumerate(values)]

    def texts(self, role: str) -> Sequence[str]:
        """Return a column as text; the empty text where there is none."""
        values = self._batch.columns[self._roles[role]]
        return self._fit(values if _all_text(values) else [_as_text(value) for value in values])

    def namespaces(self) -> Iterator[str] | Sequence[str]:
        """Return the namespaces, the intake's one where there is none."""
        default = self._intake.namespace
        if "namespace" not in self._roles:
            return repeat(default, self._batch.count)
        values = self._batch.columns[self._roles["namespace"]]
        if not self._exact:
            return [value or default for value in self.texts("namespace")]
        texts = self.texts("namespace")
        return [default if value is None else text for value, text in zip(values, texts, strict=True)]

    def weights(self) -> Iterator[float] | Sequence[float | None]:
        """Return the weights; None where a cell holds something that is no number."""
        if "weight" not in self._roles:
            return repeat(1.0, self._batch.count)
        values = self._batch.columns[self._roles["weight"]]
        kinds = set(map(type, values))
        if kinds == {int} or (kinds == {float} and all(map(math.isfinite, values))):
            return values
        weight = self._reading.weight
        return [1.0 if value == "" or missing(value) else weight(value) for value in values]

    def with_weight(self, at: int, properties: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row's properties with its weight, which is no number, among them."""
        told = self._told(at)
        told(NO_WEIGHT)
        return {**properties, "weight": clean_value(self._batch.columns[self._roles["weight"]][at], told)}

    def properties(self, names: Sequence[str]) -> Iterator[dict[str, Any]] | Sequence[dict[str, Any]]:
        """Return the properties: all columns that hold nothing else, where they are not null."""
        used = set(self._roles.values())
        own = {name: self._values(name) for name in names if name not in used and name != PROPERTIES}
        own = {clean_text(name, self._told(0)): values for name, values in own.items()}
        if PROPERTIES in names and PROPERTIES not in used:
            return [self._with_json(row, at) for at, row in enumerate(_rows(own, self._batch.count))]
        return _rows(own, self._batch.count)

    def _with_json(self, row: dict[str, Any], at: int) -> dict[str, Any]:
        cell = self._batch.columns[PROPERTIES][at]
        if cell == "" or missing(cell):
            return row
        told = self._told(at)
        if (given := _json_object(cell)) is None:
            if self._exact:
                told("properties that are no JSON object were kept as a property of that name")
            return {PROPERTIES: clean_value(self._reading.value(cell), told), **row}
        kept = {key: value for key, value in given.items() if value is not None or self._exact}
        for key in [key for key, value in kept.items() if value is not None and missing(value)]:
            self._intake.blank(NAN_VALUE, f"{self._batch.place(at)}: {key}")
            del kept[key]
        return {**clean_value(kept, told), **row}

    def _values(self, name: str) -> Sequence[Any]:
        values = self._batch.columns[name]
        if self._reading.value is not same:
            return [self._value(cell, at) for at, cell in enumerate(values)]
        kinds = set(map(type, values))
        if float in kinds:
            # pandas has no other way to leave out a number, so this is null and no fault.
            values = [None if missing(value) else value for value in values]
        if kinds <= SIMPLE and (str not in kinds or _fit([value for value in values if type(value) is str])):
            return values
        return [clean_value(value, self._told(at)) for at, value in enumerate(values)]

    def _value(self, cell: Any, at: int) -> Any:
        if cell is None or cell == "":
            return None
        return self._reading.value(clean_text(cell, self._told(at)))

    def _fit(self, values: Sequence[str]) -> Sequence[str]:
        if _fit(values):
            return values
        return [clean_text(value, self._told(at)) for at, value in enumerate(values)]

    def _id(self, value: Any, at: int) -> str:
        kind = type(value)
        if kind in (str, int):
            return str(value)
        if missing(value):
            return ""
        if kind is float and value.is_integer() and abs(value) <= EXACT:
            # Tables that pandas wrote hold whole numbers so, once a cell of the column is empty.
            self._intake.repair("an id was written as a number with a point", self._batch.place(at))
            return str(int(value))
        raise GraphSourceError(
            f"The id {value!r:.60} is neither text nor a whole number.",
            where=self._batch.place(at),
            hint=columns_text(list(self._batch.columns)),
        )

    def _told(self, at: int) -> Callable[[str], None]:
        return partial(_tell, self._intake, self._batch, at)


def _tell(intake: Intake, batch: Batch, at: int, what: str) -> None:
    intake.repair(what, batch.place(at))


def _rows(columns: Mapping[str, Sequence[Any]], count: int) -> Iterator[dict[str, Any]]:
    if not columns:
        return ({} for _ in range(count))
    if len(columns) == 1:
        ((name, values),) = columns.items()
        return ({} if value is None else {name: value} for value in values)
    names = tuple(columns)
    return (
        {name: value for name, value in zip(names, row, strict=True) if value is not None}
        for row in zip(*columns.values(), strict=True)
    )


def _all_text(values: Sequence[Any]) -> bool:
    return set(map(type, values)) <= {str}


def _fit(texts: Sequence[str]) -> bool:
    """Whether no text needs cleaning: one look at all of them costs a fraction of one at each."""
    joined = " ".join(texts)
    return joined.isprintable() or UNFIT.search(joined) is None


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if missing(value):
        return ""
    if isinstance(value, list | tuple):
        return ";".join(map(_as_text, value))
    return str(value)


def _json_object(cell: Any) -> dict[str, Any] | None:
    if isinstance(cell, dict):
        return cell
    if not isinstance(cell, str):
        return None
    try:
        value = json.loads(cell, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
