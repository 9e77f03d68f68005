"""What the best nodes say, each text under its node's label."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

from pydantic import Field

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.body import passages
from graphrag_pipeline.stages.context.neutral import indented, one_line, typed
from graphrag_pipeline.stages.context.packed import PackedAssembler
from graphrag_pipeline.stages.context.packing import PackedParams
from graphrag_pipeline.stages.context.sentences import sentence_ends
from graphrag_pipeline.stages.context.units import Omission, Unit, alone
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import NO_TEXT, TOO_LONG, ScoredNode

CUT = " …"
"""Written behind a text that goes on."""


class PassagesParams(PackedParams):
    """How texts are written and cut."""

    split: Literal["sentence", "none"] = "sentence"
    """Cut the best text that does not fit, at the end of a sentence; ``none`` writes whole texts only."""
    passage_tokens: int | None = Field(default=None, ge=1)
    """Most tokens of one entry: longer ones are cut at the end of a sentence, or left out where ``split`` is
    ``none`` or the first sentence is too long; null means no limit but the budget."""
    without_text: Literal["skip", "label"] = "skip"
    """What becomes of a node that says nothing: it is left out, or its label is written."""
    ids: bool = True
    """Write node ids, so that a reader can name what it relies on."""
    header: str = ""
    """A line before the first text."""


class Passages(PackedAssembler[PassagesParams]):
    """A line with label, type and id, and under it the node's text, two blanks in.

    Only nodes' lines start at the margin. A text that two nodes share is written once.
    """

    name = "passages"
    Params = PassagesParams

    def header(self) -> str:
        """Return the line before the first text."""
        return one_line(self.params.header)

    def units(
        self, nodes: Sequence[ScoredNode], index: GraphIndex, counter: TokenCounter
    ) -> Iterator[Unit | Omission]:
        """Yield one entry for each node with a text."""
        for rank, (node, body) in enumerate(zip(nodes, passages(nodes, index), strict=True)):
            if indented(body):
                yield self._entry(rank, node, body, alone(counter))
            elif self.params.without_text == "label":
                yield Unit(typed(node, self.params.ids), (node.node_id,), rank, node.score)
            else:
                yield Omission(node.node_id, NO_TEXT)

    def _entry(self, rank: int, node: ScoredNode, body: str, count: Callable[[str], int]) -> Unit | Omission:
        head, limit = typed(node, self.params.ids), self.params.passage_tokens
        text = f"{head}\n{indented(body)}"
        sentences = _Sentences(head, body) if self.params.split == "sentence" else None
        unit = Unit(text, (node.node_id,), rank, node.score, " ".join(body.split()), sentences)
        if limit is None or count(text) <= limit:
            return unit
        if sentences is None:
            return Omission(node.node_id, TOO_LONG)
        fitting = bisect_right(
            range(1, sentences.count()), limit, key=lambda first: count(sentences.first(first))
        )
        if not fitting:
            return Omission(node.node_id, TOO_LONG)
        shorter = _Sentences(head, body, fitting)
        return replace(unit, text=shorter.first(fitting), sentences=shorter)


class _Sentences:
    """The sentences of a text under its head; they are looked for when one has to be cut.

    Args:
        head: The line above.
        body: The text.
        most: How many of its sentences count; None means all.
    """

    def __init__(self, head: str, body: str, most: int | None = None) -> None:
        self._head, self._body, self._most = head, body, most

    @cached_property
    def _ends(self) -> list[int]:
        return sentence_ends(self._body)

    def count(self) -> int:
        """Return how many sentences there are."""
        return len(self._ends) if self._most is None else self._most

    def first(self, count: int) -> str:
        """Return the head and the first ``count`` sentences, with a mark where the text goes on."""
        rest = CUT if count < len(self._ends) else ""
        return f"{self._head}\n{indented(self._body[: self._ends[count - 1]])}{rest}"
