"""``graphrag-pipeline diff``: what differs between two runs."""

from __future__ import annotations

import click

from graphrag_pipeline.cli.options import json_option, named


@click.command()
@click.argument("first", callback=named, metavar="RUN")
@click.argument("second", callback=named, metavar="RUN")
@json_option
def diff(first: str, second: str, as_json: bool) -> None:
    """Tell in plain words what differs between two runs.

    RUN is a directory that `evaluate` wrote. Told are the keys of the configuration, the other inputs,
    versions, means, and the first query, step and node where the runs part. Nothing is run. The exit code
    is 0 also when they differ.
    """
    from pathlib import Path

    from graphrag_pipeline.cli.difference_view import show_difference
    from graphrag_pipeline.experiment.difference import run_difference
    from graphrag_pipeline.experiment.stored_run import read_stored_run
    from graphrag_pipeline.experiment.verify import default_config

    one, other = read_stored_run(Path(first)), read_stored_run(Path(second))
    show_difference(run_difference(one, other, default_config()), first, second, as_json=as_json)
