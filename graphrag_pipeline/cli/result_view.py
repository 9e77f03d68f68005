"""A query's result and trace, for people."""

from __future__ import annotations

from graphrag_pipeline.cli.output import counted, message, printable, write
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeNode
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.pipeline.trace import BridgeReport, SlotTrace, Trace
from graphrag_pipeline.stages.scored import BUDGET, POOL

SHOWN_DROPS = 5
"""How many nodes each reason lists; ``--json --explain`` lists all."""


def show(trace: Trace, index: GraphIndex, *, top: int, explain: bool) -> None:
    """Write the ranked nodes, the context, and on request what every stage did.

    Args:
        trace: The answered query.
        index: The graph it ran on.
        top: Rows of the ranking; 0 or less shows all.
        explain: Whether to show the stages.
    """
    write(_headline(trace, index))
    write("")
    write(_ranking(trace, top) if len(trace.working) else _nothing(trace))
    if explain:
        write("")
        write(_stages(trace))
        for step in trace.slots:
            for line in (*_drops(step), *_left_out(step), *_remarks(step)):
                write(line)
    if trace.result.context_text:
        write("")
        write(_context(trace.result.context_text, top))
    if not explain:
        told = _nothing(trace) if not len(trace.working) else ""
        for line in (line for step in trace.slots for line in _notes(step)):
            if line.partition(": ")[2] not in told:
                message("note", line)


def _remarks(step: SlotTrace) -> list[str]:
    return [f"{step.slot}: {printable(remark)}" for remark in step.remarks]


def _notes(step: SlotTrace) -> list[str]:
    """Return the remarks that the log did not tell as warnings."""
    return _remarks(step)[1:] if step.failure or step.idle else _remarks(step)


def _context(text: str, top: int) -> str:
    lines = printable(text, keep="\n").split("\n")
    shown = lines[: top + 1] if top > 0 else lines
    rest = len(lines) - len(shown)
    return "\n".join(shown) + (f"\n… and {counted(rest, 'more line')} (--top 0 shows all)" if rest else "")


def _headline(trace: Trace, index: GraphIndex) -> str:
    query, working = trace.query, trace.working
    asked = [f"“{printable(query.text)}”", f"k {query.k}", f"{query.hops} hops"]
    asked += [f"persona {printable(query.persona)}"] if query.persona else []
    asked += [f"cell {query.cell.coordinate}"] if query.cell else []
    found = ", ".join(
        counted(count, noun)
        for count, noun in (
            (len(working), "node"),
            (working.edge_count(), "edge"),
            (working.path_count(), "path"),
        )
    )
    graph = f"{counted(index.node_count, 'node')} and {counted(index.edge_count, 'edge')}"
    size = f"of a graph of {graph}, in {_ms(trace.seconds)} ms"
    lines = [" · ".join(asked), f"{found} {size}"]
    report = trace.bridge
    if report is not None and (report.nodes or report.edges or report.paths or report.mode == "failed"):
        lines.append(f"bridge: {printable(_bridge(report))}")
    return "\n".join(lines)


def _ranking(trace: Trace, top: int) -> str:
    ranked = trace.ranking(top)
    rows = [
        (
            rank,
            f"{entry.score:.2f}",
            entry.node.node_id,
            entry.node.label,
            entry.node.node_type,
            _cell(entry.node),
            "bridge" if entry.hop < 0 else entry.hop,
            ", ".join(name for name, value in entry.signals.items() if value and name != "baseline"),
        )
        for rank, entry in enumerate(ranked, 1)
    ]
    columns = (
        Column("#", right=True),
        Column("score", right=True, colour="green"),
        Column("id", cut=1, colour="cyan"),
        Column("label", cut=1),
        Column("type", cut=1),
        Column("cell", cut=2),
        Column("hop", right=True),
        Column("signals", cut=1),
    )
    rest = len(trace.working) - len(ranked)
    return table(columns, rows) + (f"\n… and {rest} more (--top 0 shows all)" if rest else "")


def _cell(node: KnowledgeNode) -> str:
    value = node.properties.get("zachman_cell")
    if isinstance(value, ZachmanCell):
        return value.coordinate
    return "" if value is None else str(value)


def _nothing(trace: Trace) -> str:
    """Say why there is nothing, as far as the trace knows."""
    if not trace.slots:
        return "Nothing found: the graph is empty."
    for step in trace.slots:
        if step.candidates_out:
            continue
        if step.drop_counts():
            dropped = ", ".join(
                f"{count} {printable(reason)}" for reason, count in step.drop_counts().items()
            )
            return f"Nothing found: the stage in slot {step.slot} dropped every candidate ({dropped})."
        why = step.idle or next(iter(step.remarks), "no node matches the text")
        return f"Nothing found: {printable(why)} (slot {step.slot})."
    return "Nothing found."


def _stages(trace: Trace) -> str:
    rows = [
        (number, step.slot, step.use, step.candidates_in, step.candidates_out, _ms(step.seconds), _did(step))
        for number, step in enumerate(trace.slots, 1)
    ]
    columns = (
        Column("step", right=True),
        Column("slot", colour="cyan"),
        Column("stage"),
        Column("in", right=True),
        Column("out", right=True),
        Column("ms", right=True),
        Column("what it did", cut=1),
    )
    return table(columns, rows)


def _did(step: SlotTrace) -> str:
    if step.failure is not None:
        return printable(step.failure.told)
    if step.idle:
        return step.idle
    if step.bridge is not None:
        return _bridge(step.bridge)
    if step.drops:
        counts = ", ".join(f"{count} {reason}" for reason, count in step.drop_counts().items())
        return f"dropped {counts}" if counts else "dropped nothing"
    if step.cut:
        return f"left {counted(step.cut, 'node')} out of the context: {_why_left(step)}"
    return ""


def _why_left(step: SlotTrace) -> str:
    counts = {} if step.context is None else step.context.counts()
    if set(counts) <= {BUDGET}:
        return "over the token budget"
    return ", ".join(f"{count} {reason}" for reason, count in counts.items())


def _bridge(report: BridgeReport) -> str:
    if report.mode == "failed":
        return f"failed, the query went on without it: {report.error}"
    parts = ((report.nodes, "node"), (report.edges, "edge"), (report.paths, "path"))
    text = f"{report.mode}: added {', '.join(counted(count, noun) for count, noun in parts)}"
    text += f"; {len(report.skipped)} malformed parts skipped" if report.skipped else ""
    return text + (f" ({report.note})" if report.note else "")


def _drops(step: SlotTrace) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for node_id, reason in step.dropped():
        by_reason.setdefault(printable(reason), []).append(printable(node_id))
    return [f"dropped by {step.slot}, {reason}: {_some(ids)}" for reason, ids in by_reason.items()]


def _left_out(step: SlotTrace) -> list[str]:
    """List the nodes that a context left out for another reason than the budget: those are the worst."""
    if step.context is None or set(step.context.counts()) <= {BUDGET, POOL}:
        return []
    by_reason: dict[str, list[str]] = {}
    for node_id, reason in step.context:
        by_reason.setdefault(printable(reason), []).append(printable(node_id))
    return [
        f"left out by {step.slot}, {reason}: {_some(ids)}"
        for reason, ids in by_reason.items()
        if reason not in (BUDGET, POOL)
    ]


def _some(ids: list[str]) -> str:
    rest = len(ids) - SHOWN_DROPS
    return ", ".join(ids[:SHOWN_DROPS]) + (f", … and {rest} more" if rest > 0 else "")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
