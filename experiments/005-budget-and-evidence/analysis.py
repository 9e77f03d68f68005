"""Evidence against budget: `python analysis.py SWEEPS`.

For each question set reads the sweeps `SWEEPS/SET-bullets` and `SWEEPS/SET-packed`, keeps the share of
relevant nodes in each context, and writes `effects.json`.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphrag_pipeline.experiment.corrections import holm
from graphrag_pipeline.experiment.halves import in_half_a
from graphrag_pipeline.experiment.resampling import Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import paired
from graphrag_pipeline.experiment.sweep.results import read_sweep

RESULTS = Path(__file__).parent / "results"
SETS = ("mh_2wiki", "musique_openie")
MEASURES = ("gold_context", "gold_survived", "tokens", "context_nodes", "redundancy")
HOW = Resampling(draws=10_000, seed=7)
Row = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Contexts:
    """Values by assembler with its packing, budget, measure and question."""

    queries: tuple[str, ...]
    rows: dict[tuple[str, int], Row]

    @property
    def budgets(self) -> list[int]:
        """The budgets, in order."""
        return sorted({budget for _, budget in self.rows})

    @property
    def ways(self) -> list[str]:
        """The assemblers with their packings."""
        return list(dict.fromkeys(way for way, _ in self.rows))


def read(sweeps: Path, name: str) -> Contexts:
    """Read both sweeps of a set."""
    rows: dict[tuple[str, int], Row] = {}
    queries: tuple[str, ...] = ()
    for part in ("bullets", "packed"):
        found = read_sweep(sweeps / f"{name}-{part}")
        queries = found.queries
        for place, point in enumerate(found.points):
            assert not point.failed
            way = " ".join(
                filter(None, [point.values.get("context", "bullets"), point.values.get("context.packing")])
            )
            values = {m: found.values[found.measures.index(m)][place] for m in MEASURES}
            rows[way, int(point.values["context.max_tokens"])] = values
    return Contexts(queries, rows)


def curve(data: Contexts, way: str) -> Iterator[dict[str, object]]:
    """Yield what each budget keeps."""
    for budget in data.budgets:
        row = data.rows[way, budget]
        interval = mean_interval(row["gold_context"], HOW)
        assert interval is not None
        kept, tokens = float(row["gold_context"].mean()), float(row["tokens"].mean())
        yield {
            "budget": budget,
            "gold_context": [round(x, 4) for x in (kept, interval.low, interval.high)],
            "gold_survived": round(float(np.nanmean(row["gold_survived"])), 4),
            "tokens": round(tokens, 1),
            "nodes": round(float(row["context_nodes"].mean()), 1),
            "redundancy": round(float(np.nanmean(row["redundancy"])), 4),
            "empty contexts": int((row["tokens"] == 0).sum()),
            "gold_context for 1,000 tokens": round(1000 * kept / tokens, 3),
        }


def packings(data: Contexts) -> dict[str, object]:
    """Compare each packing with the greedy one; Holm's correction is over all of them."""
    pairs = [
        (way, budget, f"{way.split()[0]} greedy")
        for way in data.ways
        for budget in data.budgets
        if way.endswith(("knapsack", "diverse"))
    ]
    tests = [
        paired(data.rows[way, budget]["gold_context"], data.rows[greedy, budget]["gold_context"], HOW)
        for way, budget, greedy in pairs
    ]
    told: dict[str, object] = {}
    for (way, budget, _), test, p in zip(pairs, tests, holm([test.p for test in tests]), strict=True):
        assert test.interval is not None
        row = [round(100 * x, 1) for x in (test.difference, test.interval.low, test.interval.high)]
        told[f"{way} for greedy, {budget}"] = {"difference": row, "p (Holm)": round(p, 4)}
    return told


def choices(data: Contexts) -> dict[str, object]:
    """Choose the best way of each budget on half A, and report it on half B."""
    half_a = np.array([in_half_a(query) for query in data.queries])
    told: dict[str, object] = {}
    for budget in data.budgets:
        means = {way: float(data.rows[way, budget]["gold_context"][half_a].mean()) for way in data.ways}
        texts = {way: mean for way, mean in means.items() if way.startswith("passages")}
        told[str(budget)] = {
            kind: {
                "chosen on half A": (best := max(of, key=lambda way: of[way])),
                "half A, in sample": round(of[best], 4),
                "half B": round(float(data.rows[best, budget]["gold_context"][~half_a].mean()), 4),
            }
            for kind, of in (("of all", means), ("of those with texts", texts))
        }
    return told


def main(sweeps: Path) -> None:
    """Write what was found."""
    told: dict[str, object] = {}
    for name in SETS:
        data = read(sweeps, name)
        told[name] = {
            "questions": len(data.queries),
            "curves": {way: list(curve(data, way)) for way in data.ways},
            "packing": packings(data),
            "choice": choices(data),
        }
        with (RESULTS / f"{name}.gold_context.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["query", *(f"{way} {budget}" for way, budget in data.rows)])
            for place, query in enumerate(data.queries):
                writer.writerow([query, *(f"{row['gold_context'][place]:.4g}" for row in data.rows.values())])
    (RESULTS / "effects.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
