"""Every query with its values, the worst first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from graphrag_pipeline.experiment.recorded import RunRecord
from graphrag_pipeline.experiment.report.choosing import Graded
from graphrag_pipeline.experiment.report.elements import (
    Column,
    code,
    counted,
    download,
    html,
    milliseconds,
    note,
    number,
    own,
    section,
    table,
)
from graphrag_pipeline.experiment.report.standing import Ranking

MOST_ROWS = 1000
NAME = "query-table"


def queries(
    record: RunRecord, measure: str | None, texts: Mapping[str, str] | None, places: Mapping[str, str]
) -> str:
    """Return the section of the queries of a run.

    Args:
        record: The run.
        measure: The value that orders them.
        texts: Words of the queries; None when they are not known.
        places: Where a query is looked into, by its id.
    """
    order = Graded.of(record, measure).worst_first()
    kinds = any(row.kind for row in record.rows)
    columns = [
        Column("query"),
        *([Column("text")] if texts is not None else []),
        *([Column("kind")] if kinds else []),
        Column("status"),
        *(Column(name, numbers=True) for name in record.columns),
        Column("ms", numbers=True, hint="Time of the query when it was evaluated"),
    ]
    rows = []
    for place in order[:MOST_ROWS]:
        row = record.rows[place]
        rows.append(
            [
                _linked(row.query, places),
                *([own(texts.get(row.query, ""), 140)] if texts is not None else []),
                *([html(row.kind, 40)] if kinds else []),
                row.status if row.status == "done" else f"<strong>{html(row.status, 20)}</strong>",
                *map(number, row.values),
                milliseconds(row.seconds),
            ]
        )
    more = (
        note(f"Only the first {MOST_ROWS:,} of {len(order):,} are in the table; the file has all.", "warning")
        if len(order) > MOST_ROWS
        else ""
    )
    by = f", the worst {html(measure)} first" if measure else ""
    return section(
        "queries",
        "Queries",
        note(
            f"A linked id leads to what happened in that query. "
            f"{download('All queries as CSV', 'queries.csv', record.csv)}"
        ),
        more,
        _filter(NAME),
        table(
            f"{counted(len(order), 'query', 'queries')}{by}",
            columns,
            rows,
            sortable=True,
            tall=True,
            name=NAME,
        ),
    )


def sweep_queries(ranked: Ranking, texts: Mapping[str, str] | None, places: Mapping[str, str]) -> str:
    """Return the section of the queries of a sweep: how the best config does on each, and others.

    Args:
        ranked: The sweep.
        texts: Words of the queries; None when they are not known.
        places: Where a query is looked into, by its id.
    """
    if not ranked.order or not len(ranked.judged) or ranked.lower:
        return ""
    values = ranked.values[list(ranked.order)]
    best, low, high, middle = values[0], values.min(axis=0), values.max(axis=0), values.mean(axis=0)
    order = np.argsort(-(high - best), kind="stable")
    columns = (
        Column("query"),
        *([Column("text")] if texts is not None else []),
        Column(f"configuration {ranked.name(ranked.order[0])}", numbers=True, hint="The best by its mean"),
        Column("best of any", numbers=True),
        Column("mean of all", numbers=True),
        Column("worst of any", numbers=True),
        Column(
            "lost", numbers=True, hint="The best of any configuration minus the value of the best by its mean"
        ),
    )
    names = [ranked.results.queries[place] for place in ranked.judged.tolist()]
    rows = [
        (
            _linked(names[place], places),
            *([own(texts.get(names[place], ""), 140)] if texts is not None else []),
            *(number(float(column[place])) for column in (best, high, middle, low)),
            number(float(high[place] - best[place])),
        )
        for place in order[:MOST_ROWS].tolist()
    ]
    reach = number(float(high.mean()))
    more = f" Only the first {MOST_ROWS:,} are in the table." if len(order) > MOST_ROWS else ""
    return section(
        "queries",
        "Queries",
        note(
            "What another configuration does better than the one with the best mean "
            f"{html(ranked.measure)}, the largest difference first. Choosing the best configuration for "
            f"each query, which nobody can, would give {reach}.{more}"
        ),
        _filter(NAME),
        table(
            f"{counted(len(order), 'query', 'queries')} by {html(ranked.measure)}",
            columns,
            rows,
            sortable=True,
            tall=True,
            name=NAME,
        ),
    )


def _linked(query: str, places: Mapping[str, str]) -> str:
    name = code(query, 80)
    return f'<a href="#{places[query]}">{name}</a>' if query in places else name


def _filter(name: str) -> str:
    """Return a field that a script shows and uses: without one it would do nothing."""
    return (
        f'<p class="filter" hidden><label for="{name}-filter">Show rows that hold</label> '
        f'<input type="search" id="{name}-filter" data-table="{name}" autocomplete="off" spellcheck="false"> '
        f'<span class="count" role="status" aria-live="polite"></span></p>'
    )


def anchors(ids: Sequence[str]) -> dict[str, str]:
    """Return where each query is looked into; ids themselves may hold anything."""
    return {query: f"query-{place}" for place, query in enumerate(ids, start=1)}
