"""Ids in run files, whose columns are parted by blanks: an id with a blank is written with ``%20``."""

from __future__ import annotations

import re
from collections.abc import Sequence

EMPTY = "%00"
"""What stands for the empty id; an id that reads so itself is written ``%2500``."""
# A per cent sign is escaped only where it would be read as an escape, so that most ids stay as they are.
_SPECIAL = re.compile(r"[ \t\n\r]|%(?=[0-9A-F]{2})")
_ESCAPE = re.compile(r"%([0-9A-F]{2})")


def written(node_id: str) -> str:
    """Return an id as a run file has it: one word, from which the id can be read again."""
    return _SPECIAL.sub(lambda found: f"%{ord(found[0]):02X}", node_id) if node_id else EMPTY


def all_written(node_ids: Sequence[str]) -> Sequence[str]:
    """Return ids as :func:`written` does; most lists have nothing to escape, and one look at all tells."""
    if "" not in node_ids and not _SPECIAL.search("".join(node_ids)):
        return node_ids
    return [written(node_id) for node_id in node_ids]


def read(word: str) -> str:
    """Return the id that was written so."""
    return "" if word == EMPTY else _ESCAPE.sub(lambda found: chr(int(found[1], 16)), word)
