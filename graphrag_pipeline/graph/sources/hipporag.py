"""HippoRAG's open information extraction: ``openie_results_*.json`` of either release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import entries, mapping_at, read_object
from graphrag_pipeline.graph.reading.exact_ids import ExactIds
from graphrag_pipeline.graph.reading.files import head
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.triples import Passage, TripleIntake, chunk_id, take_text

ENTITIES, TRIPLES = "extracted_entities", "extracted_triples"
PATTERN = "openie_*.json"
PICKLES = (".pickle", ".pkl", ".p")


class HippoRagParams(FileGraphParams):
    """Where the results are, and which names are one entity."""

    merge_names: bool = True
    """Whether names that differ only in case, punctuation and spaces are one entity, as in HippoRAG."""


class HippoRagGraph(FileGraph[HippoRagParams]):
    """Reads ``{"docs": [{"idx", "passage", "extracted_entities", "extracted_triples"}]}``.

    The path is the file, or the folder that holds one. Passages become nodes of type ``passage``, what is
    extracted nodes of type ``entity``; see :func:`~graphrag_pipeline.graph.sources.triples.entity_id`. A
    passage without ``idx`` gets the id that HippoRAG gives it. The shape is that of
    https://github.com/OSU-NLP-Group/HippoRAG; the first release wrote ``title`` and ``text``, too.
    """

    name = "hipporag"
    Params = HippoRagParams

    def files(self) -> Sequence[Path]:
        """Return the file of results.

        Raises:
            GraphSourceError: The folder holds none or several, or the file is another of HippoRAG's.
        """
        return [_found(self.path) if self.path.is_dir() else _checked(self.path)]

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It is not JSON, or not of this shape.
        """
        (path,) = self.files()
        data = read_object(path, intake)
        docs = entries(data, "docs", str(path))
        intake.total = len(docs)
        records = TripleIntake(intake, merge=self.params.merge_names, tables=(ENTITIES, TRIPLES))
        ids = ExactIds()
        for number, entry in enumerate(docs):
            at = f"{path}: docs[{number}]"
            doc = mapping_at(entry, at)
            intake.read("docs")
            for table in (ENTITIES, TRIPLES):
                if doc.get(table) is None:
                    intake.blank(f"a passage has no {table}", at)
            if passage := _passage(doc, ids, at):
                records.passage(passage)
            else:
                intake.skip("a passage without an id and a text", at)
        records.finish()
        if rest := [key for key in data if key != "docs"]:
            intake.note(f"left out, as they hold no graph: {', '.join(rest)}")


def _passage(doc: dict[str, Any], ids: ExactIds, at: str) -> Passage | None:  # Any: JSON data
    given, title = ids.text(doc.pop("idx", None), at), take_text(doc, "title")
    whole, text = take_text(doc, "passage"), take_text(doc, "text")
    if not (given or whole or text):
        return None
    return Passage(
        given or chunk_id(whole or text),
        title,
        text or whole,
        at,
        doc.pop(ENTITIES, None),
        doc.pop(TRIPLES, None),
        doc,
    )


def _found(folder: Path) -> Path:
    """Return the one file of results in a folder."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise GraphSourceError(f"The folder cannot be read: {error.strerror}.", where=str(folder)) from error
    found = sorted(folder.glob(PATTERN))
    if len(found) == 1:
        return found[0]
    if found:
        raise GraphSourceError(
            f"The folder holds {len(found)} results, and they may be of different models.",
            where=str(folder),
            hint=f"Name one of them in graph.path: {', '.join(path.name for path in found[:8])}.",
        )
    hint = f"It holds: {', '.join(names[:8]) or 'nothing'}."
    if any(name.endswith(PICKLES) for name in names):
        hint += " Its pickles can run code and are never read; the results are often one folder above."
    raise GraphSourceError(f"The folder holds no {PATTERN}.", where=str(folder), hint=hint)


def _checked(path: Path) -> Path:
    """Return the path unless it is a file of HippoRAG's that holds no results."""
    hint = f"Name the file {PATTERN} in graph.path, or the folder it is in."
    start = head(path)
    if path.suffix in PICKLES or (start[:1] == b"\x80" and start[1:2] in b"\x02\x03\x04\x05"):
        raise GraphSourceError(
            "The file is a Python pickle; pickles can run code and are never read.",
            where=str(path),
            hint=hint,
        )
    if path.suffix == ".tsv":
        raise GraphSourceError(
            "The file is a table: HippoRAG keeps the named entities of queries in one. It is no graph.",
            where=str(path),
            hint=hint,
        )
    return path
