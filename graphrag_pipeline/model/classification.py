"""Which Zachman cell an artefact belongs to, from its kind and its owner's persona id.

The default table gives the same cells as the reference system (``fcc-agent-team-ext`` 2.2.0,
``fcc.classification.zachman``); a YAML table of the same shape replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.model.zachman import Interrogative, Perspective, ZachmanCell


@dataclass(frozen=True, slots=True)
class ClassificationTable:
    """How kinds map to columns and persona id prefixes to rows.

    Args:
        kinds: Artefact kind, lower case, to column.
        prefixes: Persona id prefix, upper case, and its row; the first that fits wins.
        default_interrogative: Column of an unlisted kind.
        default_perspective: Row of an unlisted persona, or of none.
    """

    kinds: Mapping[str, Interrogative]
    prefixes: tuple[tuple[str, Perspective], ...]
    default_interrogative: Interrogative = Interrogative.WHAT
    default_perspective: Perspective = Perspective.ARCHITECT

    def classify(self, artifact_kind: str, persona_id: str = "") -> ZachmanCell:
        """Return the cell; case and outer blanks of both arguments do not matter."""
        column = self.kinds.get(artifact_kind.lower().strip(), self.default_interrogative)
        owner = persona_id.upper().strip()
        row = next(
            (row for prefix, row in self.prefixes if owner.startswith(prefix)), self.default_perspective
        )
        return ZachmanCell(row, column)

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read a table written as plain data.

        Args:
            data: ``{kinds: {column: [kind, …]}, prefixes: {row: [prefix, …]}, default: "row:column"}``;
                prefixes are tried in the order written.

        Raises:
            GraphSourceError: An unknown key, row or column, or a list that is not one of texts.
        """
        if not isinstance(data, Mapping) or (unknown := set(data) - {"kinds", "prefixes", "default"}):
            extra = f" Unknown: {', '.join(sorted(map(str, unknown)))}." if isinstance(data, Mapping) else ""
            raise GraphSourceError(f"A classification table has the keys kinds, prefixes and default.{extra}")
        try:
            default = ZachmanCell.from_coordinate(str(data.get("default", "architect:what")))
            kinds = {
                kind.lower().strip(): Interrogative.named(column)
                for column, kind in _pairs(data.get("kinds", {}), "kinds")
            }
            prefixes = tuple(
                (prefix.upper().strip(), Perspective.named(row))
                for row, prefix in _pairs(data.get("prefixes", {}), "prefixes")
            )
        except ValueError as error:
            raise GraphSourceError(f"The classification table is wrong: {error}.") from error
        return cls(kinds, prefixes, default.interrogative, default.perspective)


def _pairs(table: object, key: str) -> list[tuple[str, str]]:
    if not isinstance(table, Mapping):
        raise GraphSourceError(f"{key} must map a name to a list of texts.")
    pairs: list[tuple[str, str]] = []
    for name, values in table.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise GraphSourceError(
                f"{key}.{name} must be a list of texts.", hint="Quote numbers and yes/no words."
            )
        pairs += [(str(name), value) for value in values]
    return pairs


_KINDS = {
    "what": "data_model schema vocabulary dataset datasheet inventory ontology",
    "how": "workflow process pipeline function action",
    "where": "deployment network topology infrastructure geography",
    "who": "persona role team responsibility org_chart",
    "when": "schedule timeline milestone cadence event",
    "why": "rationale adr goal strategy motivation objective",
}
_PREFIXES = {
    "executive": "EXEC CEO CTO",
    "business_mgmt": "BIZ BOM ACL",
    "architect": "ARCH MCUR TARC ZCA",
    "engineer": "ENG FCON",
    "technician": "TECH OPS",
    "enterprise": "ENT HNAR",
}

REFERENCE_TABLE = ClassificationTable.from_dict(
    {
        "kinds": {column: kinds.split() for column, kinds in _KINDS.items()},
        "prefixes": {row: prefixes.split() for row, prefixes in _PREFIXES.items()},
        "default": "architect:what",
    }
)
"""The reference system's mapping."""


def classify(
    artifact_kind: str, persona_id: str = "", table: ClassificationTable = REFERENCE_TABLE
) -> ZachmanCell:
    """Return the Zachman cell of an artefact kind owned by a persona."""
    return table.classify(artifact_kind, persona_id)
