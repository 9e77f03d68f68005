"""Entities, relationships and text units of a Microsoft GraphRAG output, as nodes and edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphrag_pipeline.graph.attributes import DEFAULT_EDGE_TYPE
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.msgraphrag.communities import Communities, Memberships
from graphrag_pipeline.graph.sources.msgraphrag.tables import OutputTable, Row, text, texts, whole

ORDER = (
    "id",
    "human_readable_id",
    "description",
    "degree",
    "frequency",
    "combined_degree",
    "x",
    "y",
    "communities",
    "text_unit_ids",
)
"""Properties that come first, so that one graph in two layouts is one graph."""
FOLDED = ("degree", "x", "y")
LABEL = 80
"""Characters of a passage that are its label."""
MENTIONS = "entities that text units mention"


class OutputReader:
    """Hands the records of an output over.

    Args:
        intake: Takes them.
        tables: All tables that are read; those that are not there, or not asked for, are empty.
        communities: Whether communities become nodes.
    """

    def __init__(self, intake: Intake, tables: Mapping[str, OutputTable], *, communities: bool) -> None:
        self._intake = intake
        self._tables = tables
        self._as_nodes = communities
        self._members = Memberships()
        self._communities = Communities(intake)
        self._nodes: dict[str, str] = {}
        """Ids of the nodes of entities, by the entities' own ids."""
        self._mentioned: dict[str, list[str]] = {}

    def read(self) -> None:
        """Read all tables.

        Raises:
            GraphSourceError: One is damaged, or misses a column that it must have.
        """
        by_id = "id" in self._tables["entities"].columns
        folded = _FoldedNodes(self._intake, self._tables["nodes"], self._members, by_id=by_id)
        self._communities.read(self._tables["communities"], self._members, as_nodes=self._as_nodes)
        self._entities(folded)
        folded.account()
        self._relationships()
        self._text_units()
        if self._as_nodes:
            self._communities.complete(self._members)
            self._communities.reports(self._tables["community_reports"])
            self._communities.hand_over(self._nodes)

    def _entities(self, folded: _FoldedNodes) -> None:
        table = self._tables["entities"]
        if not table.columns:
            return
        title_key = table.column("title", "name")
        typed = "type" in table.columns
        passages = bool(self._tables["text_units"].columns)
        alone = 0
        for place, row in table.rows():
            title, entity_id = text(row.pop(title_key, None)), text(row.get("id"))
            key, node_id = entity_id or title, title or entity_id
            units = row.pop("text_unit_ids", None)
            if passages:
                for unit in texts(units):
                    self._mentioned.setdefault(unit, []).append(node_id)
            elif units is not None:
                row["text_unit_ids"] = units
            kind = text(row.pop("type", None)) if typed else "entity"
            communities = self._members.of(key)
            alone += not communities
            more = {**folded.of(key), **({"communities": communities} if communities else {})}
            if key:
                self._nodes.setdefault(key, node_id)
            self._intake.node(node_id, kind, title, at=place, properties=_ordered({**more, **row}))
        if alone and self._members:
            self._intake.note(f"entities in no community: {alone}")

    def _relationships(self) -> None:
        table = self._tables["relationships"]
        if not table.columns:
            return
        source, target = table.column("source"), table.column("target")
        for place, row in table.rows():
            ends = text(row.pop(source, None)), text(row.pop(target, None))
            if "combined_degree" not in row and "rank" in row:
                # Releases before 0.5 called it so.
                row["combined_degree"] = row.pop("rank")
            weight = row.pop("weight", None)
            self._intake.edge(*ends, DEFAULT_EDGE_TYPE, at=place, weight=weight, properties=_ordered(row))

    def _text_units(self) -> None:
        table = self._tables["text_units"]
        if not table.columns:
            return
        key = table.column("id")
        taken = set(self._nodes.values())
        for place, row in table.rows():
            unit = text(row.pop(key, None))
            entities = [self._nodes.get(entity, entity) for entity in texts(row.pop("entity_ids", None))]
            if unit in taken:
                self._intake.repair("a text unit has the id of an entity; its own one was changed", place)
            node_id = f"text_unit:{unit}" if unit in taken else unit
            documents = texts(row.pop("document_ids", None) or row.pop("document_id", None))
            properties = {**row, "document_ids": documents} if documents else row
            label = _beginning(text(row.get("text"))) or unit
            self._intake.node(node_id, "passage", label, at=place, properties=_ordered(properties))
            # Both tables say who is mentioned where, and some releases only one of them.
            self._mention(node_id, [*entities, *self._mentioned.pop(unit, ())], place)
        for unit, entities in self._mentioned.items():
            self._mention(unit, entities, f"text unit {unit}")

    def _mention(self, unit: str, entities: Iterable[str], place: str) -> None:
        for entity in dict.fromkeys(entities):
            self._intake.edge(unit, entity, "mentions", at=place, made=MENTIONS)


class _FoldedNodes:
    """The table of nodes of early releases: an entity has one row a level there."""

    def __init__(self, intake: Intake, table: OutputTable, members: Memberships, *, by_id: bool) -> None:
        self._intake = intake
        self._file = table.file
        self._rows: dict[str, Row] = {}
        self._places: dict[str, list[str]] = {}
        for place, row in table.rows():
            key = (text(row.get("id")) if by_id else "") or text(row.get("title"))
            members.add(key, row.get("community"), row.get("level"))
            self._rows.setdefault(key, {name: row[name] for name in FOLDED if name in row})
            self._places.setdefault(key, []).append(place)

    def of(self, key: str) -> Row:
        """Return what the table says of an entity."""
        if rows := len(self._places.pop(key, ())):
            self._intake.absorb(f"rows of {self._file} that became properties of entities", rows)
        return self._rows.get(key, {})

    def account(self) -> None:
        """Account for the rows that no entity took."""
        for places in self._places.values():
            for place in places:
                self._intake.skip("a row of the table of nodes is about no entity", place)


def _ordered(row: Row) -> dict[str, Any]:  # Any: properties hold anything
    if "human_readable_id" in row:
        # Text in the relationships of early releases.
        row["human_readable_id"] = whole(row["human_readable_id"])
    first = {name: row[name] for name in ORDER if name in row}
    return {**first, **row}


def _beginning(passage: str) -> str:
    # Text units are cut by length, so that their first line may be the last word of one.
    words = " ".join(passage[: 8 * LABEL].lstrip("\ufeff").split())
    return words if len(words) <= LABEL else words[:LABEL].rstrip() + "…"
