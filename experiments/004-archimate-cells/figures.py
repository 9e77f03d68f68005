"""Draw what filters gain and lose from `results/effects.json`: `python figures.py`. It needs matplotlib."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "graphrag"
import matplotlib.pyplot as plt  # noqa: E402

HERE = Path(__file__).parent
RULES = ("row", "row ± 1", "cell", "cell ± 1 row", "column")
PLACES = {
    "after the walk": ("o", "#2171b5"),
    "gate, blocking": ("s", "#d94801"),
    "seeds only": ("^", "#238b45"),
    "seeds and after": ("D", "#6a51a3"),
}
PANELS = {"nDCG@10": "nDCG@10", "gold_candidates": "relevant elements among the candidates"}


def main() -> None:
    """Write `figures/filters.svg`: differences from no filter, in points, with 95 % intervals."""
    effects = json.loads((HERE / "results" / "effects.json").read_text(encoding="utf-8"))
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for axis, (measure, title) in zip(axes, PANELS.items(), strict=True):
        for shift, (place, (marker, colour)) in enumerate(PLACES.items()):
            rows = [effects["against no filter"][measure][f"{rule} {place}"]["difference"] for rule in RULES]
            at = [-rule + (1.5 - shift) * 0.17 for rule in range(len(RULES))]
            means = [row[0] for row in rows]
            ends = [[row[0] - row[1] for row in rows], [row[2] - row[0] for row in rows]]
            axis.errorbar(means, at, xerr=ends, fmt=marker, color=colour, label=place, ms=5, lw=1)
        axis.axvline(0, color="grey", lw=0.8)
        axis.set_title(title, fontsize=10)
        axis.set_xlabel("points more than without a filter")
    axes[0].set_yticks([-rule for rule in range(len(RULES))], RULES)
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8, frameon=False
    )
    (HERE / "figures").mkdir(exist_ok=True)
    figure.savefig(HERE / "figures" / "filters.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
