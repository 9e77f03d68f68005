"""Ids in run files, whose columns are parted by blanks: what a reader may split at is written as an escape.

That is every character that Unicode calls a blank or a line end, every control character, and a mark that
readers leave out. An escape is that of URLs: ``%C2%A0`` for a no-break space, the bytes of it in UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

EMPTY = "%00"
"""What stands for the empty id; an id that reads so itself is written ``%2500``."""
NUL = "%C0%80"
"""What stands for the id that is one NUL, whose escape is taken; bytes that UTF-8 itself never has."""
# Blanks, controls, the byte order mark, which readers leave out at the start of a file, and surrogates, which
# cannot be written alone. They are listed, since a look for \s, the same blanks, takes longer.
_PARTING = r"\x00-\x20\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\ud800-\udfff"
_ANY_SPECIAL = re.compile(f"[{_PARTING}%]")
# A per cent sign is escaped only where it would be read as an escape, so that most ids stay as they are.
_SPECIAL = re.compile(f"[{_PARTING}]|%(?=[0-9A-F]{{2}})")
_BEHIND = "%[89AB][0-9A-F]"
_ESCAPE = re.compile(
    f"%[0-7][0-9A-F]|%[CD][0-9A-F]{_BEHIND}|%E[0-9A-F](?:{_BEHIND}){{2}}|%F[0-7](?:{_BEHIND}){{3}}"
)


def written(node_id: str) -> str:
    """Return an id as a run file has it: one word, from which the id can be read again."""
    if node_id in _TAKEN:
        return _TAKEN[node_id]
    return _SPECIAL.sub(lambda found: _escape(found[0]), node_id)


def all_written(node_ids: Sequence[str]) -> Sequence[str]:
    """Return ids as :func:`written` does; most lists have nothing to escape, and one look at all tells."""
    if "" not in node_ids and not _ANY_SPECIAL.search("".join(node_ids)):
        return node_ids
    return [written(node_id) for node_id in node_ids]


def read(word: str) -> str:
    """Return the id that was written so; what is no escape of a character stays as it is."""
    return _READ[word] if word in _READ else _ESCAPE.sub(_unescaped, word)


_TAKEN = {"": EMPTY, "\0": NUL}
_READ = {word: node_id for node_id, word in _TAKEN.items()}


@lru_cache(maxsize=256)
def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _unescaped(found: re.Match[str]) -> str:
    try:
        return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # such as %C0%81, or a character behind the last one there is
        return found[0]
