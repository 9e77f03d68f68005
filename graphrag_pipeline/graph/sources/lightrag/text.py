"""How LightRAG and nano-graphrag write several texts as one.

Both join what they collected about an entity with ``<SEP>``, and often keep the quotes that the language
model wrote around each piece.
"""

from __future__ import annotations

import re

SEPARATOR = "<SEP>"
BETWEEN_KEYWORDS = re.compile(f"{SEPARATOR}|[,\uff0c]")
"""Between keywords: the separator, or a comma, which may be a Chinese one."""
OPENS = frozenset(" \t\n([")
"""Before a quote that opens."""


def unquoted(text: str) -> str:
    """Return a text without blanks around it, and without the quotes that stand around all of it.

    ``"A"`` becomes ``A``, and so does ``"A``, whose end was lost; ``"A" and "B"`` stays, since its first
    quote ends before the last one.
    """
    text = text.strip()
    if not text.startswith('"') or text == '"':
        return text
    inner = text[1:-1] if text.endswith('"') else text[1:]
    quote = inner.find('"')
    around_all = quote < 0 or (text.endswith('"') and (quote == 0 or inner[quote - 1] in OPENS))
    return inner.strip() if around_all else text


def parts(text: str) -> list[str]:
    """Return the texts that were joined into one, without empty ones and repetitions."""
    found = (unquoted(part) for part in text.split(SEPARATOR))
    return list(dict.fromkeys(part for part in found if part))


def keywords(text: str) -> list[str]:
    """Return the keywords that were joined into one text, without quotes, empty ones and repetitions."""
    found = (part.strip("\"' \t\n") for part in BETWEEN_KEYWORDS.split(text))
    return list(dict.fromkeys(part for part in found if part))
