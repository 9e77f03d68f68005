"""Bringing a question set and a graph together: which judged node is there, and what does not match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Triple
from graphrag_pipeline.experiment.run_ids import read
from graphrag_pipeline.experiment.trec import Qrels
from graphrag_pipeline.graph.index import GraphIndex


@dataclass(frozen=True, slots=True)
class GoldEdge:
    """A gold edge.

    Args:
        sources: The nodes that may be its source.
        edge_type: Its type.
        targets: The nodes that may be its target.
        paths: Numbers of the gold paths that it is part of.
    """

    sources: tuple[str, ...]
    edge_type: str
    targets: tuple[str, ...]
    paths: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Findings:
    """What does not match; every list is whole and in a fixed order.

    Args:
        unknown_nodes: Query and document of each judgement whose document is no node; it counts as not found.
        without_qrels: Queries without judgements: they run, and are in no mean over judged queries.
        without_query: Judged ids that are no query: they cannot run, and are in no mean.
        without_relevant: Judged queries with no relevant document: they run, and have no value of measures.
        ambiguous: Titles that several nodes have as a label; the first node in the graph's order counts.
        unknown_path_ends: Query and name of each end of a gold edge that is no node; the edge counts as
            not found.
        two_nodes: Query and document of each judgement that may mean two nodes: one whose id is so, which
            counts, and one whose id is so written in a run file, as ``a%20b`` is ``a b``.
        two_queries: Judged ids that may mean two queries in the same way.
        near_keys: Keys of queries that are ignored, the known key that each is nearly, and how many queries
            have it.
    """

    unknown_nodes: tuple[tuple[str, str], ...] = ()
    without_qrels: tuple[str, ...] = ()
    without_query: tuple[str, ...] = ()
    without_relevant: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    unknown_path_ends: tuple[tuple[str, str], ...] = ()
    two_nodes: tuple[tuple[str, str], ...] = ()
    two_queries: tuple[str, ...] = ()
    near_keys: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A question set whose judgements are of nodes.

    Args:
        dataset: The question set.
        qrels: Judgements of the queries that run, by node id.
        relevant: Ids of the relevant nodes, by query.
        edges: Gold edges, by query.
        findings: What does not match.
    """

    dataset: Dataset
    qrels: Qrels
    relevant: Mapping[str, tuple[str, ...]]
    edges: Mapping[str, tuple[GoldEdge, ...]]
    findings: Findings


def judge(dataset: Dataset, index: GraphIndex) -> Judged:
    """Match judgements and gold paths with the nodes of a graph.

    Raises:
        DatasetError: No query is judged though there are judgements, or no relevant document is a node:
            ids of two kinds, most likely.
    """
    asked = [question.query_id for question in dataset.questions]
    there = frozenset(asked)
    names = _Names.of(index, needed=dataset.by_label or bool(dataset.paths or dataset.titles))
    given = _as_asked(dataset.relevance, there)
    relevance = {query: given[query] for query in asked if query in given}
    if given and not relevance:
        raise DatasetError(
            f"No query is judged: there is the query {asked[0]!r}, and a judgement of {min(given)!r}.",
            hint="Are these the qrels of these queries?",
        )
    ids = {query: _by_node(query, documents, dataset, names) for query, documents in relevance.items()}
    relevant = {
        query: tuple(node for node, level in documents.items() if level > 0)
        for query, documents in ids.items()
    }
    findings = Findings(
        unknown_nodes=_unknown(ids, names),
        without_qrels=tuple(query for query in asked if query not in relevance),
        without_query=tuple(sorted((given.keys() | dataset.paths.keys()) - there)),
        without_relevant=tuple(query for query, nodes in relevant.items() if not nodes),
        ambiguous=_ambiguous(relevance.values(), dataset, names),
        unknown_path_ends=_unknown_ends(dataset, asked, names),
        two_nodes=_two_nodes(relevance, dataset, names),
        two_queries=tuple(query for query in dataset.relevance if _means_two(query, there.__contains__)),
        near_keys=tuple((near.key, near.known, near.queries) for near in dataset.near_keys),
    )
    _refuse_strangers(relevant, findings)
    edges = {
        query: _edges(dataset.paths[query], dataset.routes.get(query), names)
        for query in asked
        if dataset.paths.get(query)
    }
    return Judged(dataset, Qrels(dataset.name, ids), relevant, edges, findings)


def _as_asked(
    relevance: Mapping[str, Mapping[str, float]], asked: frozenset[str]
) -> Mapping[str, Mapping[str, float]]:
    """Return judgements with the ids of queries as the queries have them: run files write ids with blanks."""
    found: dict[str, Mapping[str, float]] = {}
    for query, documents in relevance.items():
        name = query if query in asked or read(query) not in asked else read(query)
        found[name] = {**found.get(name, {}), **documents}
    return found


@dataclass(frozen=True, slots=True)
class _Names:
    """Finds nodes by id and by label."""

    index: GraphIndex
    labels: Mapping[str, list[str]]

    @classmethod
    def of(cls, index: GraphIndex, *, needed: bool) -> _Names:
        labels: dict[str, list[str]] = {}
        if needed and index.node_count:
            ids, _, names = index.names_at(np.arange(index.node_count))
            for node_id, label in zip(ids, names, strict=True):
                labels.setdefault(label, []).append(node_id)
        return cls(index, labels)

    def known(self, node_id: str) -> bool:
        return self.index.position(node_id) is not None

    def all(self, name: str) -> tuple[str, ...]:
        """Return the node of that id, or else the nodes of that label."""
        return (name,) if self.known(name) else tuple(self.labels.get(name, ()))


def _edges(
    triples: Sequence[Triple], routes: Sequence[Sequence[int]] | None, names: _Names
) -> tuple[GoldEdge, ...]:
    routes = joined(triples) if routes is None else routes
    paths = [
        [number for number, route in enumerate(routes) if place in route] for place in range(len(triples))
    ]
    return tuple(
        GoldEdge(names.all(source), kind, names.all(target), tuple(numbers))
        for (source, kind, target), numbers in zip(triples, paths, strict=True)
    )


def joined(triples: Sequence[Triple]) -> list[list[int]]:
    """Return the edges that hang together, directly or over others, as places; in the order of the edges."""
    group = list(range(len(triples)))
    for place, (source, _, target) in enumerate(triples):
        for before, (one, _, other) in enumerate(triples[:place]):
            if {source, target} & {one, other} and group[before] != group[place]:
                low, high = sorted((group[before], group[place]))
                group = [low if number == high else number for number in group]
    return [[place for place, found in enumerate(group) if found == number] for number in sorted({*group})]


def _by_node(query: str, documents: Mapping[str, float], dataset: Dataset, names: _Names) -> dict[str, float]:
    """Return levels by node id; of two titles of one node the higher level counts.

    Raises:
        DatasetError: Two ids mean one node, so one of the judgements would be lost.
    """
    levels: dict[str, float] = {}
    meant: dict[str, str] = {}
    for document, level in documents.items():
        node = _node(document, dataset, names)
        first = meant.setdefault(node, document)
        if first != document and not dataset.by_label:
            raise DatasetError(
                f"Two judgements of query {query!r} are of one node, {node!r}: {first!r} and {document!r}.",
                where=dataset.name,
                hint="A %XX in an id may be an escape, as in run files; leave one of the two out.",
            )
        levels[node] = max(level, levels.get(node, level))
    return levels


def _node(document: str, dataset: Dataset, names: _Names) -> str:
    if document in dataset.titles:
        by_title = names.labels.get(dataset.titles[document], ())
        return document if names.known(document) else next(iter(by_title), document)
    if dataset.by_label:
        return next(iter(names.all(document)), document)
    # A file whose columns are parted by blanks has ids with blanks as run files have them.
    return document if names.known(document) or not names.known(read(document)) else read(document)


def _means_two(word: str, known: Callable[[str], bool]) -> bool:
    """Tell whether a word is an id as it stands, and as run files write it another one."""
    return "%" in word and read(word) != word and known(word) and known(read(word))


def _two_nodes(
    relevance: Mapping[str, Mapping[str, float]], dataset: Dataset, names: _Names
) -> tuple[tuple[str, str], ...]:
    if dataset.by_label:
        return ()
    return tuple(
        (query, document)
        for query, documents in relevance.items()
        for document in documents
        if document not in dataset.titles and _means_two(document, names.known)
    )


def _unknown(ids: Mapping[str, Mapping[str, float]], names: _Names) -> tuple[tuple[str, str], ...]:
    return tuple((query, node) for query, nodes in ids.items() for node in nodes if not names.known(node))


def _ambiguous(relevance: Iterable[Mapping[str, float]], dataset: Dataset, names: _Names) -> tuple[str, ...]:
    if not dataset.by_label and not dataset.titles:
        return ()
    asked = dict.fromkeys(document for documents in relevance for document in documents)
    titles = dict.fromkeys(dataset.titles.get(name, name) for name in asked if not names.known(name))
    return tuple(title for title in titles if len(names.labels.get(title, ())) > 1)


def _unknown_ends(dataset: Dataset, asked: Iterable[str], names: _Names) -> tuple[tuple[str, str], ...]:
    ends = dict.fromkeys(
        (query, end)
        for query in asked
        for source, _, target in dataset.paths.get(query, ())
        for end in (source, target)
    )
    return tuple((query, end) for query, end in ends if not names.all(end))


def _refuse_strangers(relevant: Mapping[str, tuple[str, ...]], findings: Findings) -> None:
    unknown = set(findings.unknown_nodes)
    judged = [(query, node) for query, nodes in relevant.items() for node in nodes]
    if judged and all(pair in unknown for pair in judged):
        raise DatasetError(
            f"No relevant document is a node of the graph: {judged[0][1]!r} of {judged[0][0]!r} is none.",
            hint="Is this the graph of this question set? Judgements name nodes by their ids.",
        )
