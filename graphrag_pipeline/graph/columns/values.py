"""Columns of names, numbers and properties."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.text import TextColumn, damaged


@dataclass(frozen=True, slots=True)
class NameColumn:
    """Values of which there are few: types, namespaces.

    Args:
        code: For each row an index into ``names``.
        names: The distinct values, in order of first use.
    """

    code: Array
    names: tuple[str, ...]

    @classmethod
    def of(cls, codes: Sequence[int], names: Iterable[str]) -> NameColumn:
        """Build a column of the smallest type."""
        names = tuple(names)
        return cls(np.array(codes, dtype=code_type(len(names))), names)

    def __getitem__(self, position: int) -> str:
        return self.names[int(self.code[position])]

    def many(self, positions: Array) -> list[str]:
        """Return the values at some positions."""
        names = self.names
        return [names[code] for code in self.code[positions].tolist()]

    def counts(self) -> dict[str, int]:
        """Count the rows of each name, most first, then by first use; unused names are left out."""
        used = np.bincount(self.code, minlength=len(self.names))
        order = np.argsort(-used, kind="stable").tolist()
        return {self.names[code]: int(used[code]) for code in order if used[code]}


def code_type(count: int) -> type[np.uint8] | type[np.uint16] | type[np.int32]:
    """Return the smallest type for ``count`` codes."""
    if count <= 2**8:
        return np.uint8
    return np.uint16 if count <= 2**16 else np.int32


@dataclass(frozen=True, slots=True)
class SparseText:
    """Texts that few rows have.

    Args:
        at: The rows that have one, ascending.
        text: Their texts.
    """

    at: Array
    text: TextColumn

    def get(self, position: int) -> str | None:
        """Return a row's text, or None."""
        if not self.at.size:
            return None
        place = int(np.searchsorted(self.at, position))
        return self.text[place] if place < len(self.at) and self.at[place] == position else None


@dataclass(frozen=True, slots=True)
class WeightColumn:
    """Numbers, each as it was written: ``1`` and ``1.0`` are told apart.

    Args:
        value: As float64; empty when all are 1.0.
        whole: Whether it was written as a whole number; empty when none was.
        exact: Rows whose number no float64 holds, as text.
    """

    value: Array
    whole: Array
    exact: SparseText

    def __getitem__(self, position: int) -> float:
        if not self.value.size:
            return 1.0
        if (text := self.exact.get(position)) is not None:
            return int(text)
        value = float(self.value[position])
        return int(value) if self.whole.size and self.whole[position] else value


_decoder = json.JSONDecoder()


def _decode(text: str) -> dict[str, Any]:
    try:
        properties = _decoder.decode(text)
    except ValueError as error:
        raise damaged("properties are no JSON") from error
    if not isinstance(properties, dict):
        raise damaged("properties are no JSON object")
    return properties


# Any throughout: a property holds whatever the graph's owner stored there.


@dataclass(frozen=True, slots=True)
class PropertyColumn:
    """Properties by row, made anew each time, so that nobody can change the graph through them.

    Args:
        text: Properties as JSON objects; the empty text, or none, where a row has no properties.
        objects: Copies of the properties that JSON cannot hold, by row.
    """

    text: TextColumn | SparseText
    objects: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    def __getitem__(self, position: int) -> Mapping[str, Any]:
        if position in self.objects:
            return copied(self.objects[position])
        text = self.text.get(position) if isinstance(self.text, SparseText) else self.text[position]
        properties: Mapping[str, Any] = _decode(text) if text else {}
        return properties

    def many(self, positions: Array) -> list[Mapping[str, Any]]:
        """Return the properties at some positions."""
        if self.objects or isinstance(self.text, SparseText):
            return [self[position] for position in positions.tolist()]
        return [_decode(text) if text else {} for text in self.text.many(positions)]


def copied(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a deep copy, or a shallow one of what cannot be copied: a lock or an open file is shared."""
    try:
        return deepcopy(properties)
    except Exception:  # noqa: BLE001  # whatever the owner's objects raise; shared is better than lost
        return dict(properties)


def to_json(properties: Mapping[str, Any]) -> bytes | None:
    """Return properties as JSON text in ASCII, the empty text for none; None when it would lose something."""
    if not properties:
        return b""
    try:
        if no_json(properties) is not None:
            return None
    except RecursionError as error:
        raise GraphSourceError("A property is nested too deeply.") from error
    return json.dumps(properties, separators=(",", ":")).encode("ascii")


def no_json(value: object) -> str | None:
    """Return what in a value JSON would lose or change; None when it keeps all."""
    kind = type(value)
    if kind in (str, int, float, bool, type(None)):
        return None
    if kind is dict:
        assert isinstance(value, dict)
        lost = next((f"the key {key!r:.40}" for key in value if type(key) is not str), None)
        return lost or next((wrong for item in value.values() if (wrong := no_json(item))), None)
    if kind is list:
        assert isinstance(value, list)
        return next((wrong for item in value if (wrong := no_json(item))), None)
    return f"{value!r:.60} ({kind.__name__})"


def refuse_objects(column: PropertyColumn, name: Callable[[int], str]) -> None:
    """Refuse a column that cannot be stored.

    Args:
        column: Properties.
        name: Gives the name of a row, for the message.

    Raises:
        GraphSourceError: A row holds what JSON cannot.
    """
    for position, properties in column.objects.items():
        raise GraphSourceError(
            f"A property cannot be stored: {no_json(properties)} is no JSON data.",
            where=name(position),
            hint="Use texts, numbers, booleans, null, lists, and objects with text keys.",
        )
