"""Words and single signs."""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import Array, frozen
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.stages.tokens.scripts_table import SCRIPTS, code_points, script_codes

BLANK = frozenset({"control", "blank", "newline", "wide_blank"})
"""Scripts that separate words and count nothing."""
ALONE = frozenset(
    {
        "punctuation",
        "sign",
        "general",
        "symbol",
        "cjk_sign",
        "han",
        "rare_han",
        "kana",
        "thai",
        "lao",
        "tibetan",
        "burmese",
        "khmer",
        "full_width",
        "beyond",
    }
)
"""Scripts each of whose characters counts one: signs, and what is written without blanks."""
ATTACHED = frozenset({"mark", "variation"})
"""Scripts that count nothing: combining marks, and what chooses the form of the character before."""

_NOTHING, _WORD, _ALONE, _ATTACHED = range(4)


class WordsParams(Params):
    """What a word is worth."""

    tokens_per_word: float = Field(default=1.0, gt=0, le=100)
    """Tokens a word or sign stands for; 1.33 is a rule of thumb for English."""


class Words(Component[WordsParams]):
    """One for each run of letters and digits, and for each other visible character.

    A character of a script that is written without blanks (Chinese, Japanese, Thai, Lao, Tibetan, Burmese,
    Khmer) counts one by itself, and so does an emoji.
    """

    name = "words"
    Params = WordsParams

    def __init__(self, params: WordsParams | None = None) -> None:
        super().__init__(params)
        by_code = np.array([_role(name) for name in SCRIPTS], dtype=np.uint8)
        self._roles: Array = frozen(by_code[script_codes()])

    def count(self, text: str) -> int:
        """Return the words times ``tokens_per_word``, rounded up."""
        role = self._roles[code_points(text)]
        role = role[role != _ATTACHED]
        word = role == _WORD
        starts = word.copy()
        starts[1:] &= ~word[:-1]
        words = int(np.count_nonzero(starts)) + int(np.count_nonzero(role == _ALONE))
        return math.ceil(words * self.params.tokens_per_word)


def _role(script: str) -> int:
    if script in BLANK:
        return _NOTHING
    if script in ALONE:
        return _ALONE
    return _ATTACHED if script in ATTACHED else _WORD
