"""HippoRAG: ``NAME.json`` with questions, and ``NAME_corpus.json`` with the passages that are searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question, Triple
from graphrag_pipeline.experiment.datasets.keys import IDS
from graphrag_pipeline.experiment.datasets.lines import listed_objects, text_at, wrong
from graphrag_pipeline.experiment.datasets.questions import SHOWN, unique
from graphrag_pipeline.experiment.datasets.supporting import evidences
from graphrag_pipeline.graph.sources.triples import chunk_id

CORPUS = "_corpus.json"
_TEXTS = ("text", "paragraph_text")

# Any throughout: JSON data.


def read_hipporag(path: Path, name: str) -> Dataset:
    """Read a question set of HippoRAG.

    A gold passage is one that supports the answer: a paragraph that is marked, or of a set whose paragraphs
    are not marked every one, or one that ``supporting_facts`` names. Its document is ``chunk-`` and a digest
    of title and text, which is the id that HippoRAG gives it; where no node has that id, it is found by its
    title. Two passages may have one title.

    Raises:
        DatasetError: A file cannot be read, an entry is wrong, an id is repeated, or a gold passage is not in
            the corpus.
    """
    corpus = corpus_of(path)
    questions: list[tuple[str, Question]] = []
    relevance: dict[str, Mapping[str, float]] = {}
    titles: dict[str, str] = {}
    paths: dict[str, tuple[Triple, ...]] = {}
    for at, value in listed_objects(path):
        query_id, text = text_at(value, IDS, at), text_at(value, ("question",), at)
        kind = value.get("type", "")
        questions.append((at, Question(query_id, text, kind=kind if isinstance(kind, str) else "")))
        gold = {passage_id(title, content): title for title, content in _gold(value, at)}
        titles |= gold
        if gold:
            relevance[query_id] = dict.fromkeys(gold, 1.0)
        if triples := evidences(value, at):
            paths[query_id] = triples
    if corpus is not None:
        _check_corpus(relevance, titles, corpus)
    return Dataset(name, unique(questions, path), relevance, titles=titles, paths=paths)


def corpus_of(path: Path) -> Path | None:
    """Return the corpus that lies beside the questions; None where there is none."""
    beside = path.with_name(path.stem + CORPUS)
    return beside if path.suffix == ".json" and beside.is_file() else None


def passage_id(title: str, text: str) -> str:
    """Return the id that HippoRAG gives a passage."""
    return chunk_id(f"{title}\n{text}")


def _gold(value: Mapping[str, Any], at: str) -> Iterator[tuple[str, str]]:
    """Yield title and text of each gold passage."""
    try:
        if "supporting_facts" in value:
            wanted = {str(title) for title, _ in value["supporting_facts"]}
            for title, sentences in value["context"]:
                if title in wanted:
                    yield str(title), _joined(sentences)
            return
        for passage in value["contexts"] if "contexts" in value else value["paragraphs"]:
            if passage.get("is_supporting", True):
                yield str(passage["title"]), str(next(passage[key] for key in _TEXTS if key in passage))
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration, RuntimeError) as error:
        what = "There are no readable 'supporting_facts' with 'context', 'contexts' or 'paragraphs'."
        raise wrong(at, what) from error


def _joined(sentences: Any) -> str:
    if not isinstance(sentences, list) or not all(isinstance(sentence, str) for sentence in sentences):
        raise TypeError("sentences are a list of texts")
    # HotpotQA's sentences begin with the blank that parts them; those of 2WikiMultihopQA do not.
    blank = "" if any(sentence.startswith(" ") for sentence in sentences[1:]) else " "
    return blank.join(sentences)


def _check_corpus(
    relevance: Mapping[str, Mapping[str, float]], titles: Mapping[str, str], path: Path
) -> None:
    there, named = set(), set()
    for at, value in listed_objects(path):
        title = text_at(value, ("title",), at)
        named.add(title)
        there.add(passage_id(title, text_at(value, _TEXTS, at)))
    absent = [
        f"{titles[document]!r} of {query!r}"
        for query, documents in relevance.items()
        for document in documents
        if document not in there and titles[document] not in named
    ]
    if absent:
        shown = ", ".join(absent[:SHOWN]) + (", …" if len(absent) > SHOWN else "")
        which = "1 gold passage is" if len(absent) == 1 else f"{len(absent)} gold passages are"
        raise DatasetError(f"{which} not in the corpus: {shown}.", where=str(path))
