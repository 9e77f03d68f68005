"""``graphrag-pipeline index``: compiled graphs on disk."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, named, with_settings

if TYPE_CHECKING:
    from graphrag_pipeline.config.settings import Settings
    from graphrag_pipeline.plugin.host import PluginHost


@click.group()
def index() -> None:
    """Compile graphs to disk, and look at what is there."""


@index.command()
@with_settings
@click.option(
    "--output",
    "-o",
    required=True,
    callback=named,
    metavar="DIR",
    help="New or empty directory, or an index to replace.",
)
@json_option
def build(settings: Settings, host: PluginHost, output: str, as_json: bool) -> None:
    """Compile the configured graph into DIR; graph=index graph.path=DIR then opens it in milliseconds."""
    from graphrag_pipeline.cli.index_view import show_manifest
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.config.load import load_graph
    from graphrag_pipeline.graph.compiling import as_index
    from graphrag_pipeline.graph.storage.write import write_index

    with redirect_stdout(sys.stderr), shown("compiling the graph") as report:
        loaded = load_graph(settings, host, report)
        table = as_index(loaded.graph).table
    found = loaded.report
    with shown("writing the index"):
        manifest = write_index(table, output, source=found.source, report=found.to_dict())
    show_manifest(output, manifest, as_json)


@index.command()
@click.argument("directory", callback=named, metavar="DIR")
@json_option
def info(directory: str, as_json: bool) -> None:
    """Show what an index holds, what it was built from, and its size."""
    from pathlib import Path

    from graphrag_pipeline.cli.index_view import show_manifest
    from graphrag_pipeline.graph.storage.manifest import read_manifest
    from graphrag_pipeline.graph.storage.read import open_index

    open_index(Path(directory))
    show_manifest(directory, read_manifest(Path(directory)), as_json)


@index.command()
@click.argument("directory", callback=named, metavar="DIR")
def verify(directory: str) -> None:
    """Read every byte of an index and compare it with the digests it was written with."""
    from pathlib import Path

    from graphrag_pipeline.cli.output import write
    from graphrag_pipeline.graph.storage.read import open_index

    opened = open_index(Path(directory), verify=True)
    write(f"{directory}: right, sha256 {opened.digest}")
