"""The parts of the config that no component owns."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from graphrag_pipeline.config.messages import nearest
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import CELLS, Interrogative, Perspective, ZachmanCell
from graphrag_pipeline.plugin.records import BUILTIN


class QuerySection(Params):
    """What is asked, and for whom."""

    text: str | None = None
    """The words; null means that none are given yet."""
    k: int = 10
    """Most seeds to start from; 0 or less means none."""
    persona: str | None = None
    """Persona id that scoring favours; null means nobody."""
    cell: str | None = None
    """Zachman cell the filter keeps, as row:column; null means no filter."""
    max_hops: int = 3
    """Most edges between a seed and a candidate; negative means 0."""

    @field_validator("cell")
    @classmethod
    def _is_a_cell(cls, cell: str | None) -> str | None:
        if cell is not None and cell not in {known.coordinate for known in CELLS}:
            best = nearest_cell(cell)
            raise ValueError(
                f"{cell!r} is not a Zachman cell; did you mean {best}? Write row:column with a row of "
                f"{', '.join(Perspective)} and a column of {', '.join(Interrogative)}"
            )
        return cell

    def query(self) -> Query:
        """Return the query; text that is not given yet is empty."""
        cell = None if self.cell is None else ZachmanCell.from_coordinate(self.cell)
        return Query(self.text or "", self.k, self.persona, cell, self.max_hops)


class PipelineSection(Params):
    """In which order the slots run."""

    order: tuple[str, ...]
    """Slot names in running order; a slot may appear twice."""


class PluginsSection(Params):
    """Plugins besides the installed ones, and those that are left out."""

    modules: tuple[str, ...] = Field(default=())
    """Dotted names of Python modules to load as plugins; one that a file names must be loaded already."""
    blocked: tuple[str, ...] = Field(default=())
    """Plugins to leave out, by their names or their distributions'."""

    @field_validator("blocked")
    @classmethod
    def _keeps_the_built_ins(cls, blocked: tuple[str, ...]) -> tuple[str, ...]:
        if BUILTIN in blocked:
            raise ValueError("the built-in components cannot be left out")
        return blocked


class IndexSection(Params):
    """Keeping compiled graphs from one run to the next."""

    cache_dir: str | None = Field(default="auto", min_length=1)
    """Directory for them; ``auto`` is the user's cache directory, null keeps none."""
    cache_from_nodes: int = Field(default=10_000, ge=0)
    """Smaller graphs are not kept: compiling them is as quick as finding them."""


class DatasetSection(Params):
    """The question set that is evaluated on."""

    name: str | None = Field(default=None, min_length=1)
    """What it is called in results; null takes the name of its directory or file."""
    path: str | None = Field(default=None, min_length=1)
    """A directory, or a file of queries."""
    format: Literal["auto", "folder", "beir", "trec", "hotpot", "hipporag", "autorag"] = "auto"
    """Its layout; ``auto`` finds out."""
    split: str | None = Field(default=None, min_length=1)
    """Which part of it, as in ``queries.dev.jsonl``; null means that it has no parts, or BEIR's ``test``."""
    queries: str | None = Field(default=None, min_length=1)
    """File of queries, in place of the one in the directory."""
    qrels: str | None = Field(default=None, min_length=1)
    """File of judgements, in place of the one in the directory."""
    paths: str | None = Field(default=None, min_length=1)
    """File of gold paths, in place of the one in the directory."""
    limit: int | None = Field(default=None, ge=1)
    """Take the first queries only, as many; null takes all."""


def nearest_cell(text: str) -> str:
    """Return the cell most like a text that is none."""
    row, _, column = text.strip().replace("/", ":").replace(".", ":").partition(":")
    best_row = nearest(row, Perspective, 0.4) or Perspective.ARCHITECT
    best_column = nearest(column, Interrogative, 0.4) or Interrogative.WHAT
    return f"{best_row}:{best_column}"
