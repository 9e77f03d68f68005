"""Judgements and gold paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import Triple
from graphrag_pipeline.experiment.datasets.keys import IDS
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors, objects, text_at, wrong
from graphrag_pipeline.experiment.trec import level_of, read_qrels
from graphrag_pipeline.graph.reading.files import read_text

Relevance = Mapping[str, Mapping[str, float]]
BEIR_COLUMNS = 3


def read_relevance(path: Path) -> Relevance:
    """Read TREC qrels, or those of BEIR where the first line names three columns.

    Raises:
        DatasetError: The file cannot be read, a line is wrong, a document is judged twice, or none is; or it
            is of BEIR and has no first line of names.
    """
    with as_dataset_errors():
        text = read_text(path)
    first = text.lstrip().partition("\n")[0].split("\t")
    if len(first) == BEIR_COLUMNS:
        if not first[2].strip("\"'_ \r")[:1].isalpha():  # a level, however it is written, is no name
            raise DatasetError(
                "The file has three columns, as qrels of BEIR have, and no first line of names.",
                where=f"{path}:1",
                hint="Put a first line before it: query-id, corpus-id and score, with tabs between them.",
            )
        return _beir(text, path)
    return read_qrels(path).relevance


def _beir(text: str, path: Path) -> Relevance:
    relevance: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    for line, row in enumerate(text.split("\n"), start=1):
        cells = row.removesuffix("\r").split("\t")
        if line == 1 or not row.strip():
            continue
        at = f"{path}:{line}"
        if len(cells) != BEIR_COLUMNS:
            raise wrong(at, f"The line has {len(cells)} columns, not {BEIR_COLUMNS}.")
        query, document, level = cells
        first = lines.setdefault((query, document), line)
        if first != line:
            raise DatasetError(
                f"Document {document!r} is judged twice for query {query!r}.",
                where=at,
                hint=f"The first time is line {first}; leave one of them out.",
            )
        relevance.setdefault(query, {})[document] = level_of(level, at)
    if not relevance:
        raise DatasetError("The file holds no judgement.", where=str(path))
    return relevance


@dataclass(frozen=True, slots=True)
class GoldPaths:
    """Gold edges by query, each once, and the paths they are on; see :class:`.dataset.Dataset`."""

    edges: Mapping[str, tuple[Triple, ...]] = field(default_factory=dict)
    routes: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)


def read_paths(path: Path) -> GoldPaths:
    """Read gold paths: JSON Lines with an ``id``, and ``paths`` or ``triples``.

    ``triples`` is a list of edges, each source, edge type and target; ``paths`` is a list of such lists.

    Raises:
        DatasetError: The file cannot be read, a line is wrong, or an id is repeated.
    """
    edges: dict[str, tuple[Triple, ...]] = {}
    routes: dict[str, tuple[tuple[int, ...], ...]] = {}
    first: dict[str, str] = {}
    for at, value in objects(path):
        query_id = text_at(value, IDS, at)
        if first.setdefault(query_id, at) != at:
            line = first[query_id].rpartition(":")[2]
            raise wrong(at, f"The query {query_id!r} has paths already, in line {line}.")
        if "paths" in value:
            listed = [
                _triples(part, at) for part in _list(value["paths"], "'paths' must be a list of paths.", at)
            ]
            edges[query_id] = tuple(dict.fromkeys(triple for triples in listed for triple in triples))
            places = {triple: place for place, triple in enumerate(edges[query_id])}
            routes[query_id] = tuple(
                tuple(places[triple] for triple in triples) for triples in listed if triples
            )
        else:
            edges[query_id] = _triples(value.get("triples"), at)
    return GoldPaths(edges, routes)


def _triples(value: object, at: str) -> tuple[Triple, ...]:
    listed = _list(value, "'triples' must be a list of [source, type, target].", at)
    return tuple(dict.fromkeys(_triple(triple, at) for triple in listed))


def _list(value: object, what: str, at: str) -> list[object]:
    if not isinstance(value, list):
        raise wrong(at, what)
    return value


def _triple(value: object, at: str) -> Triple:
    if not isinstance(value, list) or len(value) != 3 or not all(isinstance(part, str) for part in value):
        raise wrong(at, f"A gold edge is [source, type, target], three texts, not {value!r:.80}.")
    source, kind, target = value
    return (source, kind, target)
