"""Which script a character belongs to, as far as token counts care: one small code for each code point."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

from graphrag_pipeline.graph.arrays import Array, IntArray, frozen

STARTS: tuple[tuple[int, str], ...] = (
    (0x0000, "control"),
    (0x0009, "blank"),
    (0x000A, "newline"),
    (0x000B, "blank"),
    (0x000D, "newline"),
    (0x000E, "control"),
    (0x0020, "blank"),
    (0x0021, "punctuation"),
    (0x0030, "digit"),
    (0x003A, "punctuation"),
    (0x0041, "capital"),
    (0x005B, "punctuation"),
    (0x005F, "underscore"),
    (0x0060, "punctuation"),
    (0x0061, "letter"),
    (0x007B, "punctuation"),
    (0x007F, "control"),
    (0x00A0, "wide_blank"),
    (0x00A1, "sign"),
    (0x00AA, "latin"),
    (0x00AB, "sign"),
    (0x00B5, "latin"),
    (0x00B6, "sign"),
    (0x00BA, "latin"),
    (0x00BB, "sign"),
    (0x00C0, "latin"),
    (0x0250, "phonetic"),
    (0x02B0, "mark"),
    (0x0370, "greek"),
    (0x0400, "cyrillic"),
    (0x0530, "armenian"),
    (0x0590, "hebrew"),
    (0x0600, "arabic"),
    (0x0780, "rare"),
    (0x08A0, "arabic"),
    (0x0900, "devanagari"),
    (0x0980, "devanagari"),
    (0x0A00, "indic"),
    (0x0B80, "tamil"),
    (0x0C00, "indic"),
    (0x0D00, "malayalam"),
    (0x0D80, "indic"),
    (0x0E00, "thai"),
    (0x0E80, "lao"),
    (0x0F00, "tibetan"),
    (0x1000, "burmese"),
    (0x10A0, "georgian"),
    (0x1100, "jamo"),
    (0x1200, "rare"),
    (0x1780, "khmer"),
    (0x1800, "rare"),
    (0x1E00, "latin"),
    (0x1F00, "greek"),
    (0x2000, "wide_blank"),
    (0x200B, "general"),
    (0x2028, "wide_blank"),
    (0x202A, "general"),
    (0x202F, "wide_blank"),
    (0x2030, "general"),
    (0x205F, "wide_blank"),
    (0x2060, "general"),
    (0x2070, "symbol"),
    (0x2C00, "rare"),
    (0x2E00, "symbol"),
    (0x2E80, "han"),
    (0x3000, "wide_blank"),
    (0x3001, "cjk_sign"),
    (0x3040, "kana"),
    (0x3100, "han"),
    (0x3130, "jamo"),
    (0x3190, "han"),
    (0x31F0, "kana"),
    (0x3200, "han"),
    (0x3400, "rare_han"),
    (0x4E00, "han"),
    (0xA000, "rare"),
    (0xA960, "jamo"),
    (0xA980, "rare"),
    (0xAC00, "hangul"),
    (0xD7B0, "jamo"),
    (0xD800, "rare"),
    (0xF900, "rare_han"),
    (0xFB00, "latin"),
    (0xFB1D, "hebrew"),
    (0xFB50, "arabic"),
    (0xFE00, "variation"),
    (0xFE10, "full_width"),
    (0xFE70, "arabic"),
    (0xFEFF, "general"),
    (0xFF00, "full_width"),
    (0xFFF0, "rare"),
    (0x10000, "beyond"),
)
"""The first code point of each stretch, and the script of all up to the next one."""

BEYOND = 0x10000
"""Code points from here on, emoji above all, are one script: ``beyond``."""

SCRIPTS: tuple[str, ...] = tuple(dict.fromkeys(name for _, name in STARTS))
"""Every script, in the order of its code."""


@cache
def script_codes() -> Array:
    """Return the code of each code point up to :data:`BEYOND`, which stands for all from there on."""
    bounds = [start for start, _ in STARTS] + [BEYOND + 1]
    lengths = [end - start for start, end in pairwise(bounds)]
    codes = [SCRIPTS.index(name) for _, name in STARTS]
    return frozen(np.repeat(np.array(codes, dtype=np.uint8), lengths))


def code_points(text: str) -> IntArray:
    """Return the code points of a text, those from :data:`BEYOND` on as that."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    capped: IntArray = np.minimum(points, BEYOND).astype(np.int64)
    return capped
