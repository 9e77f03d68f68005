"""Seeds that the configuration names."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed, SeedParams


class IdSeedsParams(SeedParams):
    """Which nodes."""

    ids: tuple[str, ...] = ()
    """Ids of the nodes to start from, in order."""
    from_text: bool = True
    """Whether the words of the query that are ids count, too, after those given."""


class IdSeeds(Component[IdSeedsParams]):
    """Given nodes, all with score 1: those of ``ids``, then the words of the query that are ids."""

    name = "ids"
    Params = IdSeedsParams

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return the first ``k`` of the given nodes.

        Raises:
            StageError: An id of ``ids`` is no node.
        """
        missing = [node_id for node_id in self.params.ids if index.position(node_id) is None]
        if missing:
            raise StageError(
                f"There is no node {missing[0]!r}"
                + (f", nor {len(missing) - 1} more of ids" * (len(missing) > 1))
                + ".",
                where="ids",
                hint="`graphrag-pipeline graph info` shows the first ids of a graph.",
            )
        words = (word.strip(",;?!()\"'") for word in query.text.split()) if self.params.from_text else ()
        found = [word for word in words if index.position(word) is not None]
        return self._seeds(found, k)

    def why_none(self, query: Query, index: GraphIndex) -> str:
        """Say what was looked for, and of which nodes the query's words are the labels."""
        named = [
            position for mention in index.text.ask(query.text).mentions for position in mention.node.tolist()
        ]
        labels = ", ".join(
            f"{node.label!r} is the label of {node.node_id!r}" for node in map(index.node, named[:3])
        )
        hint = f"; {labels}, which seed=mention finds" if labels else ""
        return f"no word of the query is the id of a node{hint}"

    def _seeds(self, found: Sequence[str], k: int) -> Sequence[Seed]:
        return [Seed(node_id, 1.0) for node_id in list(dict.fromkeys([*self.params.ids, *found]))[:k]]
