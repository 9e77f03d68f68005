"""An ArchiMate model as its file has it, whichever of the two formats that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Text: TypeAlias = tuple[str, str]
"""A text, after its language: the empty one when the file does not say."""


def preferred(texts: Sequence[Text], language: str | None) -> Text:
    """Return the text in a language, else in a variant of it such as ``en-GB``, else the first."""
    if language is None:
        return texts[0]
    wanted = language.lower()
    exact = [text for text in texts if text[0].lower() == wanted]
    variants = [text for text in texts if text[0].lower().startswith(f"{wanted}-")]
    return next(iter([*exact, *variants, *texts]))


@dataclass(slots=True)
class Property:
    """A property that a user made.

    Args:
        key: Its name, or the id of its definition.
        values: Its value, in one language or more.
        at: File and line.
    """

    key: str
    values: list[Text]
    at: str


@dataclass(slots=True)
class Concept:
    """An element, a relation, or a view; filled while the file is read.

    Args:
        id: Its id as written.
        type: Its ``xsi:type`` as written, without a prefix.
        at: File and line.
    """

    id: str
    type: str
    at: str
    names: list[Text] = field(default_factory=list)
    documentation: list[Text] = field(default_factory=list)
    properties: list[Property] = field(default_factory=list)
    profiles: list[str] = field(default_factory=list)
    """Ids of its specializations."""
    folders: list[str] = field(default_factory=list)
    source: str = ""
    target: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    """What only some types have: ``junction``, ``access``, ``strength``, ``directed``, ``viewpoint``."""
    drawn: list[str] = field(default_factory=list)
    """Ids of the elements that a view shows, as often as it shows them."""
    decorations: int = 0
    """How many notes, groups, pictures, lines and references to other views a view has."""


@dataclass(slots=True)
class Definition:
    """What an exchange file says of a property.

    Args:
        name: What people call it.
        kind: ``string``, ``number``, ``boolean``, and others that are text.
    """

    name: str
    kind: str = "string"


@dataclass(slots=True)
class Model:
    """A whole model.

    Args:
        format: What the file is, for people.
    """

    format: str
    exchange: bool = False
    """Whether it is an exchange file, whose ids may have a prefix that the native ones have not."""
    name: str = ""
    elements: list[Concept] = field(default_factory=list)
    relations: list[Concept] = field(default_factory=list)
    views: list[Concept] = field(default_factory=list)
    profiles: dict[str, str] = field(default_factory=dict)
    """Name of each specialization."""
    definitions: dict[str, Definition] = field(default_factory=dict)
    """Of an exchange file's properties, by id; a native file names them directly."""
    folders: dict[str, list[str]] = field(default_factory=dict)
    """Folders of an exchange file by the id of what lies there."""
    remarks: int = 0
    """How many texts and properties hang on the model or on a folder, which are no nodes."""
