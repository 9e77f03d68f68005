"""Writing a run: rankings as they come, and at the end the rows, the means and the manifest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from graphrag_pipeline.experiment.answers import Answer, Row
from graphrag_pipeline.experiment.datasets.checks import Judged
from graphrag_pipeline.experiment.manifest import Inputs, manifest
from graphrag_pipeline.experiment.recording import STEPS
from graphrag_pipeline.experiment.run_directory import MANIFEST, write_json, write_text
from graphrag_pipeline.experiment.run_files import file_digests
from graphrag_pipeline.experiment.run_ids import all_written, written
from graphrag_pipeline.experiment.run_names import RANKING
from graphrag_pipeline.experiment.run_rows import as_csv, row_columns, write_parquet
from graphrag_pipeline.experiment.run_scores import written_scores
from graphrag_pipeline.experiment.summary import Summary, summary
from graphrag_pipeline.experiment.trec import Qrels

TAG = "graphrag-pipeline"


def write_run(
    directory: Path,
    rows: Iterable[Row],
    judged: Judged,
    inputs: Inputs,
    config: str,
    progress: Callable[[int, int], None],
    observer_errors: Callable[[], Mapping[str, Sequence[str]]] = dict,
) -> Summary:
    """Take the rows, write all files of a run, and return its means.

    Args:
        directory: Where to; it is there and empty.
        rows: Queries with their values; rankings are let go once they are written.
        judged: The question set.
        inputs: What the run is made from.
        config: The config in force, as YAML.
        progress: Told how many queries are done, of how many.
        observer_errors: Returns, when all rows are taken, what observers raised, by plugin.
    """
    kept: list[Row] = []
    total = len(judged.dataset.questions)
    with (
        (directory / RANKING).open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
        (directory / STEPS).open("wb") as steps,
    ):
        for row in rows:
            file.write(_ranked(row.answer))
            steps.write(row.answer.steps)
            kept.append(_without_ranking(row))
            progress(len(kept), total)
    found = summary(kept, inputs.measures, judged.findings)
    digests = {row.answer.question.query_id: row.answer.digest for row in kept}
    write_text(directory / "config.yaml", config)
    write_text(directory / "qrels.txt", _qrels(judged.qrels))
    columns = row_columns(kept, inputs.measures)
    write_text(directory / "queries.csv", as_csv(columns))
    write_parquet(directory / "queries.parquet", columns)
    write_text(directory / "failures.jsonl", "".join(_failures(kept)))
    write_json(directory / "metrics.json", found.to_dict())
    write_json(directory / "timings.json", _timings(kept))
    files = file_digests(directory)
    told = observer_errors()
    made = manifest(inputs, judged.dataset, digests, files, told, found.degraded, found.bridged)
    write_json(directory / MANIFEST, made)
    return found


def _without_ranking(row: Row) -> Row:
    answer = row.answer
    return Row(
        Answer(
            answer.question,
            (),
            (),
            answer.graph,
            answer.slots,
            answer.seconds,
            answer.digest,
            answer.failure,
            degraded=answer.degraded,
            bridged=answer.bridged,
        ),
        row.values,
        row.undefined,
    )


def _ranked(answer: Answer) -> str:
    if not answer.nodes:
        return ""
    head, end = f"{written(answer.question.query_id)} Q0 ", f" {TAG}\n"
    ranks = map(str, range(1, len(answer.nodes) + 1))
    columns = all_written(answer.nodes), ranks, written_scores(answer.scores)
    lines = f"{end}{head}".join(map(" ".join, zip(*columns, strict=True)))
    return f"{head}{lines}{end}"


def _qrels(qrels: Qrels) -> str:
    """Return the judgements of the queries that ran, in the ids of the run file."""
    return "".join(
        f"{written(query)} 0 {written(node)} {level}\n"
        for query, nodes in qrels.relevance.items()
        for node, level in nodes.items()
    )


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
        "queries": {
            row.answer.question.query_id: [round(seconds, 7) for _, seconds in row.answer.slots]
            for row in rows
        },
    }
