"""The plugin report, for people."""

from __future__ import annotations

from graphrag_pipeline.cli.table import Column, table
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
