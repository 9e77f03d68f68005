"""The Zachman matrix: six perspectives (rows) by six interrogatives (columns).

Source: J. A. Zachman, "A framework for information systems architecture", IBM Systems Journal
26(3), 1987. Row and column names follow the reference system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class _Axis(StrEnum):
    @classmethod
    def named(cls, name: str) -> Self:
        """Return the member of this name.

        Raises:
            ValueError: There is none; the message lists the names.
        """
        if name not in set(cls):
            raise ValueError(f"{name!r} is no {cls.__name__.lower()}: choose from {', '.join(cls)}")
        return cls(name)


class Perspective(_Axis):
    """A row: whose view it is, from the contextual to the running enterprise."""

    EXECUTIVE = "executive"
    BUSINESS_MANAGEMENT = "business_mgmt"
    ARCHITECT = "architect"
    ENGINEER = "engineer"
    TECHNICIAN = "technician"
    ENTERPRISE = "enterprise"


class Interrogative(_Axis):
    """A column: which question the artefact answers."""

    WHAT = "what"
    HOW = "how"
    WHERE = "where"
    WHO = "who"
    WHEN = "when"
    WHY = "why"


@dataclass(frozen=True, slots=True)
class ZachmanCell:
    """One of the 36 cells; hashable.

    Args:
        perspective: The row; its text value is accepted too.
        interrogative: The column; its text value is accepted too.
        description: Free text; part of equality, not of the coordinate.

    Raises:
        ValueError: An unknown row or column.
    """

    perspective: Perspective
    interrogative: Interrogative
    description: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "perspective", Perspective(self.perspective))
        object.__setattr__(self, "interrogative", Interrogative(self.interrogative))

    def __str__(self) -> str:
        return f"{self.perspective.name}/{self.interrogative.name}"

    @property
    def coordinate(self) -> str:
        """The cell as ``"row:column"``."""
        return f"{self.perspective.value}:{self.interrogative.value}"

    @classmethod
    def from_coordinate(cls, coordinate: str, description: str = "") -> Self:
        """Read ``"row:column"``.

        Raises:
            ValueError: Not two known names joined by a colon; the message lists the valid ones.
        """
        row, separator, column = coordinate.partition(":")
        if not separator or row not in set(Perspective) or column not in set(Interrogative):
            raise ValueError(
                f"{coordinate!r} is not a Zachman cell: write row:column with a row from "
                f"{', '.join(Perspective)} and a column from {', '.join(Interrogative)}"
            )
        return cls(Perspective(row), Interrogative(column), description)

    def to_dict(self) -> dict[str, str]:
        """Return the cell as plain JSON data."""
        return {
            "perspective": self.perspective.value,
            "interrogative": self.interrogative.value,
            "description": self.description,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            KeyError: ``perspective`` or ``interrogative`` is missing.
            ValueError: An unknown row or column.
        """
        return cls(
            Perspective(data["perspective"]),  # type: ignore[arg-type]  # any value may come; the enum refuses
            Interrogative(data["interrogative"]),  # type: ignore[arg-type]
            str(data.get("description", "")),
        )


def iter_cells() -> Iterator[ZachmanCell]:
    """Yield all 36 cells, row by row."""
    for perspective in Perspective:
        for interrogative in Interrogative:
            yield ZachmanCell(perspective, interrogative)


CELLS: tuple[ZachmanCell, ...] = tuple(iter_cells())
"""All 36 cells in row-major order."""


def read_cell(value: object) -> tuple[Perspective, Interrogative | None] | None:
    """Read a stored ``zachman_cell`` value by the reference's rules.

    A ``ZachmanCell`` or a mapping with both keys is a full cell; a string is a row, optionally
    followed by ``:`` and anything.

    Returns:
        The row, and the column where it is a known one; None when the value names no row.
    """
    if isinstance(value, ZachmanCell):
        return value.perspective, value.interrogative
    if isinstance(value, Mapping):
        try:
            cell = ZachmanCell.from_dict(value)
        except (KeyError, ValueError, TypeError):
            return None
        return cell.perspective, cell.interrogative
    if isinstance(value, str):
        row, _, column = value.partition(":")
        try:
            perspective = Perspective(row)
        except ValueError:
            return None
        return perspective, _column(column)
    return None


def _column(text: str) -> Interrogative | None:
    try:
        return Interrogative(text)
    except ValueError:
        return None


def matrix_coverage(cells: Iterable[ZachmanCell]) -> dict[str, int]:
    """Count the cells of each row; every row is present, in order, with 0 when empty."""
    counts = {row.value: 0 for row in Perspective}
    for cell in cells:
        counts[cell.perspective.value] += 1
    return counts


def check_per_row_floor(cells: Iterable[ZachmanCell], floor: int = 1) -> dict[str, int]:
    """Return the rows that hold fewer than ``floor`` cells, with their counts; empty means it holds."""
    return {row: count for row, count in matrix_coverage(cells).items() if count < floor}


def assert_per_row_floor(cells: Iterable[ZachmanCell], floor: int = 1) -> None:
    """Check that every row holds at least ``floor`` cells.

    Raises:
        AssertionError: Some row holds fewer; the message names the rows and their counts.
    """
    if short := check_per_row_floor(cells, floor):
        rows = ", ".join(f"{row} has {count}" for row, count in short.items())
        raise AssertionError(f"Every perspective needs at least {floor} cells: {rows}.")
