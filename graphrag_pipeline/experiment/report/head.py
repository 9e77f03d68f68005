"""What ran: counts, digests, versions, and everything that a reader of the figures should know first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.recorded import RunRecord, mapping, texts
from graphrag_pipeline.experiment.report.elements import (
    Column,
    code,
    counted,
    folded,
    html,
    note,
    own,
    section,
    table,
)
from graphrag_pipeline.experiment.sweep.results import SweepResults

SHOWN = 8
"""Ids in a sentence; the files of the run have all."""
LONG = ("asked for", "versions")
WIDE = ' class="wide"'
FINDINGS = {
    "without_qrels": (
        "query has no judgements and is in no mean",
        "queries have no judgements and are in no mean",
    ),
    "without_query": ("judged id is no query of the set", "judged ids are no queries of the set"),
    "without_relevant": (
        "query has no relevant document and is in no mean of a measure",
        "queries have no relevant document and are in no mean of a measure",
    ),
    "unknown_nodes": (
        "judged document is no node of the graph and cannot be found",
        "judged documents are no nodes of the graph and cannot be found",
    ),
    "ambiguous": (
        "title is the label of several nodes; the first counts",
        "titles are labels of several nodes; the first counts",
    ),
    "unknown_path_ends": (
        "end of a gold edge is no node; that edge cannot be found",
        "ends of gold edges are no nodes; those edges cannot be found",
    ),
    "two_nodes": (
        "judged document may mean two nodes: one of this very id, one with a character for the escape",
        "judged documents may mean two nodes each: one of this very id, one with a character for the escape",
    ),
    "two_queries": (
        "judged id may mean two queries: one of this very id, one with a character for the escape",
        "judged ids may mean two queries each: one of this very id, one with a character for the escape",
    ),
    "near_keys": (
        "key of queries is unknown and ignored (the key, the nearest known one, and how often)",
        "keys of queries are unknown and ignored (each with the nearest known one, and how often)",
    ),
}

# Any throughout: JSON data of a file.


def run_head(record: RunRecord) -> str:
    """Return the section about a run."""
    manifest, metrics = record.manifest, record.metrics
    dataset = mapping(manifest.get("dataset"))
    failed = sum(row.status == "failed" for row in record.rows)
    facts = [
        ("question set", own(str(dataset.get("name", "")))),
        ("queries", f"{len(record.rows):,}, of which {html(str(metrics.get('judged')))} judged"),
        ("failed", f"{failed:,}"),
    ]
    return section(
        "what-ran",
        "What ran",
        _facts(facts),
        note(f"{counted(failed, 'query', 'queries')} failed; each counts 0 in every mean.", "warning")
        if failed
        else "",
        *_degraded(mapping(metrics.get("degraded"))),
        *_bridged(mapping(metrics.get("bridged"))),
        *_findings(mapping(metrics.get("findings"))),
        _failures(record),
        _inputs(manifest),
        _plugins(manifest.get("plugins")),
        folded("The configuration in force", f"<pre>{_lines(record.config)}</pre>"),
    )


def sweep_head(results: SweepResults, manifest: Mapping[str, Any]) -> str:
    """Return the section about a sweep."""
    states: dict[str, int] = {}
    for point in results.points:
        states[point.status] = states.get(point.status, 0) + 1
    failed = sum(point.failed for point in results.points)
    facts = [
        ("question set", own(results.dataset)),
        ("queries", f"{len(results.queries):,}"),
        ("configurations", f"{len(results.points):,}"),
        *((f"… {state}", f"{count:,}") for state, count in sorted(states.items()) if state != "done"),
        ("swept keys", ", ".join(map(code, results.keys)) or "none"),
        *_asked(manifest),
        ("failed queries", f"{failed:,} over all configurations"),
    ]
    unfinished = states.get("unfinished", 0)
    return section(
        "what-ran",
        "What ran",
        _facts(facts),
        note(
            f"{counted(unfinished, 'configuration')} did not run to the end, and "
            f"{'is' if unfinished == 1 else 'are'} in no ranking below.",
            "warning",
        )
        if unfinished
        else "",
        note(f"{counted(failed, 'query', 'queries')} failed; each counts 0.", "warning") if failed else "",
        _inputs(manifest),
        _plugins(manifest.get("plugins")),
    )


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = (
        f"<div{WIDE if name in LONG else ''}><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts
    )
    return f"<dl>{''.join(rows)}</dl>"


def _inputs(manifest: Mapping[str, Any]) -> str:
    dataset = mapping(manifest.get("dataset"))
    named = [
        ("inputs", manifest.get("digest")),
        ("configuration", manifest.get("config")),
        ("graph", manifest.get("graph") or mapping(manifest.get("identity")).get("graph")),
        ("question set", dataset.get("digest")),
    ]
    facts = [(f"digest of {name}", code(value)) for name, value in named if isinstance(value, str)]
    versions = mapping(manifest.get("versions"))
    if versions:
        listed = ", ".join(f"{name} {value}" for name, value in versions.items() if value is not None)
        facts.append(("versions", html(listed, 1000)))
    ran_on = " · ".join(str(manifest[key]) for key in ("python", "platform") if manifest.get(key))
    if ran_on:
        facts.append(("ran on", html(ran_on)))
    return folded("Digests and versions", _facts(facts)) if facts else ""


def _asked(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a sweep was asked for."""
    overrides = texts(mapping(manifest.get("request")).get("overrides"))
    return [("asked for", " ".join(map(code, overrides)))] if overrides else []


def _degraded(counts: Mapping[str, Any]) -> list[str]:
    """Return what is to say of queries that went on after a slot failed; their results count as they are."""
    return [
        note(f"{html(str(count), 12)} queries went on after a slot failed: {code(what)}", "warning")
        for what, count in counts.items()
    ]


def _bridged(counts: Mapping[str, Any]) -> list[str]:
    """Return what is to say of nodes in the results that a bridge brought."""
    return [
        note(f"The bridge ({code(mode)}) added nodes to {html(str(count), 12)} queries.", "warning")
        for mode, count in counts.items()
    ]


def _findings(findings: Mapping[str, Any]) -> list[str]:
    found = []
    for name, listed in findings.items():
        if not isinstance(listed, list) or not listed:
            continue
        forms = FINDINGS.get(name, (name, name))
        ids = [" · ".join(map(str, item)) if isinstance(item, list) else str(item) for item in listed]
        shown = ", ".join(map(code, ids[:SHOWN])) + (", …" if len(ids) > SHOWN else "")
        found.append(note(f"{len(ids):,} {html(forms[len(ids) != 1])}: {shown}", "warning"))
    return found


def _failures(record: RunRecord) -> str:
    if not record.failures:
        return ""
    rows = [(code(query), html(what, 400)) for query, what in record.failures.items()]
    columns = (Column("query"), Column("what happened"))
    return folded(
        f"Queries that failed ({len(rows):,})", table("Queries that failed, and why", columns, rows)
    )


def _plugins(value: object) -> str:
    plugins: Sequence[Mapping[str, Any]] = (
        [mapping(item) for item in value] if isinstance(value, list) else []
    )
    if not plugins:
        return ""
    keys = ("name", "source", "distribution", "version", "digest")
    rows = [tuple(html(str(plugin.get(key) or "—")) for key in keys) for plugin in plugins]
    return folded(f"Plugins ({len(rows)})", table("Plugins that were loaded", tuple(map(Column, keys)), rows))


def _lines(text: str) -> str:
    return "\n".join(html(line, 1000) for line in text.split("\n"))


def title_of(directory: Path, kind: str) -> str:
    """Return the title of a report; of the path only the name, so that moving a run changes nothing."""
    return f"{kind} {directory.resolve().name}"
