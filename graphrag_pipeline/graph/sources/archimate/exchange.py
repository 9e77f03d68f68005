"""The Open Group's ArchiMate Model Exchange File Format, versions 2.x and 3.x.

See https://www.opengroup.org/xsd/archimate/. Version 2 writes ``label`` for ``name``, ``propertydef`` for
``propertyDefinition``, ``organization`` for ``organizations``, and its references in lower case.
"""

from __future__ import annotations

from graphrag_pipeline.graph.reading.xml_events import XML, XSI, Attributes, XmlReader
from graphrag_pipeline.graph.sources.archimate.model import (
    Concept,
    Definition,
    Model,
    Property,
    Text,
    preferred,
)
from graphrag_pipeline.graph.sources.archimate.names import access_type, bare, junction_type

NAMESPACE = "http://www.opengroup.org/xsd/archimate"
"""What the namespace begins with; since version 3 the version follows."""

CONCEPTS = ("element", "relationship", "view")
DEFINITIONS = ("propertydefinition", "propertydef")
NAMES = ("name", "label")


class ExchangeModel:
    """Takes the elements of an exchange file, and fills a model.

    Args:
        namespace: Of the file's root.
        language: Which names folders and properties go by, when they have several; None means the first.
    """

    def __init__(self, namespace: str, language: str | None) -> None:
        version = namespace.removeprefix(NAMESPACE).strip("/") or "2"
        self.model = Model(f"an ArchiMate exchange file, version {version}", exchange=True)
        self._namespace = namespace
        self._language = language
        self._open: list[Text] = []
        """Name and language of each element that is open."""
        self._concept: Concept | None = None
        self._level = 0
        self._names: list[Text] = []
        """Names of the model, or of the property definition at hand."""
        self._definition = Definition("")
        self._property: Property | None = None
        self._folders: list[list[Text]] = []

    def start(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        """Take the start of an element."""
        parent, language = self._open[-1] if self._open else ("", "")
        name = tag.lower() if place.uri == self._namespace else ""
        self._open.append((name, attributes.get(f"{XML}lang", language)))
        given = {key.lower(): value for key, value in attributes.items()}
        if name in CONCEPTS and parent in (f"{name}s", "diagrams") and self._concept is None:
            self._begin(name, given, place)
        elif name in DEFINITIONS:
            self._define(given)
        elif name == "property":
            self._begin_property(given, place)
        elif name == "item":
            self._item(given)
        elif name in ("node", "connection"):
            self._drawn(given)

    def end(self, tag: str, text: str, place: XmlReader) -> None:
        """Take the end of an element."""
        name, language = self._open.pop()
        parent = self._open[-1][0] if self._open else ""
        if self._concept is not None and place.depth == self._level:
            self._concept = None
        elif name in NAMES:
            self._name(parent, (language, text.strip()), place)
        elif name == "documentation" and text:
            if self._concept is None:
                self.model.remarks += 1
            elif place.depth == self._level + 1:
                self._concept.documentation.append((language, text))
        elif name == "value" and self._property is not None:
            self._property.values.append((language, text))
        elif name == "property":
            self._property = None
        elif name == "item":
            self._folders.pop()

    def _begin(self, name: str, given: Attributes, place: XmlReader) -> None:
        written = bare(given.get(XSI_TYPE, ""))
        found = {
            "junction": junction_type(written, ""),
            "access": access_type(given["accesstype"]) if "accesstype" in given else "",
            "strength": given.get("modifier", ""),
            "directed": given.get("isdirected", ""),
            "viewpoint": given.get("viewpoint", ""),
        }
        self._concept, self._level = (
            Concept(
                given.get("identifier", ""),
                written,
                place.at,
                source=given.get("source", ""),
                target=given.get("target", ""),
                attributes={key: value for key, value in found.items() if value},
            ),
            place.depth,
        )
        model = self.model
        lists = {"element": model.elements, "relationship": model.relations, "view": model.views}
        lists[name].append(self._concept)

    def _name(self, parent: str, name: Text, place: XmlReader) -> None:
        if self._concept is not None:
            if place.depth == self._level + 1:
                self._concept.names.append(name)
        elif parent == "item":
            self._folders[-1].append(name)
        elif parent in DEFINITIONS or place.depth == 2:
            self._names.append(name)
            chosen = preferred(self._names, self._language)[1]
            if place.depth == 2:
                self.model.name = chosen
            else:
                self._definition.name = chosen

    def _define(self, given: Attributes) -> None:
        self._names = []
        self._definition = Definition(given.get("name", ""), given.get("type", "string").lower())
        self.model.definitions[given.get("identifier", "")] = self._definition

    def _begin_property(self, given: Attributes, place: XmlReader) -> None:
        key = given.get("propertydefinitionref") or given.get("identifierref", "")
        self._property = Property(key, [], place.at)
        if self._concept is None:
            self.model.remarks += 1
        elif place.depth == self._level + 2:
            self._concept.properties.append(self._property)

    def _item(self, given: Attributes) -> None:
        names = [preferred(folder, self._language)[1] for folder in self._folders if folder]
        self._folders.append([])
        if (identifier := given.get("identifierref")) and names:
            self.model.folders.setdefault(identifier, []).append("/".join(names))

    def _drawn(self, given: Attributes) -> None:
        if self._concept is None:
            return
        if element := given.get("elementref"):
            self._concept.drawn.append(element)
        else:
            self._concept.decorations += 1


XSI_TYPE = f"{XSI}type".lower()
