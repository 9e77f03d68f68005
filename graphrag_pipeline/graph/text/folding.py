"""One spelling for letters that differ in accents or in form."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile("[\u0300-\u036f]+")
"""Marks above and below Latin, Greek and Cyrillic letters; those of other scripts are part of the letter."""
_LETTERS = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u02bc": "'",
        "\uff07": "'",
        "\u0131": "i",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "Œ": "Oe",
    }
)


def fold(text: str) -> str:
    """Return a text without accents, its compatibility characters written plainly; case stays."""
    if text.isascii():
        return text
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)
