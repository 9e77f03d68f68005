"""What a question set holds, once it is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

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
    """

    query_id: str
    text: str
    k: int | None = None
    persona: str | None = None
    cell: str | None = None
    max_hops: int | None = None
    kind: str = ""

    def query(self, defaults: Query) -> Query:
        """Return the query, with the config's values for what the set does not say."""
        asked = replace(defaults, text=self.text)
        if self.cell is not None:
            asked = replace(asked, cell=ZachmanCell.from_coordinate(self.cell))
        if self.persona is not None:
            asked = replace(asked, persona=self.persona)
        k = asked.k if self.k is None else self.k
        return replace(asked, k=k, max_hops=asked.max_hops if self.max_hops is None else self.max_hops)


@dataclass(frozen=True)
class Dataset:
    """A question set.

    Args:
        name: What it is called in results.
        questions: The queries, in the order of the file; every id once.
        relevance: Judgements by query id, then by document; 0 and less is not relevant.
        by_label: Whether documents are named by their titles, which are labels of nodes.
        paths: Gold edges by query id.
    """

    name: str
    questions: tuple[Question, ...]
    relevance: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    by_label: bool = False
    paths: Mapping[str, tuple[Triple, ...]] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that is asked and judged, wherever it was read from."""
        content = [
            [asdict(question) for question in self.questions],
            {query: dict(sorted(documents.items())) for query, documents in sorted(self.relevance.items())},
            self.by_label,
            dict(sorted(self.paths.items())),
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
        )
