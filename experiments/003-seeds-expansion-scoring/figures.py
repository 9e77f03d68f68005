"""Draw R@5 of every combination from `results/`: `python figures.py`. It needs matplotlib."""

from __future__ import annotations

import csv
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "graphrag"
import matplotlib.pyplot as plt  # noqa: E402

HERE = Path(__file__).parent
SETS = ("kg-2wiki", "mh-2wiki")


def main() -> None:
    """Write `figures/grid.svg`: a row a set, a column a score, in each the seeds against the expansions."""
    figure, axes = plt.subplots(2, 3, figsize=(9.5, 6.2), layout="constrained")
    for line, name in zip(axes, SETS, strict=True):
        with (HERE / "results" / name / "points.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        seeds, expands, scores = (
            list(dict.fromkeys(r[k] for r in rows)) for k in ("seed", "expand", "score")
        )
        values = {(r["seed"], r["expand"], r["score"]): float(r["R@5"]) for r in rows}
        for axis, score in zip(line, scores, strict=True):
            table = [[values[seed, expand, score] for expand in expands] for seed in seeds]
            axis.imshow(table, cmap="viridis", vmin=0, vmax=1, aspect="auto")
            axis.set_xticks(range(len(expands)), expands)
            axis.set_yticks(range(len(seeds)), seeds)
            axis.set_title(f"{name}, score={score}", fontsize=10)
            for y, row in enumerate(table):
                for x, value in enumerate(row):
                    colour = "black" if value > 0.6 else "white"
                    axis.text(x, y, f"{value:.3f}".lstrip("0"), ha="center", va="center", color=colour)
        line[0].set_ylabel("seed")
    for axis in axes[1]:
        axis.set_xlabel("expand")
    figure.suptitle("R@5 over all 398 questions (in sample)")
    (HERE / "figures").mkdir(exist_ok=True)
    figure.savefig(HERE / "figures" / "grid.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
