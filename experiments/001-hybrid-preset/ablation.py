"""What each piece of the preset is worth: leave one out, and measure again: `python ablation.py`.

A row is the change of the measure that counts, in points, with the 95 % interval of the paired difference.
"""

from __future__ import annotations

import logging
from pathlib import Path

from benchmark_sets import MEASURES, SETS, read_set
from rankings import answers, interval, per_query, write_json

from graphrag_pipeline import load_pipeline

RESULTS = Path(__file__).parent / "results"
PIECES: dict[str, list[str]] = {
    "expansion": ["expand=none"],
    "breadth first in place of the beam": ["expand=bfs", "query.max_hops=2"],
    "personalized PageRank in place of the beam": ["expand=ppr"],
    "third hop": ["query.max_hops=2"],
    "second and third hop": ["query.max_hops=1"],
    "mention seeds": ["seed.mention_quota=0"],
    "nodes named in part": ["seed.mention.partial=0"],
    "weighing mentions by the query": ["seed.mention.explains_power=0"],
    "text seeds": ["seed.text_quota=0"],
    "recall by text": ["pipeline.order=[seed,expand,filter,score,bridge,filter,context]"],
    "links": ["links=none"],
    "link:mention": ["links.mention=false"],
    "derived aliases": ["text.derived_aliases=false"],
    "splitting words": ["text.analysis.split=false"],
    "folding": ["text.analysis.fold=false"],
    "stemming": ["text.analysis.stemmer=none"],
    "stop words": ["text.analysis.stop_words=none"],
    "dates": ["text.analysis.dates=false"],
    "salience": ["expand.salience_power=0"],
    "hub penalty": ["expand.hub_power=0"],
    "direction": ["expand.reverse=1"],
    "identity edges": ["~expand.identity", "+expand.identity={}"],
}
"""What is left out, and how."""


def main() -> None:
    """Print and write the table."""
    logging.disable(logging.WARNING)
    weights = load_pipeline(["pipeline=hybrid"]).plan.steps[4].weights  # type: ignore[attr-defined]  # the score step
    pieces = {**PIECES, **{f"signal {name}": [f"~score.weights.{name}"] for name in weights}}
    table: dict[str, dict[str, object]] = {piece: {} for piece in pieces}
    for name in SETS:
        questions = read_set(name)
        whole = per_query(answers(questions))[MEASURES[name]]
        for piece, overrides in pieces.items():
            difference = per_query(answers(questions, overrides))[MEASURES[name]] - whole
            low, high = interval(difference)
            table[piece][name] = [round(100 * x, 1) for x in (float(difference.mean()), low, high)]
            print(name, piece, table[piece][name], flush=True)  # noqa: T201
    write_json(RESULTS / "ablation.json", table)


if __name__ == "__main__":
    main()
