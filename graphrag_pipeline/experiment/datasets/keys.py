"""Keys of queries in JSON Lines: which are known, and which are nearly so."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping

from graphrag_pipeline.experiment.datasets.dataset import NearKey

IDS = ("id", "_id", "query_id")
TEXTS = ("text", "query", "question")
KNOWN = (*IDS, *TEXTS, "k", "persona", "cell", "max_hops", "filters", "kind", "type")
_OTHERS = {"personaid": "persona", "zachmancell": "cell"}
"""What :meth:`.GraphRAG.query` calls the same."""
_ALIKE = 0.85


def near_keys(values: Iterable[Mapping[str, object]]) -> tuple[NearKey, ...]:
    """Return the keys that are not known and nearly are, in the order in which they come first."""
    counts = Counter(key for value in values for key in value if key not in KNOWN)
    found = ((key, _nearest(key), count) for key, count in counts.items())
    return tuple(NearKey(key, known, count) for key, known, count in found if known is not None)


def _nearest(key: str) -> str | None:
    """Return the known key that another is nearly: but for case and marks the same, or a letter off.

    Other keys may stand there for other programs: ``title``, ``question_id`` and ``idx`` are none of ours.
    """
    plain = _plain(key)
    known = {_plain(name): name for name in reversed(KNOWN)}
    if plain in known or plain in _OTHERS:
        return known.get(plain) or _OTHERS[plain]
    near = difflib.get_close_matches(plain, known, n=1, cutoff=_ALIKE)
    return known[near[0]] if near and abs(len(near[0]) - len(plain)) <= 1 else None


def _plain(key: str) -> str:
    return "".join(filter(str.isalnum, key.casefold()))
