"""``graphrag-pipeline report``: a run or a sweep as one HTML file."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import named, named_or_not, with_host

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost


@click.command()
@click.argument("path", callback=named, metavar="RUN|SWEEP")
@click.option(
    "-o",
    "--output",
    callback=named_or_not,
    metavar="FILE",
    help="The file to write; else report.html in the directory.",
)
@click.option(
    "--measure", metavar="NAME", help="What orders queries and configurations; else the first measure."
)
@click.option(
    "--queries",
    "worst",
    default=20,
    show_default=True,
    metavar="N",
    type=click.IntRange(0, 1000),
    help="How many of the worst queries to look into, and a quarter as many of the best; 0 runs nothing.",
)
@click.option(
    "--query", "queries", multiple=True, metavar="ID", help="Look into this query, too. May be repeated."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@with_host
def report(
    path: str,
    output: str | None,
    measure: str | None,
    worst: int,
    queries: tuple[str, ...],
    force: bool,
    host: PluginHost,
) -> None:
    """Write a run or a sweep as one HTML file that loads nothing.

    RUN|SWEEP is a directory that `evaluate` or `sweep` wrote, as it was written. Queries that are looked
    into run again, with the configuration that the directory holds.
    """
    from graphrag_pipeline.cli.evaluate_view import each_once
    from graphrag_pipeline.cli.output import write
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.experiment.recorded import RUN, read_manifest
    from graphrag_pipeline.experiment.report.document import Wanted
    from graphrag_pipeline.experiment.report.document import report as written
    from graphrag_pipeline.experiment.stored_run import refuse_altered
    from graphrag_pipeline.experiment.sweep.altered import refuse_altered_sweep
    from graphrag_pipeline.graph.export.atomic import check_file, write_text

    directory = Path(path)
    file = Path(output) if output is not None else directory / "report.html"
    if directory.is_dir():
        check_file(file, replace=force)
    with (
        redirect_stdout(sys.stderr),
        each_once(),
        shown("making the report", "queries", rate=True) as progress,
    ):
        manifest = read_manifest(directory)
        if manifest["kind"] == RUN:
            refuse_altered(manifest, directory)
        else:
            refuse_altered_sweep(manifest, directory)
        text = written(directory, Wanted(measure, worst, queries), host, progress)
    write_text(file, text, replace=force)
    write(f"report: {file}")
