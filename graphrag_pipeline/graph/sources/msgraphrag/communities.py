"""Communities of a Microsoft GraphRAG output: who is in which, and what their reports say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.msgraphrag.tables import OutputTable, Row, text, texts, whole

NOWHERE = -1
"""Number of the community of those that are in none."""
LAST = 1 << 30
RENAMED = {"summary": "description", "full_content": "text", "rating_explanation": "rank_explanation"}
"""Columns of reports whose properties have another name: that of texts everywhere, or of earlier releases."""

# Any throughout: community numbers are what the file holds; cells hold anything.


@dataclass(slots=True)
class Community:
    """One community, from whichever tables name it."""

    number: Any
    title: str = ""
    place: str = ""
    """Where its row is; the empty text when no row stands for it."""
    properties: Row = field(default_factory=dict)
    members: dict[str, None] = field(default_factory=dict)
    parent: Any = None
    children: list[Any] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        """Its id in the graph."""
        return node_id(self.number)


def number_of(value: Any) -> Any:
    """Return the number of a community, or the text that a file has for one; None where there is none."""
    number = whole(value)
    return number if isinstance(number, int) else text(value) or None


def node_id(number: Any) -> str:
    """Return the id of a community's node."""
    return f"community:{number}"


class Memberships:
    """Which communities each entity is in, by the entity's id or, in files without ids, its title."""

    def __init__(self) -> None:
        self._of: dict[str, dict[Any, int]] = {}

    def add(self, entity: str, number: Any, level: Any) -> None:
        """Remember that an entity is in a community; number -1 is none."""
        number, level = number_of(number), whole(level)
        if number is not None and number != NOWHERE:
            self._of.setdefault(entity, {})[number] = level if isinstance(level, int) else LAST

    def of(self, entity: str) -> list[Any]:
        """Return an entity's communities, the one of the highest level first."""
        found = self._of.get(entity, {})
        return sorted(found, key=lambda number: (found[number], str(number).zfill(20)))

    def __bool__(self) -> bool:
        return bool(self._of)

    def by_community(self) -> dict[Any, tuple[Any, list[str]]]:
        """Return level and members of each community, in order of first member."""
        found: dict[Any, tuple[Any, list[str]]] = {}
        for entity, numbers in self._of.items():
            for number, level in numbers.items():
                found.setdefault(number, (level, []))[1].append(entity)
        return found


class Communities:
    """Gathers communities from the tables that name them, and hands them over as nodes.

    Args:
        intake: Takes the records.
    """

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._of: dict[Any, Community] = {}

    def read(self, table: OutputTable, members: Memberships, *, as_nodes: bool) -> None:
        """Read the table of communities.

        Args:
            table: The table.
            members: Takes who is in them.
            as_nodes: Whether they become nodes.

        Raises:
            GraphSourceError: The table has no column with their numbers, or is damaged.
        """
        if not table.columns:
            return
        key = table.column("community", "id")
        for place, row in table.rows():
            number = number_of(row.get(key))
            for entity in texts(row.get("entity_ids")):
                members.add(entity, number, row.get("level"))
            if not as_nodes:
                self._intake.absorb(f"rows of {table.file} that became properties of entities")
            elif number is None or number in self._of:
                self._intake.skip("a community without a number of its own", place)
            else:
                self._of[number] = Community(
                    number,
                    text(row.get("title")),
                    place,
                    {name: row[name] for name in row if name not in (key, "title", "entity_ids")},
                    dict.fromkeys(texts(row.get("entity_ids"))),
                    number_of(row.get("parent")),
                    [number_of(child) for child in texts(row.get("children"))],
                )

    def complete(self, members: Memberships) -> None:
        """Add what only the table of nodes says: early releases list no members, or no communities."""
        for number, (level, entities) in members.by_community().items():
            community = self._of.setdefault(number, Community(number))
            if not community.properties and level != LAST:
                community.properties["level"] = level
            if not community.members:
                community.members = dict.fromkeys(entities)

    def reports(self, table: OutputTable) -> None:
        """Read the table of reports: each is about one community.

        Raises:
            GraphSourceError: The table has no column with communities' numbers, or is damaged.
        """
        if not table.columns:
            return
        key = table.column("community")
        for place, row in table.rows():
            number = number_of(row.get(key))
            if number is None:
                self._intake.skip("a report about no community", place)
                continue
            community = self._of.setdefault(number, Community(number))
            if community.place:
                self._intake.absorb(f"rows of {table.file} that became properties of communities")
            else:
                # No row of its own: the report's row stands for the community.
                community.place = place
            community.title = text(row.pop("title", None)) or community.title
            del row[key]
            # Ids, sizes and levels that both tables have are the community's.
            said = {RENAMED.get(column, column): cell for column, cell in row.items()}
            community.properties = {**said, **community.properties}

    def hand_over(self, nodes: Mapping[str, str]) -> None:
        """Hand over all communities as nodes, then what each contains.

        Args:
            nodes: Ids of the entities' nodes, by the keys under which the members are listed.
        """
        for community in self._of.values():
            self._intake.node(
                community.node_id,
                "community",
                community.title or f"Community {community.number}",
                at=community.place,
                properties={"community": community.number, **community.properties},
                made="" if community.place else "communities that no table lists",
            )
        parts = self._parts()
        for community in self._of.values():
            members = [nodes.get(entity, entity) for entity in community.members]
            self._contains(community, members, "entities in communities")
            inner = [node_id(number) for number in parts.get(community.number, ())]
            self._contains(community, inner, "communities in communities")

    def _parts(self) -> dict[Any, dict[Any, None]]:
        """Return the communities inside each; some releases say it of the outer, some of the inner one."""
        parts: dict[Any, dict[Any, None]] = {}
        for community in self._of.values():
            inner = [number for number in community.children if number in self._of]
            parts.setdefault(community.number, {}).update(dict.fromkeys(inner))
        for community in self._of.values():
            if community.parent in self._of:
                parts[community.parent][community.number] = None
        return parts

    def _contains(self, community: Community, parts: Iterable[str], made: str) -> None:
        for part in parts:
            self._intake.edge(community.node_id, part, "contains", at=community.place, made=made)
