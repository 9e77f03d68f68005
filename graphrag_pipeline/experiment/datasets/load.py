"""From the config's section ``dataset`` to a question set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.autorag import is_autorag, read_autorag
from graphrag_pipeline.experiment.datasets.dataset import Dataset
from graphrag_pipeline.experiment.datasets.gold import GoldPaths, read_paths, read_relevance
from graphrag_pipeline.experiment.datasets.hipporag import corpus_of, read_hipporag
from graphrag_pipeline.experiment.datasets.lines import as_dataset_errors, listed_objects
from graphrag_pipeline.experiment.datasets.questions import read_questions
from graphrag_pipeline.experiment.datasets.supporting import is_supporting, read_supporting

QUERIES, TOPICS = ("queries",), ("topics", "queries")
QRELS, PATHS = ("qrels",), ("paths", "gold_paths")
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
        DatasetError: None is configured, a file is missing, or something in it is wrong.
    """
    name = section.name or _name(section)
    if read := _of_one_file(section):
        if not section.path:
            raise DatasetError("This format is one file.", where="dataset.path", hint="dataset.path=FILE")
        with as_dataset_errors():
            return read(Path(section.path), name).first(section.limit)
    files = _files(section)
    paths = read_paths(files.paths) if files.paths else GoldPaths()
    return Dataset(
        name,
        read_questions(files.queries),
        read_relevance(files.qrels) if files.qrels else {},
        paths=paths.edges,
        routes=paths.routes,
    ).first(section.limit)


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
        stems = TOPICS if section.format == "trec" else QUERIES
        queries = queries or _found(root, stems, None if beir else split, (".jsonl", ".txt", ".tsv"))
        qrels = qrels or (_beir_qrels(root, split) if beir else _maybe(root, QRELS, split, (".txt", ".tsv")))
        paths = paths or _maybe(root, PATHS, split, (".jsonl",))
    if queries is None:
        raise DatasetError("There are judgements but no queries.", where="dataset.queries", hint=GIVE)
    return Files(queries, qrels, paths)


def _maybe(root: Path, stems: tuple[str, ...], split: str | None, endings: tuple[str, ...]) -> Path | None:
    for path in _candidates(root, stems, split, endings):
        if path.is_file():
            return path
    return None


def _candidates(
    root: Path, stems: tuple[str, ...], split: str | None, endings: tuple[str, ...]
) -> Iterator[Path]:
    for stem in stems:
        for ending in endings:
            yield root / f"{stem}{f'.{split}' if split else ''}{ending}"


def _found(root: Path, stems: tuple[str, ...], split: str | None, endings: tuple[str, ...]) -> Path:
    found = _maybe(root, stems, split, endings)
    if found is not None:
        return found
    there = sorted(path.name for path in root.iterdir() if path.name.startswith(stems))
    hint = f"There are {', '.join(there)}: choose with dataset.split=NAME." if there else GIVE
    wanted = " or ".join(path.name for path in _candidates(root, stems, split, endings))
    raise DatasetError(f"The directory has no {wanted}.", where=str(root), hint=hint)


def _beir_qrels(root: Path, split: str | None) -> Path:
    path = root / "qrels" / f"{split or 'test'}.tsv"
    if not path.is_file():
        there = sorted(entry.stem for entry in (root / "qrels").glob("*.tsv"))
        raise DatasetError(
            "There are no such judgements.",
            where=str(path),
            hint=f"dataset.split= one of: {', '.join(there)}",
        )
    return path
