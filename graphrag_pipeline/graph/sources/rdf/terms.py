"""The words of RDF: names of things, and literal values."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, NamedTuple

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
DC = "http://purl.org/dc/elements/1.1/"
FOAF = "http://xmlns.com/foaf/0.1/"
SCHEMA = ("http://schema.org/", "https://schema.org/")
XSD = "http://www.w3.org/2001/XMLSchema#"
OURS = "urn:graphrag:"
"""What the names begin with that our own Turtle export makes."""

TYPE, FIRST, REST, NIL = (f"{RDF}{name}" for name in ("type", "first", "rest", "nil"))
REIFIES = f"{RDF}reifies"
LABEL = f"{RDFS}label"


class Literal(NamedTuple):
    """A literal; at most one of language and datatype is there.

    Args:
        text: Its text.
        language: Its language tag in lower case, the empty text for none.
        datatype: IRI of its type, the empty text for plain text.
    """

    text: str
    language: str = ""
    datatype: str = ""


class Quoted(NamedTuple):
    """A triple that a statement is about (RDF 1.2).

    Args:
        subject: Its subject.
        predicate: Its predicate.
        object: Its object.
    """

    subject: str
    predicate: str
    object: str | Literal | Quoted


def names_in(triple: Quoted) -> Iterator[str]:
    """Yield the resources in a triple, and in those within it."""
    while True:
        yield triple.subject
        if not isinstance(triple.object, Quoted):
            break
        triple = triple.object
    if isinstance(triple.object, str):
        yield triple.object


def is_blank(name: str) -> bool:
    """Whether a resource has no name but one that its file gives it."""
    return name.startswith("_:")


def split(iri: str) -> tuple[str, str]:
    """Return the namespace of an IRI and the local name, which is never empty.

    The local name is what follows the last ``#`` or ``/``, or else the last ``:``.
    """
    end = len(iri.rstrip("#/:")) or len(iri)
    start = max(iri.rfind("#", 0, end), iri.rfind("/", 0, end)) + 1
    start = start or iri.rfind(":", 0, end) + 1
    return iri[:start], iri[start:]


# -- values ----------------------------------------------------------------------------------------

NO_VALUE = "a literal is no value of its type; it is kept as text"
ROUNDED = "a decimal has more digits than a number holds; it is rounded"

LONGEST_JSON = 1 << 20
"""Characters of JSON that is taken apart: each of them may become 30 bytes."""

_INTEGERS = frozenset(
    f"{XSD}{name}"
    for name in (
        *("integer", "int", "long", "short", "byte"),
        *("unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
        *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
    )
)
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SPECIAL = {"INF": math.inf, "+INF": math.inf, "-INF": -math.inf, "NaN": math.nan}
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_ZONE = r"(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?"
_DATE = re.compile(rf"(-?[0-9]{{4,9}})-([0-9]{{2}})-([0-9]{{2}}){_ZONE}")
_TIME = re.compile(rf"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?){_ZONE}")

# Any below: literals of any type.


def value(literal: Literal, told: Callable[[str], None]) -> Any:
    """Return a literal as a JSON value: integers, numbers and truth values, else text.

    Dates stay text. A text that is no value of its type is kept, and told.
    """
    reader = _READERS.get(literal.datatype)
    if reader is None:
        return literal.text
    try:
        return reader(literal.text, told)
    except (ValueError, RecursionError):
        told(NO_VALUE)
        return literal.text


def _integer(text: str, _told: Callable[[str], None]) -> int:
    return int(_matching(_INTEGER, text))


def _decimal(text: str, told: Callable[[str], None]) -> float:
    number = float(_matching(_DECIMAL, text))
    if math.isinf(number):
        raise ValueError
    digits = text.strip().lstrip("+-").replace(".", "").strip("0")
    if len(digits) > 17:  # more than any number needs to be told from its neighbours
        told(ROUNDED)
    return number


def _double(text: str, _told: Callable[[str], None]) -> float:
    bare = text.strip()
    if bare in _SPECIAL:
        return _SPECIAL[bare]
    number = float(_matching(_DOUBLE, bare))
    if math.isinf(number):
        raise ValueError
    return number


def _boolean(text: str, _told: Callable[[str], None]) -> bool:
    if (found := _BOOLEANS.get(text.strip())) is None:
        raise ValueError
    return found


def _date(text: str, _told: Callable[[str], None]) -> str:
    match = _DATE.fullmatch(text.strip())
    if match is None:
        raise ValueError
    year, month, day = map(int, match.groups())
    date(year % 400 + 2000, month, day)  # the calendar repeats after 400 years, and Python's ends at 9999
    return text


def _time(text: str, _told: Callable[[str], None]) -> str:
    return text if _matching(_TIME, text) else ""


def _moment(text: str, told: Callable[[str], None]) -> str:
    day, mark, rest = text.strip().partition("T")
    if not mark or day[-1:] == "Z" or day.count(":"):
        raise ValueError
    _date(day, told)
    _time(rest, told)
    return text


def _json(text: str, _told: Callable[[str], None]) -> Any:
    if len(text) > LONGEST_JSON:
        raise ValueError
    return json.loads(text)


def _matching(pattern: re.Pattern[str], text: str) -> str:
    if (match := pattern.fullmatch(text.strip())) is None:
        raise ValueError
    return match[0]


_READERS: dict[str, Callable[[str, Callable[[str], None]], Any]] = {
    **dict.fromkeys(_INTEGERS, _integer),
    f"{XSD}boolean": _boolean,
    f"{XSD}decimal": _decimal,
    f"{XSD}double": _double,
    f"{XSD}float": _double,
    f"{XSD}date": _date,
    f"{XSD}time": _time,
    f"{XSD}dateTime": _moment,
    f"{XSD}dateTimeStamp": _moment,
    f"{RDF}JSON": _json,
    f"{OURS}json": _json,
}
