"""RDF/XML that is looked through before the parser gets it.

The RDF parser expands entities without a limit, and takes time that grows with the square of how deep
elements are nested and how many attributes one has. So all of that is bounded here, and files that
people write stay far below: an entity may stand for the start of an IRI, as many ontologies have it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, BinaryIO, cast

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST, opened
from graphrag_pipeline.graph.reading.xml_events import Attributes, XmlReader
from graphrag_pipeline.graph.sources.rdf.density import BYTES_AN_ELEMENT, HARMLESS
from graphrag_pipeline.graph.sources.rdf.terms import RDF

LONGEST_ENTITY = 200
MOST_EXPANDED = 4 << 20
"""Most bytes that the entities in one piece of the file may expand to."""
MOST_ATTRIBUTES = 1000
MOST_PREFIXES = 250

_MARK = b"<!ENTITY"
_PLAIN = re.compile(rb'<!ENTITY\s+[\w.:-]+\s+"([^"&%%<>]{0,%d})"\s*>' % LONGEST_ENTITY)
_LONGEST_PLAIN = 1024


class RdfXmlReader(XmlReader):
    """Checks a document, and finds the prefixes that it declares."""

    def __init__(self, where: str) -> None:
        super().__init__(_Shape(), where)
        self.prefixes: dict[str, str] = {}
        self._declared = 0
        self._parser.StartNamespaceDeclHandler = self._begin_prefix
        self._parser.EndNamespaceDeclHandler = self._end_prefix
        self._parser.XmlDeclHandler = self._xml

    def _entity(self, name: str, *_declared: Any) -> None:
        """Let a declaration pass: those that are not plain were refused as the bytes were read."""

    def _begin_prefix(self, prefix: str | None, iri: str | None) -> None:
        self._declared += 1
        if self._declared > MOST_PREFIXES:
            self.refuse(f"More than {MOST_PREFIXES} prefixes are declared at once.")
        if prefix and iri:
            self.prefixes.setdefault(prefix, iri)

    def _end_prefix(self, _prefix: str | None) -> None:
        self._declared -= 1

    def _xml(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "us-ascii", "ascii"):
            self.refuse(f"The file is encoded in {encoding:.40}.", "Convert it to UTF-8.")

    @property
    def byte(self) -> int:
        """How many bytes come before the element at hand."""
        return int(self._parser.CurrentByteIndex)


class _Shape:
    """Refuses what no RDF/XML file needs."""

    def __init__(self) -> None:
        self._literal: tuple[int, int] | None = None
        """Depth and byte at which an XML literal begins."""
        self._elements = 0

    def start(self, _tag: str, attributes: Attributes, place: XmlReader) -> None:
        place = cast(RdfXmlReader, place)
        named = [name for name in attributes if name.startswith(f"{RDF}}}")]
        if place.depth == 1 and not named and place.uri != RDF:
            place.refuse(
                f"The file is XML, but no RDF: its root is <{_tag:.100}>.",
                "RDF/XML has <rdf:RDF>. `graph=auto` finds out what a file is.",
            )
        self._elements += 1
        if self._elements * BYTES_AN_ELEMENT > HARMLESS + place.byte:
            place.refuse(
                f"Its first {place.byte:,} bytes hold {self._elements:,} elements: the whole file would fill "
                "the memory.",
                "Nothing real is written as densely. If this is, convert the file to N-Triples.",
            )
        if len(attributes) > MOST_ATTRIBUTES:
            place.refuse(f"An element has more than {MOST_ATTRIBUTES} attributes.")
        if self._literal is None and attributes.get(f"{RDF}}}parseType") == "Literal":
            self._literal = (place.depth, place.byte)

    def end(self, _tag: str, _text: str, place: XmlReader) -> None:
        place = cast(RdfXmlReader, place)
        if self._literal is None:
            return
        depth, begun = self._literal
        if place.byte - begun > LONGEST:
            place.refuse(f"A text is longer than {LONGEST >> 20} MiB.")
        if place.depth == depth:
            self._literal = None


class _PlainEntities:
    """Reads a file, and refuses every entity but a short text that holds no other."""

    def __init__(self, file: BinaryIO, where: str) -> None:
        self._file = file
        self._where = where
        self._kept = b""
        self._longest = 0

    def read(self, size: int) -> bytes:
        piece = self._file.read(size)
        text = self._kept + piece
        self._kept = b""
        at = text.find(_MARK)
        while at >= 0:
            plain = _PLAIN.match(text, at)
            if plain is None:
                if not piece or b">" in text[at:] or len(text) - at > _LONGEST_PLAIN:
                    self._refuse()
                break
            self._longest = max(self._longest, len(plain[1]))
            at = text.find(_MARK, at + len(_MARK))
        if piece:
            # A declaration may go on in the next piece, or its first word may.
            self._kept = text[at:] if at >= 0 else text[-len(_MARK) :]
        if piece.count(b"&") * self._longest > MOST_EXPANDED:
            self._refuse()
        return piece

    def _refuse(self) -> None:
        raise GraphSourceError(
            "The file declares an entity that is no short plain text; such entities are not expanded, since "
            "they can hold other files, or fill the memory.",
            where=self._where,
            hint="Write the text where the entity is used.",
        )


def check_rdf_xml(path: Path) -> dict[str, str]:
    """Read a file through, and return the namespace of each prefix.

    Raises:
        GraphSourceError: It is not well-formed, no RDF, or unsafe to parse.
    """
    reader = RdfXmlReader(str(path))
    with opened(path) as file:
        reader.feed(cast(BinaryIO, _PlainEntities(file, str(path))))
    return reader.prefixes
