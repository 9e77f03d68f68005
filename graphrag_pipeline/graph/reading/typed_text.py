"""Values that a file writes as text, beside the name of their type."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.graph.sources.intake import NAN_VALUE, Intake

NUMBER = "number"
"""A type of our own: numbers that are whole where they are written so."""
EMPTY = "a number or truth value is written as the empty text; it is left out"
NOT_OF_ITS_TYPE = "a value is not of its declared type; it stays text"
NOT_JSON = "a value is no valid JSON; it stays text"

WHOLE = re.compile(r"[+-]?[0-9]++")
# No part can give back what it took: a long row of digits is read once, whatever follows it.
DECIMAL = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
NAN, INFINITE = ("nan",), ("inf", "infinity")
"""How numbers are written that have no digits, in lower case."""
TRUTH = {"true": True, "1": True, "false": False, "0": False}


def whole(text: str) -> int:
    """Return a whole number, exactly.

    Raises:
        ValueError: It is none, or longer than Python reads.
    """
    if WHOLE.fullmatch(text) is None:
        raise ValueError(text)
    return int(text)


def decimal(text: str) -> float:
    """Return a number, which may be infinite or NaN.

    Raises:
        ValueError: It is none, or too large for a float.
    """
    if DECIMAL.fullmatch(text) is None:
        return _named(text)
    if math.isinf(found := float(text)):
        raise ValueError(text)
    return found


def number(text: str) -> int | float:
    """Return a number, whole if it is written so.

    Raises:
        ValueError: As of :func:`whole` and :func:`decimal`.
    """
    return whole(text) if WHOLE.fullmatch(text) else decimal(text)


def truth(text: str) -> bool:
    """Return a truth value.

    Raises:
        ValueError: It is none.
    """
    try:
        return TRUTH[text.lower()]
    except KeyError as error:
        raise ValueError(text) from error


def _named(text: str) -> float:
    name = text.lower().lstrip("+-")
    if name in NAN:
        return math.nan
    if name in INFINITE:
        return -math.inf if text.startswith("-") else math.inf
    raise ValueError(text)


READERS: Mapping[str, Callable[[str], int | float | bool]] = {
    **dict.fromkeys(("byte", "short", "int", "integer", "long", "biginteger"), whole),
    **dict.fromkeys(("float", "double", "real", "bigdecimal"), decimal),
    **dict.fromkeys(("boolean", "bool"), truth),
    NUMBER: number,
}
"""How to read a value of a type, by the type's name in lower case; every other type is text."""
TEXT_TYPES = frozenset({"string", "char", "character", "anyuri", "date", "datetime", "dynamicstring"})
"""Types of text, in lower case."""


# Any: the value may be of any type.
def typed(text: str, kind: str, intake: Intake, at: str) -> Any:
    """Return the value of a text: None where it stands for no value, the text itself where it has no type.

    Args:
        text: The text.
        kind: Name of its type, in lower case.
        intake: Told of a value that is not of its type, and of NaN, which is no value.
        at: Where it is.
    """
    read = READERS.get(kind)
    if read is None:
        return text
    plain = text.strip()
    if not plain:
        intake.blank(EMPTY, at)
        return None
    try:
        value = read(plain)
    except ValueError:
        intake.repair(NOT_OF_ITS_TYPE, at)
        return text
    if missing(value):
        intake.blank(NAN_VALUE, at)
        return None
    return value


def from_json(text: str, intake: Intake, at: str) -> Any:  # Any: JSON data
    """Return the JSON value of a text, or the text when it is none, which is remarked."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        intake.repair(NOT_JSON, at)
        return text
