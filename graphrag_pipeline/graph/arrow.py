"""Builds an index from Arrow tables; needs the extra ``arrow``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.builder import TableBuilder
from graphrag_pipeline.graph.columns.table import Table
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

if TYPE_CHECKING:
    import pyarrow

BATCH = 65_536
"""Rows that are Python objects at a time."""

T = TypeVar("T")

NODE_FIELDS = ("node_id", "node_type", "label", "namespace", "uri", "properties")
EDGE_FIELDS = ("source_id", "target_id", "edge_type", "namespace", "weight", "properties")


def table_from_arrow(
    nodes: pyarrow.Table, edges: pyarrow.Table, progress: Callable[[int], None] | None = None
) -> Table:
    """Build a table of columns from Arrow tables of nodes and edges.

    Columns named like a record's fields are those fields; ``node_id``, ``node_type``, ``label``,
    ``source_id``, ``target_id`` and ``edge_type`` must be there. ``properties`` holds JSON objects as text.
    Every other column is a property; where it is null, the record does not have it.

    Args:
        nodes: One row a node.
        edges: One row an edge, in global edge order.
        progress: Told how many rows were read since the last call.

    Raises:
        GraphSourceError: A column is missing, or a value has the wrong type; the row is named.
    """
    _check(nodes, "nodes", ("node_id", "node_type", "label"))
    _check(edges, "edges", ("source_id", "target_id", "edge_type"))
    builder = TableBuilder()
    for place, record in _records(nodes, "nodes", NODE_FIELDS, progress):
        builder.add_node(_read(KnowledgeNode.from_dict, record, place))
    for place, record in _records(edges, "edges", EDGE_FIELDS, progress):
        builder.add_edge(_read(KnowledgeEdge.from_dict, record, place))
    return builder.finish()


# Any: a record's values are checked when it is read.
Record = dict[str, Any]


def _check(table: object, what: str, needed: Sequence[str]) -> None:
    names = getattr(table, "column_names", None)
    if names is None or not hasattr(table, "to_batches"):
        raise GraphSourceError(f"The {what} must be an Arrow table, not {type(table).__name__}.")
    if missing := [name for name in needed if name not in names]:
        raise GraphSourceError(
            f"The {what} table has no column {', '.join(missing)}.", hint=f"It has: {', '.join(names)}."
        )
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        raise GraphSourceError(f"The {what} table has the column {', '.join(repeated)} more than once.")


def _records(
    table: pyarrow.Table, what: str, fields: Sequence[str], progress: Callable[[int], None] | None
) -> Iterator[tuple[str, Record]]:
    names = table.column_names
    known = [name for name in names if name in fields and name != "properties"]
    extra = [name for name in names if name not in fields]
    row = 0
    for batch in table.to_batches(max_chunksize=BATCH):
        columns = {name: batch.column(name).to_pylist() for name in names}
        for at in range(batch.num_rows):
            record = {name: columns[name][at] for name in known if columns[name][at] is not None}
            properties = _properties(columns, at, f"{what}[{row}]") if "properties" in columns else {}
            properties.update((name, columns[name][at]) for name in extra if columns[name][at] is not None)
            record["properties"] = properties
            yield f"{what}[{row}]", record
            row += 1
        if progress is not None:
            progress(batch.num_rows)


def _properties(columns: dict[str, list[Any]], at: int, place: str) -> Record:
    text = columns["properties"][at]
    if text is None or text == "":
        return {}
    try:
        properties = json.loads(text)
    except (TypeError, ValueError) as error:
        raise GraphSourceError("The properties must be a JSON object as text.", where=place) from error
    if not isinstance(properties, dict):
        raise GraphSourceError("The properties must be a JSON object as text.", where=place)
    return properties


def _read(reader: Callable[[object], T], record: Record, place: str) -> T:
    try:
        return reader(record)
    except GraphSourceError as error:
        raise GraphSourceError(error.what, where=place, hint=error.hint) from error
