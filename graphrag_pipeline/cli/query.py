"""``graphrag-pipeline query``: one query."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, with_settings

if TYPE_CHECKING:
    from graphrag_pipeline.config.settings import Settings
    from graphrag_pipeline.plugin.host import PluginHost


@click.command()
@click.argument("text")
@with_settings
@click.option("--explain", is_flag=True, help="Show what every stage did, and what it dropped and why.")
@click.option(
    "--top",
    default=20,
    show_default=True,
    metavar="N",
    type=click.IntRange(min=0),
    help="Rows of the table and lines of the context; 0 shows all.",
)
@json_option
def query(text: str, settings: Settings, host: PluginHost, explain: bool, top: int, as_json: bool) -> None:
    """Answer one query.

    TEXT is the query; OVERRIDES change the configuration, for example query.persona=FCON-001,
    bridge=mock, score.weights.persona_match=0.7 or graph=json graph.path=my_graph.json.
    """
    from graphrag_pipeline.cli.output import message, write_json
    from graphrag_pipeline.cli.result_view import show
    from graphrag_pipeline.config.load import build_pipeline

    with redirect_stdout(sys.stderr):
        pipeline = build_pipeline(settings, host)
        for skipped in pipeline.personas.skipped:
            message("warning", skipped)
        trace = pipeline.trace(pipeline.query)
    if as_json:
        write_json({**trace.result.to_dict(), **({"trace": trace.to_dict()} if explain else {})})
    else:
        show(trace, pipeline.index, top=top, explain=explain)
