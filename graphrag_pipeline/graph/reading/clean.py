"""Making values from outside fit to keep: JSON data whose texts any format can hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Control characters but tab and line ends, lone surrogates, non-characters: no XML 1.0 file holds them."""
REPLACEMENT = "\ufffd"
DEEPEST = 100
"""Levels of nesting that a value from outside may have."""

Told = Callable[[str], None]


def clean_text(text: str, told: Told) -> str:
    """Return a text with every unfit character replaced by U+FFFD, and tell once when there was one."""
    if text.isprintable() or UNFIT.search(text) is None:
        return text
    told("a control character or lone surrogate was replaced by U+FFFD")
    return UNFIT.sub(REPLACEMENT, text)


# Any throughout: a file holds any value.
def clean_value(value: Any, told: Told, level: int = 0) -> Any:
    """Return a value as JSON data with fit texts.

    Dates become ISO 8601 text, decimals and bytes text, arrays and tuples lists, keys text. What is
    no JSON data becomes its text, and is told.
    """
    kind = type(value)
    if kind is str:
        return clean_text(value, told)
    if kind in (int, float, bool, type(None)):
        return value
    if level >= DEEPEST:
        told(f"a value nested deeper than {DEEPEST} levels was cut there")
        return None
    if isinstance(value, dict):
        return {_key(key, told): clean_value(item, told, level + 1) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        # Their own order differs from run to run.
        value = sorted(value, key=lambda item: (kind_name(item), str(item)))
    if isinstance(value, list | tuple):
        return [clean_value(item, told, level + 1) for item in value]
    return _clean_object(value, told, level)


def _key(key: Any, told: Told) -> str:
    return clean_text(key if isinstance(key, str) else str(key), told)


def _clean_object(value: Any, told: Told, level: int) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return clean_value(value.tolist(), told, level + 1)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta | Decimal):
        return str(value)
    if isinstance(value, bytes):
        told("bytes were read as UTF-8 text")
        return clean_text(value.decode("utf-8", "replace"), told)
    if isinstance(value, str | int | float):
        return clean_value({str: str, int: int, float: float}[_base(value)](value), told, level)
    told(f"a value of type {kind_name(value)} was replaced by its text")
    text = str(value)
    # The default text of an object holds its address, which is another one in every run.
    return f"<{kind_name(value)}>" if " object at 0x" in text else clean_text(text, told)


def _base(value: Any) -> type:
    return next(base for base in (str, int, float) if isinstance(value, base))


def kind_name(value: object) -> str:
    """Return the name of a value's type, for messages."""
    return type(value).__name__
