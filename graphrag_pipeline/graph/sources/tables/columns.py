"""Which columns of a table hold what."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.model.component import Params

LISTED = 30
MOST = 10_000
"""Columns that a table may have."""
NEO4J = re.compile(r".*(:(?:ID|LABEL|START_ID|END_ID|TYPE))(?:\(.*\))?", re.DOTALL)
"""Headers of ``neo4j-admin import``: the last part says what a column is, and may name a space of ids."""


class NodeColumns(Params):
    """Columns of a node table; null finds one by its usual names."""

    id: str | None = None
    """Column of ids; usually id, node_id, key or :ID."""
    type: str | None = None
    """Column of types; usually node_type, type, kind, category or :LABEL."""
    label: str | None = None
    """Column of labels; usually label, name or title."""
    namespace: str | None = None
    """Column of namespaces."""
    uri: str | None = None
    """Column of full names."""


class EdgeColumns(Params):
    """Columns of an edge table; null finds one by its usual names."""

    source: str | None = None
    """Column of the ids that edges leave; usually source, source_id, src, from, subject or :START_ID."""
    target: str | None = None
    """Column of the ids that edges enter; usually target, target_id, dst, to, object or :END_ID."""
    type: str | None = None
    """Column of types; usually edge_type, type, relation, label, predicate or :TYPE."""
    weight: str | None = None
    """Column of weights."""
    namespace: str | None = None
    """Column of namespaces."""


USUAL_NODE_COLUMNS: Mapping[str, Sequence[str]] = {
    "id": ("id", "node_id", "nodeid", "key", ":id"),
    "type": ("node_type", "type", "kind", "category", ":label"),
    "label": ("label", "name", "title"),
    "namespace": ("namespace",),
    "uri": ("uri",),
}
USUAL_EDGE_COLUMNS: Mapping[str, Sequence[str]] = {
    "source": ("source", "source_id", "sourceid", "src", "src_id", "srcid", "from", "subject", ":start_id"),
    "target": ("target", "target_id", "targetid", "dst", "dst_id", "dstid", "to", "object", ":end_id"),
    "type": ("edge_type", "type", "relation", "relationship", "label", "predicate", ":type"),
    "weight": ("weight",),
    "namespace": ("namespace",),
}


def node_columns(
    given: NodeColumns, names: Sequence[str], where: str, others: Collection[str] = ()
) -> dict[str, str]:
    """Return the columns of a node table by what they hold.

    Args:
        given: Columns that the configuration names.
        names: Columns of the table.
        where: The file, for messages.
        others: Columns of further node tables: what is named need not be in all of them.

    Raises:
        GraphSourceError: No column holds ids, or a column that was named is not there.
    """
    found = _found(given, names, where, others)
    _require(found, ("id",), "node_columns", names, where)
    return found


def edge_columns(
    given: EdgeColumns, names: Sequence[str], where: str, others: Collection[str] = ()
) -> dict[str, str]:
    """Return the columns of an edge table by what they hold.

    Args:
        given: Columns that the configuration names.
        names: Columns of the table.
        where: The file, for messages.
        others: Columns of further edge tables.

    Raises:
        GraphSourceError: No column holds sources or targets, or a column that was named is not there.
    """
    found = _found(given, names, where, others)
    _require(found, ("source", "target"), "edge_columns", names, where)
    return found


def holds_edges(given: EdgeColumns, names: Sequence[str], where: str) -> bool:
    """Whether a table has columns of sources and of targets.

    Raises:
        GraphSourceError: A column that was named is not there.
    """
    return {"source", "target"} <= _found(given, names, where).keys()


def check_names(names: Sequence[str], where: str) -> None:
    """Refuse a table that has two columns of one name, or more columns than any graph needs.

    Raises:
        GraphSourceError: It has.
    """
    if len(names) > MOST:
        raise GraphSourceError(f"The table has {len(names)} columns; {MOST} are the most.", where=where)
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise GraphSourceError(
            f"The table has the column {', '.join(map(repr, repeated[:LISTED]))} more than once.",
            where=where,
            hint="Rename one of them: nobody can tell which is meant.",
        )


_KEYS = {True: "node_columns", False: "edge_columns"}


def _found(
    given: NodeColumns | EdgeColumns, names: Sequence[str], where: str, others: Collection[str] = ()
) -> dict[str, str]:
    of_nodes = isinstance(given, NodeColumns)
    usual = USUAL_NODE_COLUMNS if of_nodes else USUAL_EDGE_COLUMNS
    named = {role: column for role, column in given if column is not None}
    for role, column in named.items():
        if column not in names and column not in others:
            near = difflib.get_close_matches(column, names, n=1)
            raise GraphSourceError(
                f"The table has no column {column!r}, which graph.{_KEYS[of_nodes]}.{role} names.",
                where=where,
                hint=(f"Did you mean {near[0]!r}? " if near else "") + columns_text(names),
            )
    named = {role: column for role, column in named.items() if column in names}
    keys: dict[str, str] = {}
    for name in names:
        keys.setdefault(_key(name), name)
    others = {
        role: next((keys[name] for name in candidates if name in keys), "")
        for role, candidates in usual.items()
        if role not in named
    }
    return {**named, **{role: name for role, name in others.items() if name}}


def _key(name: str) -> str:
    mark = NEO4J.fullmatch(name)
    return (mark.group(1) if mark else name).strip().casefold()


def _require(
    found: Mapping[str, str], roles: Sequence[str], key: str, names: Sequence[str], where: str
) -> None:
    for role in roles:
        if role not in found:
            what = "a node's id" if role == "id" else f"an edge's {role}"
            raise GraphSourceError(
                f"No column of the table is {what} by its name.",
                where=where,
                hint=f"{columns_text(names)} Name the column: graph.{key}.{role}=COLUMN.",
            )


def columns_text(names: Sequence[str]) -> str:
    """Return which columns a table has, for messages."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    shown = [name if len(name) <= 60 else name[:60] + "…" for name in names[:LISTED]]
    return f"The columns are: {', '.join(shown)}{more}."
