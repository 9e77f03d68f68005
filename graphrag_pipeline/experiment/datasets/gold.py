"""Judgements and gold paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import Triple
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors, objects, text_at, wrong
from graphrag_pipeline.experiment.datasets.questions import IDS
from graphrag_pipeline.experiment.trec import LARGEST, read_qrels
from graphrag_pipeline.graph.reading.files import read_text

Relevance = Mapping[str, Mapping[str, int]]
BEIR_COLUMNS = 3


def read_relevance(path: Path) -> Relevance:
    """Read TREC qrels, or those of BEIR where the first line names three columns.

    Raises:
        DatasetError: The file cannot be read, a line is wrong, a document is judged twice, or none is.
    """
    with as_dataset_errors():
        text = read_text(path)
    first = text.lstrip().partition("\n")[0].split("\t")
    if len(first) == BEIR_COLUMNS and not first[2].strip().lstrip("-").isdigit():
        return _beir(text, path)
    return read_qrels(path).relevance


def _beir(text: str, path: Path) -> Relevance:
    relevance: dict[str, dict[str, int]] = {}
    for line, row in enumerate(text.split("\n"), start=1):
        cells = row.removesuffix("\r").split("\t")
        if line == 1 or not row.strip():
            continue
        at = f"{path}:{line}"
        if len(cells) != BEIR_COLUMNS:
            raise wrong(at, f"The line has {len(cells)} columns, not {BEIR_COLUMNS}.")
        query, document, level = cells
        if not level.lstrip("-").isdecimal() or not level.isascii() or abs(int(level)) > LARGEST:
            raise wrong(at, f"The relevance {level!r} is no whole number of at most {LARGEST}.")
        documents = relevance.setdefault(query, {})
        if document in documents:
            raise wrong(at, f"Document {document!r} is judged twice for query {query!r}.")
        documents[document] = int(level)
    if not relevance:
        raise DatasetError("The file holds no judgement.", where=str(path))
    return relevance


def read_paths(path: Path) -> Mapping[str, tuple[Triple, ...]]:
    """Read gold paths: JSON Lines with an ``id`` and ``triples``, each source, edge type and target.

    Raises:
        DatasetError: The file cannot be read, a line is wrong, or an id is repeated.
    """
    paths: dict[str, tuple[Triple, ...]] = {}
    for at, value in objects(path):
        query_id = text_at(value, IDS, at)
        if query_id in paths:
            raise wrong(at, f"The query {query_id!r} has paths already.")
        triples = value.get("triples")
        if not isinstance(triples, list):
            raise wrong(at, "'triples' must be a list of [source, type, target].")
        paths[query_id] = tuple(dict.fromkeys(_triple(triple, at) for triple in triples))
    return paths


def _triple(value: object, at: str) -> Triple:
    if not isinstance(value, list) or len(value) != 3 or not all(isinstance(part, str) for part in value):
        raise wrong(at, f"A gold edge is [source, type, target], three texts, not {value!r:.80}.")
    source, kind, target = value
    return (source, kind, target)
