"""Passages with what was extracted from them, a passage a line: our own interchange format.

A line is one JSON object::

    {
        "id": "p1",
        "title": "Pumps",
        "text": "Pump 4 feeds …",
        "entities": ["Pump 4"],
        "triples": [["Pump 4", "feeds", "Tank 2"]],
        "types": {"Pump 4": "asset"},
        "aliases": {"Pump 4": ["P4"]},
        "metadata": {"page": 3},
    }

Only ``id`` or ``text`` must be there. ``docs/openie-format.md`` says what each key means.
"""

from __future__ import annotations

from typing import Any

from graphrag_pipeline.graph.reading.entries import mapping_at
from graphrag_pipeline.graph.reading.exact_ids import ExactIds
from graphrag_pipeline.graph.reading.json_lines import BadLines, json_lines
from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.triples import Passage, TripleIntake, chunk_id, take_text

ENTITIES, TRIPLES, TYPES, ALIASES, METADATA = "entities", "triples", "types", "aliases", "metadata"


class OpenIeParams(FileGraphParams):
    """Where the passages are, which names are one entity, and what a broken line does."""

    merge_names: bool = True
    """Whether names that differ only in case, punctuation and spaces are one entity."""
    bad_lines: BadLines = "refuse"
    """What a line does that is no JSON: ``refuse`` the file, or ``skip`` the line and count it."""


class OpenIeGraph(FileGraph[OpenIeParams]):
    """Reads JSON Lines of ``{"id", "title", "text", "entities", "triples"}``."""

    name = "openie"
    Params = OpenIeParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: A line is no JSON object, or has an id that is neither text nor a number.
        """
        records = TripleIntake(intake, merge=self.params.merge_names, tables=(ENTITIES, TRIPLES))
        ids, described = ExactIds(), _Descriptions(intake)
        for at, value in json_lines(self.path, intake, self.params.bad_lines):
            line = mapping_at(value, at)
            intake.read("lines")
            described.take(line, at)
            if passage := _passage(line, ids, at):
                records.passage(passage)
            else:
                intake.skip("a passage without an id and a text", at)
        described.hand_to(records)
        records.finish()


class _Descriptions:
    """Types and aliases of all lines: an entity may be described before a passage names it."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._types: dict[str, dict[str, None]] = {}
        self._aliases: dict[str, dict[str, None]] = {}

    def take(self, line: dict[str, Any], at: str) -> None:
        for key, known in ((TYPES, self._types), (ALIASES, self._aliases)):
            value = line.pop(key, None)
            if missing(value):
                continue
            for name, given in mapping_at(value, f"{at}: {key}").items():
                texts = given if isinstance(given, list) else [given]
                if not all(isinstance(text, str) for text in texts):
                    self._intake.repair(f"{key} that are no texts were left out", f"{at}: {key}[{name!r}]")
                    continue
                known.setdefault(name, {}).update(dict.fromkeys(texts))

    def hand_to(self, records: TripleIntake) -> None:
        unnamed: dict[str, None] = {}
        for name, types in self._types.items():
            if not records.describe(name, types=list(types)):
                unnamed[name] = None
        for name, aliases in self._aliases.items():
            if not records.describe(name, aliases=list(aliases)):
                unnamed[name] = None
        for name in unnamed:
            self._intake.blank("types or aliases of a name that no passage has", repr(name))


def _passage(line: dict[str, Any], ids: ExactIds, at: str) -> Passage | None:  # Any: JSON data
    given, title, text = ids.text(line.pop("id", None), at), take_text(line, "title"), take_text(line, "text")
    if not (given or text):
        return None
    entities, triples = line.pop(ENTITIES, None), line.pop(TRIPLES, None)
    metadata = line.pop(METADATA, None)
    more = {} if missing(metadata) else mapping_at(metadata, f"{at}: {METADATA}")
    properties = {**_beside(more, {*line, "text"} if text else {*line}), **line}
    return Passage(given or chunk_id(text), title, text, at, entities, triples, properties)


def _beside(metadata: dict[str, Any], taken: set[str]) -> dict[str, Any]:  # Any: JSON data
    """Return the metadata; a key that the passage itself has begins with ``metadata.``."""
    kept = {key: value for key, value in metadata.items() if key not in taken}
    for key, value in metadata.items():
        if key in taken:
            name = f"{METADATA}.{key}"
            while name in taken or name in kept:
                name = f"{METADATA}.{name}"
            kept[name] = value
    return kept
