"""Where sentences end."""

from __future__ import annotations

import re

_END = re.compile(
    # Latin and its like: a blank follows.
    r"(?P<spaced>[.!?\u2026]+[\"'\u201d\u2019\u00bb)\]]*(?=\s))"
    # Chinese and Japanese, with their full-width signs: none does.
    r"|[\u3002\uff01\uff1f\uff61]+[\u300d\u300f\u201d\u2019\uff09]*"
    # Devanagari, Arabic, Burmese, Khmer, Ethiopic.
    r"|[\u0964\u0965\u061f\u06d4\u104b\u17d4\u1362]+"
    # A paragraph.
    r"|\n\s*\n"
)
_SHORT = re.compile(
    r"(?:^|[\s(])(?:(?:[^\W\d_]\.)*[^\W\d_]|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|cf|ca|Fig|Eq|Vol|Gen|Col|Capt|Lt|Sgt|Rev|Hon"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\s*(\S)")
LONGEST_SHORT = 12
"""Characters before a full stop that may be an abbreviation."""


def sentence_ends(text: str) -> list[int]:
    """Return where each sentence ends, ascending; the last is the end of the text.

    A sentence ends at a full stop, a question or exclamation mark with a blank behind it, at such a sign of
    a script that needs no blank, and at a blank line. A full stop behind a single letter or a common
    abbreviation, or before a small letter, ends none. Thai has no such sign, and its blanks are none.
    """
    stripped = len(text.rstrip())
    ends = [found.end() for found in _END.finditer(text, 0, stripped) if not _abbreviates(text, found)]
    if stripped and (not ends or ends[-1] < stripped):
        ends.append(stripped)
    return ends


def _abbreviates(text: str, found: re.Match[str]) -> bool:
    if found["spaced"] is None or found["spaced"] != ".":
        return False
    if _SHORT.search(text[max(found.end() - LONGEST_SHORT, 0) : found.end()]):
        return True
    following = _NEXT.match(text, found.end())
    return following is not None and following[1].islower()
