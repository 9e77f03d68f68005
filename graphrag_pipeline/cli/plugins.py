"""``graphrag-pipeline plugins``: what is installed, and what it brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, with_host

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost


@click.group()
def plugins() -> None:
    """List plugins and the components they bring."""


@plugins.command("list")
@with_host
@json_option
def list_(host: PluginHost, as_json: bool) -> None:
    """List every plugin: where it came from, whether it loaded, and its components by kind."""
    from graphrag_pipeline.cli.output import write, write_json
    from graphrag_pipeline.cli.plugin_view import components_table, plugins_table

    report = host.report()
    if as_json:
        write_json(report.to_dict())
    else:
        write(plugins_table(report))
        write("")
        write(components_table(report))
