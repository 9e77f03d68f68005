"""What an evaluation found, for people and programs."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from graphrag_pipeline.cli.output import message, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.summary import Mean, Summary

SHOWN = 3
"""Ids in a message; metrics.json has all."""


@contextmanager
def each_once() -> Iterator[None]:
    """Show each message of the library once while the body runs: every query may have the same to say."""
    said: set[str] = set()

    def is_new(record: logging.LogRecord) -> bool:
        text = record.getMessage()
        known = text in said
        said.add(text)
        return not known

    handlers = logging.getLogger("graphrag_pipeline").handlers
    for handler in handlers:
        handler.addFilter(is_new)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(is_new)


def tell_findings(judged: Judged) -> None:
    """Warn, before the run, of everything in the question set that does not match."""
    found = judged.findings
    if not judged.qrels.relevance:
        message("warning", "there are no judgements, so nothing is measured that needs them")
    else:
        what = "has no judgements and is", "have no judgements and are"
        _tell(found.without_qrels, ("query", "queries"), what, "in no mean over judged queries")
    is_no = "is no", "are no"
    _tell(found.without_query, ("judged id", "judged ids"), is_no, "query of the set and in no mean")
    what = "has no relevant document and counts", "have no relevant document and count"
    _tell(found.without_relevant, ("query", "queries"), what, "0")
    unknown = [f"{node} ({query})" for query, node in found.unknown_nodes]
    documents = "judged document", "judged documents"
    _tell(unknown, documents, is_no, "node of the graph and cannot be found")
    _tell(found.ambiguous, ("title", "titles"), ("is", "are"), "the label of several nodes; the first counts")
    ends = [f"{end} ({query})" for query, end in found.unknown_path_ends]
    _tell(ends, ("end of gold edges", "ends of gold edges"), is_no, "node; such an edge cannot be found")


def _tell(ids: Sequence[str], nouns: tuple[str, str], verbs: tuple[str, str], what: str) -> None:
    if ids:
        form = 0 if len(ids) == 1 else 1
        listed = ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
        message("warning", f"{len(ids)} {nouns[form]} {verbs[form]} {what}: {listed}")


def show_run(found: Summary, directory: Path, *, as_json: bool) -> None:
    """Write the means of a run to standard output, and tell of queries that failed."""
    if found.failed:
        count = len(found.failed)
        which = "1 query" if count == 1 else f"{count} queries"
        listed = ", ".join(found.failed[:SHOWN]) + (", …" if count > SHOWN else "")
        verb = "counts" if count == 1 else "count"
        message("error", f"{which} failed and {verb} 0: {listed}\n  where: {directory / 'failures.jsonl'}")
    if as_json:
        write_json({"run": str(directory), **found.to_dict()})
        return
    columns = (Column("measure"), Column("mean", right=True), Column("queries", right=True))
    rows = [(name, _shown(mean), mean.queries) for name, mean in {**found.measures, **found.graph}.items()]
    write(table(columns, [row for row in rows if row[2]]))
    write(f"run: {directory}")


def _shown(mean: Mean) -> str:
    if mean.mean is None:
        return "—"
    return f"{mean.mean:.4f}" if mean.mean < 1.00005 else f"{mean.mean:.1f}"
