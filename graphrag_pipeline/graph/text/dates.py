"""Terms for the dates that a text names, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NUMBER = {name: place for place, name in enumerate(_MONTHS, 1)} | {
    name[:3]: place for place, name in enumerate(_MONTHS, 1) if name != "may"
}
_NAME = "|".join([*_MONTHS, *(name[:3] for name in _MONTHS if name != "may"), "sept"])
_NUMBER["sept"] = 9

_NUMERIC = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d([-/.]?)(0[1-9]|1[0-2])\1(0[1-9]|[12]\d|3[01])(?!\d)")
_WRITTEN = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?({_NAME})\b\.?(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?",
    re.IGNORECASE,
)


def date_terms(text: str) -> Iterator[str]:
    """Yield ``#m07`` for each month and ``#d0703`` for each day of a month, in the order of the text.

    Read are ``20260703``, ``2026-07-03`` and English ``July 3rd``, ``3 July``, ``July``. A month's name in
    lower case alone is a word like any other: ``may``, ``march``.
    """
    for found in _NUMERIC.finditer(text):
        yield f"#m{found[2]}"
        yield f"#d{found[2]}{found[3]}"
    for found in _WRITTEN.finditer(text):
        day = found[1] or found[3]
        if day is None and found[2].islower():
            continue
        month = _NUMBER[found[2].lower()]
        yield f"#m{month:02}"
        if day is not None and 1 <= int(day) <= 31:
            yield f"#d{month:02}{int(day):02}"
