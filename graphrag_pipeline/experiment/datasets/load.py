"""From the config's section ``dataset`` to a question set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.autorag import is_autorag, read_autorag
from graphrag_pipeline.experiment.datasets.dataset import Dataset
from graphrag_pipeline.experiment.datasets.gold import GoldPaths, Relevance, read_paths, read_relevance
from graphrag_pipeline.experiment.datasets.hipporag import corpus_of, read_hipporag
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors, listed_objects
from graphrag_pipeline.experiment.datasets.questions import read_questions
from graphrag_pipeline.experiment.datasets.supporting import is_supporting, read_supporting

QUERIES = tuple(("queries", ending) for ending in (".jsonl", ".txt", ".tsv"))
TOPICS = tuple(("topics", ending) for ending in (".jsonl", ".txt", ".tsv"))
QRELS = (("qrels", ".txt"), ("qrels", ".tsv"))
PATHS = (("paths", ".jsonl"), ("gold_paths", ".jsonl"))
Names = tuple[tuple[str, str], ...]
"""Stems and endings of files."""
GIVE = "Give dataset=NAME, dataset.path=DIR, or dataset.queries=FILE with dataset.qrels=FILE."


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a question set; None where there is none."""

    queries: Path
    qrels: Path | None
    paths: Path | None


def load_dataset(section: DatasetSection) -> Dataset:
    """Read the question set that is configured, with the first ``limit`` queries where that is set.

    Raises:
        DatasetError: None is configured, a file is missing, something in it is wrong, or there are judgements
            and none of them says that a document is relevant.
    """
    _refuse_no_name(section.split)
    name = section.name or _name(section)
    if read := _of_one_file(section):
        if not section.path:
            raise DatasetError("This format is one file.", where="dataset.path", hint="dataset.path=FILE")
        with as_dataset_errors():
            return read(Path(section.path), name).first(section.limit)
    files = _files(section)
    paths = read_paths(files.paths) if files.paths else GoldPaths()
    questions = read_questions(files.queries)
    return Dataset(
        name,
        questions.asked,
        _measurable(files.qrels) if files.qrels else {},
        paths=paths.edges,
        routes=paths.routes,
        near_keys=questions.near_keys,
    ).first(section.limit)


def _refuse_no_name(split: str | None) -> None:
    if split and any(mark in split for mark in "/\\\0"):
        raise DatasetError(
            f"A split is part of the name of a file, and {split!r} leads to another directory.",
            where="dataset.split",
            hint="dataset.split=dev takes queries.dev.jsonl, or qrels/dev.tsv of BEIR, in dataset.path.",
        )


def _measurable(path: Path) -> Relevance:
    """Read judgements; refuse those by which nothing could be found."""
    relevance = read_relevance(path)
    if not any(level > 0 for documents in relevance.values() for level in documents.values()):
        raise DatasetError(
            "No document is relevant to any query: no level is above 0, so nothing can be measured.",
            where=str(path),
            hint="A level above 0 is of a relevant document. A set without any judgements runs.",
        )
    return relevance


def _of_one_file(section: DatasetSection) -> Callable[[Path, str], Dataset] | None:
    """Return what reads a format of one file with everything; None for other formats."""
    named = {"hotpot": read_supporting, "hipporag": read_hipporag, "autorag": read_autorag}
    if section.format != "auto":
        return named.get(section.format)
    if not section.path:
        return None
    if is_autorag(Path(section.path)):
        return read_autorag
    if _is_supporting(section.path):
        return read_supporting if corpus_of(Path(section.path)) is None else read_hipporag
    return None


def _name(section: DatasetSection) -> str:
    given = section.path or section.queries
    if not given:
        raise DatasetError("No question set is given.", where="dataset", hint=GIVE)
    try:
        path = Path(given).resolve()
    except RuntimeError:  # a link that leads in a circle; what is wrong is told when it is opened
        path = Path(given).absolute()
    return path.name if path.is_dir() else path.stem


def _is_supporting(given: str | None) -> bool:
    if not given or not Path(given).is_file() or not given.endswith((".json", ".jsonl")):
        return False
    return any(is_supporting(value) for _, value in _first(listed_objects(Path(given))))


def _first(entries: Iterator[tuple[str, dict[str, object]]]) -> Iterator[tuple[str, dict[str, object]]]:
    for entry in entries:
        yield entry
        return


def _files(section: DatasetSection) -> Files:
    root = Path(section.path) if section.path else None
    if root is not None and not root.exists():
        raise DatasetError("There is no such file or directory.", where=str(root), hint="dataset.path=DIR")
    if root is not None and not root.is_file() and not root.is_dir():
        raise DatasetError(
            "It is no file and no directory but a pipe or a device, which can be read once only.",
            where=str(root),
            hint="Save it to a file first.",
        )
    if root is not None and root.is_file():
        queries: Path | None = root
        root = None
    else:
        queries = None
    queries = Path(section.queries) if section.queries else queries
    qrels = Path(section.qrels) if section.qrels else None
    paths = Path(section.paths) if section.paths else None
    if root is not None:
        beir = section.format == "beir" or (section.format == "auto" and (root / "qrels").is_dir())
        split = section.split
        queries = queries or _found(root, _wanted(section, beir), None if beir else split)
        qrels = qrels or (_beir_qrels(root, split) if beir else _maybe(root, QRELS, split))
        paths = paths or _maybe(root, PATHS, split)
    if queries is None:
        raise DatasetError("There are judgements but no queries.", where="dataset.queries", hint=GIVE)
    return Files(queries, qrels, paths)


def _wanted(section: DatasetSection, beir: bool) -> Names:
    """Return what a file of queries may be called, in the order in which it is looked for."""
    if section.format == "trec":
        return (*TOPICS, *QUERIES)
    return QUERIES if beir or section.format != "auto" else (*QUERIES, ("topics", ".txt"))


def _maybe(root: Path, names: Names, split: str | None) -> Path | None:
    return next((path for path in _candidates(root, names, split) if path.is_file()), None)


def _candidates(root: Path, names: Names, split: str | None) -> Iterator[Path]:
    for stem, ending in names:
        yield root / f"{stem}{f'.{split}' if split else ''}{ending}"


def _found(root: Path, names: Names, split: str | None) -> Path:
    found = _maybe(root, names, split)
    if found is not None:
        return found
    stems = tuple(stem for stem, _ in names)
    there = sorted(path.name for path in root.iterdir() if path.name.startswith(stems))
    topics = _maybe(root, TOPICS, split)
    if topics is not None:
        hint = f"There is {topics.name}: dataset.format=trec reads it."
    elif there:
        other = ", or leave it out" if split else ""
        hint = f"There are {', '.join(there)}: choose with dataset.split=NAME{other}."
    else:
        hint = GIVE
    wanted = " or ".join(path.name for path in _candidates(root, names, split))
    raise DatasetError(f"The directory has no {wanted}.", where=str(root), hint=hint)


def _beir_qrels(root: Path, split: str | None) -> Path:
    path = root / "qrels" / f"{split or 'test'}.tsv"
    if not path.is_file():
        there = sorted(entry.stem for entry in (root / "qrels").glob("*.tsv"))
        one_of = f"dataset.split= one of: {', '.join(there)}"
        raise DatasetError(
            f"The directory has no judgements qrels/{path.name}.",
            where=str(root),
            hint=one_of if there else "Judgements of BEIR are files qrels/NAME.tsv.",
        )
    return path
