"""Writing a run: rankings as they come, and at the end the rows, the means and the manifest."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.evaluate import Answer, Row
from graphrag_pipeline.experiment.manifest import Inputs, manifest
from graphrag_pipeline.experiment.run_directory import MANIFEST, write_json, write_text
from graphrag_pipeline.experiment.run_ids import all_written, written
from graphrag_pipeline.experiment.run_names import RANKING
from graphrag_pipeline.experiment.summary import GRAPH_VALUES, Summary, summary
from graphrag_pipeline.experiment.trec import Qrels

TAG = "graphrag-pipeline"


def write_run(
    directory: Path,
    rows: Iterable[Row],
    judged: Judged,
    inputs: Inputs,
    config: str,
    progress: Callable[[int, int], None],
) -> Summary:
    """Take the rows, write all files of a run, and return its means.

    Args:
        directory: Where to; it is there and empty.
        rows: Queries with their values; rankings are let go once they are written.
        judged: The question set.
        inputs: What the run is made from.
        config: The config in force, as YAML.
        progress: Told how many queries are done, of how many.
    """
    kept: list[Row] = []
    total = len(judged.dataset.questions)
    with (directory / RANKING).open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        for row in rows:
            file.write(_ranked(row.answer))
            kept.append(_without_ranking(row))
            progress(len(kept), total)
    found = summary(kept, inputs.measures, judged.findings)
    digests = {row.answer.question.query_id: row.answer.digest for row in kept}
    write_text(directory / "config.yaml", config)
    write_text(directory / "qrels.txt", _qrels(judged.qrels))
    write_text(directory / "queries.csv", _csv(kept, inputs.measures))
    write_text(directory / "failures.jsonl", "".join(_failures(kept)))
    write_json(directory / "metrics.json", found.to_dict())
    write_json(directory / "timings.json", _timings(kept))
    write_json(directory / MANIFEST, manifest(inputs, judged.dataset, digests))
    return found


def _without_ranking(row: Row) -> Row:
    answer = row.answer
    return Row(
        Answer(
            answer.question, (), answer.graph, answer.slots, answer.seconds, answer.digest, answer.failure
        ),
        row.values,
    )


def _ranked(answer: Answer) -> str:
    head = f"{written(answer.question.query_id)} Q0 "
    nodes = all_written([node for node, _ in answer.ranking])
    # repr has every digit there is, so that scores that differ are written differently.
    return "".join(
        [
            f"{head}{node} {rank} {score!r} {TAG}\n"
            for rank, (node, (_, score)) in enumerate(zip(nodes, answer.ranking, strict=True), start=1)
        ]
    )


def _qrels(qrels: Qrels) -> str:
    """Return the judgements of the queries that ran, in the ids of the run file."""
    return "".join(
        f"{written(query)} 0 {written(node)} {level}\n"
        for query, nodes in qrels.relevance.items()
        for node, level in nodes.items()
    )


def _csv(rows: Sequence[Row], measures: Sequence[str]) -> str:
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["query", "kind", "status", *measures, *GRAPH_VALUES, "seconds"])
    for row in rows:
        answer = row.answer
        values = row.values or (None,) * len(measures)
        graph = [getattr(answer.graph, name) for name in GRAPH_VALUES]
        status = "failed" if answer.failure else "done"
        question = answer.question
        writer.writerow([question.query_id, question.kind, status, *values, *graph, f"{answer.seconds:.6f}"])
    return lines.getvalue()


def _failures(rows: Sequence[Row]) -> Iterable[str]:
    for row in rows:
        if row.answer.failure:
            entry = {"query": row.answer.question.query_id, **asdict(row.answer.failure)}
            yield json.dumps(entry, ensure_ascii=False) + "\n"


def _timings(rows: Sequence[Row]) -> dict[str, object]:
    slots: dict[str, float] = {}
    for row in rows:
        for slot, seconds in row.answer.slots:
            slots[slot] = slots.get(slot, 0.0) + seconds
    return {
        "seconds": sum(row.answer.seconds for row in rows),
        "slots": slots,
    }
