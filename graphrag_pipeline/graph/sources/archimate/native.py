"""The native format of Archi, of every version: folders with elements, relations and views.

The format is what Archi's model code writes: ``archimate.ecore`` in https://github.com/archimatetool/archi.
"""

from __future__ import annotations

from graphrag_pipeline.graph.reading.xml_events import XSI, Attributes, XmlReader
from graphrag_pipeline.graph.sources.archimate.model import Concept, Model, Property
from graphrag_pipeline.graph.sources.archimate.names import SUFFIX, access_type, bare, junction_type

NAMESPACES = ("http://www.archimatetool.com/archimate", "http://www.bolton.ac.uk/archimate")
"""Of Archi since version 2.3, and before."""


class NativeModel:
    """Takes the elements of a native file, and fills a model."""

    def __init__(self) -> None:
        self.model = Model("Archi's native format")
        self._folders: list[str] = []
        self._concept: Concept | None = None
        self._level = 0

    def start(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        """Take the start of an element."""
        if place.depth == 1:
            self.model.name = attributes.get("name", "")
            self.model.format += f", version {attributes.get('version') or 'unknown'}"
        elif tag == "folder":
            self._folders.append(attributes.get("name", ""))
        elif tag == "element" and self._concept is None:
            self._begin(attributes, place)
        elif tag == "profile":
            self.model.profiles[attributes.get("id", "")] = attributes.get("name", "")
        elif tag == "property":
            self._property(attributes, place)
        elif tag in ("child", "sourceConnection"):
            self._drawn(attributes)

    def end(self, tag: str, text: str, place: XmlReader) -> None:
        """Take the end of an element."""
        if self._concept is not None and place.depth == self._level:
            self._concept = None
        elif tag == "folder" and self._folders:
            self._folders.pop()
        elif tag in ("documentation", "purpose") and text:
            if self._concept is None:
                self.model.remarks += 1
            elif place.depth == self._level + 1:
                self._concept.documentation.append(("", text))

    def _begin(self, attributes: Attributes, place: XmlReader) -> None:
        written = bare(attributes.get(f"{XSI}type", ""))
        concept = Concept(
            attributes.get("id", ""),
            written,
            place.at,
            names=[("", attributes.get("name", ""))],
            profiles=attributes.get("profiles", "").split(),
            folders=["/".join(self._folders)] if self._folders else [],
            source=attributes.get("source", ""),
            target=attributes.get("target", ""),
            attributes=_attributes(written, attributes),
        )
        self._concept, self._level = concept, place.depth
        if written.endswith(SUFFIX) or ("source" in attributes and "target" in attributes):
            self.model.relations.append(concept)
        elif written.endswith("Model"):
            self.model.views.append(concept)
        else:
            self.model.elements.append(concept)

    def _property(self, attributes: Attributes, place: XmlReader) -> None:
        if self._concept is None:
            self.model.remarks += 1
        elif place.depth == self._level + 1:
            value = [("", attributes.get("value", ""))]
            self._concept.properties.append(Property(attributes.get("key", ""), value, place.at))

    def _drawn(self, attributes: Attributes) -> None:
        if self._concept is None:
            return
        if element := attributes.get("archimateElement"):
            self._concept.drawn.append(element)
        else:
            self._concept.decorations += 1


def _attributes(written: str, attributes: Attributes) -> dict[str, str]:
    found = {
        "junction": junction_type(written, attributes.get("type", "")),
        "strength": attributes.get("strength", ""),
        "directed": attributes.get("directed", ""),
        "viewpoint": attributes.get("viewpoint", ""),
    }
    if written.startswith("Access"):
        found["access"] = access_type(attributes.get("accessType", ""))
    return {key: value for key, value in found.items() if value}
