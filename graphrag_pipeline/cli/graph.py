"""``graphrag-pipeline graph``: the graph a configuration loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, with_settings

if TYPE_CHECKING:
    from graphrag_pipeline.config.settings import Settings
    from graphrag_pipeline.plugin.host import PluginHost


@click.group()
def graph() -> None:
    """Look at the graph a configuration loads."""


@graph.command()
@with_settings
@json_option
def info(settings: Settings, host: PluginHost, as_json: bool) -> None:
    """Count nodes, edges, types and Zachman cells, and list what was wrong in the source."""
    from graphrag_pipeline.cli.graph_view import graph_info, show_info
    from graphrag_pipeline.cli.output import write_json
    from graphrag_pipeline.config.load import load_graph

    found = graph_info(load_graph(settings, host))
    if as_json:
        write_json(found)
    else:
        show_info(found)
