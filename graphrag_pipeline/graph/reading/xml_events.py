"""XML from outside, element by element, with no entity ever expanded.

expat reads the file in pieces, so a large one is never held in memory. A document type may be named;
an entity that is declared in it is refused, internal or external: expanding it is how a small file
becomes gigabytes, or shows the content of another file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, NoReturn, Protocol, TypeAlias
from xml.parsers import expat

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import HEAD, LONGEST, head, looks_like, opened

PIECE = 256 << 10
LONGEST_TAG = 4 << 20
"""Most bytes of one tag with its attributes."""
DEEPEST = 500
CONTROLS = bytes(0x7F if byte < 0x20 and byte not in b"\t\n\r" else byte for byte in range(256))
XSI = "http://www.w3.org/2001/XMLSchema-instance}"
"""Prefix of the names of ``xsi:`` attributes."""
XML = "http://www.w3.org/XML/1998/namespace}"
"""Prefix of the names of ``xml:`` attributes."""

Attributes: TypeAlias = dict[str, str]


class XmlHandler(Protocol):
    """What is done with each element."""

    def start(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        """Take the start of an element.

        Args:
            tag: Its name without namespace.
            attributes: By name; those of a namespace as ``uri}name``, see :data:`XSI` and :data:`XML`.
            place: Knows the line and the namespace.
        """
        ...

    def end(self, tag: str, text: str, place: XmlReader) -> None:
        """Take the end of an element, with all text that stood in it outside of its children."""
        ...


class XmlReader:
    """Feeds one document to a handler.

    Args:
        handler: Told of every element.
        where: The file, for messages.
    """

    def __init__(self, handler: XmlHandler, where: str) -> None:
        self.where = where
        self.uri = ""
        """Namespace of the element at hand."""
        self._handler = handler
        self._text: list[list[str]] = []
        self._length = 0
        self._names: dict[str, tuple[str, str]] = {}
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._external
        parser.SkippedEntityHandler = self._skipped
        self._parser = parser

    @property
    def at(self) -> str:
        """File and line of the element at hand."""
        return f"{self.where}:{self._parser.CurrentLineNumber}"

    @property
    def depth(self) -> int:
        """How many elements are open, the one at hand included."""
        return len(self._text)

    def refuse(self, what: str, hint: str = "") -> NoReturn:
        """Refuse the document, naming the line at hand.

        Raises:
            GraphSourceError: Always.
        """
        raise GraphSourceError(what, where=self.at, hint=hint)

    def feed(self, file: BinaryIO) -> None:
        """Read the whole document.

        Control characters, which networkx and others write although no XML may hold them, are read as DEL,
        which it may hold, and which the intake replaces and counts.

        Raises:
            GraphSourceError: It is not well-formed, declares an entity, or has a value that is too long.
        """
        read, start = 0, b""
        try:
            while piece := file.read(PIECE):
                start = start or piece[:HEAD]
                read += len(piece)
                self._parser.Parse(piece if _is_wide(start) else piece.translate(CONTROLS), False)
                if read - self._parser.CurrentByteIndex > LONGEST_TAG + PIECE:
                    self.refuse(f"A tag is longer than {LONGEST_TAG >> 20} MiB.")
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise GraphSourceError(
                f"The file is not well-formed XML: {expat.ErrorString(error.code)}.",
                where=f"{self.where}:{error.lineno}:{error.offset + 1}",
                hint=_hint(start, read, self._parser.CurrentByteIndex),
            ) from error
        except (ValueError, LookupError) as error:  # an encoding that Python does not know
            raise GraphSourceError(f"The file cannot be read as XML: {error}.", where=self.where) from error

    def _start(self, name: str, attributes: Attributes) -> None:
        self.uri, tag = self._split(name)
        self._text.append([])
        if len(self._text) > DEEPEST:
            self.refuse(f"Elements are nested more than {DEEPEST} levels deep.")
        self._length = 0
        self._handler.start(tag, attributes, self)

    def _end(self, name: str) -> None:
        self.uri, tag = self._split(name)
        text = "".join(self._text[-1])
        self._length = 0
        self._handler.end(tag, text, self)
        self._text.pop()

    def _data(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST:
            self.refuse(f"A text is longer than {LONGEST >> 20} MiB.")
        self._text[-1].append(text)

    def _split(self, name: str) -> tuple[str, str]:
        found = self._names.get(name)
        if found is None:
            uri, _, tag = name.rpartition("}")
            found = self._names[name] = (uri, tag)
        return found

    def _skipped(self, name: str, _is_parameter: bool) -> None:
        # Without this, expat leaves the reference out of the text and says nothing.
        self.refuse(f"The entity {name!r} is declared in another file, which is not read.")

    # Any: expat's signature; only that it is called matters.
    def _entity(self, name: str, *_declared: Any) -> None:
        self.refuse(
            f"The file declares the entity {name!r}; entities are not expanded, since they can hold other "
            "files, or fill the memory.",
            "Remove the declarations from <!DOCTYPE …>, and write the text where each is used.",
        )

    def _external(self, *_reference: Any) -> int:
        self.refuse("The file refers to another file, which is not read.")


def read_xml(path: Path, handler: XmlHandler, wanted: str) -> None:
    """Feed a file to a handler.

    Args:
        path: The file.
        handler: Told of every element.
        wanted: What the file should be, for messages.

    Raises:
        GraphSourceError: It cannot be read, or see :meth:`XmlReader.feed`.
    """
    kind = looks_like(head(path))
    if "HTML" in kind:
        raise GraphSourceError(
            f"The file looks like an HTML page, not {wanted}.",
            where=str(path),
            hint="Download the file itself, not the page that shows it.",
        )
    if kind and "XML" not in kind and "UTF-16" not in kind:
        raise GraphSourceError(f"The file is not {wanted}.", where=str(path), hint=kind)
    with opened(path) as file:
        XmlReader(handler, str(path)).feed(file)


def _is_wide(start: bytes) -> bool:
    """Whether a character takes two bytes or more, so that a byte of zero is none of its own."""
    return start.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in start[:4]


def _hint(start: bytes, read: int, at: int) -> str:
    kind = looks_like(start)
    if kind and "XML" not in kind:
        return kind
    return "It ends too early: copy or download it again." if read and at >= read - 1 else ""
