"""What a store of a sweep holds, and the checksums by which damage to it is found."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SIZE = 16
"""Bytes of a checksum."""
DONE, FAILED = "done", "failed"
_STATUS = (DONE, FAILED)


@dataclass(frozen=True, slots=True)
class Layout:
    """What the numbers in a store are of.

    Args:
        dataset: Name of the question set.
        keys: The swept keys, in order.
        queries: Ids of the queries; a row says the place of its query here.
        measures: Names of the measures; a row has one value for each.
    """

    dataset: str
    keys: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredPoint:
    """One config.

    Args:
        number: Its place in the sweep.
        values: Text of the value of each swept key.
        config: Digest of the config.
        overrides: What sets the values.
        patch: What turns the sweep's first config into it, as JSON.
    """

    number: int
    values: Mapping[str, str]
    config: str
    overrides: tuple[str, ...]
    patch: str = "[]"


@dataclass(frozen=True, slots=True)
class StoredRow:
    """What one config gave for one query.

    Args:
        point: Number of the config.
        status: ``done`` or ``failed``.
        values: A value for each measure; NaN where the query is not judged.
        seconds: How long the query took, shared stages counted in full.
        digest: Digest of the result, in hexadecimal; empty when it failed.
        error: What went wrong; empty when nothing did.
    """

    point: int
    status: str
    values: tuple[float, ...]
    seconds: float
    digest: str
    error: str


# A row as SQLite has it: point, status, seconds, values, digest, error.
Packed = tuple[int, int, float, bytes, bytes, str]


def packed(row: StoredRow, width: int) -> Packed:
    """Return a row as it is stored: values as float64, the lowest byte first.

    Raises:
        ValueError: It has another number of values than there are measures, an unknown status, no time, or a
            digest that is none.
    """
    if len(row.values) != width:
        raise ValueError(f"a row of point {row.point} has {len(row.values)} values for {width} measures")
    if not math.isfinite(row.seconds):
        raise ValueError(f"a row of point {row.point} took {row.seconds} seconds")
    values = struct.pack(f"<{width}d", *row.values)
    # A message may quote bytes that are no UTF-8; SQLite takes none.
    error = row.error.encode("utf-8", "backslashreplace").decode("utf-8")
    status = _STATUS.index(row.status)
    return row.point, status, float(row.seconds), values, bytes.fromhex(row.digest), error


def unpacked(row: Packed) -> StoredRow:
    """Return the row that :func:`packed` made this of."""
    point, status, seconds, values, digest, error = row
    numbers = struct.unpack(f"<{len(values) // 8}d", values)
    return StoredRow(point, _STATUS[status], numbers, seconds, digest.hex(), error)


def status_of(code: int) -> str:
    """Return the status that a number stands for."""
    return _STATUS[code]


def checksum(query: int, rows: Iterable[Packed]) -> bytes:
    """Return the checksum of rows of one query that were written together, by point."""
    digest = hashlib.blake2b(struct.pack("<q", query), digest_size=SIZE)
    for point, status, seconds, values, result, error in sorted(rows):
        text = error.encode("utf-8")
        digest.update(struct.pack("<qqdqqq", point, status, seconds, len(values), len(result), len(text)))
        digest.update(values + result + text)
    return digest.digest()


def point_text(point: StoredPoint) -> str:
    """Return everything about a point as one text."""
    return json.dumps([point.number, dict(point.values), point.config, list(point.overrides), point.patch])


def text_point(text: str) -> StoredPoint:
    """Return the point of a text that :func:`point_text` made."""
    number, values, config, overrides, patch = json.loads(text)
    return StoredPoint(number, values, config, tuple(overrides), patch)


def text_checksum(text: str) -> bytes:
    """Return the checksum of a text in ASCII."""
    return hashlib.blake2b(text.encode("ascii"), digest_size=SIZE).digest()


def differences(stored: Mapping[str, object], given: Mapping[str, object], path: str = "") -> Sequence[str]:
    """Return in words where two records differ, key by key."""
    found: list[str] = []
    for key in dict.fromkeys([*stored, *given]):
        name = f"{path}{key}"
        old, new = stored.get(key), given.get(key)
        if old == new and (key in stored) == (key in given):
            continue
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += differences(old, new, f"{name}.")
        elif isinstance(old, list) and isinstance(new, list):
            found.append(f"{name}: {_in_lists(old, new)}")
        else:
            found.append(f"{name}: was {_shown(old)}, is now {_shown(new)}")
    return found


_FEW = 3
"""Entries of a list that are shown."""
_LONG = 80


def _in_lists(old: Sequence[object], new: Sequence[object]) -> str:
    before, after = ([_shown(entry) for entry in entries] for entries in (old, new))
    gone, come = (
        list(dict.fromkeys(entry for entry in one if entry not in other))
        for one, other in ((before, frozenset(after)), (after, frozenset(before)))
    )
    if not gone and not come:
        return "in another order" if len(old) == len(new) else f"had {len(old)} entries, has now {len(new)}"
    told = [("no longer has", gone), ("now has", come)]
    return "; ".join(f"{words} {_some(entries)}" for words, entries in told if entries)


def _some(entries: Sequence[str]) -> str:
    more = f" and {len(entries) - _FEW} more" if len(entries) > _FEW else ""
    return ", ".join(entries[:_FEW]) + more


def _shown(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
