"""Lists of objects in JSON files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import read_json
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.sources.intake import Intake

# Any throughout: JSON data.


def counting_object(repeated: Counter[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, and count the keys that it has more than once."""
    made = dict(pairs)
    if len(made) < len(pairs):
        repeated.update(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return made


def read_value(path: Path, intake: Intake) -> Any:
    """Return the JSON value in a file; raw control characters in texts are let through, to be cleaned.

    Raises:
        GraphSourceError: It cannot be read or is not JSON.
    """
    repeated: Counter[str] = Counter()
    data = read_json(path, strict=False, object_pairs_hook=partial(counting_object, repeated))
    for key, count in sorted(repeated.items()):
        for _ in range(count):
            intake.repair("a key was written twice in one object; its last value counts", f"{path}: {key!r}")
    return data


def read_object(path: Path, intake: Intake) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        GraphSourceError: It cannot be read, is not JSON, or is no object.
    """
    data = read_value(path, intake)
    if isinstance(data, dict):
        return data
    raise GraphSourceError(f"The file must hold an object, not {kind(data)}.", where=str(path))


def entries(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    """Return the list under a key.

    Raises:
        GraphSourceError: There is none; the keys that are there are named.
    """
    value = data.get(key)
    if isinstance(value, list):
        return value
    if key in data:
        raise GraphSourceError(f"{key!r} must hold a list, not {kind(value)}.", where=where)
    raise GraphSourceError(
        f"The file has no list {key!r}.",
        where=where,
        hint=f"It has: {', '.join(sorted(data)[:12]) or 'nothing'}. `graph=auto` finds out what a file is.",
    )


def mapping_at(value: Any, at: str) -> dict[str, Any]:
    """Return a copy of an entry that must be an object.

    Raises:
        GraphSourceError: It is none.
    """
    if isinstance(value, Mapping):
        return dict(value)
    raise GraphSourceError(f"The entry must be an object, not {kind(value)}.", where=at)
