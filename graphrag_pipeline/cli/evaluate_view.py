"""What an evaluation found, for people and programs."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from graphrag_pipeline.cli.output import listed, message, printable, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.batch_measures import NOTHING_RELEVANT
from graphrag_pipeline.experiment.datasets.checks import Findings, Judged
from graphrag_pipeline.experiment.plugin_metrics import RAISED
from graphrag_pipeline.experiment.summary import Mean, Summary

SHOWN = 3
"""Ids in a message; metrics.json has all."""
SHOWN_WHEN_STRICT = 20
"""Ids of each kind in the error of a set that does not match; there is no metrics.json then."""


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


def tell_findings(judged: Judged, *, strict: bool = False) -> None:
    """Warn, before the run, of everything in the question set that does not match.

    Raises:
        DatasetError: Something does not match, and that is not to be let pass.
    """
    if not strict:
        for line in _told(judged, SHOWN):
            message("warning", line)
    elif lines := list(_told(judged, SHOWN_WHEN_STRICT)):
        raise DatasetError(
            "The question set does not match:\n  " + "\n  ".join(lines),
            where=judged.dataset.name,
            hint="Without --strict these are warnings.",
        )


def _told(judged: Judged, shown: int) -> Iterator[str]:
    """Yield a line for each kind of thing that does not match."""
    found = judged.findings
    if not judged.qrels.relevance:
        yield "there are no judgements, so nothing is measured that needs them"
    else:
        what = "has no judgements and is", "have no judgements and are"
        yield from _listed(
            found.without_qrels, ("query", "queries"), what, "in no mean over judged queries", shown
        )
    is_no = "is no", "are no"
    ids = "judged id", "judged ids"
    yield from _listed(found.without_query, ids, is_no, "query of the set and in no mean", shown)
    what = "has no relevant document and is", "have no relevant document and are"
    yield from _listed(found.without_relevant, ("query", "queries"), what, "in no mean of a measure", shown)
    unknown = [f"{node} ({query})" for query, node in found.unknown_nodes]
    documents = "judged document", "judged documents"
    yield from _listed(unknown, documents, is_no, "node of the graph and cannot be found", shown)
    several = "the label of several nodes; the first counts"
    yield from _listed(found.ambiguous, ("title", "titles"), ("is", "are"), several, shown)
    ends = [f"{end} ({query})" for query, end in found.unknown_path_ends]
    nouns = "end of gold edges", "ends of gold edges"
    yield from _listed(ends, nouns, is_no, "node; such an edge cannot be found", shown)
    yield from _of_two_meanings(found, shown)
    nearly = [f"{key} ({count} ×, did you mean {known}?)" for key, known, count in found.near_keys]
    keys = "key of queries", "keys of queries"
    yield from _listed(nearly, keys, ("is", "are"), "unknown and ignored", shown)


def _of_two_meanings(found: Findings, shown: int) -> Iterator[str]:
    """Yield what is to say of ids that are written as others would be in a run file."""
    may = "may mean", "may mean"
    what = "two {}, one of this very id and one with a character for the escape; the first counts"
    documents = [f"{document} ({query})" for query, document in found.two_nodes]
    nouns = "judged document", "judged documents"
    yield from _listed(documents, nouns, may, what.format("nodes"), shown)
    nouns = "judged id", "judged ids"
    yield from _listed(found.two_queries, nouns, may, what.format("queries"), shown)


def _listed(
    ids: Sequence[str], nouns: tuple[str, str], verbs: tuple[str, str], what: str, shown: int
) -> Iterator[str]:
    if ids:
        form = 0 if len(ids) == 1 else 1
        yield f"{len(ids)} {nouns[form]} {verbs[form]} {what}: {listed(ids, shown)}"


def show_run(found: Summary, directory: Path, *, as_json: bool) -> None:
    """Write the means of a run to standard output, and tell of queries that failed."""
    if found.failed:
        count = len(found.failed)
        which = "1 query" if count == 1 else f"{count} queries"
        verb = "counts" if count == 1 else "count"
        where = printable(str(directory / "failures.jsonl"))
        message("error", f"{which} failed and {verb} 0: {listed(found.failed, SHOWN)}\n  where: {where}")
    _tell_undefined(found)
    for what, queries in found.degraded.items():
        slot, _, done = what.rpartition(" ")
        which = "1 query" if queries == 1 else f"{queries} queries"
        message("warning", f"{which} of {found.queries} went on after slot {slot} failed: {done}")
    _tell_bridged(found)
    if as_json:
        write_json({"run": str(directory), **found.to_dict()})
        return
    columns = (Column("measure"), Column("mean", right=True), Column("queries", right=True))
    rows = [(name, _shown(mean), mean.queries) for name, mean in {**found.measures, **found.graph}.items()]
    write(table(columns, [row for row in rows if row[2]]))
    write(f"run: {printable(str(directory))}")


def _tell_bridged(found: Summary) -> None:
    """Tell of nodes in the results that a bridge brought."""
    for mode, queries in found.bridged.items():
        which = "1 query" if queries == 1 else f"{queries} queries"
        what = f"the bridge ({printable(mode)}) added nodes of its own to {which} of {found.queries}"
        message("warning", f"{what}, where they are ranked and measured; bridge=noop leaves it out")


def _tell_undefined(found: Summary) -> None:
    """Tell of measures without a value; queries without a relevant document were told before the run."""
    for name, reasons in found.undefined.items():
        for reason, ids in reasons.items():
            if reason != NOTHING_RELEVANT:
                which = "1 query" if len(ids) == 1 else f"{len(ids)} queries"
                level = "error" if reason.startswith(RAISED) else "warning"
                why = printable(reason)
                message(level, f"{name} has no value for {which}, {why}: {listed(ids, SHOWN)}")


def _shown(mean: Mean) -> str:
    if mean.mean is None:
        return "—"
    return f"{mean.mean:.4f}" if mean.mean < 1.00005 else f"{mean.mean:.1f}"
