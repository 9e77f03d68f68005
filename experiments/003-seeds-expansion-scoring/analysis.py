"""What each choice is worth, by itself and with the others: `python analysis.py SWEEPS`.

Reads the sweeps `SWEEPS/kg-2wiki` and `SWEEPS/mh-2wiki`, keeps R@5 of each query and point, and writes
`effects.json`.
"""

from __future__ import annotations

import csv
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from graphrag_pipeline.experiment.corrections import holm
from graphrag_pipeline.experiment.halves import in_half_a
from graphrag_pipeline.experiment.resampling import Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import paired
from graphrag_pipeline.experiment.sweep.results import SweepResults, read_sweep

RESULTS = Path(__file__).parent / "results"
SETS = ("kg-2wiki", "mh-2wiki")
FACTORS = ("seed", "expand", "score")
MEASURE = "R@5"
CHEAP = {"seed": "mention", "expand": "beam", "score": "reference"}
"""Compared as well: to a whole question the reference gives nearly all nodes one score; the walk decides."""
HOW = Resampling(draws=10_000, seed=7)


def levels(found: SweepResults) -> dict[str, list[str]]:
    """Return the values of each factor, in the order of the sweep."""
    return {name: list(dict.fromkeys(point.values[name] for point in found.points)) for name in FACTORS}


def shares(cube: np.ndarray) -> dict[str, float]:
    """Return the share of the variance of the points' means that each set of factors has by itself.

    This is the decomposition of a full factorial design: an effect is the mean over the factors that it does
    not have, less all effects of fewer of its own factors.
    """
    effects: dict[tuple[int, ...], np.ndarray] = {(): np.full(cube.shape, cube.mean())}
    total = float(((cube - cube.mean()) ** 2).sum())
    told = {}
    for count in (1, 2, 3):
        for axes in itertools.combinations(range(3), count):
            over = tuple(axis for axis in range(3) if axis not in axes)
            effect = np.broadcast_to(cube.mean(axis=over, keepdims=True), cube.shape).copy()
            effect -= sum(part for name, part in effects.items() if set(name) < set(axes))
            effects[axes] = effect
            told[" x ".join(FACTORS[axis] for axis in axes)] = round(float((effect**2).sum()) / total, 4)
    return told


def rounded(mean: float, low: float, high: float) -> list[float]:
    """Return a figure and its interval, in points."""
    return [round(100 * number, 1) for number in (mean, low, high)]


def margins(found: SweepResults, values: np.ndarray) -> Iterator[tuple[str, list[float]]]:
    """Yield the mean of each level of each factor over all points that have it, with its interval."""
    for name, names in levels(found).items():
        for level in names:
            places = [place for place, point in enumerate(found.points) if point.values[name] == level]
            per_query = values[places].mean(axis=0)
            interval = mean_interval(per_query, HOW)
            assert interval is not None
            yield f"{name}={level}", rounded(float(per_query.mean()), interval.low, interval.high)


def steps_away(found: SweepResults, values: np.ndarray, best: int) -> dict[str, dict[str, object]]:
    """Compare each point that differs from the best one in one factor with it, on half B of the queries."""
    half_b = np.array([not in_half_a(query) for query in found.queries])
    here = found.points[best].values
    others = [
        place
        for place, point in enumerate(found.points)
        if sum(point.values[name] != here[name] for name in FACTORS) == 1 or point.values == CHEAP
    ]
    tests = [paired(values[place][half_b], values[best][half_b], HOW) for place in others]
    told = {}
    for place, test, p in zip(others, tests, holm([test.p for test in tests]), strict=True):
        changed = [
            f"{name}={found.points[place].values[name]}"
            for name in FACTORS
            if found.points[place].values[name] != here[name]
        ]
        assert test.interval is not None
        row = rounded(test.difference, test.interval.low, test.interval.high)
        told[" ".join(changed)] = {"difference": row, "p (Holm)": round(p, 4)}
    return told


def main(sweeps: Path) -> None:
    """Write what was found."""
    told: dict[str, object] = {}
    for name in SETS:
        found = read_sweep(sweeps / name)
        values = found.values[found.measures.index(MEASURE)]
        half_a = np.array([in_half_a(query) for query in found.queries])
        best = int(np.argmax(values[:, half_a].mean(axis=1)))
        sizes = [len(names) for names in levels(found).values()]
        cube = values.mean(axis=1).reshape(sizes)
        on_b = values[:, ~half_a].mean(axis=1)
        told[name] = {
            "chosen on half A": dict(found.points[best].values),
            "its place among all on half B": int(1 + (on_b > on_b[best]).sum()),
            "share of the variance": shares(cube),
            "share of the variance, without label seeds": shares(cube[1:]),
            "margins": dict(margins(found, values)),
            "half B, other choices for those of the best": steps_away(found, values, best),
        }
        with (RESULTS / f"{name}.R@5.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["query", *(point.number for point in found.points)])
            for place, query in enumerate(found.queries):
                writer.writerow([query, *(f"{value:.4g}" for value in values[:, place])])
    (RESULTS / "effects.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
