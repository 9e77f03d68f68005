"""What the weights, the persona and the cell are worth: `python analysis.py SWEEP`.

Keeps nDCG@10 and R@10 of each query, for the first of points that are alike, and writes `effects.json`.
Kinds of questions are told apart: their judgements come from different edges, and within a kind
each persona has one question.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from graphrag_pipeline.experiment.corrections import holm
from graphrag_pipeline.experiment.resampling import Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import paired
from graphrag_pipeline.experiment.sweep.results import SweepResults, read_sweep

RESULTS = Path(__file__).parent / "results"
KINDS = ("name.own", "name.team", "role.own", "role.team")
FILTERS = {"{all: []}": "none", "{cell: {match: perspective}}": "row", "{cell: {match: cell}}": "cell"}
KEYS = ("filter", "baseline", "label_match", "persona_match")
REFERENCE = ("0.1", "0.5", "0.4")
"""Baseline, label match and persona match of the reference."""
CONTRASTS = {
    "persona match, from 0 to 0.4": (("none", "0.1", "0.5", "0.4"), ("none", "0.1", "0.5", "0")),
    "label match, from 0 to 0.5": (("none", "0.1", "0.5", "0.4"), ("none", "0.1", "0", "0.4")),
    "persona above label (0.8, 0.5) for below": (
        ("none", "0.1", "0.5", "0.8"),
        ("none", "0.1", "0.5", "0.4"),
    ),
    "baseline 0 for 0.1": (("none", "0", "0.5", "0.4"), ("none", "0.1", "0.5", "0.4")),
    "baseline 0.3 for 0.1": (("none", "0.3", "0.5", "0.4"), ("none", "0.1", "0.5", "0.4")),
    "row filter": (("row", "0.1", "0.5", "0.4"), ("none", "0.1", "0.5", "0.4")),
    "cell filter": (("cell", "0.1", "0.5", "0.4"), ("none", "0.1", "0.5", "0.4")),
}
"""A point against another, as filter and the three weights."""
MEASURES = ("nDCG@10", "R@10")
HOW = Resampling(draws=10_000, seed=7)


def name_of(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the filter and the three weights of a point."""
    return (FILTERS[values["filter.rule"]], *(values[f"score.weights.{key}"] for key in KEYS[1:]))


def contrasts(values: np.ndarray, places: Mapping[tuple[str, ...], int]) -> dict[str, dict[str, object]]:
    """Compare pairs of points on some questions."""
    tests = [paired(values[places[one]], values[places[other]], HOW) for one, other in CONTRASTS.values()]
    told: dict[str, dict[str, object]] = {}
    for name, test, p in zip(CONTRASTS, tests, holm([test.p for test in tests]), strict=True):
        assert test.interval is not None
        row = [round(100 * x, 1) for x in (test.difference, test.interval.low, test.interval.high)]
        told[name] = {
            "difference": row,
            "p (Holm)": round(p, 4),
            "win/tie/loss": f"{test.wins}/{test.ties}/{test.losses}",
        }
    return told


def by_filter(values: np.ndarray, places: Mapping[tuple[str, ...], int]) -> dict[str, list[float]]:
    """Return the mean with its interval, with the persona signal and without it, by filter."""
    told = {}
    for kind in FILTERS.values():
        for persona in ("0", "0.4"):
            row = values[places[kind, "0.1", "0.5", persona]]
            interval = mean_interval(row, HOW)
            assert interval is not None
            told[f"{kind}, persona {persona}"] = [
                round(x, 4) for x in (float(row.mean()), interval.low, interval.high)
            ]
    return told


def write_values(found: SweepResults, measure: str) -> None:
    """Write the values of each query; points with the same values for all of them share a column."""
    values = found.values[found.measures.index(measure)]
    columns: dict[bytes, int] = {}
    for place in range(len(found.points)):
        columns.setdefault(values[place].tobytes(), place)
    with (RESULTS / f"{measure}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["query", *(found.points[place].number for place in columns.values())])
        for row, query in enumerate(found.queries):
            writer.writerow([query, *(f"{values[place, row]:.4g}" for place in columns.values())])


def different(found: SweepResults, places: Mapping[tuple[str, ...], int], kind: str) -> dict[str, list[str]]:
    """Return the weights without a filter in groups that give every query of all kinds the same value."""
    values = found.values[found.measures.index("nDCG@10")]
    groups: dict[bytes, list[str]] = {}
    for name, place in places.items():
        if name[0] == kind:
            groups.setdefault(values[place].tobytes(), []).append("/".join(name[1:]))
    return {f"{values[places[(kind, *group[0].split('/'))]].mean():.4f}": group for group in groups.values()}


def main(sweep: Path) -> None:
    """Write what was found."""
    found = read_sweep(sweep)
    places = {name_of(point.values): place for place, point in enumerate(found.points)}
    kinds = np.array([query.split(".", 1)[1] for query in found.queries])
    shown = [(kind, "0.1", "0.5", "0.4") for kind in FILTERS.values()]
    told: dict[str, object] = {"orders that weights make, without a filter": different(found, places, "none")}
    for kind in KINDS:
        of_kind = kinds == kind
        means = {}
        for measure in (*MEASURES, "gold_candidates", "candidates"):
            values = found.values[found.measures.index(measure)]
            means[measure] = {
                name[0]: round(float(np.nanmean(values[places[name]][of_kind])), 4) for name in shown
            }
        values = found.values[found.measures.index("nDCG@10")][:, of_kind]
        told[kind] = {
            "questions": int(of_kind.sum()),
            "reference weights, by filter": means,
            "nDCG@10 by filter": by_filter(values, places),
            "nDCG@10": contrasts(values, places),
        }
    for measure in MEASURES:
        write_values(found, measure)
    (RESULTS / "effects.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
