"""Personas from a YAML or JSON file, or a directory of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import read_text
from graphrag_pipeline.graph.reading.listed import MOST_LISTED, Entry, json_entries, yaml_entries
from graphrag_pipeline.graph.sources.contract import PersonaSourceParams
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.personas import Persona, PersonaRegistry
from graphrag_pipeline.model.zachman import ZachmanCell

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "persona_id"),
    "name": ("name",),
    "role": ("role", "role_title"),
    "category": ("category",),
    "phase": ("phase", "fcc_phase"),
    "description": ("description",),
    "zachman_cell": ("zachman_cell",),
}
"""The keys of each field that is one text; the first that is there wins."""

LISTS: Mapping[str, tuple[str, ...]] = {
    "aliases": ("aliases", "alias"),
    "focus": ("focus", "focus_terms"),
}
"""The keys of each field that is several texts: a list of them, or one text."""

READERS = {".yaml": yaml_entries, ".yml": yaml_entries, ".json": json_entries}


class PersonaFileParams(PersonaSourceParams):
    """Where the personas are."""

    path: str = Field(min_length=1)
    """A file or a directory, relative to the directory the command runs in."""


class PersonaFile(Component[PersonaFileParams]):
    """Reads a list of personas, at the top or under ``personas``."""

    name = "file"
    Params = PersonaFileParams

    def __init__(self, params: PersonaFileParams) -> None:
        super().__init__(params)

    def load(self) -> PersonaRegistry:
        """Read file or directory; see :func:`load_personas`."""
        return load_personas(Path(self.params.path))


def load_personas(path: Path) -> PersonaRegistry:
    """Read personas from a file, or from every ``.yaml``, ``.yml`` and ``.json`` of a directory by name.

    Every scalar is read as the text it was written as: an id ``007`` stays ``007``. Entries that are
    malformed are left out and listed in the registry's ``skipped``, with file and line.

    Raises:
        GraphSourceError: The path is missing, a file cannot be parsed, or holds no list of personas.
    """
    personas: list[Persona] = []
    skipped: list[str] = []
    for file in _files(path):
        text = read_text(file)
        for entry in READERS[file.suffix.lower()](text, file, "personas"):
            _read(entry, personas, skipped)
    return PersonaRegistry(personas, skipped)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        try:
            found = sorted(
                file for file in path.iterdir() if file.suffix.lower() in READERS and file.is_file()
            )
        except OSError as error:
            raise GraphSourceError(
                f"The directory cannot be read: {error.strerror}.", where=str(path)
            ) from error
        if not found:
            raise GraphSourceError("The directory holds no .yaml, .yml or .json file.", where=str(path))
        yield from found
    elif path.suffix.lower() in READERS or not path.exists():
        yield path
    else:
        raise GraphSourceError("Personas are read from .yaml, .yml or .json files.", where=str(path))


def _read(entry: Entry, personas: list[Persona], skipped: list[str]) -> None:
    if not isinstance(entry.value, Mapping):
        skipped.append(f"{entry.origin}: not a persona but {entry.kind}")
        return
    fields = {field: _text(entry.value, keys) for field, keys in FIELDS.items()}
    lists = {field: _texts(entry.value, keys) for field, keys in LISTS.items()}
    if what := _fault(fields, lists):
        skipped.append(f"{entry.origin}: persona left out, {what}")
        return
    persona = Persona(
        **{field: value or "" for field, value in fields.items()},
        origin=entry.origin,
        aliases=lists["aliases"] or (),
        focus=lists["focus"] or (),
    )
    if persona.zachman_cell:
        try:
            ZachmanCell.from_coordinate(persona.zachman_cell)
        except ValueError as error:
            skipped.append(f"{entry.origin}: zachman_cell of {persona.id!r} left out, {error}")
            persona = replace(persona, zachman_cell="")
    personas.append(persona)


def _fault(fields: Mapping[str, str | None], lists: Mapping[str, tuple[str, ...] | None]) -> str:
    """Return why an entry is no persona, or the empty text."""
    if wrong := [field for field, value in fields.items() if value is None]:
        return f"{', '.join(wrong)} must be text"
    if wrong := [field for field, values in lists.items() if values is None]:
        return f"{', '.join(wrong)} must be a text or a list of at most {MOST_LISTED} texts"
    return "" if fields["id"] else "it has no id"


def _text(entry: Mapping[str, object], keys: tuple[str, ...]) -> str | None:
    """Return the text under the first key that is there, "" when none is, None when it is no text."""
    value = next((entry[key] for key in keys if key in entry), "")
    return value.strip() if isinstance(value, str) else None


def _texts(entry: Mapping[str, object], keys: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the texts under the first key that is there, each once; None when they are something else."""
    value = next((entry[key] for key in keys if key in entry), "")
    values = value if isinstance(value, list) else [value]
    if len(values) > MOST_LISTED or not all(isinstance(text, str) for text in values):
        return None
    return tuple(dict.fromkeys(text for text in map(str.strip, values) if text))
