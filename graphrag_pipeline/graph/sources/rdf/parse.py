"""RDF files of every format, statement by statement, read by pyoxigraph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, NoReturn, TypeAlias

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import LONGEST, head, looks_like, need, opened
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.rdf import terms as rdf_terms
from graphrag_pipeline.graph.sources.rdf.density import Density, Names
from graphrag_pipeline.graph.sources.rdf.depth import refuse_deep_brackets
from graphrag_pipeline.graph.sources.rdf.json import checked_json
from graphrag_pipeline.graph.sources.rdf.terms import XSD, Quoted
from graphrag_pipeline.graph.sources.rdf.xml import check_rdf_xml

Format: TypeAlias = Literal["turtle", "ntriples", "nquads", "trig", "rdfxml", "jsonld"]
Term: TypeAlias = str | rdf_terms.Literal | Quoted
"""An IRI, a blank node as ``_:name``, a literal, or a triple."""

SUFFIXES: dict[str, Format] = {
    ".ttl": "turtle",
    ".nt": "ntriples",
    ".nq": "nquads",
    ".trig": "trig",
    ".rdf": "rdfxml",
    ".jsonld": "jsonld",
}
PARSERS: dict[Format, str] = {
    "turtle": "TURTLE",
    "ntriples": "N_TRIPLES",
    "nquads": "N_QUADS",
    "trig": "TRIG",
    "rdfxml": "RDF_XML",
    "jsonld": "JSON_LD",
}
"""Names that pyoxigraph gives its parsers."""

PLAIN = f"{XSD}string"
BOM = b"\xef\xbb\xbf"

_NAMED = re.compile(rb"\s*<[A-Za-z][A-Za-z0-9+.-]*:")
_PLACE = re.compile(r"Parser error (?:at line|between line) .*?: ")
_TRIPLE = re.compile(
    rb"(?:<[^>]*>|_:\S+)\s*<[^>]*>\s*(?:<[^>]*>|_:\S+|\"[^\n]*\"\S*)\s*(<[^>]*>|_:\S+)?\s*\.\s"
)


class Statement(NamedTuple):
    """A triple, and the named graph that it is in: the empty text for none."""

    subject: str
    predicate: str
    object: Term
    graph: str


# Any below: pyoxigraph is optional, so its types are not there to name.
class RdfFile:
    """Reads the statements of a file.

    Args:
        path: The file.
        intake: Told of what was changed.
        asked: The format, where the caller says so.
        base: What relative IRIs are relative to.
        lenient: Whether IRIs are taken as they are, valid or not.
    """

    def __init__(
        self,
        path: Path,
        intake: Intake,
        *,
        asked: Format | None = None,
        base: str | None = None,
        lenient: bool = False,
    ) -> None:
        self._ox = need("pyoxigraph", "rdf", "RDF files")
        self._path = path
        self._intake = intake
        self._start = head(path)
        self._base = base
        self._lenient = lenient
        self.format: Format = asked or format_of(path, self._start)
        self.prefixes: dict[str, str] = {}
        """Namespace of each prefix that the file declares; complete when it has been read."""
        self._density = Density.of(path)
        self._name = Names(self._density).kept
        self._blank: dict[str, str] = {}
        self._taken: Callable[[], int] = lambda: self._density.size

    def __iter__(self) -> Iterator[Statement]:
        """Yield each statement, in the order of the file.

        Raises:
            GraphSourceError: The file is not of its format, or is unsafe to read.
        """
        checked = self._checked()
        with opened(self._path) as file:
            marked = self._start.startswith(BOM)
            file.seek(len(BOM) if marked else 0)
            if checked is None:
                self._taken = file.tell
            try:
                yield from self._statements(file if checked is None else checked)
            except (SyntaxError, ValueError) as error:
                self._refuse(error)
            except MemoryError as error:
                longer = f"A text or a name is longer than {LONGEST >> 20} MiB."
                raise GraphSourceError(longer, where=str(self._path)) from error

    def _checked(self) -> bytes | None:
        """Refuse a file that is unsafe to parse; return its content where that was written anew."""
        if self.format == "jsonld":
            return checked_json(self._path, self._intake)
        if self.format == "rdfxml":
            self.prefixes.update(check_rdf_xml(self._path))
        else:
            refuse_deep_brackets(self._path)
        return None

    def check(self, statements: int, blank: int, items: int) -> None:
        """Refuse a file that makes far more than what was read of it can honestly say.

        Args:
            statements: How many there were until now.
            blank: Blank nodes that they are about.
            items: How many of those are parts of lists.

        Raises:
            GraphSourceError: There are too many.
        """
        self._density.check(self._taken(), statements, blank, items)

    def _statements(self, source: BinaryIO | bytes) -> Iterator[Statement]:
        ox = self._ox
        parser = ox.parse(
            source,
            format=getattr(ox.RdfFormat, PARSERS[self.format]),
            base_iri=self._base,
            lenient=self._lenient,
        )
        for subject, predicate, object_, graph in parser:
            named = "" if type(graph) is ox.DefaultGraph else self._resource(graph)
            yield Statement(self._resource(subject), self._name(predicate.value), self._term(object_), named)
        self.prefixes.update(parser.prefixes)

    def _resource(self, term: Any) -> str:
        if type(term) is self._ox.BlankNode:
            # How many there are is looked at elsewhere, and their names are short.
            name = f"_:{term.value}"
            return self._blank.setdefault(name, name)
        return self._name(term.value)

    def _term(self, term: Any) -> Term:
        kind = type(term)
        if kind is self._ox.Literal:
            language = term.language
            if language:
                return rdf_terms.Literal(term.value, self._name(language))
            datatype = term.datatype.value
            return rdf_terms.Literal(term.value, "", "" if datatype == PLAIN else self._name(datatype))
        if kind is self._ox.Triple:
            subject, predicate, inner = term
            return Quoted(self._resource(subject), self._name(predicate.value), self._term(inner))
        return self._resource(term)

    def _refuse(self, error: SyntaxError | ValueError) -> NoReturn:
        told = error.msg if isinstance(error, SyntaxError) else str(error)
        what = _PLACE.sub("", told).strip().rstrip(".")
        where = str(self._path)
        if isinstance(error, SyntaxError) and error.lineno is not None and self.format != "jsonld":
            where += f":{error.lineno}:{error.offset or 1}"
        raise GraphSourceError(
            f"The file cannot be read as {self.format}: {what:.300}.", where=where, hint=self._hint(what)
        ) from error

    def _hint(self, what: str) -> str:
        if "base IRI" in what:
            return "graph.base must be an IRI such as http://example.org/"
        if "No scheme found" in what:
            return "The IRI is relative. Say to what: graph.base=http://example.org/"
        if "IRI" in what:
            return "graph.lenient=true takes IRIs as they are."
        if not _NAMED.match(self._start) and (seems := looks_like(self._start)):
            return seems
        return "If it is another format, say so: graph.format=turtle, ntriples, rdfxml and so on."


def format_of(path: Path, start: bytes) -> Format:
    """Return the format of a file, by its first bytes where they are clear, or else by its name.

    Raises:
        GraphSourceError: Neither says it.
    """
    text = start.removeprefix(BOM).lstrip()
    named = SUFFIXES.get(path.suffix.lower())
    if re.match(rb"<\?xml|<!DOCTYPE|<!--|<(\w+:)?RDF\b", text):
        return "rdfxml"
    if named is not None and named != "rdfxml":
        return named
    if re.match(rb"\{|\[\s*[{\]]", text):
        return "jsonld"
    if re.match(rb"(#[^\n]*\s+)*(@prefix|@base|prefix\s|base\s)", text, re.IGNORECASE):
        return "turtle"
    lines = re.sub(rb"(?m)^\s*#.*\n", b"", text)
    if (triple := _TRIPLE.match(lines)) is not None:
        return "nquads" if triple[1] else "ntriples"
    if named is not None:
        return named
    raise GraphSourceError(
        "The file is no RDF that is known.",
        where=str(path),
        hint=looks_like(start) or "Say what it is: graph.format=turtle, ntriples, rdfxml and so on.",
    )
