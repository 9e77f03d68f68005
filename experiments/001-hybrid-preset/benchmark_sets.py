"""The five question sets that the preset is measured on, read from a folder of shared data."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline import load_pipeline
from graphrag_pipeline.graph.index import GraphIndex

DATA = Path(os.environ.get("GRAPHRAG_DATA", Path(__file__).parents[3] / "shared" / "data"))
"""Where the sets are; they are third-party data and no part of this project."""
JSON_SETS = ("mh-2wiki", "kg-2wiki", "mh-musique-openie", "lihua")
SETS = (*JSON_SETS, "archimate")
PASSAGE_SETS = ("mh-2wiki", "mh-musique-openie", "lihua")
"""Sets whose relevant nodes are all passages."""
MEASURES = {
    "mh-2wiki": "R@5",
    "kg-2wiki": "R@5",
    "mh-musique-openie": "R@5",
    "lihua": "R@5",
    "archimate": "nDCG@10",
}
"""The measure that counts most for each set."""


@dataclass(frozen=True, slots=True)
class Question:
    """One query of a set.

    Args:
        id: Query id.
        text: The words.
        graph: Name of the graph it is asked of.
        relevant: Grades by node id.
        kind: What sort of question it is, as the set says.
    """

    id: str
    text: str
    graph: str
    relevant: Mapping[str, int]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, and the graphs that they are asked of."""

    name: str
    questions: tuple[Question, ...]
    graphs: Mapping[str, GraphIndex]


def read_set(name: str) -> QuestionSet:
    """Read a set with its graphs, compiled and not linked yet."""
    return _archimate() if name == "archimate" else _json_set(name)


def _json_set(name: str) -> QuestionSet:
    folder = DATA / name
    graph = GraphIndex.from_dict(json.loads((folder / "graph.json").read_text(encoding="utf-8")))
    relevant = _qrels(folder / "qrels.dev.txt")
    questions = tuple(
        Question(entry["id"], entry["text"], name, relevant[entry["id"]], entry.get("type", ""))
        for entry in _lines(folder / "queries.dev.jsonl")
        if entry["id"] in relevant
    )
    return QuestionSet(name, questions, {name: graph})


def _archimate() -> QuestionSet:
    folder = DATA / "archimate"
    relevant = _qrels(folder / "view_qrels.dev.txt")
    questions = tuple(
        Question(entry["id"], entry["text"], entry["model"], relevant[entry["id"]], entry["viewpoint"])
        for entry in _lines(folder / "view_queries.dev.jsonl")
        if entry["id"] in relevant
    )
    graphs = {}
    for model in dict.fromkeys(question.graph for question in questions):
        path = folder / model / "model.archimate"
        graphs[model] = load_pipeline(["graph=archimate", f"graph.path={path}"]).index
    return QuestionSet("archimate", questions, graphs)


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, node, grade = line.rsplit(maxsplit=3)
        if int(grade) > 0:
            grades.setdefault(query, {})[node] = int(grade)
    return grades
