"""Queries: JSON Lines of this tool and of BEIR, TREC topics, and lines of id and text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.models import nearest_cell
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import NearKey, Question
from graphrag_pipeline.experiment.datasets.keys import IDS, TEXTS, near_keys
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors, objects, text_at, wrong
from graphrag_pipeline.graph.reading.files import read_text
from graphrag_pipeline.model.zachman import CELLS

SHOWN = 5
_CELLS = frozenset(cell.coordinate for cell in CELLS)
_TOPIC = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?(.*?)\s*(?=<|\Z)", re.DOTALL | re.IGNORECASE)

Found = list[tuple[str, Question]]
"""Questions, each with the place it was read from."""


@dataclass(frozen=True, slots=True)
class Questions:
    """What a file of queries holds: the queries, and keys of them that are ignored and look like mistakes."""

    asked: tuple[Question, ...]
    near_keys: tuple[NearKey, ...] = ()


def read_questions(path: Path) -> Questions:
    """Read queries of any of the layouts.

    They are TREC topics where the file begins with ``<``, lines ``id TAB text`` in a file ``.tsv`` or
    ``.txt``, else JSON Lines.

    Raises:
        DatasetError: The file cannot be read, an entry is wrong, an id is repeated, or there is no query.
    """
    with as_dataset_errors():
        text = read_text(path)
    if text.lstrip().startswith("<"):
        found = _topics(text, path)
    elif path.suffix in (".tsv", ".txt"):
        found = _rows(text, path)
    else:
        values = list(objects(path))
        found = [(at, _question(value, at)) for at, value in values]
        return Questions(unique(found, path), near_keys(value for _, value in values))
    return Questions(unique(found, path))


def unique(found: Iterable[tuple[str, Question]], path: Path) -> tuple[Question, ...]:
    """Return the questions.

    Raises:
        DatasetError: An id is repeated, or there is none; all repeated ids are counted.
    """
    first: dict[str, str] = {}
    repeated: list[str] = []
    questions = []
    for at, question in found:
        questions.append(question)
        if first.setdefault(question.query_id, at) != at:
            place = first[question.query_id].rpartition(":")[2].strip()
            repeated.append(f"{question.query_id!r} ({place} and {at.rpartition(':')[2].strip()})")
    if repeated:
        shown = ", ".join(repeated[:SHOWN]) + (", …" if len(repeated) > SHOWN else "")
        count = f"{len(repeated)} query ids are" if len(repeated) > 1 else "1 query id is"
        raise DatasetError(
            f"{count} repeated: {shown}.", where=str(path), hint="Give every query an id of its own."
        )
    if not questions:
        raise DatasetError("The file holds no query.", where=str(path))
    return tuple(questions)


def _question(value: Mapping[str, Any], at: str) -> Question:
    cell = _optional(value, "cell", str, at)
    if cell is not None and cell not in _CELLS:
        raise wrong(at, f"{cell!r} is not a Zachman cell; did you mean {nearest_cell(cell)}?")
    kind = value.get("kind", value.get("type", ""))
    return Question(
        query_id=_not_empty(text_at(value, IDS, at), at),
        text=text_at(value, TEXTS, at),
        k=_optional(value, "k", int, at),
        persona=_optional(value, "persona", str, at),
        cell=cell,
        max_hops=_optional(value, "max_hops", int, at),
        kind=kind if isinstance(kind, str) else "",
        filters=_filters(value.get("filters"), at),
    )


# Any: JSON data
def _filters(value: Any, at: str) -> Mapping[str, Any]:
    """Return rules by slot; whether they are rules is known once there is a pipeline."""
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(rule, dict) for rule in value.values()):
        raise wrong(at, "'filters' must be an object: a slot, and its rule, which is an object, too.")
    return value


# Any: a value of the kind that is wanted, or None
def _optional(value: Mapping[str, Any], key: str, kind: type, at: str) -> Any:
    found = value.get(key)
    if found is not None and (not isinstance(found, kind) or isinstance(found, bool)):
        raise wrong(
            at, f"{key!r} must be {'a text' if kind is str else 'a whole number'}, not {found!r:.60}."
        )
    return found


def _not_empty(query_id: str, at: str) -> str:
    if not query_id.strip():
        raise wrong(at, "The id is empty.")
    return query_id


def _topics(text: str, path: Path) -> Found:
    found = []
    for place, topic in enumerate(_TOPIC.findall(text), start=1):
        at = f"{path}: topic {place}"
        number, title = _NUMBER.search(topic), _TITLE.search(topic)
        if number is None or title is None:
            raise wrong(at, f"The topic has no <{'num' if number is None else 'title'}>.")
        found.append((at, Question(number[1], " ".join(title[1].split()))))
    return found


def _rows(text: str, path: Path) -> Found:
    found = []
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            query_id, tab, words = row.removesuffix("\r").partition("\t")
            if not tab:
                raise wrong(f"{path}:{line}", "The line has no tab: a line is an id, a tab and a text.")
            found.append((f"{path}:{line}", Question(_not_empty(query_id, f"{path}:{line}"), words)))
    return found
