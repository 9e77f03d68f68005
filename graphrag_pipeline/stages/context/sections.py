"""Several assemblers, one after the other, each with its share of the budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any, TypeAlias

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.faults import said_of
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.context.bullets import Bullets
from graphrag_pipeline.stages.context.jsonl import JsonLines
from graphrag_pipeline.stages.context.markdown import Markdown
from graphrag_pipeline.stages.context.passages import Passages
from graphrag_pipeline.stages.context.paths import Paths
from graphrag_pipeline.stages.context.triples import Triples
from graphrag_pipeline.stages.context.units import After
from graphrag_pipeline.stages.contract import ContextParams, TokenCounter
from graphrag_pipeline.stages.scored import BUDGET, POOL, Context, ScoredNode

# Any: each has parameters of its own.
PARTS: Mapping[str, Any] = {
    part.name: part for part in (Bullets, JsonLines, Markdown, Passages, Paths, Triples)
}
"""The assemblers that a section may be written by."""
SEPARATOR = "\n\n"
SHARED = ("max_tokens", "counter", "counter_params")
"""Parameters that sections do not have of their own."""
OWN: Mapping[str, Mapping[str, Any]] = {Bullets.name: {"keep_top": False, "single_line": True}}
"""What is another default in a section."""

Share: TypeAlias = Annotated[float, Field(gt=0, le=1e6)]


class SectionsParams(ContextParams):
    """Which sections there are."""

    sections: dict[str, Share] = Field(default_factory=lambda: {"paths": 0.3, "passages": 0.7}, min_length=1)
    """Share of the budget by the name of an assembler, in the order they are written; shares count in
    relation to their sum, and what a section leaves over goes to the next."""
    section_params: dict[str, dict[str, Any]] = Field(default_factory=dict, validate_default=True)
    """Parameters of the assemblers that take any, by name."""
    pool: int = Field(default=200, ge=1, le=10_000)
    """How many nodes are looked at, from the best on."""

    @field_validator("sections")
    @classmethod
    def _known(cls, sections: dict[str, float]) -> dict[str, float]:
        for name in sections:
            if name not in PARTS:
                raise ValueError(f"there is no section {name!r}; sections: {', '.join(sorted(PARTS))}")
        return sections

    @field_validator("section_params")
    @classmethod
    def _fitting(cls, given: dict[str, dict[str, Any]], info: ValidationInfo) -> dict[str, dict[str, Any]]:
        sections = info.data.get("sections", PARTS)
        for name, params in given.items():
            if name not in sections:
                raise ValueError(f"{name!r} is no section; sections: {', '.join(sections)}")
            for key in SHARED:
                if key in params:
                    raise ValueError(f"{name}.{key}: sections share one budget and one counter")
            if params.get("keep_top"):
                raise ValueError(f"{name}.keep_top: a section keeps to its share")
            if params.get("single_line") is False:
                raise ValueError(f"{name}.single_line: a label in a section stands on one line")
            _params(name, params)
        return given


def _params(name: str, given: Mapping[str, Any]) -> Params:
    """Return the parameters of a section.

    Raises:
        ValueError: They are wrong.
    """
    try:
        params: Params = PARTS[name].Params(**{**OWN.get(name, {}), **given})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, (name, *first["loc"])))
        if first["type"] == "extra_forbidden":
            keys = [key for key in PARTS[name].Params.model_fields if key not in SHARED]
            raise ValueError(f"{where}: unknown key; keys of {name}: {', '.join(keys)}") from None
        raise ValueError(f"{where}: {said_of(first)}") from None
    return params


@dataclass(slots=True)
class _Page:
    """What is written so far."""

    text: str = ""
    node_ids: dict[str, None] = field(default_factory=dict)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, part: Context, nodes: list[ScoredNode]) -> None:
        """Take in what a section wrote, and why it left nodes out."""
        if part.text:
            self.text += SEPARATOR + part.text if self.text else part.text
        ids = part.node_ids
        written = [node.node_id for node in nodes[: part.written]] if ids is None else ids
        self.node_ids.update(dict.fromkeys(written))
        there = set(written)
        for node in nodes:
            if node.node_id not in there:
                reason = part.left_out.get(node.node_id, part.rest)
                self.reasons.setdefault(node.node_id, []).append(reason)
        notes = part.notes or (() if part.text else ("nothing fits",))
        self.notes += [f"section {name}: {note}" for note in notes]

    def left_out(self) -> dict[str, str]:
        """Return why nodes are in no section: the budget if any section says so, else the first reason."""
        return {
            node_id: BUDGET if BUDGET in reasons else reasons[0]
            for node_id, reasons in self.reasons.items()
            if node_id not in self.node_ids
        }


class Sections(Component[SectionsParams]):
    """The sections in their order, a blank line between them; the text of all together keeps the budget."""

    name = "sections"
    Params = SectionsParams

    def assemble(
        self,
        scored: Iterable[ScoredNode],
        query: Query,
        index: GraphIndex,
        counter: TokenCounter,
        budget: int,
    ) -> Context:
        """Write each section up to the share of the budget that it and those before it have together.

        A section is measured together with the text before it, so that sums of counts play no part.
        """
        source = iter(scored)
        nodes = list(islice(source, self.params.pool))
        rest = BUDGET if next(source, None) is None else POOL
        page = _Page()
        total, share_so_far = sum(self.params.sections.values()), 0.0
        for name, share in self.params.sections.items():
            share_so_far += share
            before = page.text + SEPARATOR if page.text else ""
            room = budget if name == list(self.params.sections)[-1] else int(budget * share_so_far / total)
            assembler = PARTS[name](_params(name, self.params.section_params.get(name, {})))
            part: Context = assembler.assemble(nodes, query, index, After(counter, before), room)
            page.add(name, part, nodes)
        left = {node_id: reason for node_id, reason in page.left_out().items() if reason != rest}
        return Context(page.text, len(page.node_ids), tuple(page.node_ids), left, rest, tuple(page.notes))
