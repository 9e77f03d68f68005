"""What components are given: queries of every sort, and candidates as a walk finds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray, frozen
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.expand.bfs import BreadthFirst
from graphrag_pipeline.stages.seeds.label import LabelSeeds
from graphrag_pipeline.testing.graphs import LONG, ODD_TEXTS, crowd, samples

HUGE = 1_000_000
"""A ``k`` that no graph has nodes for."""


def ordinary_queries() -> tuple[Query, ...]:
    """Return queries as people ask them."""
    cell = ZachmanCell.from_coordinate("architect:when")
    return (
        Query("audit", persona="CLERK-1", max_hops=2, persona_cell=cell),
        Query("What does the audit plan of unit 3 read?", k=5, cell=cell, max_hops=1),
        Query("nothing of the kind", k=1),
    )


def odd_queries() -> tuple[Query, ...]:
    """Return queries whose text is of :data:`ODD_TEXTS`, or very long."""
    return tuple(
        Query(text, persona=text or None, max_hops=1) for text in (*ODD_TEXTS, "audit " * (LONG // 6))
    )


def walked(index: GraphIndex, query: Query) -> Candidates:
    """Return what the reference's seeds and expansion find, or the first nodes of the graph as seeds.

    The scores have ties, and do not fall from the first to the last; the evidence is that of a walk.
    """
    k = min(max(query.k, 1), max(index.node_count, 1))
    found = LabelSeeds().retrieve(query, index, k)
    positions = [position for seed in found if (position := index.position(seed[0])) is not None]
    seeds = Candidates.seeds(np.array(positions or range(min(3, index.node_count)), dtype=np.int64))
    return scored(BreadthFirst().expand(seeds, query, index) if len(seeds) else seeds)


def first_nodes(index: GraphIndex, count: int) -> Candidates:
    """Return the first nodes of a graph as seeds."""
    return scored(Candidates.seeds(np.arange(min(count, index.node_count), dtype=np.int64)))


def whole(index: GraphIndex) -> Candidates:
    """Return every node of a graph, each discovered from node 0 or one of its kind: breadth first."""
    return scored(
        BreadthFirst().expand(Candidates.seeds(np.zeros(1, np.int64)), Query("", max_hops=99), index)
    )


def none() -> Candidates:
    """Return no candidates."""
    return Candidates.seeds(np.zeros(0, dtype=np.int64))


def scored(candidates: Candidates) -> Candidates:
    """Return candidates with scores and evidence, both read-only as a pipeline hands them over."""
    row = np.arange(len(candidates))
    evidence: dict[str, FloatArray] = {"mention": row % 4 / 4.0, "path_max": np.reciprocal(1.0 + row)}
    evidence = {name: frozen(column) for name, column in evidence.items()}
    return replace(candidates, score=row * 7 % 5 / 5.0, evidence=evidence)


def columns(size: int) -> dict[str, FloatArray]:
    """Return signals of a size: one that varies, one with ties, one that is 0, one that is below 0."""
    row = np.arange(size)
    return {
        "varied": frozen(np.sin(row * 1.7)),
        "ties": frozen((row % 3) / 2.0),
        "zeros": frozen(np.zeros(size)),
        "below": frozen(-1.0 - row * 0.5),
    }


def ranked(index: GraphIndex, candidates: Candidates) -> Iterator[object]:
    """Yield candidates as an assembler gets them: once, best first."""
    return WorkingSet(candidates=candidates).ranked(index)


@lru_cache(maxsize=8)
def crowded(size: int) -> GraphIndex:
    """Return :func:`.graphs.crowd`; the same object for the same size, as compiling a graph takes a while."""
    return crowd(size).index


@lru_cache(maxsize=1)
def sampled() -> Mapping[str, GraphIndex]:
    """Return every sample graph by its name, made once."""
    return {sample.name: sample.index for sample in samples()}
