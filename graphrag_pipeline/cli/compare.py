"""``graphrag-pipeline compare``: which of several runs is better, and whether that is luck."""

from __future__ import annotations

import click

from graphrag_pipeline.cli.options import json_option, measure_option, named

FORMATS = ("table", "markdown", "csv", "latex")


def _each_named(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(named(context, parameter, value) for value in values)


@click.command()
@click.argument("runs", nargs=-1, required=True, callback=_each_named, metavar="RUN RUN...")
@click.option(
    "--qrels", required=True, callback=named, metavar="FILE", help="Judgements, in the form of TREC qrels."
)
@measure_option("Measure, as ir-measures writes it. May be repeated.")
@click.option("--baseline", metavar="NAME", help="Compare all others with this run, instead of every pair.")
@click.option(
    "--split", is_flag=True, help="Choose the best run on one half of the queries, report it on the other."
)
@click.option(
    "--queries",
    "most",
    default=5,
    show_default=True,
    metavar="N",
    type=click.IntRange(min=0),
    help="How many of the queries that differ most to list, for each measure.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True)
@click.option("--seed", default=7, show_default=True, type=click.IntRange(min=0), help="Seed of all draws.")
@click.option(
    "--resamples",
    default=10_000,
    show_default=True,
    metavar="N",
    type=click.IntRange(100, 10_000_000),
    help="How often to draw for intervals and p-values.",
)
@json_option
def compare(  # noqa: PLR0913, PLR0917  # one parameter an option
    runs: tuple[str, ...],
    qrels: str,
    measures: tuple[str, ...],
    baseline: str | None,
    split: bool,
    most: int,
    form: str,
    seed: int,
    resamples: int,
    as_json: bool,
) -> None:
    """Compare TREC run files query by query: means, intervals, tests, effect sizes, wins and losses.

    RUN is a run file, or a directory with a run.trec. Equal scores are ordered as the run file ranks them.
    """
    from pathlib import Path

    from graphrag_pipeline.cli.compare_view import show_comparison, tell_coverage
    from graphrag_pipeline.cli.output import message
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.experiment.comparison import check
    from graphrag_pipeline.experiment.comparison import compare as compared
    from graphrag_pipeline.experiment.coverage import coverage
    from graphrag_pipeline.experiment.measures import check_measures, score
    from graphrag_pipeline.experiment.ranking_depth import depths_differ, refuse_beyond
    from graphrag_pipeline.experiment.resampling import Resampling
    from graphrag_pipeline.experiment.run_names import named_runs
    from graphrag_pipeline.experiment.stored_run import refuse_altered_run
    from graphrag_pipeline.experiment.trec import read_qrels, read_run

    files = named_runs(runs)
    check([name for name, _ in files], baseline)
    check_measures(measures)
    for _, path in files:
        refuse_altered_run(path)
        refuse_beyond(path, measures)
    if told := depths_differ([path for _, path in files], measures):
        message("warning", told)
    judgements = read_qrels(Path(qrels))
    with shown("reading the runs"):
        read = [read_run(path, name) for name, path in files]
    covered = coverage(judgements, read)
    tell_coverage(covered)
    with shown("comparing the runs"):
        scores = score(judgements, read, measures)
        found = compared(scores, Resampling(seed, resamples), baseline=baseline, most=most, split=split)
    show_comparison(found, covered, "json" if as_json else form)
