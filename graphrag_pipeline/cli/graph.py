"""``graphrag-pipeline graph``: what a graph holds, what is wrong with it, and other forms of it."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import json_option, named, with_graph, with_source

if TYPE_CHECKING:
    from graphrag_pipeline.config.settings import Settings
    from graphrag_pipeline.graph.sources.contract import LoadedGraph
    from graphrag_pipeline.plugin.host import PluginHost


@click.group()
def graph() -> None:
    """Look at a graph, check it, classify it, and write it in other formats.

    PATH is a file or folder of any format that is known; without it, the graph is the configured one.
    """


@graph.command()
@with_graph
@json_option
def info(settings: Settings, host: PluginHost, as_json: bool) -> None:
    """Count nodes, edges, types and Zachman cells, and list what was wrong in the source."""
    from graphrag_pipeline.cli.graph_view import graph_info, show_info
    from graphrag_pipeline.cli.output import write_json

    found = graph_info(_loaded(settings, host))
    if as_json:
        write_json(found)
    else:
        show_info(found)


@graph.command()
@with_graph
@click.option("--strict", "fail", is_flag=True, help="Exit with code 1 when anything is found.")
@click.option(
    "--ignore",
    "ignored",
    multiple=True,
    metavar="KIND",
    help="With --strict: let this kind pass, for example unclassified. May be repeated.",
)
@json_option
def doctor(settings: Settings, host: PluginHost, fail: bool, ignored: tuple[str, ...], as_json: bool) -> None:
    """List everything dangling, duplicated, skipped, repaired, blank, isolated or unclassified."""
    from graphrag_pipeline.cli.app import DONE, FAILED
    from graphrag_pipeline.cli.doctor_view import doctor_report, show_doctor
    from graphrag_pipeline.cli.output import write_json
    from graphrag_pipeline.graph.sources.findings import KINDS

    for kind in ignored:
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is none of {', '.join(KINDS)}", param_hint="--ignore")
    found = doctor_report(_loaded(settings, host, tell=False))
    if as_json:
        write_json(found)
    else:
        show_doctor(found)
    wrong = fail and any(count for kind, count in found["counts"].items() if kind not in ignored)
    click.get_current_context().exit(FAILED if wrong else DONE)


@graph.command()
@click.argument("source", callback=named, metavar="IN")
@click.argument("out", callback=named, metavar="OUT")
@click.option("--to", "form", metavar="FORMAT", help="Format of OUT, when its name does not tell.")
@click.option(
    "--strict", "whole", is_flag=True, help="Write nothing when the format cannot carry everything."
)
@click.option("--force", is_flag=True, help="Replace OUT if it is there.")
@with_source
def convert(  # one parameter an option
    settings: Settings, host: PluginHost, source: str, out: str, form: str | None, whole: bool, force: bool
) -> None:
    """Write the graph IN as OUT: a file .json, .nodelink.json, .graphml or .ttl, or a folder of tables.

    What OUT cannot carry is told before anything is written.
    """
    from graphrag_pipeline.cli.conversion import output, tell_findings, write_graph
    from graphrag_pipeline.graph.compiling import as_index

    to = output(out, form, strict=whole, replace=force)
    loaded = _loaded(settings, host)
    tell_findings(loaded.report)
    write_graph(as_index(loaded.graph), to)


@graph.command()
@with_graph
@click.option(
    "--table",
    "name",
    default="reference",
    show_default=True,
    metavar="TABLE",
    help="archimate, reference, or a YAML file.",
)
@click.option("--again", is_flag=True, help="Classify nodes that have a cell, too.")
@click.option("--output", "-o", "out", metavar="OUT", help="Write the graph with its cells, as by convert.")
@click.option("--to", "form", metavar="FORMAT", help="Format of OUT, when its name does not tell.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there.")
@json_option
def classify(
    settings: Settings,
    host: PluginHost,
    name: str,
    again: bool,
    out: str | None,
    form: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Give every node its Zachman cell by a table, and list the types no rule of it knows."""
    from graphrag_pipeline.cli.classification import classify_graph, show_classification
    from graphrag_pipeline.cli.conversion import output, write_graph
    from graphrag_pipeline.graph.zachman.tables import load_cell_table

    table = load_cell_table(name)
    to = None if out is None else output(out, form, strict=False, replace=force)
    index, found = classify_graph(_loaded(settings, host), table, again=again)
    show_classification(found, as_json)
    if to is not None:
        write_graph(index, to)


@graph.command()
@with_graph
@click.option("--table", "name", metavar="TABLE", help="First give cells to nodes that have none.")
@click.option(
    "--floor", type=click.IntRange(min=0), metavar="N", help="Exit with 1 when a row has fewer nodes."
)
@click.option("--each-cell", is_flag=True, help="With --floor: every one of the 36 cells, not every row.")
@click.option("--svg", metavar="FILE", help="Write the matrix as an image.")
@click.option("--html", metavar="FILE", help="Write the matrix as a page.")
@click.option("--force", is_flag=True, help="Replace the files if they are there.")
@json_option
def matrix(  # noqa: PLR0913, PLR0917  # one parameter an option
    settings: Settings,
    host: PluginHost,
    name: str | None,
    floor: int | None,
    each_cell: bool,
    svg: str | None,
    html: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show how many nodes there are in each of the 36 Zachman cells."""
    from graphrag_pipeline.cli.classification import draw_matrix, matrix_report, matrix_with, show_matrix

    if each_cell and floor is None:
        raise click.UsageError("--each-cell is for --floor N")
    if svg is not None and svg == html:
        raise click.UsageError("--svg and --html name the same file")
    loaded = _loaded(settings, host)
    found = matrix_with(loaded, name)
    if svg is not None:
        draw_matrix(found, loaded.report.source, svg, "svg", replace=force)
    if html is not None:
        draw_matrix(found, loaded.report.source, html, "html", replace=force)
    report = matrix_report(found, loaded.report.source, floor, each_cell=each_cell)
    click.get_current_context().exit(show_matrix(report, as_json))


def _loaded(settings: Settings, host: PluginHost, *, tell: bool = True) -> LoadedGraph:
    from graphrag_pipeline.cli.output import message
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.config.load import load_graph

    with redirect_stdout(sys.stderr), shown("reading the graph") as report:
        loaded = load_graph(settings, host, report)
    if settings.graph.use == "auto" and tell:
        message("note", f"{loaded.report.source}: {loaded.report.notes[0]}")
    return loaded
