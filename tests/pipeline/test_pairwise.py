"""Every component composes with every other, on small and odd graphs: all pairs of choices are tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
import pytest

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeNode, Query, ZachmanCell
from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.roots import Root, conf_root
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.plugin.host import PluginHost
from tests.tiny import as_bytes, index_of, node

CONF = Root("conf", conf_root())
NEEDS = {
    "filter=rules": ["filter.rule={any:[{node_type:[concept]},{not:{hop:{max:1}}}]}"],
    "filter=property": ["filter.rule.property.key=status", "filter.rule.property.eq=open"],
    "filter=node_type": ["filter.rule.node_type=[concept]"],
    "filter=edge_type": ["filter.rule.edge_type=[uses]"],
    "filter=namespace": ["filter.rule.namespace=[graphrag]"],
    "filter=time": ["filter.rule.time.key=date", "filter.rule.time.from=2020"],
    "filter=hop": ["filter.rule.hop.max=2"],
}
BUDGET = 60
FACTORS: dict[str, list[list[str]]] = {
    "seed": [
        *([f"seed={name}"] for name in CONF.options("seed") if name not in ("retriever", "dense")),
        ["seed=dense", "seed.embedder=hashing"],
    ],
    "expand": [[f"expand={name}"] for name in CONF.options("expand")],
    "filter": [[f"filter={name}", *NEEDS.get(f"filter={name}", [])] for name in CONF.options("filter")],
    "score": [[f"score={name}"] for name in CONF.options("score")],
    "rerank": [[], *([f"+rerank={name}"] for name in CONF.options("rerank"))],
    "bridge": [["bridge=mock"], ["bridge=noop"]],
    "context": [[f"context={name}"] for name in CONF.options("context")],
    "counter": [[f"context.counter={name}"] for name in ("chars4", "words", "scripts")],
    "links": [["links=none"], ["links=text"]],
    "gate": [[], ["expand.gate=filter"]],
}
UNICODE = ["🙂", "Ünïcödé ﬁn", "北条の港", "a\nb", "\u202eright", "e\u0301", "\ud800", " ", "İstanbul"]


def rows() -> list[dict[str, int]]:
    """Choices such that any pair of options of two factors stands in one of them; greedy, always the same."""
    sizes = {name: len(options) for name, options in FACTORS.items()}
    left = {
        (one, i, other, j): None
        for one, other in combinations(sizes, 2)
        for i, j in product(range(sizes[one]), range(sizes[other]))
    }
    found = []
    while left:
        one, i, other, j = next(iter(left))
        row = {one: i, other: j}
        for name, size in sizes.items():
            if name not in row:
                gains = [_gain(row, name, option, left) for option in range(size)]
                row[name] = gains.index(max(gains))
        for pair in _pairs(row):
            left.pop(pair, None)
        found.append(row)
    return found


def _gain(row: dict[str, int], name: str, option: int, left: dict[tuple[str, int, str, int], None]) -> int:
    return sum(pair in left for pair in _pairs({**row, name: option}) if name in (pair[0], pair[2]))


def _pairs(row: dict[str, int]) -> list[tuple[str, int, str, int]]:
    names = [name for name in FACTORS if name in row]
    return [(one, row[one], other, row[other]) for one, other in combinations(names, 2)]


ROWS = rows()


def graphs() -> dict[str, GraphIndex]:
    hub = [node(f"n{n}", f"spoke {n}", text="The Hub has a spoke.") for n in range(12)]
    odd = [
        KnowledgeNode(
            f"u{n}",
            "concept",
            label,
            properties={
                "text": label * 3,
                "zachman_cell": "architect:how",
                "date": "2021-05",
                "status": "open",
            },
        )
        for n, label in enumerate(UNICODE)
    ]
    return {
        "empty": index_of(),
        "one node": index_of([node("hub", "Hub", zachman_cell="architect:how")]),
        "no edges": index_of([node("hub", "Hub"), node("b", "b", status="open"), node("c", "Hub of hubs")]),
        "star": index_of(
            [node("hub", "Hub", zachman_cell="architect", date="2024"), *hub],
            [KnowledgeEdge("hub", n.node_id, "uses") for n in hub],
        ),
        "unicode": index_of(odd, [KnowledgeEdge(f"u{n}", f"u{n + 1}", "次") for n in range(len(odd) - 1)]),
    }


GRAPHS = graphs()
QUERIES = (
    Query("the Hub spoke 3 🙂 北条の港", persona="fcon", cell=ZachmanCell.from_coordinate("architect:how")),
    Query(""),
)


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover(entry_points=False, environ={})


def choices(row: dict[str, int]) -> list[str]:
    found = [text for name, option in row.items() for text in FACTORS[name][option]]
    rerank = ["rerank"] if row["rerank"] else []
    order = ["seed", "expand", "filter", "score", *rerank, "bridge", "filter", "context"]
    return [
        *found,
        f"pipeline.order=[{','.join(order)}]",
        f"context.max_tokens={BUDGET}",
        "index.cache_dir=null",
    ]


def overrides_of(row: dict[str, int]) -> Sequence[str]:
    # The gate of a hop filter is refused before anything runs, which has a test of its own.
    unfit = ("filter=rules", "filter=hop")
    if FACTORS["filter"][row["filter"]][0] in unfit and row["gate"]:
        return choices({**row, "gate": 0})
    return choices(row)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(map(str, row.values())))
def test_any_two_components_work_together(row, host):
    settings = load_settings(overrides_of(row), host=host)
    for index in GRAPHS.values():
        pipeline = build_pipeline(settings, host, graph=index)
        for query in QUERIES:
            trace = pipeline.trace(query)
            result = trace.result
            scores = np.array([score for _, score in result.scored])
            assert np.isfinite(scores).all()
            assert (np.diff(scores) <= 0).all()
            ids = {entry.node_id for entry in result.nodes}
            assert {node_id for node_id, _ in result.scored} == ids
            assert all(set(path) <= ids for path in result.paths)
            counter = pipeline.plan.steps[-1].counter  # type: ignore[attr-defined]  # the last step writes the context
            alone = (
                settings.tree["context"].get("keep_top")
                and trace.slots
                and trace.working.context.written == 1
            )
            assert alone or counter.count(result.context_text) <= BUDGET
            assert as_bytes(pipeline.run(query).to_dict()) == as_bytes(result.to_dict())


def test_all_pairs_are_there():
    there = {pair for row in ROWS for pair in _pairs(row)}
    wanted = sum(len(FACTORS[a]) * len(FACTORS[b]) for a, b in combinations(FACTORS, 2))
    assert len(there) == wanted
    assert len(ROWS) < 150
