"""``graphrag-pipeline plugins``: what is installed, what it brings, and how to write and check one."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, named, with_faulty_host, with_host

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost

KINDS = (
    "seed",
    "expander",
    "filter",
    "signal",
    "scorer",
    "reranker",
    "bridge",
    "context",
    "token-counter",
    "embedder",
    "source",
    "personas",
    "metric",
    "tracker",
)
"""What can be written; the same words as in plugin/scaffold/forms.py, which help must not wait for."""


@click.group()
def plugins() -> None:
    """List plugins and the components they bring, write new ones, and check them."""


@plugins.command("list")
@with_faulty_host
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


@plugins.command()
@click.argument("name", callback=named)
@click.option("--kind", required=True, type=click.Choice(KINDS), help="What the plugin adds.")
@click.option("--single-file", "single", is_flag=True, help="Write one file, for --plugin FILE.py.")
@click.option(
    "--directory", default=".", show_default=True, callback=named, metavar="DIR", help="Where to write it."
)
@with_host
def new(name: str, kind: str, single: bool, directory: str, host: PluginHost) -> None:
    """Write a new plugin that works: a package to install, or one file.

    NAME is the name of its component, by which a config chooses it.
    """
    from graphrag_pipeline.cli.output import write
    from graphrag_pipeline.cli.plugin_new import next_steps
    from graphrag_pipeline.config.search_path import options_with_places, search_path
    from graphrag_pipeline.plugin.scaffold import naming, render
    from graphrag_pipeline.plugin.scaffold.forms import FORMS

    form = FORMS[kind]
    names = naming.names_of(name, form)
    roots, _ = search_path((), host)
    options = options_with_places(roots, form.group) if form.group else ()
    naming.check_free(names, form, host, options, module=names.name if single else names.module)
    folder = Path(directory)
    if single:
        path = folder / f"{names.name}.py"
        render.write_file(render.single_file(names, form), path)
        write(next_steps(path, (), names, form))
        return
    files = render.package_files(names, form)
    path = folder / names.distribution
    render.write_package(files, path)
    write(next_steps(path, tuple(files), names, form))


@plugins.command()
@click.argument("target", required=False, default=None, metavar="[NAME|FILE]")
@click.option(
    "--no-contract", "quick", is_flag=True, help="Leave out the contract kit, which runs the components."
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds for one check of the contract kit.",
)
@with_faulty_host
@json_option
def check(target: str | None, quick: bool, timeout_s: float, host: PluginHost, as_json: bool) -> None:
    """Check plugins: hooks, names, parameters, docs, config options, and the contract of each component.

    NAME is a plugin or a distribution, FILE a plugin file or a package directory. Without either, every
    plugin is checked that is not built in.
    """
    from dataclasses import asdict

    from graphrag_pipeline.cli.app import DONE, FAILED
    from graphrag_pipeline.cli.output import write, write_json
    from graphrag_pipeline.cli.plugin_check import check_plugins, chosen
    from graphrag_pipeline.cli.plugin_view import checks_table

    with redirect_stdout(sys.stderr):  # plugins may print
        records = chosen(target, host)
        remarks = check_plugins(records, host, contract=not quick, timeout_s=timeout_s)
    faulty = any(remark.status == "fault" for remark in remarks)
    if as_json:
        write_json({"right": not faulty, "checks": [asdict(remark) for remark in remarks]})
    else:
        write(checks_table(remarks))
    click.get_current_context().exit(FAILED if faulty else DONE)
