"""Seeds whose label or id contains the query text, else any of its words."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed


class LabelSeedsParams(Params):
    """Label seeds take no parameters."""


class LabelSeeds(Component[LabelSeedsParams]):
    """Seeds by substring match, all with score 1, in node order."""

    name = "label"
    Params = LabelSeedsParams

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return the first ``k`` matches of the query text."""
        return [Seed(index.ids[position], 1.0) for position in match_labels(query.text, index, k)]


def match_labels(text: str, index: GraphIndex, limit: int) -> list[int]:
    """Return the positions of the first nodes that ``text`` names, at most ``limit``.

    The text, stripped and lower-cased, matches a node whose lower-cased label or id contains it; the
    matches are in node order. When nothing matches, each word in turn is tried the same way, and the
    matches are in word order, then node order, each node once. Blank text matches nothing.
    """
    needle = text.lower().strip()
    if not needle:
        return []
    whole: list[int] = index.find(needle, limit).tolist()
    if whole:
        return whole
    found: dict[int, None] = {}
    for word in dict.fromkeys(needle.split()):
        # Of a word's matches at most those found before are repetitions.
        found.update(dict.fromkeys(index.find(word, limit + len(found)).tolist()))
        if len(found) >= limit:
            break
    return list(found)[:limit]
