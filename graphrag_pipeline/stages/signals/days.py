"""Dates as they stand in properties, as day numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

_AFTER = r"(?:[T ].*|Z|[+-]\d\d:\d\d)?"
"""A time of day, or a time zone."""
_WRITTEN = re.compile(rf"(\d{{4}})(?:-(\d\d)(?:-(\d\d))?)?{_AFTER}")
_COMPACT = re.compile(rf"(\d{{4}})(\d\d)(\d\d){_AFTER}")


# Any throughout: a property holds whatever the graph's owner stored there.
def day_of(value: Any) -> int | None:
    """Return the day of a value, counted from the year 1; None when it is no date.

    Read are texts such as ``2026``, ``2026-07``, ``2026-07-03``, ``2026-07-03T10:00`` and ``20260703``,
    numbers of the same digits, and Python's dates. What a text leaves out is the first: of January,
    of the month. The time of day and the time zone are not looked at.
    """
    if isinstance(value, date):
        return value.toordinal()
    if isinstance(value, int | float) and not isinstance(value, bool):
        # Tables of numbers write 2026.0 where one of the years is missing.
        value = str(int(value)) if 0 < value < 1e8 and value == int(value) else ""
    if not isinstance(value, str):
        return None
    text = value.strip()
    found = _WRITTEN.fullmatch(text) or _COMPACT.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        return date(year, month, day).toordinal()
    except ValueError:
        return None


def newest_day(properties: Mapping[str, Any], keys: Sequence[str]) -> int | None:
    """Return the day under the first key that holds a date; of a list of dates the newest."""
    for key in keys:
        value = properties.get(key)
        entries = value if isinstance(value, list | tuple) else (value,)
        days = [day for day in map(day_of, entries) if day is not None]
        if days:
            return max(days)
    return None
