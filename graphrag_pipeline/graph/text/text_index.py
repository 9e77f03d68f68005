"""Everything that stages ask of the text in a graph."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.text.analysis import Analysis
from graphrag_pipeline.graph.text.fields import CHUNK, aliases_in, node_texts, passage_in
from graphrag_pipeline.graph.text.postings import Postings, PostingsBuilder
from graphrag_pipeline.graph.text.question import Question
from graphrag_pipeline.graph.text.salience import NamesInTexts, edge_salience
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.graph.text.surfaces import Surfaces, SurfacesBuilder

if TYPE_CHECKING:
    from graphrag_pipeline.graph.columns.table import Table

REMEMBERED = 8
"""Questions whose analysis is kept: the stages of one query share it."""
TEXTUAL_NODES = 0.95
"""Share of a type's nodes that must say something, for the type to be one of texts."""
TEXTUAL_WORDS = 1 / 3
"""Share of all words of passages that must be theirs: things may be described, too."""
TEXTUAL_TERMS = 16.0
"""Terms that their passages must have on average: a line that describes a thing is no text."""


class TextIndex:
    """Postings and names of a graph, by one set of settings; safe to share between threads.

    Args:
        table: The graph.
        settings: What counts as text, and how it is analysed.
        postings: Its terms.
        surfaces: Its names.
        salience: The salience of its edges, where it is known.
    """

    def __init__(
        self,
        table: Table,
        settings: TextSettings,
        postings: Postings,
        surfaces: Surfaces,
        salience: FloatArray | None = None,
    ) -> None:
        self.settings = settings
        self.postings = postings
        self.surfaces = surfaces
        self.analysis = Analysis(settings.analysis)
        self.table = table
        self._questions: OrderedDict[str, Question] = OrderedDict()
        self._lock = Lock()
        self._salience = salience

    @classmethod
    def build(cls, table: Table, settings: TextSettings) -> TextIndex:
        """Analyse every node; time is linear in the text."""
        analysis = Analysis(settings.analysis)
        postings, surfaces = PostingsBuilder(), SurfacesBuilder(analysis, settings)
        for text in node_texts(table.nodes, settings):
            postings.add([analysis.terms(field) for field in text.fields])
            surfaces.add(text)
        return cls(table, settings, postings.finish(), surfaces.finish())

    def over(self, table: Table) -> TextIndex:
        """Return the same text for a graph of the same nodes with other edges."""
        other = TextIndex(table, self.settings, self.postings, self.surfaces)
        if "names_in_texts" in self.__dict__:
            other.__dict__["names_in_texts"] = self.names_in_texts
        return other

    def ask(self, text: str) -> Question:
        """Return the question for a text; those asked last are kept."""
        with self._lock:
            found = self._questions.get(text)
            if found is None:
                found = Question(text, self.analysis, self.postings, self.surfaces, self.settings.mentions)
                self._questions[text] = found
                if len(self._questions) > REMEMBERED:
                    self._questions.popitem(last=False)
            else:
                self._questions.move_to_end(text)
        return found

    def remembered(self) -> dict[str, Question]:
        """Return the questions that are kept, by text, with what was made of each so far."""
        with self._lock:
            return {text: question.as_it_is() for text, question in self._questions.items()}

    def remember(self, questions: Mapping[str, Question]) -> None:
        """Keep these questions and no others; they stay what they are, whatever is made of them here."""
        with self._lock:
            self._questions = OrderedDict((text, given.as_it_is()) for text, given in questions.items())

    def anew(self, text: str) -> None:
        """Forget all questions, and know the words of a text: it is then asked as for the first time."""
        self.remember({})
        for _ in self.analysis.pieces(text):
            pass

    # -- nodes -------------------------------------------------------------------------------------

    def terms_at(self, position: int) -> IntArray:
        """Return the codes of a node's distinct terms, ascending."""
        return self.postings.terms_at(position)

    def passage(self, position: int) -> str:
        """Return what a node says, or the empty text."""
        return passage_in(self.table.nodes.properties[position], self.settings)

    def passages(self, positions: IntArray) -> Iterator[str]:
        """Yield what some nodes say, in the order given; faster than one by one."""
        for start in range(0, positions.size, CHUNK):
            for properties in self.table.nodes.properties.many(positions[start : start + CHUNK]):
                yield passage_in(properties, self.settings)

    @cached_property
    def names_in_texts(self) -> NamesInTexts:
        """The names that stand in what nodes say."""
        return NamesInTexts.scan(self)

    def aliases(self, position: int) -> tuple[str, ...]:
        """Return other names of a node."""
        return aliases_in(self.table.nodes.properties[position], self.settings)

    @cached_property
    def textual(self) -> BoolArray:
        """Tell of each node whether its type is one of texts.

        That is a type of which nearly all nodes say something, at some length, and which says much of what
        is said: the passages of a graph of passages and things, also where some things have a description.
        """
        kind = self.table.nodes.type.code.astype(np.int64)
        terms = self.postings.length[PASSAGE]
        size = np.maximum(np.bincount(kind), 1)
        speaking, said = np.bincount(kind, weights=terms > 0), np.bincount(kind, weights=terms)
        is_text = (speaking / size >= TEXTUAL_NODES) & (said / size >= TEXTUAL_TERMS)
        textual: BoolArray = (is_text & (said >= TEXTUAL_WORDS * terms.sum()))[kind]
        return textual

    # -- edges -------------------------------------------------------------------------------------

    @cached_property
    def salience(self) -> FloatArray:
        """How early in its text an edge's mention stands, above 0 up to 1; 1 for an edge that is no mention.

        A mention is an edge between a node that says something and one whose name stands in that; its
        salience is 1 / (1 + first word / 40).
        """
        return edge_salience(self.table, self) if self._salience is None else self._salience

    @cached_property
    def edge_type_terms(self) -> tuple[tuple[str, ...], ...]:
        """The distinct terms of each edge type's name, by type code."""
        names = self.table.edges.type.names
        return tuple(tuple(dict.fromkeys(self.analysis.terms(name))) for name in names)

    # -- terms -------------------------------------------------------------------------------------

    @property
    def idf(self) -> FloatArray:
        """Inverse document frequency by term code."""
        return self.postings.idf

    def codes(self, text: str) -> IntArray:
        """Return the codes of the terms of a text that the graph knows, in order."""
        return self.postings.codes(self.analysis.terms(text))


PASSAGE = 3
"""The field of what a node says."""
