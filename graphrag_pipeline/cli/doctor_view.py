"""What is wrong with a graph, for people and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphrag_pipeline.cli.output import counted, listed, printable, write
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.examine import examine
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.findings import KINDS, Account

SHOWN = 3
"""How many places of each finding people see; ``--json`` has those that were kept."""


def doctor_report(loaded: LoadedGraph) -> dict[str, Any]:
    """Return everything that was found, and where each row went, as JSON data.

    ``counts`` has every kind; ``account`` is null for a source that does not count rows.
    """
    index, report = as_index(loaded.graph), loaded.report
    found = examine(loaded)
    return {
        "source": report.source,
        "digest": index.digest,
        "nodes": index.node_count,
        "edges": index.edge_count,
        "notes": list(report.notes),
        "account": None if report.account is None else report.account.to_dict(),
        "counts": {kind: sum(entry.count for entry in found if entry.kind == kind) for kind in KINDS},
        "findings": [entry.to_dict() for entry in found],
    }


def show_doctor(data: dict[str, Any]) -> None:
    """Write what :func:`doctor_report` found."""
    size = f"{counted(data['nodes'], 'node')}, {counted(data['edges'], 'edge')}"
    write(f"{printable(data['source'])}: {size}, sha256 {data['digest'][:12]}")
    for note in data["notes"]:
        write(f"note: {printable(note)}")
    if data["account"] is not None:
        for line in account_lines(Account.from_dict(data["account"])):
            write(line)
    if not data["findings"]:
        write("nothing is wrong")
        return
    write("")
    columns = [Column("found", colour="cyan"), Column("count", right=True), Column("what", cut=2)]
    rows = [(entry["kind"], entry["count"], entry["what"]) for entry in data["findings"]]
    columns.append(Column("first places", cut=1))
    places = [listed(entry["places"], SHOWN, entry["count"]) for entry in data["findings"]]
    write(table(columns, [(*row, place) for row, place in zip(rows, places, strict=True)]))


def account_lines(account: Account) -> list[str]:
    """Return where each row went: what was read and made, and what became of it; both add up to the same."""
    return [
        *_parts("read", account.read),
        *_parts("made", account.made),
        f"became: {counted(account.nodes, 'node')}, {counted(account.edges, 'edge')}",
        *_parts("left", account.left),
        f"sum:    {account.given} = {account.became}" if account.balanced else "sum:    THE SIDES DIFFER",
    ]


def _parts(what: str, parts: Mapping[str, int]) -> list[str]:
    if not parts:
        return []
    return [f"{what + ':':7} " + ", ".join(f"{count} × {printable(name)}" for name, count in parts.items())]
