"""How text is analysed and where it is found: the config's ``text`` section."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import Field

from graphrag_pipeline.model.component import Params

Language: TypeAlias = Literal[
    "none",
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hungarian",
    "indonesian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "turkish",
]
"""Languages of the Snowball stemmers."""

StopWords: TypeAlias = Literal[
    "none", "dutch", "english", "french", "german", "italian", "portuguese", "spanish"
]
"""Languages that have a list of stop words."""


class AnalysisSettings(Params):
    """From text to terms; queries and nodes are analysed alike."""

    fold: bool = True
    """Take accents off letters and write special letters as plain ones; case is always folded."""
    split: bool = True
    """Split words written together, as ``LiHua`` and ``due_date``; the joined form stays a term as well."""
    possessives: bool = True
    """Drop a possessive ``'s`` or ``s'``."""
    dates: bool = True
    """Add terms for days and months, so that ``20260703``, ``2026-07-03`` and ``July 3rd`` share one."""
    cjk: Literal["bigrams", "none"] = "bigrams"
    """Chinese, Japanese and Thai: a term for each two characters, or one for each run of characters."""
    stemmer: Language = "english"
    """Snowball stemmer that words go through; ``none`` leaves them as they are."""
    stop_words: StopWords = "english"
    """Words that are no terms."""


class MentionSettings(Params):
    """When a stretch of a query names a node."""

    max_words: int = Field(default=12, ge=1, le=64)
    """Longest name, in words."""
    lower_case: float = Field(default=0.3, ge=0, le=1)
    """Factor for a name written in lower case where the query has capitals elsewhere."""
    min_share: float = Field(default=0.12, ge=0, le=1)
    """Least weight, as a share of the heaviest mention's; lighter ones are left out."""
    strong_share: float = Field(default=0.5, ge=0, le=1)
    """From this share on a mention explains its words: they are no longer in the residual."""


class TextSettings(Params):
    """Which texts of a node count, and how they are analysed."""

    analysis: AnalysisSettings = AnalysisSettings()
    """From text to terms."""
    alias_keys: tuple[str, ...] = ("aliases", "alias", "alt_labels", "altLabel", "synonyms", "other_names")
    """Properties that hold other names of a node: a text, or a list of texts."""
    passage_keys: tuple[str, ...] = ("text", "description", "documentation", "content", "summary", "body")
    """Properties that hold what a node says; the first that is a text counts."""
    derived_aliases: bool = True
    """Let a label also name its node without a bracket at its end, without an outline number or ``the`` at
    its beginning, and up to a comma."""
    mentions: MentionSettings = MentionSettings()
    """When a stretch of a query names a node."""
