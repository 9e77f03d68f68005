"""Twenty questions of each set that the preset fails, and why: `python failures.py`."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path

from benchmark_sets import SETS, Question, QuestionSet, read_set
from rankings import pipelines

from graphrag_pipeline import Pipeline
from graphrag_pipeline.pipeline.trace import Trace

RESULTS = Path(__file__).parent / "results"
EACH = 20
HEAD = "| question | type | cause | names | explained | relevant in the best five | places of the missed |"

CAUSES = {
    "nothing named": "No name of a node stands in the query, not even in part: seeds are by text alone.",
    "no candidate": "A relevant node never became a candidate: no path within 3 hops, or too low a value.",
    "far": "All relevant nodes are candidates; the missed one has no path from a mention.",
    "outranked": "The missed node has a path from a mention, and others score higher.",
}


def failed(questions: QuestionSet) -> list[tuple[Question, Trace, list[str]]]:
    """Return the first questions whose best five are not as good as they could be, with their rankings."""
    made = pipelines(questions, [])
    found = []
    for question in questions.questions:
        pipeline = made[question.graph]
        trace = pipeline.trace(question.text)
        ranking = [node for node, _ in trace.result.scored]
        if questions.name not in ("kg-2wiki", "archimate"):
            ranking = [node for node in ranking if _type(pipeline, node) == "passage"]
        hits = sum(node in question.relevant for node in ranking[:5])
        if hits < min(5, len(question.relevant)):
            found.append((question, trace, ranking))
    step = max(1, len(found) // EACH)
    return found[::step][:EACH]


def _type(pipeline: Pipeline, node: str) -> str:
    return pipeline.index.table.nodes.type[pipeline.index.position(node) or 0]


def cause(question: Question, trace: Trace, ranking: list[str]) -> str:
    """Return which of the causes it is, by what the trace holds."""
    missed = [node for node in question.relevant if node not in ranking[:5]]
    candidates, index = trace.working.candidates, trace.index
    if not candidates.evidence_of("mention").any():
        return "nothing named"
    rows = [candidates.row(index.position(node)) for node in missed]
    if any(row < 0 for row in rows):
        return "no candidate"
    trusted = candidates.evidence_of("path_from_mention")
    return "far" if any(trusted[row] == 0 for row in rows) else "outranked"


def _line(question: Question, trace: Trace, ranking: list[str]) -> str:
    """Return a row by ids: the texts are other people's data, and are not copied here."""
    asked = trace.index.text.ask(question.text)
    place = {node: at for at, node in enumerate(ranking, 1)}
    missed = [place.get(node) for node in question.relevant if place.get(node, 6) > 5]
    shown = [str(at) if at else "none" for at in sorted(missed, key=lambda at: at or len(place) + 1)[:5]]
    found = len(question.relevant) - len(missed)
    why, kind = cause(question, trace, ranking), question.kind or "–"
    return (
        f"| `{question.id}` | {kind} | {why} | {len(asked.mentions)} | {asked.coverage:.2f} | "
        f"{found} of {len(question.relevant)} | {', '.join(shown)} |"
    )


def main() -> None:
    """Write a page of failures, counted by cause."""
    logging.disable(logging.WARNING)
    lines = [
        "# Twenty failures of each set",
        "",
        "Written by `failures.py`; the questions are named by their ids.",
        "",
    ]
    lines += [f"- *{name}*: {text}" for name, text in CAUSES.items()]
    for name in SETS:
        some = failed(read_set(name))
        counts = Counter(cause(*entry) for entry in some)
        told = ", ".join(f"{count} {what}" for what, count in counts.most_common())
        lines += ["", f"## {name}: {told}", "", HEAD, "|---|---|---|---|---|---|---|"]
        lines += [_line(*entry) for entry in some]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "failures.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
