"""An estimate of real token counts by script, for any language, without a tokenizer."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
from pydantic import Field, field_validator

from graphrag_pipeline.graph.arrays import IntArray, frozen
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.stages.tokens.scripts_table import SCRIPTS, code_points, script_codes

FACTORS: dict[str, float] = {
    "control": 1.2,
    "blank": 0.3,
    "newline": 1.45,
    "punctuation": 0.55,
    "digit": 1.3,
    "capital": 0.67,
    "underscore": 0.55,
    "letter": 0.37,
    "wide_blank": 1.3,
    "sign": 1.5,
    "latin": 1.5,
    "phonetic": 2.9,
    "mark": 1.9,
    "greek": 1.1,
    "cyrillic": 0.93,
    "armenian": 2.0,
    "hebrew": 1.25,
    "arabic": 1.15,
    "rare": 3.0,
    "devanagari": 1.35,
    "indic": 2.85,
    "tamil": 1.5,
    "malayalam": 1.75,
    "thai": 1.15,
    "lao": 2.9,
    "tibetan": 2.2,
    "burmese": 2.1,
    "georgian": 2.0,
    "jamo": 3.0,
    "khmer": 2.4,
    "general": 1.3,
    "symbol": 2.4,
    "han": 1.95,
    "cjk_sign": 1.3,
    "kana": 1.0,
    "rare_han": 3.3,
    "hangul": 2.1,
    "variation": 2.5,
    "full_width": 2.2,
    "beyond": 4.2,
}
"""Tokens a character, by script: the most that the tokenizers in docs/context.md take, rounded up."""

THOUSANDTHS = 1000
"""Factors are added as whole thousandths, so that no sum depends on its order."""

Factor: TypeAlias = Annotated[float, Field(ge=0, le=8)]


class ScriptsParams(Params):
    """Where the estimate is too careful for the tokenizer at hand."""

    factors: dict[str, Factor] = Field(default_factory=dict)
    """Tokens a character by script, in place of the built-in ones: ``{thai: 0.4}``."""

    @field_validator("factors")
    @classmethod
    def _known(cls, factors: dict[str, float]) -> dict[str, float]:
        unknown = [name for name in factors if name not in FACTORS]
        if unknown:
            raise ValueError(f"there is no script {unknown[0]!r}; scripts: {', '.join(FACTORS)}")
        return factors


class Scripts(Component[ScriptsParams]):
    """The sum of a factor a character, rounded up; the factor is that of the character's script.

    The factors are upper bounds over tokenizers of small and large vocabularies, so the estimate is rather
    high than low: at most 10 % low for natural text, code and emoji, and several times too high for one
    that knows the language well. Noise, such as base64, can take more tokens.
    """

    name = "scripts"
    Params = ScriptsParams

    def __init__(self, params: ScriptsParams | None = None) -> None:
        super().__init__(params)
        factors = {**FACTORS, **self.params.factors}
        by_code = [round(factors[name] * THOUSANDTHS) for name in SCRIPTS]
        self._factors: IntArray = frozen(np.array(by_code, dtype=np.int64)[script_codes()])

    def count(self, text: str) -> int:
        """Return the estimate; a longer text never has less than its beginning."""
        return -(-int(self._factors[code_points(text)].sum()) // THOUSANDTHS)
