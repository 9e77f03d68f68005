"""From a directory of a run or a sweep to the text of its report."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrag_pipeline.experiment.recorded import (
    SWEEP,
    RunRecord,
    mapping,
    read_manifest,
    read_run_record,
)
from graphrag_pipeline.experiment.report.choosing import WORST, Graded, chosen_measure, chosen_queries
from graphrag_pipeline.experiment.report.drilldown import (
    NO_QUERIES,
    NONE_RAN,
    UNASKED,
    Known,
    drilldown,
    known_of_run,
)
from graphrag_pipeline.experiment.report.elements import counted, html, note, own
from graphrag_pipeline.experiment.report.head import run_head, sweep_head, title_of
from graphrag_pipeline.experiment.report.layout import drawing
from graphrag_pipeline.experiment.report.leaderboard import leaderboard
from graphrag_pipeline.experiment.report.marginal import marginal, swept_keys
from graphrag_pipeline.experiment.report.matrix import coverage_matrix
from graphrag_pipeline.experiment.report.means import run_means
from graphrag_pipeline.experiment.report.page import page
from graphrag_pipeline.experiment.report.parallel import parallel
from graphrag_pipeline.experiment.report.pareto import pareto
from graphrag_pipeline.experiment.report.queries import anchors, queries, sweep_queries
from graphrag_pipeline.experiment.report.recipe import recipe_of_point, recipe_of_run
from graphrag_pipeline.experiment.report.rerun import Progress, Rerun, rerun
from graphrag_pipeline.experiment.report.standing import Ranking, ranking
from graphrag_pipeline.experiment.sweep.results import SweepResults, read_sweep
from graphrag_pipeline.plugin.host import PluginHost

# Any throughout: JSON data.


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report is asked for.

    Args:
        measure: What orders queries and configs; None means the first measure.
        worst: How many of the worst queries to look into.
        queries: Ids of further ones.
    """

    measure: str | None = None
    worst: int = WORST
    queries: tuple[str, ...] = ()


def report(directory: Path, wanted: Wanted, host: PluginHost, progress: Progress) -> str:
    """Return the report of a run or a sweep as one HTML document.

    Args:
        directory: Where it is.
        wanted: What it is asked for.
        host: Where the components of a run are.
        progress: Told how many queries ran again, of how many.

    Raises:
        DatasetError: It is neither, it is damaged, or it has no such measure or query.
    """
    manifest = read_manifest(directory)
    if manifest["kind"] != SWEEP:
        return run_report(read_run_record(directory), wanted, host, progress)
    return sweep_report(read_sweep(directory), manifest, wanted, host, progress)


def run_report(record: RunRecord, wanted: Wanted, host: PluginHost, progress: Progress) -> str:
    """Return the report of a run; queries are run again where it is asked for and can be.

    Raises:
        DatasetError: It has no such measure or query.
    """
    measure = chosen_measure(record, wanted.measure)
    chosen = chosen_queries(Graded.of(record, measure), wanted.worst, wanted.queries)
    found = rerun(recipe_of_run(record), chosen, host, progress) if chosen else None
    shown = found or Rerun()
    places = anchors([view.query for view in shown.views])
    dataset = mapping(record.manifest.get("dataset")).get("name", "")
    lead = f"{counted(len(record.rows), 'query', 'queries')} of {own(str(dataset))}, one configuration."
    by = f" by {html(measure)}" if measure else ""
    return page(
        title_of(record.directory, "Run"),
        note(lead),
        [
            run_head(record),
            run_means(record),
            coverage_matrix(shown.tally),
            queries(record, measure, shown.texts, places),
            drilldown(
                found,
                known_of_run(record),
                places,
                f"The worst queries{by}, then some of the best.",
                UNASKED if record.rows else NO_QUERIES,
            ),
        ],
        _drawings(shown),
    )


def sweep_report(
    results: SweepResults,
    manifest: Mapping[str, Any],
    wanted: Wanted,
    host: PluginHost,
    progress: Progress,
) -> str:
    """Return the report of a sweep; queries are run again with its best config.

    Raises:
        DatasetError: It has no such measure or query, or its config is damaged.
    """
    ranked = ranking(results, wanted.measure)
    keys = swept_keys(ranked)
    chosen = chosen_queries(_graded(ranked), wanted.worst, wanted.queries)
    found = None
    if chosen and ranked.order:
        best = results.points[ranked.order[0]].number
        recipe = recipe_of_point(results.directory, manifest, results.queries, best)
        found = rerun(recipe, chosen, host, progress)
    shown = found or Rerun()
    places = anchors([view.query for view in shown.views])
    lead = (
        f"{counted(len(results.points), 'configuration')} on "
        f"{counted(len(results.queries), 'query', 'queries')} of {own(results.dataset)}."
    )
    return page(
        title_of(results.directory, "Sweep"),
        note(lead),
        [
            sweep_head(results, manifest),
            leaderboard(ranked),
            pareto(ranked),
            parallel(ranked, keys),
            marginal(ranked, keys),
            coverage_matrix(shown.tally),
            sweep_queries(ranked, shown.texts, places),
            drilldown(
                found,
                _known_of_best(ranked),
                places,
                f"The worst queries of the configuration of the best {html(ranked.measure)}, then its best.",
                UNASKED if ranked.order else NONE_RAN,
            ),
        ],
        _drawings(shown),
    )


def _drawings(found: Rerun) -> list[dict[str, Any]]:
    return [{} if view.part is None else drawing(view.part) for view in found.views]


def _graded(ranked: Ranking) -> Graded:
    results = ranked.results
    values = (math.nan,) * len(results.queries)
    if ranked.order:
        values = tuple(results.values[ranked.place, ranked.order[0]].tolist())
    return Graded(results.queries, values, ranked.measure)


def _known_of_best(ranked: Ranking) -> dict[str, Known]:
    results = ranked.results
    if not ranked.order:
        return {}
    values = results.values[:, ranked.order[0]].T.tolist()
    seconds = results.seconds[ranked.order[0]].tolist()
    return {
        query: Known(tuple(zip(results.measures, row, strict=True)), took)
        for query, row, took in zip(results.queries, values, seconds, strict=True)
    }
