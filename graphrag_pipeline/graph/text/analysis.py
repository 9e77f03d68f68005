"""From text to words, for names, and to terms, for search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from threading import Lock
from typing import NamedTuple

from graphrag_pipeline.graph.text.dates import date_terms
from graphrag_pipeline.graph.text.folding import fold
from graphrag_pipeline.graph.text.settings import AnalysisSettings
from graphrag_pipeline.graph.text.stop_words import stop_words

# Numbers with dots stay whole, as 1.2 and 2.3.1: their digits by themselves say nothing.
_NUMBER = r"(?<!\w)\d+(?:\.\d+)+(?!\w)"
_RUNS = re.compile(rf"{_NUMBER}|[^\W_]+(?:'[^\W_]+)*'?")
_JOINED_RUNS = re.compile(rf"{_NUMBER}|\w+(?:'\w+)*'?")
_POSSESSIVE = re.compile(r"'s?$", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Scripts that put no blanks between words: Thai, kana, Han.
_CJK = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
_SCRIPTS = re.compile(f"[{_CJK}]+|[^{_CJK}]+")
_IS_CJK = re.compile(f"[{_CJK}]")

MEMO = 200_000
"""Distinct words whose analysis is kept."""


class Word(NamedTuple):
    """A word of a text.

    Args:
        text: As names are compared: folded, lower-cased, without possessive.
        term: What it is indexed as; empty for a stop word.
        capital: Whether it was written with a capital, or holds a digit.
    """

    text: str
    term: str
    capital: bool


class Piece(NamedTuple):
    """A stretch of letters and digits.

    Args:
        words: Its words.
        joined: A further term for the words written together; empty for a single word.
    """

    words: tuple[Word, ...]
    joined: str


class Analysis:
    """Analyses text by one set of settings; safe to share between threads.

    Args:
        settings: How.
    """

    def __init__(self, settings: AnalysisSettings | None = None) -> None:
        self.settings = settings or AnalysisSettings()
        self._stops = stop_words(self.settings.stop_words)
        self._stem = _stemmer(self.settings.stemmer)
        self._memo: dict[str, tuple[Piece, ...]] = {}

    def pieces(self, text: str) -> Iterator[Piece]:
        """Yield the pieces of a text, in order."""
        folded = fold(text) if self.settings.fold else text
        runs = _RUNS if self.settings.split else _JOINED_RUNS
        for run in runs.findall(folded):
            found = self._memo.get(run)
            if found is None:
                found = self._read(run)
                if len(self._memo) < MEMO:
                    self._memo[run] = found
            yield from found

    def words(self, text: str) -> list[Word]:
        """Return the words of a text, in order."""
        return [word for piece in self.pieces(text) for word in piece.words]

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text: those of words, joined forms, then dates."""
        found: list[str] = []
        for words, joined in self.pieces(text):
            found += [word.term for word in words if word.term]
            if joined:
                found.append(joined)
        return [*found, *date_terms(text)] if self.settings.dates else found

    def _read(self, run: str) -> tuple[Piece, ...]:
        plain = _POSSESSIVE.sub("", run) if self.settings.possessives else run
        if self.settings.cjk == "none" or not _IS_CJK.search(plain):
            return (self._piece(plain),) if plain else ()
        scripts = _SCRIPTS.findall(plain)
        return tuple(
            _cjk_piece(script) if _IS_CJK.match(script) else self._piece(script) for script in scripts
        )

    def _piece(self, run: str) -> Piece:
        parts = [run]
        if self.settings.split:
            parts = [part for piece in run.split("'") for part in _CAMEL.split(piece) if part]
        words = tuple(self._word(part) for part in parts)
        joined = "".join(word.text for word in words) if len(words) > 1 else ""
        return Piece(words, self._term(joined) if joined else "")

    def _word(self, part: str) -> Word:
        text = part.casefold()
        return Word(text, self._term(text), part != part.lower() or any(map(str.isdigit, part)))

    def _term(self, text: str) -> str:
        return "" if text in self._stops else self._stem(text)


def _cjk_piece(run: str) -> Piece:
    """Return each character as a word whose term is it and the one before."""
    if len(run) == 1:
        return Piece((Word(run, run, True),), "")
    terms = ["", *(run[place : place + 2] for place in range(len(run) - 1))]
    return Piece(tuple(Word(char, term, True) for char, term in zip(run, terms, strict=True)), "")


def _stemmer(language: str) -> Callable[[str], str]:
    if language == "none":
        return str
    import snowballstemmer

    stemmer, lock = snowballstemmer.stemmer(language), Lock()

    def stem(word: str) -> str:
        # A stemmer keeps the word it works on in itself.
        with lock:
            return str(stemmer.stemWord(word))

    return stem
