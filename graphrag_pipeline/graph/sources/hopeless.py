"""Refusing a file of which nearly nothing can be used, before all of it is read for nothing."""

from __future__ import annotations

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.sources.findings import Tally

MANY = 100_000
"""Rows that may be left out, whatever their share is."""
SHARE = 0.99
"""Share of the rows until there that are left out in a file that is refused."""


def refuse_hopeless(skipped: int, read: int, tally: Tally, at: str) -> None:
    """Refuse a file when nearly all of its rows were left out.

    Args:
        skipped: How many were left out.
        read: How many rows there were until now.
        tally: What was wrong with them.
        at: Where the last one is.

    Raises:
        GraphSourceError: There are too few others.
    """
    if skipped < MANY or skipped < SHARE * read:
        return
    found = [finding for finding in tally.findings() if finding.kind == "skipped"]
    worst = max(found, key=lambda finding: finding.count)
    first = f", the first at {worst.places[0]}" if worst.places else ""
    raise GraphSourceError(
        f"Nearly all is wrong: {skipped:,} of the first {read:,} rows were left out. Most of them: "
        f"{worst.what}{first}.",
        where=at,
        hint="Is it read as what it is? `graph=auto` finds out a file's format; of tables, see "
        "graph.delimiter, graph.quote and the columns. Else remove the wrong rows.",
    )
