"""AutoRAG: ``qa.parquet`` with queries and gold documents, and ``corpus.parquet`` beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors, wrong
from graphrag_pipeline.experiment.datasets.questions import SHOWN, unique
from graphrag_pipeline.graph.sources.tables.parquet_file import ParquetTable

QA, CORPUS = "qa.parquet", "corpus.parquet"
_QID, _QUERY, _GOLD, _DOCUMENT = "qid", "query", "retrieval_gt", "doc_id"
_DEPTH = 4
"""How deep lists of gold ids may be nested; AutoRAG nests them twice."""

# Any throughout: cells of a table.


def read_autorag(path: Path, name: str) -> Dataset:
    """Read a question set of AutoRAG, ``qa.parquet`` or the directory that it is in.

    ``retrieval_gt`` is lists of lists: each inner one is documents that do as well as one another. Here every
    document in them is relevant. Ids that are numbers are read as texts. Where ``corpus.parquet`` is there,
    gold documents must be in it.

    Raises:
        DatasetError: A file cannot be read, a row is wrong, an id is repeated, or a gold document is not in
            the corpus.
    """
    file = path / QA if path.is_dir() else path
    questions: list[tuple[str, Question]] = []
    relevance: dict[str, Mapping[str, float]] = {}
    for at, row in _rows(file, (_QID, _QUERY, _GOLD)):
        query_id, text = _id(row[_QID], _QID, at), row[_QUERY]
        if not isinstance(text, str):
            raise wrong(at, f"{_QUERY!r} must be a text, not {text!r:.60}.")
        questions.append((at, Question(query_id, text)))
        if documents := dict.fromkeys(_documents(row[_GOLD], at), 1.0):
            relevance[query_id] = documents
    dataset = Dataset(name, unique(questions, file), relevance)
    corpus = file.with_name(CORPUS)
    if corpus.is_file():
        _check_corpus(dataset, corpus)
    return dataset


def is_autorag(path: Path) -> bool:
    """Tell whether a path is a table, or a directory with AutoRAG's."""
    return (path / QA).is_file() or (path.suffix == ".parquet" and path.is_file())


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    with as_dataset_errors():
        table = ParquetTable(path, lambda name: name in columns)
        if missing := [name for name in columns if name not in table.columns]:
            raise DatasetError(
                f"The table has no column {', '.join(map(repr, missing))}.",
                where=str(path),
                hint=f"It has: {', '.join(table.all_columns)}.",
            )
        for batch in table.batches():
            for place in range(batch.count):
                yield batch.place(place), {name: batch.columns[name][place] for name in columns}


def _id(value: Any, column: str, at: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise wrong(at, f"{column!r} must be an id, not {value!r:.60}.")
    return value


def _documents(value: Any, at: str, depth: int = 0) -> Iterator[str]:
    """Yield the ids in nested lists; null and an empty text stand for none, as AutoRAG writes them."""
    if value is None or value == "":
        return
    if isinstance(value, list) and depth < _DEPTH:
        for part in value:
            yield from _documents(part, at, depth + 1)
        return
    yield _id(value, _GOLD, at)


def _check_corpus(dataset: Dataset, path: Path) -> None:
    there = {_id(row[_DOCUMENT], _DOCUMENT, at) for at, row in _rows(path, (_DOCUMENT,))}
    absent = [
        f"{document!r} of {query!r}"
        for query, documents in dataset.relevance.items()
        for document in documents
        if document not in there
    ]
    if absent:
        shown = ", ".join(absent[:SHOWN]) + (", …" if len(absent) > SHOWN else "")
        which = "1 gold document is" if len(absent) == 1 else f"{len(absent)} gold documents are"
        raise DatasetError(f"{which} not in the corpus: {shown}.", where=str(path))
