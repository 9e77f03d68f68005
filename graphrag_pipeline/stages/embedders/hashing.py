"""Vectors without a model: words and parts of words, counted in hashed places."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version

import numpy as np
from pydantic import Field, model_validator

from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.text.analysis import Analysis
from graphrag_pipeline.graph.text.dates import date_terms
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.stages.embedders.contract import FloatMatrix

VERSION = 1
"""Grows when the same text would give another vector."""
MEMO = 100_000
"""Distinct words whose features are kept."""


class HashingParams(Params):
    """How many places there are, and what is counted."""

    dim: int = Field(default=1024, ge=8, le=65_536)
    """Length of a vector; the more places, the fewer words share one."""
    shortest: int = Field(default=3, ge=1, le=16)
    """Fewest characters of the parts of a word."""
    longest: int = Field(default=5, ge=1, le=16)
    """Most characters of the parts of a word."""
    parts: float = Field(default=0.5, ge=0, le=1)
    """How much the parts of a word count, against the whole word; 0 counts whole words alone."""

    @model_validator(mode="after")
    def _in_order(self) -> HashingParams:
        if self.longest < self.shortest:
            raise ValueError(f"longest is {self.longest}, and must not be below shortest, {self.shortest}")
        return self


class Hashing(Component[HashingParams]):
    """Signed feature hashing of terms and character n-grams.

    A text is the sum over its distinct words, without stop words, of (1 + ln count) · w. The vector w of a
    word has ±1 in the place of its stem, and ±parts / √n in those of its n parts: the runs of ``shortest`` to
    ``longest`` characters of the word between ``<`` and ``>``. Place and sign come from the BLAKE2b digest
    of a feature. There are no document frequencies, so a vector depends on its text alone.

    Source: Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"; parts of words as in
    Bojanowski et al. 2017, "Enriching Word Vectors with Subword Information".
    """

    name = "hashing"
    Params = HashingParams

    def __init__(self, params: HashingParams | None = None) -> None:
        super().__init__(params)
        self._analysis = Analysis()
        self._memo: dict[tuple[str, str], tuple[IntArray, FloatArray]] = {}

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one row per text; zeros for a text without a word that counts."""
        rows = np.zeros((len(texts), self.params.dim))
        for place, text in enumerate(texts):
            counts = Counter(self._words(text))
            if counts:
                features = [self._features(*word) for word in counts]
                weights = [
                    value * (1 + math.log(n)) for (_, value), n in zip(features, counts.values(), strict=True)
                ]
                places = np.concatenate([at for at, _ in features])
                rows[place] = np.bincount(places, np.concatenate(weights), self.params.dim)
        return rows

    def fingerprint(self) -> str:
        """Return the version and the parameters, and whose tables say what a letter and a stem is."""
        tables = f"unicode {unicodedata.unidata_version} snowball {version('snowballstemmer')}"
        return f"hashing {VERSION} {self.params.model_dump_json()} {tables}"

    def _words(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield a term, and the word it stands for where that has parts, for each word that counts."""
        for words, joined in self._analysis.pieces(text):
            for word in words:
                if word.term:
                    yield word.term, word.text
            if joined:
                yield joined, ""
        for term in date_terms(text):
            yield term, ""

    def _features(self, term: str, word: str) -> tuple[IntArray, FloatArray]:
        """Return the places of a word's features, and a signed weight for each."""
        found = self._memo.get((term, word))
        if found is None:
            names = [f"word {term}", *(f"part {part}" for part in self._parts(word))]
            digests = [hashlib.blake2b(name.encode(), digest_size=8).digest() for name in names]
            codes = np.frombuffer(b"".join(digests), dtype="<u8")
            weights = np.full(codes.size, self.params.parts / math.sqrt(max(codes.size - 1, 1)))
            weights[0] = 1.0
            found = (
                ((codes >> np.uint64(1)) % np.uint64(self.params.dim)).astype(np.int64),
                np.where(codes & np.uint64(1), weights, -weights),
            )
            if len(self._memo) < MEMO:
                self._memo[term, word] = found
        return found

    def _parts(self, word: str) -> list[str]:
        if not word or not self.params.parts:
            return []
        edged = f"<{word}>"
        sizes = range(self.params.shortest, self.params.longest + 1)
        return [edged[at : at + size] for size in sizes for at in range(len(edged) - size + 1)]
