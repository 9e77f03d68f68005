"""A comparison of runs, for terminals, papers, spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from graphrag_pipeline.cli.output import counted, listed, message, printable, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.experiment.comparison import Comparison
from graphrag_pipeline.experiment.coverage import Coverage
from graphrag_pipeline.experiment.markup import latex, markdown
from graphrag_pipeline.experiment.resampling import Interval
from graphrag_pipeline.experiment.sections import Cell, Section, sections
from graphrag_pipeline.experiment.statistics import Paired

SHOWN = 3
"""Ids in a message; JSON has all."""
CSV_COLUMNS = (
    *("part", "measure", "first", "second", "mean_first", "mean_second", "difference", "low", "high"),
    *("p", "holm", "benjamini_hochberg", "effect", "wins", "ties", "losses", "win_share", "detectable"),
    *("queries", "in_sample"),
)


def tell_coverage(found: Coverage) -> None:
    """Warn of queries that lack a ranking, judgements or a relevant document."""
    for run in found.runs:
        if run.missing:
            what = "have no ranking and count 0" if len(run.missing) > 1 else "has no ranking and counts 0"
            queries = f"{_queries(run.missing, 'judged')} {what}: {listed(run.missing, SHOWN)}"
            message("warning", f"{printable(run.run)}: {queries}")
        if run.unjudged:
            what = "are left out" if len(run.unjudged) > 1 else "is left out"
            queries = f"{_queries(run.unjudged, 'unjudged')} {what}: {listed(run.unjudged, SHOWN)}"
            message("warning", f"{printable(run.run)}: {queries}")
    if without := found.without_relevant:
        what = "have no relevant document" if len(without) > 1 else "has no relevant document"
        queries = f"{_queries(without, 'judged')} {what}, so no run scores: {listed(without, SHOWN)}"
        message("warning", f"qrels: {queries}")


def show_comparison(found: Comparison, covered: Coverage, form: str) -> None:
    """Write a comparison to standard output as ``table``, ``markdown``, ``latex``, ``csv`` or ``json``."""
    if form == "json":
        write_json(comparison_json(found, covered))
    elif form == "csv":
        write(_csv(found))
    else:
        as_text = {"table": _plain, "markdown": markdown, "latex": latex}[form]
        write("\n\n".join(as_text(_shown(section)) for section in sections(found)))


# Any: JSON
def comparison_json(found: Comparison, covered: Coverage) -> dict[str, Any]:
    """Return a comparison as JSON data: the fields of its dataclasses."""
    return {**asdict(found), "coverage": asdict(covered)}


def _queries(ids: Sequence[str], kind: str) -> str:
    return counted(len(ids), f"{kind} query") if len(ids) == 1 else f"{len(ids)} {kind} queries"


def _shown(section: Section) -> Section:
    """Return a section with the control characters of names spelled out."""
    columns = tuple(replace(column, text=printable(column.text)) for column in section.columns)
    rows = tuple(tuple(Cell(printable(cell.text), cell.mark) for cell in row) for row in section.rows)
    title, note = printable(section.title), printable(section.note)
    return replace(section, title=title, columns=columns, rows=rows, note=note)


def _plain(section: Section) -> str:
    columns = [Column(column.text, column.right, 1 if column.free else 0) for column in section.columns]
    rows = [[f"{cell.text} {cell.mark}".rstrip() for cell in row] for row in section.rows]
    return f"{section.title}\n{table(columns, rows)}\n{section.note}"


def _csv(found: Comparison) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in _csv_rows(found):
        writer.writerow([printable(value) if isinstance(value, str) else value for value in row])
    return lines.getvalue().removesuffix("\n")


def _csv_rows(found: Comparison) -> Iterator[list[object]]:
    """Yield one row a pair and measure, and one a choice on half A; numbers have all their digits."""
    means = {(standing.measure, standing.run): standing.mean for standing in found.standings}
    for pair in found.pairs:
        of_first, of_second = means[pair.measure, pair.first], means[pair.measure, pair.second]
        names = ["all", pair.measure, pair.first, pair.second, of_first, of_second]
        yield names + _numbers(pair.paired, pair.holm, pair.benjamini_hochberg) + [None]
    for choice in found.split.choices if found.split else ():
        names = ["B", choice.measure, choice.chosen, choice.rival, choice.held_out, choice.rival_held_out]
        yield names + _numbers(choice.against, choice.holm, None) + [choice.in_sample]


def _numbers(found: Paired, holm: float, rate: float | None) -> list[object]:
    ends = _ends(found.interval)
    counts = [found.wins, found.ties, found.losses, found.win_share, found.detectable, found.queries]
    return [found.difference, *ends, found.p, holm, rate, found.effect, *counts]


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)
