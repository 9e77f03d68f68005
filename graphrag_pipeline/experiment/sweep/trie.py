"""Configs as a trie of stages: what several configs have in common from the start on is one branch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from graphrag_pipeline.experiment.sweep.families import Family, family_of
from graphrag_pipeline.experiment.sweep.identity import SIZE, Identities, chained
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.plan import build_step
from graphrag_pipeline.pipeline.spec import PipelineSpec
from graphrag_pipeline.pipeline.steps.bridge import BridgeStep
from graphrag_pipeline.pipeline.steps.filter import FilterStep
from graphrag_pipeline.pipeline.steps.step import Step
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.contract import ScorerParams

CONTEXT = "context_assembler"
"""The kind of stage that writes a context."""


@dataclass(eq=False, slots=True)
class Stage:
    """A stage in the trie; it runs once a query for all configs below it.

    Args:
        key: Digest of it and of everything before it.
        identity: Digest of what it is.
        step: What runs; None at a root, and for a member of a family.
        blind: Whether it does the same whatever the scores are.
        family: The family of scorers it belongs to; None for any other stage.
        weights: Its weights, where it belongs to a family.
        children: The stages behind it, by key, in the order they came.
        ends: Numbers of the configs whose last stage it is.
    """

    key: bytes
    identity: bytes
    step: Step | None = None
    blind: bool = False
    family: Family | None = None
    weights: tuple[float, ...] = ()
    children: dict[bytes, Stage] = field(default_factory=dict)
    ends: list[int] = field(default_factory=list)
    _batches: tuple[Batch, ...] | None = None

    @property
    def singles(self) -> Iterator[Stage]:
        """The stages behind it that run one by one."""
        return (child for child in self.children.values() if child.family is None)

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The stages behind it that are scored together, by family."""
        if self._batches is None:
            groups: dict[bytes, list[Stage]] = {}
            for child in self.children.values():
                if child.family is not None:
                    groups.setdefault(child.family.identity, []).append(child)
            self._batches = tuple(map(Batch.of, groups.values()))
        return self._batches

    def below(self) -> Iterator[int]:
        """Yield the numbers of all configs that run through it."""
        yield from self.ends
        for child in self.children.values():
            yield from child.below()

    def leaves(self) -> int:
        """Return at how many stages from here on a config ends."""
        return bool(self.ends) + sum(child.leaves() for child in self.children.values())

    def executions(self) -> int:
        """Return how many executions of stages a query takes from here on, this one left out."""
        one_by_one = sum(1 + child.executions() for child in self.singles)
        return one_by_one + sum(batch.executions() for batch in self.batches)


@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """What comes behind some members of a family, the same for all of them.

    Args:
        rows: Places of the members in their batch.
        steps: The steps, none of which looks at scores; empty where nothing comes.
        points: Numbers of the configs of each member.
    """

    rows: IntArray
    steps: tuple[Step, ...]
    points: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Members of a family behind one stage: one pass over the signals scores them all.

    Args:
        family: The family.
        stages: The members.
        weights: Weights by member and signal.
        tails: Members whose scores are not looked at again.
        others: Members behind which something looks at scores, and their places.
    """

    family: Family
    stages: tuple[Stage, ...]
    weights: FloatArray
    tails: tuple[Tail, ...]
    others: tuple[tuple[int, Stage], ...]

    @classmethod
    def of(cls, members: Sequence[Stage]) -> Batch:
        """Return members of one family as a batch."""
        family = members[0].family
        assert family is not None
        groups: dict[tuple[bytes, ...], list[int]] = {}
        others = []
        chains = [_blind_chain(member) for member in members]
        for place, chain in enumerate(chains):
            if chain is None:
                others.append((place, members[place]))
            else:
                groups.setdefault(tuple(stage.identity for stage in chain), []).append(place)
        tails = []
        for places in groups.values():
            found = [chains[place] or [] for place in places]
            ends = tuple(
                tuple((chain[-1] if chain else members[place]).ends)
                for place, chain in zip(places, found, strict=True)
            )
            steps = tuple(cast("Step", stage.step) for stage in found[0])
            tails.append(Tail(np.array(places), steps, ends))
        weights = np.array([member.weights for member in members], dtype=np.float64)
        return cls(family, tuple(members), weights, tuple(tails), tuple(others))

    def executions(self) -> int:
        """Return how many executions of stages it takes; scoring all members is one."""
        return (
            1
            + sum(len(tail.steps) for tail in self.tails)
            + sum(member.executions() for _, member in self.others)
        )


def _blind_chain(stage: Stage) -> list[Stage] | None:
    """Return the stages behind one when they are a single line that never looks at scores, else None."""
    chain: list[Stage] = []
    while stage.children:
        if stage.ends or len(stage.children) > 1:
            return None
        stage = next(iter(stage.children.values()))
        if not stage.blind:
            return None
        chain.append(stage)
    return chain


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """Where the configs begin that ask alike.

    Args:
        stage: What their first stages are children of.
        query: Their defaults of a query.
    """

    stage: Stage
    query: Query


class Trie:
    """The stages of configs on one graph.

    Args:
        host: Where components come from.
        with_context: Whether contexts are written; no ranking depends on them.
    """

    def __init__(self, host: PluginHost, *, with_context: bool) -> None:
        self._host = host
        self._identities = Identities(host)
        self._with_context = with_context
        self._roots: dict[str, Root] = {}
        # Configs share what they have in common, so that a further one costs little memory.
        self._steps: dict[bytes, tuple[Step, bool]] = {}
        self._families: dict[bytes, Family] = {}
        self.without_context: set[int] = set()
        """Numbers of the configs that have no stage that writes a context."""

    @property
    def distinct(self) -> int:
        """How many different configs there are, as far as what runs is concerned."""
        return sum(stage.leaves() for stage in (root.stage for root in self.roots))

    @property
    def roots(self) -> tuple[Root, ...]:
        """Where configs begin, in the order they came."""
        return tuple(self._roots.values())

    def add(self, number: int, query: Query, spec: PipelineSpec) -> None:
        """Add a config.

        Args:
            number: Its number.
            query: Its defaults of a query.
            spec: Its stages.

        Raises:
            PluginError: A component cannot be made.
        """
        if not any(spec.slots[slot].kind == CONTEXT for slot in spec.order):
            self.without_context.add(number)
        stage = self._root(query).stage
        for slot in self._order(spec):
            stage = self._child(stage, slot, spec)
        stage.ends.append(number)

    def _order(self, spec: PipelineSpec) -> tuple[str, ...]:
        """Return the slots that run: nothing may come behind a context but another one."""
        if self._with_context:
            return spec.order
        return tuple(slot for slot in spec.order if spec.slots[slot].kind != CONTEXT)

    def _root(self, query: Query) -> Root:
        asked = repr(replace(query, text=""))
        if asked not in self._roots:
            key = hashlib.blake2b(json.dumps(asked).encode("ascii"), digest_size=SIZE).digest()
            self._roots[asked] = Root(Stage(key, key), replace(query, text=""))
        return self._roots[asked]

    def _child(self, stage: Stage, slot: str, spec: PipelineSpec) -> Stage:
        identity = self._identities.of_slot(slot, spec.slots)
        key = chained(stage.key, identity)
        if key not in stage.children:
            stage.children[key] = self._made(key, identity, slot, spec)
        return stage.children[key]

    def _made(self, key: bytes, identity: bytes, slot: str, spec: PipelineSpec) -> Stage:
        params = spec.slots[slot].params
        if isinstance(params, ScorerParams) and (family := self._family(slot, spec)) is not None:
            return Stage(key, identity, family=family, weights=tuple(params.weights.values()))
        if identity not in self._steps:
            step = build_step(slot, spec, self._host, {})
            self._steps[identity] = step, self._is_blind(step, slot, spec)
        step, blind = self._steps[identity]
        return Stage(key, identity, step, blind)

    def _family(self, slot: str, spec: PipelineSpec) -> Family | None:
        params = spec.slots[slot].params
        assert isinstance(params, ScorerParams)
        names = json.dumps(list(params.weights)).encode("ascii")
        identity = chained(self._identities.of_slot(slot, spec.slots, without="weights"), names)
        if identity not in self._families:
            family = family_of(identity, build_step(slot, spec, self._host, {}))
            if family is None:
                return None
            self._families[identity] = family
        return self._families[identity]

    def _is_blind(self, step: Step, slot: str, spec: PipelineSpec) -> bool:
        # A bridge is asked with the text alone. Of filters, those of a plugin may look at anything.
        given = spec.slots[slot]
        ours = self._host.find(given.kind, given.use).source == "builtin"
        return isinstance(step, BridgeStep) or (isinstance(step, FilterStep) and ours)
