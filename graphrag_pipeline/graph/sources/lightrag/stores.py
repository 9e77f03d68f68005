"""The JSON stores that LightRAG and nano-graphrag keep beside their graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrag_pipeline.graph.reading.entries import mapping_at, read_object
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.lightrag.text import unquoted

PASSAGE = "passage"
COMMUNITY = "community"
MENTIONS = "mentions"
IN_COMMUNITY = "in_community"
NOT_STORED = "a mention of a passage that is not in the store of text chunks is left out"
NO_TEXT = "a passage has no text"
LABEL_LENGTH = 80


@dataclass(frozen=True, slots=True)
class Mention:
    """Which text chunks mention an entity.

    Args:
        node_id: The entity.
        chunk_ids: The text chunks.
        at: Where the entity is.
    """

    node_id: str
    chunk_ids: Sequence[str]
    at: str


# Any throughout: JSON data.
def files_of_documents(path: Path, intake: Intake) -> dict[str, str]:
    """Return the file that each document came from, and note how many documents are not done.

    Raises:
        GraphSourceError: The file cannot be read, or is no object of objects.
    """
    files, states = {}, Counter[str]()
    for document_id, _, document in _objects(path, intake):
        states[_text(document.get("status")).lower() or "no status"] += 1
        if file := _text(document.get("file_path")):
            files[document_id] = file
    open_ones = {state: count for state, count in states.items() if state != "processed"}
    if open_ones:
        told = ", ".join(f"{count} {state}" for state, count in open_ones.items())
        intake.note(f"not all documents are processed: {told}, of {states.total()}")
    return files


def read_passages(path: Path, files: Mapping[str, str], intake: Intake) -> set[str]:
    """Take each text chunk as a node, and return their ids.

    Raises:
        GraphSourceError: The file cannot be read, or is no object of objects.
    """
    known = set()
    for chunk_id, at, chunk in _objects(path, intake):
        intake.read("text chunks")
        text = _text(chunk.pop("content", None))
        if not text.strip():
            intake.blank(NO_TEXT, at)
        file = files.get(_text(chunk.get("full_doc_id")))
        properties = {"text": text, **chunk}
        if file is not None:
            properties.setdefault("file_path", file)
        if intake.node(chunk_id, PASSAGE, _first_line(text), at=at, properties=properties):
            known.add(chunk_id)
    return known


def mention(mentions: Iterable[Mention], known: Set[str], intake: Intake) -> None:
    """Take each mention of an entity as an edge, if its passage is known."""
    for entity in mentions:
        intake.read("mentions", len(entity.chunk_ids))
        for chunk_id in entity.chunk_ids:
            if chunk_id in known:
                intake.edge(chunk_id, entity.node_id, MENTIONS, at=entity.at)
            else:
                intake.skip(NOT_STORED, f"{entity.at}: {chunk_id}")


def read_communities(path: Path, intake: Intake) -> None:
    """Take each report as a node, and its members as edges to it; what else the report says is in its text.

    Raises:
        GraphSourceError: The file cannot be read, or is no object of objects.
    """
    members = []
    for key, at, report in _objects(path, intake):
        intake.read("community reports")
        community_id = _community_id(key)
        told = report.pop("report_json", None)
        told = told if isinstance(told, Mapping) else {}
        title = _text(told.get("title")) or _text(report.get("title"))
        children = [_community_id(child) for child in _texts(report.pop("sub_communities", None))]
        inner = [unquoted(member) for member in _texts(report.pop("nodes", None))]
        properties: dict[str, Any] = {
            name: report[name] for name in ("level", "occurrence", "chunk_ids") if name in report
        }
        properties["text"] = _text(report.get("report_string"))
        properties |= {
            name: told[name] for name in ("summary", "rating", "rating_explanation") if name in told
        }
        intake.node(community_id, COMMUNITY, title, at=at, properties=properties)
        members.append((at, community_id, [*inner, *children]))
    for at, community_id, member_ids in members:
        intake.read("members of communities", len(member_ids))
        for member in member_ids:
            intake.edge(member, community_id, IN_COMMUNITY, at=at)


def _objects(path: Path, intake: Intake) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each key of a store, where it is, and its object."""
    for key, value in read_object(path, intake).items():
        at = f"{path}: {key}"
        yield key, at, mapping_at(value, at)


def _community_id(key: str) -> str:
    return f"{COMMUNITY}-{key}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [text for text in value if isinstance(text, str) and text] if isinstance(value, list) else []


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= LABEL_LENGTH else f"{line[: LABEL_LENGTH - 1].rstrip()}…"
