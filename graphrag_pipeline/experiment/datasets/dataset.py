"""What a question set holds, once it is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import ZachmanCell

Triple = tuple[str, str, str]
"""Source, edge type and target of a gold edge; the ends are node ids or labels."""


@dataclass(frozen=True, slots=True)
class Question:
    """One query of a set; what is None is taken from the config.

    Args:
        query_id: Its id.
        text: Its words.
        k: Most seeds.
        persona: Persona id.
        cell: Zachman cell, as ``row:column``.
        max_hops: Most hops.
        kind: What sort of question it is, for the rows; empty when that is not said.
        filters: Rules by filter slot, which hold for this query beside those of the config.
    """

    query_id: str
    text: str
    k: int | None = None
    persona: str | None = None
    cell: str | None = None
    max_hops: int | None = None
    kind: str = ""
    filters: Mapping[str, Any] = field(default_factory=dict, hash=False)  # Any: JSON data

    def query(self, defaults: Query) -> Query:
        """Return the query, with the config's values for what the set does not say."""
        return replace(
            defaults,
            text=self.text,
            k=defaults.k if self.k is None else self.k,
            persona=defaults.persona if self.persona is None else self.persona,
            cell=defaults.cell if self.cell is None else ZachmanCell.from_coordinate(self.cell),
            max_hops=defaults.max_hops if self.max_hops is None else self.max_hops,
        )


@dataclass(frozen=True, slots=True)
class NearKey:
    """A key of queries that is ignored, though it is nearly one that is known.

    Args:
        key: The key.
        known: The known key that it is most like.
        queries: How many queries of the file have it.
    """

    key: str
    known: str
    queries: int


@dataclass(frozen=True)
class Dataset:
    """A question set.

    Args:
        name: What it is called in results.
        questions: The queries, in the order of the file; every id once.
        relevance: Judgements by query id, then by document; 0 and less is not relevant. Levels may have
            fractions.
        by_label: Whether documents are named by their titles, which are labels of nodes.
        titles: Titles of documents that have an id, by which they are found when no node has that id.
        near_keys: Keys of queries that are not known and are ignored, though they are nearly known ones.
        paths: Gold edges by query id, each once.
        routes: Gold paths by query id, each the places of its edges in ``paths``; where a query has none,
            edges that hang together are a path.
    """

    name: str
    questions: tuple[Question, ...]
    relevance: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    by_label: bool = False
    paths: Mapping[str, tuple[Triple, ...]] = field(default_factory=dict)
    routes: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    near_keys: tuple[NearKey, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that is asked and judged, wherever it was read from."""
        content = [
            [_content(question) for question in self.questions],
            {query: dict(sorted(documents.items())) for query, documents in sorted(self.relevance.items())},
            self.by_label,
            dict(sorted(self.paths.items())),
            *(dict(sorted(part.items())) for part in (self.routes, self.titles) if part),
        ]
        return hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()

    def first(self, count: int | None) -> Dataset:
        """Return the set with the first queries only; judgements and paths of others are left out."""
        if count is None or count >= len(self.questions):
            return self
        cut = {question.query_id for question in self.questions[count:]}
        return Dataset(
            self.name,
            self.questions[:count],
            {query: documents for query, documents in self.relevance.items() if query not in cut},
            self.by_label,
            {query: triples for query, triples in self.paths.items() if query not in cut},
            {query: routes for query, routes in self.routes.items() if query not in cut},
            self.titles,
            self.near_keys,
        )


# Any: JSON data
def _content(question: Question) -> dict[str, Any]:
    """Return what is asked; what is seldom there is left out, so that it changes no other set's digest."""
    content = asdict(question)
    return content if question.filters else {key: content[key] for key in content if key != "filters"}
