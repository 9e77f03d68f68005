"""What happened in single queries: the steps with their times, and the nodes with what became of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphrag_pipeline.experiment.recorded import RunRecord, mapping
from graphrag_pipeline.experiment.report.elements import (
    Cell,
    Column,
    code,
    counted,
    folded,
    html,
    milliseconds,
    note,
    number,
    own,
    section,
    table,
)
from graphrag_pipeline.experiment.report.means import share_bar
from graphrag_pipeline.experiment.report.rerun import QueryView, Rerun
from graphrag_pipeline.experiment.report.subgraph import CONTEXT, DROPPED, LEFT, STATES, UNSEEN, Subgraph

SHOWN = 8
NAME, TITLE = "single-queries", "Single queries"
UNASKED = "<code>--queries N</code> asks for some."
NONE_RAN = "no configuration ran every judged query, so there is no best one to run them with."
NO_QUERIES = "the run has no queries."
"""Why nothing was to be run again, as HTML."""
WORDS = {
    CONTEXT: "in the context",
    LEFT: "in the result, not in the context",
    DROPPED: "dropped on the way",
    UNSEEN: "relevant and never reached",
}
SYMBOLS = {
    CONTEXT: '<circle cx="8" cy="8" r="6"/>',
    LEFT: '<rect x="2.5" y="2.5" width="11" height="11" rx="2"/>',
    DROPPED: '<path d="M8 1 15 8 8 15 1 8Z"/>',
    UNSEEN: '<path d="M8 2 15 14 1 14Z"/>',
}


@dataclass(frozen=True, slots=True)
class Known:
    """What was recorded of a query.

    Args:
        values: Names and values of its measures.
        seconds: Its time; NaN when it is not known.
        steps: The time of each step; empty when it was not recorded.
    """

    values: tuple[tuple[str, float], ...] = ()
    seconds: float = math.nan
    steps: tuple[float, ...] = ()


def known_of_run(record: RunRecord) -> dict[str, Known]:
    """Return what a run recorded of each query."""
    steps = mapping(record.timings.get("queries"))
    names = record.measures or record.columns[:1]
    return {
        row.query: Known(
            tuple(zip(names, row.values, strict=False)), row.seconds, _seconds(steps.get(row.query))
        )
        for row in record.rows
    }


def _seconds(value: object) -> tuple[float, ...]:
    if not isinstance(value, list) or not all(isinstance(item, int | float) for item in value):
        return ()
    return tuple(map(float, value))


def drilldown(
    found: Rerun | None, known: Mapping[str, Known], places: Mapping[str, str], lead: str, why: str = UNASKED
) -> str:
    """Return the section of single queries.

    Args:
        found: What running again gave; None when nothing was to be run.
        known: What was recorded of the queries.
        places: Id of the part of each query.
        lead: Which queries they are, as HTML.
        why: Why nothing was to be run, as HTML.
    """
    if found is None:
        return section(NAME, TITLE, note(f"No query was run again, so there are no graphs: {why}"))
    if found.problem:
        return section(
            NAME,
            TITLE,
            note(
                "The queries could not be run again here, so steps, graphs and Zachman cells are missing. "
                "Everything above is as it was recorded.",
                "warning",
            ),
            f"<pre>{'<br>'.join(html(line, 400) for line in found.problem.splitlines())}</pre>",
        )
    texts = found.texts or {}
    return section(
        NAME,
        TITLE,
        note(f"{lead} They were run again for this report; times are the recorded ones."),
        *_trust(found),
        _legend(),
        *(
            _query(known.get(view.query, Known()), view, places[view.query], texts.get(view.query, ""), place)
            for place, view in enumerate(found.views)
        ),
    )


def _trust(found: Rerun) -> Iterator[str]:
    ran = f"{counted(found.again, 'query', 'queries')} that ran again"
    if found.changed:
        *others, last = found.changed
        changed = f"{', '.join(others)} and {last}" if others else last
        verb = "are" if others else "is"
        yield note(f"{html(changed[:1].upper() + changed[1:], 400)} {verb} not what it was.", "warning")
    if found.different:
        more = ", …" if len(found.different) > SHOWN else ""
        listed = ", ".join(map(code, found.different[:SHOWN])) + more
        yield note(
            f"{len(found.different):,} of {ran} gave another result than the recorded one, so what is shown "
            f"for them is not what was measured: {listed}",
            "warning",
        )
    elif not found.checked:
        yield note(
            "No digests of whole results were recorded, so these are not compared with the recorded ones."
        )
    elif found.again:
        yield note(f"All {ran} gave the recorded result.")


def symbol(state: str) -> str:
    """Return the shape of a state, as the drawing has it."""
    kind = state.replace(" ", "-")
    return (
        f'<svg class="symbol {kind}" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">'
        f"{SYMBOLS[state]}</svg>"
    )


def _legend() -> str:
    items = "".join(f"<li>{symbol(state)} {WORDS[state]}</li>" for state in STATES)
    return (
        f'<ul class="legend" aria-label="Shapes in the drawings">{items}<li>★ relevant</li>'
        "<li>solid arrow: the walk found a node over it</li><li>dotted arrow: another edge of the "
        "graph</li></ul>"
    )


def _query(known: Known, view: QueryView, name: str, text: str, place: int) -> str:
    values = ", ".join(f"{html(measure)} {number(value)}" for measure, value in known.values)
    summary = f'{code(view.query, 60)} {own(text, 120)} <span class="values">{values}</span>'
    differs = "" if view.same else note("The result is not the recorded one.", "warning")
    if view.part is None:
        failed = note(f"The query failed: {html(view.failure, 400)}", "warning")
        return folded(summary, differs, failed, name=name, kind="query", opened=place == 0)
    return folded(
        summary,
        f"<h3>{own(text, 400) if text else code(view.query)}</h3>",
        note(html(view.about, 200)),
        differs,
        _steps(known, view),
        _drawing(view.part, place, text or view.query),
        _nodes(view.part),
        _edges(view.part),
        name=name,
        kind="query",
        opened=place == 0,
    )


def _steps(known: Known, view: QueryView) -> str:
    seconds = known.steps if len(known.steps) == len(view.steps) else ()
    total = math.fsum(seconds) or 1.0
    columns = [
        Column("step"),
        *([Column("ms", numbers=True), Column("when")] if seconds else []),
        Column("in", numbers=True, hint="Nodes that came in"),
        Column("out", numbers=True, hint="Nodes that went out"),
        Column("what it did"),
    ]
    rows: list[list[str | Cell]] = []
    passed = 0.0
    for place, step in enumerate(view.steps):
        cells: list[str | Cell] = [f"{html(step.slot, 40)} <small>{html(step.use, 40)}</small>"]
        if seconds:
            cells += [milliseconds(seconds[place]), share_bar(seconds[place] / total, passed / total)]
            passed += seconds[place]
        rows.append([*cells, f"{step.before:,}", f"{step.after:,}", html(step.did, 300)])
    took = "" if math.isnan(known.seconds) else f"; the query took {milliseconds(known.seconds)} ms"
    unknown = "" if seconds else "; the time of each step was not recorded"
    return table(f"Steps{took}{unknown}", columns, rows)


def _drawing(part: Subgraph, place: int, text: str) -> str:
    if not part.nodes:
        return note("There is nothing to draw: no node was found, and none is relevant.")
    title = f"Drawing of {counted(len(part.nodes), 'node')} of the query {text}; the table below lists them"
    return (
        f'<div class="graph" hidden><div class="controls" role="group" aria-label="Drawing">'
        '<button type="button" data-do="in">Larger</button> <button type="button" '
        'data-do="out">Smaller</button> '
        '<button type="button" data-do="fit">Whole</button></div>'
        f'<div class="canvas" data-graph="{place}" role="img" aria-label="{html(title, 300)}"></div>'
        '<p class="picked" role="status" aria-live="polite">Click a node to read what became of it.</p></div>'
    )


def _nodes(part: Subgraph) -> str:
    drawn = {state: sum(node.state == state for node in part.nodes) for state in STATES}
    counts = "; ".join(
        f"{total:,} {WORDS[state]}" + (f" ({drawn[state]} drawn)" if drawn[state] < total else "")
        for state, total in zip(STATES, part.totals, strict=True)
        if total
    )
    columns = (
        Column("node"),
        Column("type"),
        Column("what became of it"),
        Column("reason"),
        Column("relevant"),
        Column("rank", numbers=True),
        Column("score", numbers=True),
        Column("hops", numbers=True, hint="Edges from its seed"),
    )
    rows = [
        (
            own(node.label or node.node_id, 80)
            + (
                f"<br><small>{code(node.node_id, 60)}</small>"
                if node.label and node.label != node.node_id
                else ""
            ),
            html(node.node_type, 40),
            f"{symbol(node.state)} {WORDS[node.state]}",
            html(node.reason, 60),
            "★ yes" if node.gold else "",
            "—" if node.rank is None else f"{node.rank:,}",
            number(node.score),
            "—" if node.hop < 0 else str(node.hop),
        )
        for node in part.nodes
    ]
    return folded(
        f"Nodes as a table ({len(rows)})",
        note(f"{counts[:1].upper()}{counts[1:]}."),
        table("Nodes that are drawn", columns, rows, sortable=True),
    )


def _edges(part: Subgraph) -> str:
    if not part.edges:
        return ""
    names = [own(node.label or node.node_id, 60) for node in part.nodes]
    rows = [
        (names[edge.source], html(edge.edge_type, 60), names[edge.target], "yes" if edge.discovered else "")
        for edge in part.edges
    ]
    hidden = f"; {part.hidden_edges:,} more are not drawn" if part.hidden_edges else ""
    columns = (Column("from"), Column("type"), Column("to"), Column("found a node"))
    return folded(f"Edges as a table ({len(rows)})", table(f"Edges that are drawn{hidden}", columns, rows))
