"""Measure the preset on every set: `python evaluate.py [SET …]`."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import numpy as np
from benchmark_sets import MEASURES, SETS, read_set
from rankings import answers, interval, per_query, write_json

RESULTS = Path(__file__).parent / "results"


def main(names: list[str]) -> None:
    """Print a table, and write metrics and TREC run files."""
    logging.disable(logging.WARNING)
    table: dict[str, dict[str, object]] = {}
    for name in names or SETS:
        found = answers(read_set(name))
        columns = per_query(found)
        raw = per_query(found, raw=True)
        measure = MEASURES[name]
        low, high = interval(columns[measure])
        times = np.array([answer.seconds for answer in found]) * 1000
        table[name] = {
            "questions": len(found),
            **{key: round(float(column.mean()), 4) for key, column in columns.items()},
            f"95 % of {measure}": [round(low, 4), round(high, 4)],
            "R@5 of all nodes": round(float(raw["R@5"].mean()), 4),
            "median ms": round(float(np.median(times)), 2),
            "95th percentile ms": round(float(np.percentile(times, 95)), 2),
        }
        print(name, table[name], flush=True)  # noqa: T201
        lines = [
            f"{answer.question.id} Q0 {node} {rank} {1 / rank:.6f} hybrid"
            for answer in found
            for rank, node in enumerate(answer.ranking[:10], 1)
        ]
        (RESULTS / f"{name}.run").parent.mkdir(exist_ok=True)
        (RESULTS / f"{name}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not names:
        write_json(RESULTS / "metrics.json", table)


if __name__ == "__main__":
    main(sys.argv[1:])
