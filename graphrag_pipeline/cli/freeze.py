"""``graphrag-pipeline freeze``: the configuration of a run as one file."""

from __future__ import annotations

import click

from graphrag_pipeline.cli.options import named, named_or_not


@click.command()
@click.argument("run", callback=named)
@click.option(
    "-o",
    "--output",
    callback=named_or_not,
    metavar="FILE.yaml",
    help="File to write; else it is written to standard output.",
)
@click.option("--by", metavar="NAME", help="Of a sweep: take the best point by this measure.")
@click.option(
    "--point", metavar="N", type=click.IntRange(min=0), help="Of a sweep: take the point of this number."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def freeze(run: str, output: str | None, by: str | None, point: int | None, force: bool) -> None:
    """Write the configuration of a run as one YAML file, for --config of query, evaluate and the others.

    RUN is a directory that `evaluate` wrote, or one of `sweep`. Values from the environment stay
    the ${oc.env:NAME} that asks for them; what looks like a secret is left out.
    """
    from pathlib import Path

    from graphrag_pipeline.cli.output import message, write
    from graphrag_pipeline.errors import DatasetError
    from graphrag_pipeline.experiment.freeze import freeze as frozen
    from graphrag_pipeline.experiment.run_directory import write_text

    found = frozen(Path(run), by=by, point=point)
    if found.left_out:
        message("warning", f"left out, as it looks like a secret: {', '.join(found.left_out)}")
    if output is None:
        write(found.text.rstrip("\n"))
        return
    if Path(output).exists() and not force:
        raise DatasetError("The file is there already.", where=output, hint="--force replaces it.")
    write_text(Path(output), found.text)
    write(f"frozen: {output}")
