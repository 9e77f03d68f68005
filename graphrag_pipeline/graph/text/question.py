"""A query's text, analysed against what a graph says: its terms, what it mentions, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphrag_pipeline.graph.arrays import Array, FloatArray, IntArray
from graphrag_pipeline.graph.text.analysis import Analysis, Piece, Word
from graphrag_pipeline.graph.text.dates import date_terms
from graphrag_pipeline.graph.text.postings import Bm25, Postings
from graphrag_pipeline.graph.text.settings import MentionSettings
from graphrag_pipeline.graph.text.surfaces import Surfaces


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the query that names nodes.

    Args:
        start: Its first word.
        end: The word after its last.
        share: Its weight as a share of the heaviest mention's, above 0 up to 1.
        explains: Its weight as a share of the whole query's, above 0 up to 1.
        node: The nodes it may mean, in node order.
        surface: How well the name stands for each, above 0 up to 1.
    """

    start: int
    end: int
    share: float
    explains: float
    node: Array
    surface: Array


class Question:
    """A query's text against one graph; everything is made when it is first asked for.

    Args:
        text: The words.
        analysis: How text is analysed.
        postings: The graph's terms.
        surfaces: The graph's names.
        settings: What counts as a mention.
    """

    def __init__(
        self,
        text: str,
        analysis: Analysis,
        postings: Postings,
        surfaces: Surfaces,
        settings: MentionSettings,
    ) -> None:
        self._text = text
        self._analysis = analysis
        self._postings = postings
        self._surfaces = surfaces
        self._settings = settings
        self._scores: dict[tuple[Bm25, bool], FloatArray] = {}

    def as_it_is(self) -> Question:
        """Return a copy with all that was made so far; what one of the two makes later, the other lacks."""
        other = copy(self)
        other._scores = dict(self._scores)
        return other

    @cached_property
    def _pieces(self) -> list[Piece]:
        return list(self._analysis.pieces(self._text))

    @cached_property
    def words(self) -> list[Word]:
        """The words of the query, in order."""
        return [word for piece in self._pieces for word in piece.words]

    @cached_property
    def terms(self) -> tuple[IntArray, FloatArray]:
        """The distinct terms that the graph knows, in order, and how often the query has each.

        The terms of a word that is written together, its joined form among them, count as much as the rarest
        of them by itself.
        """
        return self._counted(self._left([False] * len(self.words)))

    def _counted(self, terms: Iterable[tuple[str, float]]) -> tuple[IntArray, FloatArray]:
        counts: dict[int, float] = {}
        for term, count in terms:
            code = self._postings.code_of.get(term)
            if code is not None:
                counts[code] = counts.get(code, 0.0) + count
        return np.array(list(counts), dtype=np.int64), np.array(list(counts.values()), dtype=np.float64)

    def _left(self, known: Sequence[bool]) -> Iterator[tuple[str, float]]:
        """Yield the terms of the words that are not known, and how much each counts."""
        at = 0
        for piece in self._pieces:
            done = known[at : at + len(piece.words)]
            terms = [word.term for word, explained in zip(piece.words, done, strict=True) if not explained]
            if piece.joined and not all(done):
                terms.append(piece.joined)
            count = self._count_each(piece) if piece.joined else 1.0
            yield from ((term, count) for term in terms if term)
            at += len(piece.words)
        if self._analysis.settings.dates:
            yield from ((term, 1.0) for term in date_terms(self._text))

    def _count_each(self, piece: Piece) -> float:
        """Return how much each term of a word that is written together counts: all as much as the rarest.

        LiHua is li, hua and lihua. Where one of them stands the others do, and a name is no heavier for
        how it is written.
        """
        codes = self._postings.codes([*(word.term for word in piece.words), piece.joined])
        idf = self._postings.idf[codes]
        return float(idf.max() / idf.sum()) if idf.size else 1.0

    def _weight(self, term: str) -> float:
        """Return the weight of a term in what a query is about; an unknown one is the rarest there is."""
        if not term:
            return 0.0
        code = self._postings.code_of.get(term)
        if code is None:
            return float(np.log1p((self._postings.node_count + 0.5) / 0.5))
        return float(self._postings.idf[code])

    @cached_property
    def _word_weights(self) -> list[float]:
        return [self._weight(word.term) for word in self.words]

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """What the query names, in order: longest matches, the weight of each the sum of its words' idf."""
        words = self.words
        capitals = any(word.capital for word in words[1:])
        found = []
        for match in self._surfaces.longest_matches([word.text for word in words]):
            span = slice(match.start, match.end)
            weight = sum(self._word_weights[span])
            # A name in lower case is likelier a plain word, where the writer does use capitals.
            if capitals and not any(word.capital for word in words[span]):
                weight *= self._settings.lower_case
            if weight > 0:
                found.append((match, weight))
        heaviest = max((weight for _, weight in found), default=1.0)
        total = sum(self._word_weights)
        return tuple(
            Mention(
                match.start,
                match.end,
                weight / heaviest,
                weight / total,
                *self._surfaces.owners(match.place),
            )
            for match, weight in found
            if weight / heaviest >= self._settings.min_share
        )

    @cached_property
    def _explained(self) -> list[bool]:
        explained = [False] * len(self.words)
        for mention in self.mentions:
            if mention.share >= self._settings.strong_share:
                explained[mention.start : mention.end] = [True] * (mention.end - mention.start)
        return explained

    @cached_property
    def coverage(self) -> float:
        """The share of the query's idf that strong mentions explain, 0 … 1."""
        weights = self._word_weights
        total = sum(weights)
        explained = sum(weight for weight, known in zip(weights, self._explained, strict=True) if known)
        return explained / total if total else 0.0

    @cached_property
    def residual(self) -> tuple[IntArray, FloatArray]:
        """The distinct terms that strong mentions leave, in order, and how often the query has each."""
        return self._counted(self._left(self._explained))

    @cached_property
    def residual_weights(self) -> dict[str, float]:
        """The weight of each term of the residual, also of terms that no node has: those are the rarest."""
        return {term: self._weight(term) for term, _ in self._left(self._explained)}

    @cached_property
    def partly_named(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Nodes whose label shares two or more terms with the residual.

        Returns:
            Their positions, ascending; the share of the label's idf that is shared, and the share of the
            query's; each above 0 up to 1.
        """
        postings = self._postings
        codes, _ = self.residual
        shared, count = np.zeros(postings.node_count), np.zeros(postings.node_count, dtype=np.int64)
        for code, weight in zip(codes.tolist(), postings.idf[codes].tolist(), strict=True):
            rows = postings.rows(code)
            node = postings.node[rows][postings.count[0, rows] > 0]
            shared[node] += weight
            count[node] += 1
        nodes = np.flatnonzero(count >= 2)
        total = sum(self._word_weights) or 1.0
        return nodes, shared[nodes] / postings.label_idf[nodes], np.minimum(shared[nodes] / total, 1.0)

    def bm25(self, form: Bm25, *, residual: bool = False) -> FloatArray:
        """Return the BM25 of every node; it must not be written to.

        Args:
            form: Which BM25.
            residual: Whether only the residual is looked for.
        """
        found = self._scores.get((form, residual))
        if found is None:
            codes, counts = self.residual if residual else self.terms
            found = self._postings.bm25(codes, counts, form)
            found.setflags(write=False)
            self._scores[form, residual] = found
        return found

    def idf_coverage(self, nodes: IntArray) -> FloatArray:
        """Return for each node the share of the query's idf that its terms make up, 0 … 1."""
        codes, _ = self.terms
        idf = self._postings.idf[codes]
        total = float(idf.sum())
        held = np.zeros(self._postings.node_count)
        for code, weight in zip(codes.tolist(), idf.tolist(), strict=True):
            held[self._postings.node[self._postings.rows(code)]] += weight
        return held[nodes] / total if total else np.zeros(nodes.size)
