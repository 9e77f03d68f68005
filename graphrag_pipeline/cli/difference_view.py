"""What differs between two runs, for people and programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from graphrag_pipeline.cli.output import listed, printable, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.experiment.config_difference import ABSENT, KeyChange
from graphrag_pipeline.experiment.difference import MeanChange, RunDifference
from graphrag_pipeline.experiment.first_difference import FirstDifference

SHOWN = 3
"""Ids in a message; JSON has all."""
_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")


def show_verification(found: RunDifference, run: str, *, as_json: bool) -> None:
    """Write whether a run came out the same, and if not what differs."""
    if as_json:
        write_json({"run": run, **found.to_dict()})
        return
    _write(_verification(found, run), "" if found.identical else _values(found, "recorded", "now"))


def show_difference(found: RunDifference, first: str, second: str, *, as_json: bool) -> None:
    """Write what differs between two runs."""
    if as_json:
        write_json({"first": first, "second": second, **found.to_dict()})
        return
    if found.identical:
        _write([f"everything that came out of {first} and {second} is the same", *_changed(found)])
    else:
        _write([*_outcome(found), *_changed(found)], _values(found, "first", "second"))


def _write(lines: Iterable[str], values: str = "") -> None:
    """Write lines, each of which stays one, and a table where there is one."""
    write("\n".join([*map(printable, lines), *([values] if values else [])]))


def _verification(found: RunDifference, run: str) -> Iterator[str]:
    if found.identical:
        yield f"identical: {run}, {_queries(found.queries)}"
        yield from _changed(found)
        return
    yield from _outcome(found)
    yield from _changed(found) or ["nothing that was recorded of the inputs has changed"]


def _outcome(found: RunDifference) -> Iterator[str]:
    if found.differing:
        which = listed(found.differing, SHOWN)
        yield f"different: {len(found.differing)} of {_queries(found.queries)} ({which})"
    elif not (found.only_first or found.only_second):
        yield f"different: no result, but {', '.join(found.files)}"
    for which, ids in (("first", found.only_first), ("second", found.only_second)):
        if ids:
            yield f"only in the {which}: {_queries(len(ids))} ({listed(ids, SHOWN)})"
    if found.first_difference:
        yield from _first(found.first_difference)


def _first(found: FirstDifference) -> Iterator[str]:
    where = [f"query {found.query}"]
    where += [f"slot {found.slot}, step {found.step}"] if found.slot else []
    where += [f"node {found.node}"] if found.node else []
    yield f"first difference: {', '.join(where)}"
    yield f"  {found.what}: {_arrow(found.first, found.second)}"
    if found.also:
        yield f"  different as well after that step: {', '.join(found.also)}"


def _changed(found: RunDifference) -> list[str]:
    lines: list[str] = []
    for title, changes in (
        ("configuration", found.config),
        ("inputs", found.inputs),
        ("versions", found.surroundings),
    ):
        if changes:
            lines += [f"{title}:", *(f"  {_change(change)}" for change in changes)]
    return lines


def _change(change: KeyChange) -> str:
    ends = [
        ABSENT if value is None else f"{value}{' (the default)' if value == change.default else ''}"
        for value in (change.first, change.second)
    ]
    return f"{change.key}: {_arrow(*ends)}"


def _arrow(first: str, second: str) -> str:
    return _DIGEST.sub(r"\1", f"{first} → {second}")


def _values(found: RunDifference, first: str, second: str) -> str:
    rows = [change for change in found.means if change.higher or change.lower]
    if not rows:
        return ""
    columns = [Column("value"), *(Column(title, right=True) for title in (first, second))]
    columns += [Column(title, right=True) for title in ("higher", "lower", "equal")]
    return table(columns, [_row(change) for change in rows])


def _row(change: MeanChange) -> Sequence[object]:
    ends = (_number(change.first), _number(change.second))
    return (change.name, *ends, change.higher, change.lower, change.equal)


def _number(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.4f}" if abs(value) < 1.00005 else f"{value:.1f}"


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count} queries"
