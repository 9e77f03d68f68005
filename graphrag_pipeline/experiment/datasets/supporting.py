"""HotpotQA, 2WikiMultihopQA and MuSiQue: questions whose supporting paragraphs are named by title."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question, Triple
from graphrag_pipeline.experiment.datasets.keys import IDS
from graphrag_pipeline.experiment.datasets.lines import listed_objects, text_at, wrong
from graphrag_pipeline.experiment.datasets.questions import unique

# Any throughout: JSON data.


def read_supporting(path: Path, name: str) -> Dataset:
    """Read a JSON list, or JSON Lines, of questions with ``supporting_facts`` or ``paragraphs``.

    The titles of supporting paragraphs are the judgements; ``evidences`` of 2WikiMultihopQA are gold paths.

    Raises:
        DatasetError: The file cannot be read, an entry is wrong, or an id is repeated.
    """
    questions: list[tuple[str, Question]] = []
    relevance: dict[str, Mapping[str, float]] = {}
    paths: dict[str, tuple[Triple, ...]] = {}
    for at, value in listed_objects(path):
        query_id = text_at(value, IDS, at)
        kind = value.get("type", "")
        text = text_at(value, ("question",), at)
        questions.append((at, Question(query_id, text, kind=kind if isinstance(kind, str) else "")))
        titles = _titles(value, at)
        if titles:
            relevance[query_id] = dict.fromkeys(titles, 1.0)
        if triples := evidences(value, at):
            paths[query_id] = triples
    return Dataset(name, unique(questions, path), relevance, by_label=True, paths=paths)


def is_supporting(value: Mapping[str, Any]) -> bool:
    """Tell whether an entry is of one of these layouts."""
    return "question" in value and ("supporting_facts" in value or "paragraphs" in value)


def _titles(value: Mapping[str, Any], at: str) -> list[str]:
    facts = value.get("supporting_facts")
    try:
        if isinstance(facts, dict):  # as Hugging Face's datasets have it
            return [str(title) for title in facts["title"]]
        if facts is not None:
            return [str(title) for title, _ in facts]
        return [str(entry["title"]) for entry in value["paragraphs"] if entry["is_supporting"]]
    except (KeyError, TypeError, ValueError) as error:
        raise wrong(at, "There are no readable 'supporting_facts' or 'paragraphs'.") from error


def evidences(value: Mapping[str, Any], at: str) -> tuple[Triple, ...]:
    """Return the gold edges of an entry of 2WikiMultihopQA; none of another.

    Raises:
        DatasetError: They are not lists of three.
    """
    try:
        return tuple(dict.fromkeys((str(s), str(r), str(t)) for s, r, t in value.get("evidences", ())))
    except (TypeError, ValueError) as error:
        raise wrong(at, "'evidences' must be lists of subject, relation and object.") from error
