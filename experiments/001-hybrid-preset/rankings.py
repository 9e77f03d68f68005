"""Running a configuration over a question set, and measuring what comes back."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ir_measures
import numpy as np
from benchmark_sets import PASSAGE_SETS, Question, QuestionSet
from ir_measures import R, nDCG

from graphrag_pipeline import Pipeline, load_pipeline
from graphrag_pipeline.graph.index import GraphIndex

DEPTH = 100
"""Nodes of a ranking that are measured."""
R5, NDCG10, R10 = R @ 5, nDCG @ 10, R @ 10
RESAMPLES = 10_000
LINKS = ("links", "text")
"""Config groups that change the compiled graph."""

_compiled: dict[tuple[str, str, tuple[str, ...]], GraphIndex] = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question got.

    Args:
        question: The question.
        ranking: Node ids, best first; of the passages alone in a set of passages.
        raw: The same with every node.
        seconds: Wall time of the whole query.
    """

    question: Question
    ranking: tuple[str, ...]
    raw: tuple[str, ...]
    seconds: float


def pipelines(questions: QuestionSet, overrides: Sequence[str]) -> dict[str, Pipeline]:
    """Return a pipeline for each graph of a set; a compiled graph is used again where it may be."""
    made = {}
    for name, graph in questions.graphs.items():
        key = (questions.name, name, tuple(o for o in overrides if o.lstrip("+~").startswith(LINKS)))
        known = _compiled.get(key)
        again = [] if known is None else ["links=none"]
        # Nothing is kept on disk: what is measured is made here.
        made[name] = load_pipeline(
            ["pipeline=hybrid", *overrides, *again, "index.cache_dir=null"], graph=known or graph
        )
        _compiled[key] = made[name].index
    return made


def answers(questions: QuestionSet, overrides: Sequence[str] = ()) -> list[Answer]:
    """Ask every question of a set."""
    made = pipelines(questions, overrides)
    for pipeline in made.values():
        pipeline.run("warm up")
    found = []
    for question in questions.questions:
        pipeline = made[question.graph]
        started = time.perf_counter()
        result = pipeline.run(question.text)
        _ = result.context_text, result.scored
        seconds = time.perf_counter() - started
        raw = tuple(node_id for node_id, _ in result.scored)
        kept = _passages(raw, pipeline.index) if questions.name in PASSAGE_SETS else raw
        found.append(Answer(question, kept[:DEPTH], raw[:DEPTH], seconds))
    return found


def _passages(ranking: Sequence[str], index: GraphIndex) -> tuple[str, ...]:
    types = index.table.nodes.type
    return tuple(i for i in ranking if types[index.table.nodes.lookup.get(i) or 0] == "passage")


def per_query(found: Sequence[Answer], *, raw: bool = False) -> dict[str, np.ndarray]:
    """Return R@5, nDCG@10, R@10 and all-gold@5 of each question, in order; by ir-measures."""
    qrels = [
        ir_measures.Qrel(answer.question.id, node, grade)
        for answer in found
        for node, grade in answer.question.relevant.items()
    ]
    run = [
        # Ranks, as scores: measuring tools break ties by id, and a ranking has none.
        ir_measures.ScoredDoc(answer.question.id, node, float(-rank))
        for answer in found
        for rank, node in enumerate(answer.raw if raw else answer.ranking)
    ]
    rows = {answer.question.id: row for row, answer in enumerate(found)}
    columns = {str(measure): np.zeros(len(found)) for measure in (R5, NDCG10, R10)}
    for value in ir_measures.iter_calc([R5, NDCG10, R10], qrels, run):
        columns[str(value.measure)][rows[value.query_id]] = value.value
    gold = np.array([float(len(answer.question.relevant)) for answer in found])
    columns["all-gold@5"] = (columns["R@5"] * gold >= np.minimum(gold, 5) - 1e-9).astype(float)
    return columns


def interval(values: np.ndarray, seed: int = 7) -> tuple[float, float]:
    """Return the 95 % interval of a mean, by the percentile bootstrap over questions."""
    drawn = np.random.default_rng(seed).integers(0, values.size, (RESAMPLES, values.size))
    low, high = np.percentile(values[drawn].mean(axis=1), [2.5, 97.5])
    return float(low), float(high)


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Write results, readable and in a fixed order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
