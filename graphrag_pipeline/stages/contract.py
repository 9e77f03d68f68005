"""What each kind of stage must be: the contracts that built-ins and plugins share.

A component is a class with a ``name``, a pydantic ``Params`` model, a constructor that takes
``params`` by keyword, and the method of its kind. Methods are pure: the same arguments give the same
answer, and nothing handed in is changed. The runner checks what they return.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeAlias

from pydantic import Field

from graphrag_pipeline.graph.arrays import BoolArray, FloatArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.scored import Context, ScoredNode


class Seed(NamedTuple):
    """A node to start from; a plain ``(node_id, score)`` pair is as good."""

    node_id: str
    score: float
    evidence: Mapping[str, float] = MappingProxyType({})
    """What was found out about it, for expanders and signals: ``{"mention": 0.8}``."""


class SeedParams(Params):
    """Parameters every built-in seed retriever has."""

    k: int | None = Field(default=None, ge=1, le=100_000)
    """Most seeds this slot gives, in place of ``query.k``; null means ``query.k``."""


class SeedRetriever(Protocol):
    """Finds the nodes a query starts from."""

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed | tuple[str, float]]:
        """Return at most ``k`` seeds with finite scores, best first; ``k`` is at least 1.

        A pair of node id and score will do; evidence, where there is any, is the third entry. A retriever
        may have a method ``why_none(query, index)``, whose text tells why there are no seeds.
        """
        ...


class ExpanderParams(Params):
    """Parameters every expander has; the step that runs it reads them, the expander need not."""

    gate: str | None = None
    """Slot of a filter that decides where the walk may go; null means anywhere."""
    gate_mode: Literal["block", "pass"] = "block"
    """What happens to a node that the gate drops: ``block`` does not walk through it, ``pass`` does; neither
    returns it."""


class Expander(Protocol):
    """Spreads from seeds to candidates."""

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return candidates in visit order: parents before children, seeds with hop 0.

        ``seeds`` is never empty; it has the seeds' scores, and the evidence of what found them. The
        candidates keep both where the expander gives no other.
        """
        ...


@dataclass(frozen=True)
class Verdict:
    """What a filter decided.

    Args:
        keep: One bool per candidate.
        reason: For each candidate an index into ``reasons``; read only where ``keep`` is false.
        reasons: Short snake_case names, for example ``other_perspective``.
    """

    keep: BoolArray
    reason: IntArray
    reasons: tuple[str, ...]


class Filter(Protocol):
    """A hard gate: what it drops never reaches the result.

    As the gate of an expander it is asked in the course of the walk, about the nodes the walk comes to,
    some at a time, as candidates without scores that are all seeds. Three things are optional:
    ``judges_edges``, true when it reads ``candidates.edge``, so that a gate asks about a node once for each
    edge to it; ``unfit_as_gate`` of its ``Params``, a text that says why it cannot be a gate, empty when it
    can; and ``remarks(candidates, query, index)``, which is called when too few candidates are left and
    returns texts that help to find out why.
    """

    def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict | None:
        """Judge every candidate; None means that the filter does not apply to this query.

        Extras from a bridge are judged too, as candidates over a small index of their own. There may
        be no candidates at all, when a bridge gave edges without nodes.
        """
        ...


class Signal(Protocol):
    """One number per candidate."""

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one finite float64 per candidate, in candidate order."""
        ...


REFERENCE_WEIGHTS: Mapping[str, float] = {"baseline": 0.1, "label_match": 0.5, "persona_match": 0.4}
"""The signals of the reference, and how much each counts."""


Weight: TypeAlias = Annotated[float, Field(ge=-1e9, le=1e9)]
"""A weight; the bounds keep sums of weighted signals finite."""


class ScorerParams(Params):
    """Parameters every scorer has."""

    weights: dict[str, Weight] = Field(default_factory=lambda: dict(REFERENCE_WEIGHTS), min_length=1)
    """Weight of each signal; the keys choose the signals, in this order."""
    signal_params: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Parameters of the signals that take any, by signal name."""


class Scorer(Protocol):
    """Turns signals into scores."""

    def score(
        self, signals: Mapping[str, FloatArray], weights: Mapping[str, float], candidates: Candidates
    ) -> FloatArray:
        """Return one finite float64 per candidate, higher is better."""
        ...


class Reranker(Protocol):
    """Looks at the scored candidates together, where a scorer looks at each alone."""

    def rerank(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one finite float64 per candidate, higher is better, in candidate order.

        ``candidates.score`` holds what the score stage gave. Nodes of a bridge are not reranked.
        """
        ...


class BridgeParams(Params):
    """Parameters every bridge has."""

    timeout_s: float | None = Field(default=10.0, gt=0)
    """Seconds to wait for an answer before the query goes on without one; null waits for ever."""
    extra_score: float = Field(default=0.25, ge=0, le=1)
    """Score of the nodes the bridge adds."""


class Bridge(Protocol):
    """An external graph-of-thought source, such as LYRA.

    Two attributes are optional: ``mode``, a word for the trace that says what answers (``live``,
    ``mock``), and ``local``, true when the calls cannot hang and need no time limit.
    """

    # Any: an answer comes from outside and is checked entry by entry.
    def graph_of_thought_query(self, query: str, depth: int = 3) -> Mapping[str, Any]:
        """Return ``nodes`` and ``edges`` as plain records and ``paths`` as lists of node ids."""
        ...

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        """Return ids of the terms that match, in one namespace or in all."""
        ...

    def harmonic_expand(self, concept: str) -> list[str]:
        """Return ids of related concepts."""
        ...


class TokenCounter(Protocol):
    """Measures text against a budget."""

    def count(self, text: str) -> int:
        """Return how many tokens ``text`` takes; never negative."""
        ...


class ContextParams(Params):
    """Parameters every context assembler has."""

    max_tokens: int = Field(default=2000, ge=1)
    """Token budget of the context."""
    counter: str = "chars4"
    """Token counter that measures it."""
    counter_params: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the token counter."""


class ContextAssembler(Protocol):
    """Writes the context."""

    def assemble(
        self,
        scored: Iterable[ScoredNode],
        query: Query,
        index: GraphIndex,
        counter: TokenCounter,
        budget: int,
    ) -> Context:
        """Write the best nodes first and stop at ``budget`` tokens; there is at least one node."""
        ...
