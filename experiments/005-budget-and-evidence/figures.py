"""Draw evidence against budget from `results/effects.json`: `python figures.py`. It needs matplotlib."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "graphrag"
import matplotlib.pyplot as plt  # noqa: E402

HERE = Path(__file__).parent
COLOURS = {"bullets": "#525252", "passages": "#2171b5", "paths": "#238b45", "triples": "#d94801"}
LINES = {"": "-", "greedy": "-", "knapsack": "--", "diverse": ":"}


def main() -> None:
    """Write `figures/budgets.svg`."""
    effects = json.loads((HERE / "results" / "effects.json").read_text(encoding="utf-8"))
    figure, axes = plt.subplots(1, len(effects), figsize=(11, 4.4), layout="constrained")
    for axis, (name, found) in zip(axes, effects.items(), strict=True):
        for way, rows in found["curves"].items():
            assembler, _, packing = way.partition(" ")
            budgets = [row["budget"] for row in rows]
            means = [row["gold_context"][0] for row in rows]
            axis.plot(budgets, means, LINES[packing], color=COLOURS[assembler], label=way, marker=".", lw=1.3)
            if packing in {"", "greedy"}:
                low, high = ([row["gold_context"][end] for row in rows] for end in (1, 2))
                axis.fill_between(budgets, low, high, color=COLOURS[assembler], alpha=0.12, lw=0)
        axis.set_xscale("log")
        axis.set_xticks(budgets, [str(budget) for budget in budgets])
        axis.minorticks_off()
        axis.set_ylim(0, 1.02)
        axis.set_xlabel("budget, tokens")
        axis.set_title(f"{name}, {found['questions']} questions", fontsize=10)
    axes[0].set_ylabel("share of relevant nodes kept")
    axes[-1].legend(fontsize=8, frameon=False)
    figure.suptitle(
        "Relevant nodes in the context by budget; 95 % intervals of greedy packing and bullets", fontsize=11
    )
    (HERE / "figures").mkdir(exist_ok=True)
    figure.savefig(HERE / "figures" / "budgets.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
