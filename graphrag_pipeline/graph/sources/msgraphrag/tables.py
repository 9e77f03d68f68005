"""The output folder of Microsoft GraphRAG: where it is, which layout it has, and its tables' rows.

The tables are described at https://microsoft.github.io/graphrag/index/outputs/. Releases before 2.0 wrote
``create_final_entities.parquet`` and so on, later ones ``entities.parquet``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.tables.columns import columns_text
from graphrag_pipeline.graph.sources.tables.files import listing
from graphrag_pipeline.graph.sources.tables.parquet_file import ParquetTable

OLD, NEW = "create_final_", ""
LAYOUTS = {OLD: "releases 0.1 to 1.x", NEW: "release 2.0 and later"}
TABLES = (
    "entities",
    "relationships",
    "nodes",
    "communities",
    "community_reports",
    "text_units",
    "documents",
    "covariates",
)
NEEDED = ("entities", "relationships")

Names = tuple[str, ...]
COMMON: tuple[Names, ...] = (("human_readable_id",), ("description",), ("text_unit_ids",))
USUAL: Mapping[tuple[str, str], tuple[Names, ...]] = {
    (OLD, "entities"): (("id",), ("type",), *COMMON, ("description_embedding",)),
    (OLD, "nodes"): (("community",), ("level",), ("degree",), ("x",), ("y",)),
    (NEW, "entities"): (
        ("id",),
        ("type",),
        *COMMON,
        ("frequency",),
        ("degree",),
        ("x",),
        ("y",),
        ("description_embedding",),
    ),
}
USUAL_ANYWHERE: Mapping[str, tuple[Names, ...]] = {
    "relationships": (("id",), *COMMON, ("weight",), ("combined_degree", "rank")),
    "communities": (("community", "id"), ("level",), ("parent",), ("children",), ("title",), ("entity_ids",)),
    "text_units": (("text",), ("n_tokens",), ("document_ids", "document_id"), ("entity_ids",)),
    "community_reports": (("community",), ("title",), ("summary",), ("full_content",)),
}
"""Columns that some releases write and others do not; one name of each group is enough."""

INDEX = "__index_level_"
"""How pandas calls a column of the numbers of its rows, which say nothing."""
NODES_READ = frozenset({"id", "title", "community", "level", "degree", "x", "y"})
SAID_ELSEWHERE = frozenset(
    {
        ("text_units", "relationship_ids"),
        ("text_units", "covariate_ids"),
        ("community_reports", "full_content_json"),
    }
)
"""Columns that repeat what other tables or columns hold."""

# Any throughout: a cell holds anything.
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Output:
    """A folder of tables.

    Args:
        folder: Where they are.
        prefix: What their names begin with: the layout.
        paths: The tables that are there, by what they hold.
    """

    folder: Path
    prefix: str
    paths: Mapping[str, Path]


def find_output(path: Path) -> Output:
    """Find the tables: in the folder itself, or where GraphRAG puts them below its root.

    Raises:
        GraphSourceError: There are none, there are several sets of them, or one set is of two layouts.
    """
    try:
        folders = [path] if _has_tables(path) else _below(path)
    except (OSError, ValueError) as error:
        raise GraphSourceError(f"The folder cannot be read: {error}.", where=str(path)) from error
    if not folders:
        what = "This is no output of GraphRAG" if path.is_dir() else "There is no such folder"
        raise GraphSourceError(
            f"{what}: it has entities.parquet and relationships.parquet.",
            where=str(path),
            hint=listing(path),
        )
    if len(folders) > 1:
        raise GraphSourceError(
            f"The folder has {len(folders)} outputs of GraphRAG.",
            where=str(path),
            hint=f"Give one of them as graph.path: {', '.join(map(str, folders))}.",
        )
    return _output(folders[0])


def _has_tables(folder: Path) -> bool:
    return any((folder / f"{prefix}{name}.parquet").is_file() for prefix in LAYOUTS for name in NEEDED)


def _below(path: Path) -> list[Path]:
    places = ("artifacts", "output", "output/artifacts", "*/artifacts", "output/*/artifacts")
    found = {folder: None for place in places for folder in sorted(path.glob(place)) if _has_tables(folder)}
    return list(found)


def _output(folder: Path) -> Output:
    paths = {
        prefix: {
            name: folder / f"{prefix}{name}.parquet"
            for name in TABLES
            if (folder / f"{prefix}{name}.parquet").is_file()
        }
        for prefix in LAYOUTS
    }
    both = [[path.name for path in found.values()] for found in paths.values() if found]
    if len(both) > 1:
        raise GraphSourceError(
            f"The folder holds tables of two layouts: {', '.join(both[0])}, but also {', '.join(both[1])}.",
            where=str(folder),
            hint="Remove those of the run that is not meant.",
        )
    prefix = OLD if paths[OLD] else NEW
    for name in NEEDED:
        if name not in paths[prefix]:
            raise GraphSourceError(
                f"The folder has no {prefix}{name}.parquet.", where=str(folder), hint=listing(folder)
            )
    return Output(folder, prefix, paths[prefix])


class OutputTable:
    """One table of an output; absent ones have no columns and no rows.

    Args:
        output: Where it is.
        name: What it holds.
        intake: Told which columns are not there.
    """

    def __init__(self, output: Output, name: str, intake: Intake) -> None:
        self._intake = intake
        self.file = f"{output.prefix}{name}.parquet"
        self.columns: Names = ()
        self._table: ParquetTable | None = None
        if name not in output.paths:
            return
        self._table = ParquetTable(output.paths[name], partial(_is_read, name))
        self.columns = self._table.columns
        if not self.columns:
            intake.note(f"{self.file} has no columns")
            return
        intake.total += self._table.row_count
        given = set(self._table.all_columns)
        for names in USUAL.get((output.prefix, name), ()) or USUAL_ANYWHERE.get(name, ()):
            if not given.intersection(names):
                intake.note(f"{self.file} has no column {names[0]}")
        if unread := [
            name for name in self._table.all_columns if name not in self.columns and INDEX not in name
        ]:
            intake.note(f"{self.file}: columns that are not read: {', '.join(unread)}")

    @property
    def where(self) -> str:
        """The file."""
        return self.file if self._table is None else self._table.where

    def column(self, *names: str) -> str:
        """Return the first of some columns that is there.

        Raises:
            GraphSourceError: None is.
        """
        for name in names:
            if name in self.columns:
                return name
        raise GraphSourceError(
            f"The table has no column {' or '.join(names)}.",
            where=self.where,
            hint=columns_text(self.columns),
        )

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Read and count the rows: each with its place, and without what is missing in it.

        Raises:
            GraphSourceError: The file is damaged.
        """
        if self._table is None or not self.columns:
            return
        for batch in self._table.batches():
            self._intake.read(self.file, batch.count)
            for at, cells in enumerate(zip(*batch.columns.values(), strict=True)):
                named = zip(batch.columns, cells, strict=True)
                yield batch.place(at), {name: cell for name, cell in named if not missing(cell)}


def _is_read(table: str, column: str) -> bool:
    if column.endswith("_embedding") or INDEX in column:
        return False
    return column in NODES_READ if table == "nodes" else (table, column) not in SAID_ELSEWHERE


def text(value: Any) -> str:
    """Return a name as text; the empty text for none."""
    return "" if missing(value) else str(whole(value) if isinstance(value, float) else value)


def whole(value: Any) -> Any:
    """Return a whole number that is written as a float or as text as one; anything else as it is."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.isdecimal() and value.isascii() and str(int(value[:18])) == value:
        return int(value)
    return value


def texts(value: Any) -> list[str]:
    """Return a list of ids; one id alone is a list of one."""
    if isinstance(value, list | tuple):
        return [text(item) for item in value if not missing(item)]
    return [] if missing(value) else [text(value)]
