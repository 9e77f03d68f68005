"""``graphrag-pipeline verify``: a run made again, and compared with what it recorded."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, named, named_or_not, with_host

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost

DATA = "GRAPHRAG_DATA"


@contextmanager
def _data_in(directory: str | None) -> Iterator[None]:
    """Let the environment name the directory of the data while the body runs."""
    before = os.environ.get(DATA)
    if directory is not None:
        os.environ[DATA] = directory
    try:
        yield
    finally:
        if directory is not None:
            os.environ.pop(DATA)
            os.environ.update({} if before is None else {DATA: before})


@click.command()
@click.argument("run", callback=named)
@click.argument("overrides", nargs=-1)
@click.option("--data", callback=named_or_not, metavar="DIR", help=f"Where the data are, in place of {DATA}.")
@with_host
@json_option
def verify(run: str, overrides: tuple[str, ...], data: str | None, host: PluginHost, as_json: bool) -> None:
    """Make a run again from what its directory says, and tell whether everything comes out the same.

    RUN is a directory that `evaluate` wrote. OVERRIDES say where its files are now, where that has
    changed: dataset.path=DIR, graph.path=FILE. The exit code is 0 when everything is identical, 1 when
    something differs, 2 when the run is damaged or cannot be made again here.
    """
    from graphrag_pipeline.cli.app import DONE, FAILED
    from graphrag_pipeline.cli.difference_view import show_verification
    from graphrag_pipeline.cli.evaluate_view import each_once
    from graphrag_pipeline.cli.output import message
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.experiment.stored_run import read_stored_run
    from graphrag_pipeline.experiment.verify import verify as verified
    from graphrag_pipeline.tracking.redaction import left_out

    with redirect_stdout(sys.stderr), _data_in(data), each_once():
        stored = read_stored_run(Path(run))
        given = {text.lstrip("+").partition("=")[0] for text in overrides}
        if missing := [key for key in left_out(stored.config) if key not in given]:
            message("warning", f"the run does not hold what looks like a secret: give {', '.join(missing)}")
        with shown("verifying", "queries", rate=True) as progress:
            found = verified(stored, host, progress, overrides)
    show_verification(found, run, as_json=as_json)
    click.get_current_context().exit(DONE if found.identical else FAILED)
