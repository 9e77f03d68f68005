"""``graphrag-pipeline config``: what the configuration is, and whether it is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import config_dir_option, json_option, with_host, with_settings

if TYPE_CHECKING:
    from graphrag_pipeline.config.settings import Settings
    from graphrag_pipeline.plugin.host import PluginHost


@click.group()
def config() -> None:
    """Show, check and describe the configuration."""


@config.command()
@with_settings
@click.option("--provenance", is_flag=True, help="Show which file, override or default set each value.")
@json_option
def show(settings: Settings, host: PluginHost, provenance: bool, as_json: bool) -> None:
    """Show the whole configuration as it would run."""
    from graphrag_pipeline.cli.config_view import provenance_table, settings_json
    from graphrag_pipeline.cli.output import write, write_json
    from graphrag_pipeline.config.settings import settings_yaml

    if as_json:
        write_json(settings_json(settings, provenance))
    elif provenance:
        write(provenance_table(settings))
    else:
        write(settings_yaml(settings).rstrip("\n"))


@config.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@config_dir_option
@with_host
@json_option
def check(files: tuple[str, ...], config_dirs: tuple[str, ...], host: PluginHost, as_json: bool) -> None:
    """Check configuration files, and report every mistake of each.

    A FILE may be a whole configuration, an option of a group, an experiment, or a part of the tree.
    Nothing that a file names is imported.
    """
    from dataclasses import asdict

    from graphrag_pipeline.cli.app import DONE, WRONG_INPUT
    from graphrag_pipeline.cli.output import message, write, write_json
    from graphrag_pipeline.config.checking import check_file

    found = {file: check_file(file, host=host, config_dirs=config_dirs) for file in files}
    if as_json:
        write_json({file: [asdict(problem) for problem in problems] for file, problems in found.items()})
    for file, problems in found.items():
        if not as_json and not problems:
            write(f"{file}: right")
        for problem in () if as_json else problems:
            message("error", f"{file}: {problem}")
    click.get_current_context().exit(WRONG_INPUT if any(found.values()) else DONE)


@config.command()
@with_host
def schema(host: PluginHost) -> None:
    """Print the JSON Schema of the configuration, with the components that are installed."""
    from graphrag_pipeline.cli.output import write_json
    from graphrag_pipeline.config.schema import json_schema

    write_json(json_schema(host))
