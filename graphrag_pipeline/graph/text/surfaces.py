"""The names that nodes go by, as sequences of words."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.text.analysis import Analysis
from graphrag_pipeline.graph.text.fields import NodeText
from graphrag_pipeline.graph.text.settings import TextSettings

LABEL, ALIAS, NO_NUMBER, NO_BRACKET, NO_ARTICLE, UP_TO_COMMA = 1.0, 0.9, 0.9, 0.9, 0.8, 0.6
_NUMBER = re.compile(r"\s*\d+(?:(?:\.\d+)+[.)]?|[.)])\s+(?=\S)")
"""An outline number at the beginning, as in ``2.3.1 Orders`` and ``4) Orders``; not ``12 Angry Men``."""
_BRACKET = re.compile(r"\s*[(\[\uff08\uff3b][^()\[\]\uff08\uff09\uff3b\uff3d]*[)\]\uff09\uff3d]\s*$")
"""A bracket at the end, also in the wide form of Chinese and Japanese."""
_ARTICLE = re.compile(r"the\s+", re.IGNORECASE)


class Match(NamedTuple):
    """A name found among words: its words from ``start`` up to ``end``, and its place among the names."""

    start: int
    end: int
    place: int


@dataclass(frozen=True)
class Surfaces:
    """Names and the nodes that have them.

    Args:
        names: Distinct names, words separated by blanks, in order of first use.
        start: Where the owners of each name start: one more entry than there are names.
        node: Owners, in node order.
        weight: How well the name stands for each owner, above 0 up to 1.
    """

    names: TextColumn
    start: Array
    node: Array
    weight: Array

    @cached_property
    def place_of(self) -> Mapping[str, int]:
        """The place of each name."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def first_words(self) -> Mapping[str, int]:
        """The words that names start with, and the most words of a name that starts so."""
        longest: dict[str, int] = {}
        for name in self.names:
            first, words = name.partition(" ")[0], name.count(" ") + 1
            longest[first] = max(longest.get(first, 0), words)
        return longest

    def owners(self, place: int) -> tuple[Array, Array]:
        """Return the nodes that have a name, and how well it stands for each."""
        rows = slice(int(self.start[place]), int(self.start[place + 1]))
        return self.node[rows], self.weight[rows]

    def matches(self, words: Sequence[str]) -> list[Match]:
        """Return every match of a name, by start, then the longest first."""
        found = []
        place_of, first_words = self.place_of, self.first_words
        for start, word in enumerate(words):
            most = first_words.get(word, 0)
            for end in range(min(start + most, len(words)), start, -1):
                place = place_of.get(" ".join(words[start:end]))
                if place is not None:
                    found.append(Match(start, end, place))
        return found

    def longest_matches(self, words: Sequence[str]) -> list[Match]:
        """Return matches that do not overlap, in order: of two that would, the longer, then the first.

        The names that start with a word, and how long they are, are known, so the work is linear in the
        words for names of bounded length, as with a trie of words.
        """
        taken = [False] * len(words)
        kept = []
        for match in sorted(self.matches(words), key=lambda match: (match.start - match.end, match.start)):
            if not any(taken[match.start : match.end]):
                taken[match.start : match.end] = [True] * (match.end - match.start)
                kept.append(match)
        return sorted(kept)


class SurfacesBuilder:
    """Takes the texts of nodes, in node order."""

    def __init__(self, analysis: Analysis, settings: TextSettings) -> None:
        self._analysis = analysis
        self._settings = settings
        self._places: dict[str, int] = {}
        self._place, self._node, self._weight = array("i"), array("i"), array("f")
        self._nodes = 0

    def add(self, text: NodeText) -> None:
        """Add the names of the next node; of a name it has twice the better weight counts."""
        mine: dict[str, float] = {}
        for name, weight in self._names(text):
            for key in self._keys(name):
                mine[key] = max(mine.get(key, 0.0), weight)
        for key, weight in mine.items():
            self._place.append(self._places.setdefault(key, len(self._places)))
            self._node.append(self._nodes)
            self._weight.append(weight)
        self._nodes += 1

    def _names(self, text: NodeText) -> Iterator[tuple[str, float]]:
        yield text.label, LABEL
        for alias in text.aliases:
            yield alias, ALIAS
        if not self._settings.derived_aliases:
            return
        for name, weight in ((text.label, LABEL), *((alias, ALIAS) for alias in text.aliases)):
            bare = _BRACKET.sub("", name)
            if bare != name:
                yield bare, weight * NO_BRACKET
            plain = _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare
            if plain != bare:
                yield plain, weight * NO_ARTICLE
            head = plain.partition(",")[0]
            if head != plain and len(head.split()) >= 2:
                yield head, weight * UP_TO_COMMA
            unnumbered = _NUMBER.sub("", name, count=1) if _NUMBER.match(name) else name
            if unnumbered != name:
                yield unnumbered, weight * NO_NUMBER

    def _keys(self, name: str) -> Iterator[str]:
        words = [word.text for word in self._analysis.words(name)]
        # A text is not a name, and nobody asks for it word for word.
        if 0 < len(words) <= self._settings.mentions.max_words:
            yield " ".join(words)
            if len(words) > 1 and " " not in name.strip():
                yield "".join(words)

    def finish(self) -> Surfaces:
        """Return the names; the builder is used up."""
        place = np.array(self._place, dtype=np.int32)
        order = np.argsort(place, kind="stable")
        start = np.zeros(len(self._places) + 1, dtype=np.int64)
        np.cumsum(np.bincount(place, minlength=len(self._places)), out=start[1:])
        return Surfaces(
            TextColumn.of(self._places),
            start,
            np.array(self._node, dtype=np.int32)[order],
            np.array(self._weight, dtype=np.float64)[order],
        )
