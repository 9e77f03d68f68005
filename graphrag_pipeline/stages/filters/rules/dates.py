"""Dates and years as stretches of time."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

DAY = 24 * 60 * 60 * 1_000_000
"""Microseconds; days have no leap seconds, as in POSIX time."""
LONGEST = 40
"""Most characters of a date."""

_DATE = re.compile(
    r"(?P<year>[+-]?[0-9]{4})(-(?P<month>[0-9]{2})(-(?P<day>[0-9]{2})"
    r"([T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(:(?P<second>[0-9]{2})([.,](?P<part>[0-9]{1,9}))?)?"
    r" ?(?P<zone>Z|z|[+-][0-9]{2}(:?[0-9]{2})?)?)?)?)?"
)
_COMPACT = re.compile(r"(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})")


class Period(NamedTuple):
    """From a moment on, until just before another; in microseconds since 1970 UTC."""

    start: int
    end: int


def period_of(value: object) -> Period | None:
    """Return the time that a value names: a year, a month, a day, or a moment; None when it names none.

    Understood are whole numbers and texts: ``1998``, ``-0044`` (44 years before the year 0), ``1998-05``,
    ``1998-05-17``, ``19980517``, ``1998-05-17T10:30:00.5+02:00``. A time without a zone is UTC.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, date):
        return _of_text(value.isoformat())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        if abs(value) >= 10**8:
            return None
        return _of_text(f"{value:05d}" if value < 0 else f"{value:04d}")
    return _of_text(value.strip()) if isinstance(value, str) and len(value) <= LONGEST else None


@lru_cache(maxsize=4096)  # a graph has few years and days, and many nodes
def _of_text(text: str) -> Period | None:
    match = _DATE.fullmatch(text) or _COMPACT.fullmatch(text)
    return None if match is None else _period(match.groupdict())


def _period(parts: dict[str, str | None]) -> Period | None:
    year, month, day = int(parts["year"] or 0), int(parts["month"] or 1), int(parts["day"] or 1)
    if not 1 <= month <= 12 or not 1 <= day <= _days_in(year, month):
        return None
    start = _days_before(year, month, day) * DAY
    if parts.get("hour") is not None:
        return _moment(start, parts)
    if parts["day"] is not None:
        return Period(start, start + DAY)
    after = (year, month + 1) if parts["month"] is not None and month < 12 else (year + 1, 1)
    return Period(start, _days_before(*after, 1) * DAY)


def _moment(midnight: int, parts: dict[str, str | None]) -> Period | None:
    hour, minute, second = (int(parts[name] or 0) for name in ("hour", "minute", "second"))
    if hour > 23 or minute > 59 or second > 59:
        return None
    start = midnight + ((hour * 60 + minute) * 60 + second) * 1_000_000 - _offset(parts["zone"])
    if parts["second"] is None:
        return Period(start, start + 60_000_000)
    part = (parts["part"] or "")[:6]
    start += int(part.ljust(6, "0"))
    return Period(start, start + 10 ** (6 - len(part)))


def _offset(zone: str | None) -> int:
    if zone is None or zone in "Zz":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return (-minutes if zone[0] == "-" else minutes) * 60_000_000


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days_before(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 in the Gregorian calendar, which is taken to be older than it is.

    Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013, ``days_from_civil``: years
    that begin in March, so that a leap day is a year's last.
    """
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468
