"""The plugin report, for people."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.plugin.checkup import Remark
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.report import PluginReport


def plugins_table(report: PluginReport) -> str:
    """Return one line per plugin."""
    rows = []
    for record in report.plugins:
        package = f"{record.distribution} {record.version or ''}".strip() if record.distribution else ""
        error = "" if record.failure is None else f"{record.failure.error} {record.failure.where}".strip()
        rows.append(
            (
                record.name,
                record.status,
                record.source,
                package,
                f"{record.import_ms:.1f}",
                error or record.path,
            )
        )
    columns = (
        Column("plugin", colour="cyan"),
        Column("status"),
        Column("source"),
        Column("distribution"),
        Column("ms", right=True),
        Column("path or error", cut=1),
    )
    return table(columns, rows)


def components_table(report: PluginReport) -> str:
    """Return one line per kind and plugin that has components of it."""
    rows = [
        (kind, record.name, ", ".join(record.components[kind]))
        for kind in KINDS
        for record in report.plugins
        if record.components.get(kind)
    ]
    return table((Column("kind", colour="cyan"), Column("plugin"), Column("components", cut=1)), rows)


def checks_table(remarks: Sequence[Remark]) -> str:
    """Return one line per remark, faults of a component beside what is right of it, and a count."""
    rows = [(remark.plugin, remark.component, remark.check, remark.status, remark.told) for remark in remarks]
    columns = (
        Column("plugin", colour="cyan"),
        Column("component"),
        Column("check"),
        Column("status"),
        Column("what"),
    )
    counts = {status: sum(remark.status == status for remark in remarks) for status in ("fault", "skipped")}
    faults = "no faults" if not counts["fault"] else f"{counts['fault']} fault{'s' * (counts['fault'] > 1)}"
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    return table(columns, rows) + f"\n\n{faults}{skipped}" if rows else "There is no plugin to check."
