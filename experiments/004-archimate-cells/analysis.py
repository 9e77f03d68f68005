"""Put the models' sweeps together and compare filters: `python analysis.py SWEEPS`.

Keeps nDCG@10, R@10 and the share of relevant elements among the candidates of each question, for the points
that are compared, and writes `effects.json`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphrag_pipeline.experiment.corrections import holm
from graphrag_pipeline.experiment.halves import in_half_a
from graphrag_pipeline.experiment.resampling import Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import paired
from graphrag_pipeline.experiment.sweep.results import read_sweep

RESULTS = Path(__file__).parent / "results"
RULES = {
    "{all: []}": "none",
    "{cell: {match: perspective}}": "row",
    "{cell: {match: perspective, rows: 1}}": "row ± 1",
    "{cell: {match: cell}}": "cell",
    "{cell: {match: cell, rows: 1}}": "cell ± 1 row",
    "{cell: {match: interrogative}}": "column",
}
AFTER, SEEDS, BOTH = (
    "[seed,expand,recall,filter,score]",
    "[seed,filter,expand,recall,score]",
    "[seed,filter,expand,recall,filter,score]",
)
PLACES = {
    (AFTER, "null"): "after the walk",
    (AFTER, "filter block"): "gate, blocking",
    (AFTER, "filter pass"): "gate, passing",
    (SEEDS, "null"): "seeds only",
    (BOTH, "null"): "seeds and after",
}
"""Where the filter stands, by order and gate; what the text recalls meets no gate: one stands after, too."""
MEASURES = ("nDCG@10", "R@10", "gold_candidates", "candidates")
KEPT = MEASURES[:3]
HOW = Resampling(draws=10_000, seed=7)
Variant = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Merged:
    """Values of all questions; each was asked of its own model."""

    queries: tuple[str, ...]
    values: Mapping[str, Mapping[Variant, np.ndarray]]


def variant_of(values: Mapping[str, str]) -> Variant | None:
    """Return the filter and its place; None for a point that is not compared."""
    gate = values["expand.gate"]
    if gate == "null" and values["expand.gate_mode"] == "pass":
        return None
    order = values["pipeline.order"]
    place = PLACES.get((order, gate if gate == "null" else f"{gate} {values['expand.gate_mode']}"))
    rule = RULES[values["filter.rule"]]
    return None if place is None or (rule == "none" and place != "after the walk") else (rule, place)


def merged(sweeps: Path) -> Merged:
    """Read the sweep of each model."""
    queries: list[str] = []
    values: dict[str, dict[Variant, list[np.ndarray]]] = {name: {} for name in MEASURES}
    for folder in sorted(path for path in sweeps.iterdir() if path.is_dir()):
        found = read_sweep(folder)
        queries += found.queries
        for place, point in enumerate(found.points):
            assert not point.failed
            if (variant := variant_of(point.values)) is not None:
                for name in MEASURES:
                    row = found.values[found.measures.index(name)][place]
                    values[name].setdefault(variant, []).append(row)
    joined = {name: {v: np.concatenate(rows) for v, rows in of.items()} for name, of in values.items()}
    return Merged(tuple(queries), joined)


def compared(data: Merged, pairs: Mapping[str, tuple[Variant, Variant]], measure: str) -> dict[str, object]:
    """Test pairs of variants over all questions; Holm's correction is over all of them."""
    values = data.values[measure]
    tests = [paired(values[one], values[other], HOW) for one, other in pairs.values()]
    told: dict[str, object] = {}
    for name, test, p in zip(pairs, tests, holm([test.p for test in tests]), strict=True):
        assert test.interval is not None
        row = [round(100 * x, 1) for x in (test.difference, test.interval.low, test.interval.high)]
        told[name] = {
            "difference": row,
            "p (Holm)": round(p, 4),
            "win/tie/loss": f"{test.wins}/{test.ties}/{test.losses}",
        }
    return told


def chosen(data: Merged) -> dict[str, object]:
    """Choose the variant with the best nDCG@10 on half A, and report it on half B."""
    half_b = np.array([not in_half_a(query) for query in data.queries])
    values = data.values["nDCG@10"]
    best = max(values, key=lambda variant: float(values[variant][~half_b].mean()))
    here, none = values[best][half_b], values["none", "after the walk"][half_b]
    test, interval = paired(here, none, HOW), mean_interval(here, HOW)
    assert interval is not None
    assert test.interval is not None
    return {
        "chosen": list(best),
        "questions": [int((~half_b).sum()), int(half_b.sum())],
        "half A, in sample": round(float(values[best][~half_b].mean()), 4),
        "half B": [round(x, 4) for x in (float(here.mean()), interval.low, interval.high)],
        "no filter on half B": round(float(none.mean()), 4),
        "against no filter": [
            round(100 * x, 1) for x in (test.difference, test.interval.low, test.interval.high)
        ],
        "p": round(test.p, 4),
    }


def main(sweeps: Path) -> None:
    """Write what was found."""
    data = merged(sweeps)
    variants = list(data.values["nDCG@10"])
    none = ("none", "after the walk")
    against_none = {" ".join(v): (v, none) for v in variants if v != none}
    places = {
        f"{rule}: {place} for after the walk": ((rule, place), (rule, "after the walk"))
        for rule in RULES.values()
        for place in PLACES.values()
        if rule != "none" and place != "after the walk"
    }
    told = {
        "questions": len(data.queries),
        "means": {
            " ".join(v): {name: round(float(data.values[name][v].mean()), 4) for name in MEASURES}
            for v in variants
        },
        "half A and B": chosen(data),
        "against no filter": {name: compared(data, against_none, name) for name in KEPT},
        "by place": {name: compared(data, places, name) for name in KEPT},
    }
    (RESULTS / "effects.json").write_text(
        json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    for name in KEPT:
        with (RESULTS / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["query", *(" ".join(v) for v in variants)])
            for row, query in enumerate(data.queries):
                writer.writerow([query, *(f"{data.values[name][v][row]:.4g}" for v in variants)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
