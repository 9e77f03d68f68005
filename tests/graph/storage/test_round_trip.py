"""An index on disk is the index in memory, in any process."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from graphrag_pipeline import (
    GraphIndex,
    GraphSourceError,
    KnowledgeEdge,
    KnowledgeGraph,
    LyraMockBridge,
    Query,
)
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
from graphrag_pipeline.graph.storage.manifest import read_manifest
from graphrag_pipeline.graph.storage.read import open_index
from graphrag_pipeline.graph.storage.write import write_index
from tests.graph.storage.conftest import everything
from tests.property.test_graphs import graphs
from tests.tiny import index_of, node, pipeline_of

QUERIES = [Query("risk"), Query("\u03c3", 2, "fcon-001"), Query("control owner", max_hops=1), Query("zebra")]


def answers(index: GraphIndex) -> str:
    pipeline = pipeline_of(index, given={"bridge": LyraMockBridge()})
    return json.dumps([pipeline.run(query).to_dict() for query in QUERIES])


ASKING = """
import sys
from graphrag_pipeline.graph.storage.read import open_index
from tests.graph.storage.test_round_trip import answers
index = open_index(sys.argv[1], verify=True)
print(index.digest)
print(answers(index))
"""


def test_another_process_reads_the_same_digest_and_gives_the_same_bytes(index, directory, root):
    done = subprocess.run(
        [sys.executable, "-c", ASKING, str(directory)],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": "5", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [index.digest, answers(index)]


def test_every_record_and_every_count_comes_back(index, directory):
    opened = open_index(directory, verify=True)
    assert repr(opened.all_nodes()) == repr(index.all_nodes())
    assert repr(opened.all_edges()) == repr(index.all_edges())
    assert (opened.node_count, opened.edge_count) == (4, 6)
    assert (opened.dangling_edges, opened.dangling().tolist(), opened.self_loops) == (1, [2], 1)
    assert (opened.node_types(), opened.edge_types()) == ({"concept": 3, "role": 1}, {"uses": 5, "owns": 1})
    assert opened.perspectives.tolist() == [2, -1, -1, -1]
    assert [opened.position(node_id) for node_id in ("risk", "", "🚀\nid", "ghost", "x")] == [
        0,
        1,
        2,
        None,
        None,
    ]
    assert opened.find("risk", 9).tolist() == [0, 2, 3]


def test_a_digest_that_is_taken_anew_is_the_one_that_was_stored(index, directory):
    opened = open_index(directory)
    assert GraphIndex(opened.table).digest == opened.digest == index.digest == read_manifest(directory).digest


@settings(max_examples=20)
@given(graphs)
def test_any_graph_comes_back(data):
    import tempfile

    index = GraphIndex.from_graph(KnowledgeGraph.from_dict(data))
    with tempfile.TemporaryDirectory() as place:
        write_index(index.table, Path(place))
        opened = open_index(Path(place), verify=True)
        assert repr([*opened.all_nodes(), *opened.all_edges()]) == repr(
            [*index.all_nodes(), *index.all_edges()]
        )
        assert opened.digest == index.digest


def test_an_empty_graph_comes_back(tmp_path):
    write_index(index_of().table, tmp_path)
    opened = open_index(tmp_path, verify=True)
    assert (opened.node_count, opened.edge_count, opened.digest) == (0, 0, index_of().digest)
    assert opened.position("a") is None
    assert opened.find("a", 3).tolist() == []


def test_the_demo_graph_answers_alike_from_memory_and_from_disk(tmp_path):
    index = DemoGraph().load().graph
    assert isinstance(index, GraphIndex)
    index.save(tmp_path / "demo")
    assert answers(GraphIndex.open(tmp_path / "demo")) == answers(index)


def test_a_mapped_index_cannot_be_changed(directory):
    opened = open_index(directory)
    with pytest.raises(ValueError, match="read-only"):
        opened.perspectives[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        opened.adjacency.neighbour[0] = 1


def test_what_the_source_was_is_kept_for_people(index, tmp_path):
    write_index(index.table, tmp_path, source="my.json", source_digest="abc")
    manifest = read_manifest(tmp_path)
    assert (manifest.source, manifest.source_digest) == ("my.json", "abc")
    assert manifest.counts == {"nodes": 4, "edges": 6, "dangling_edges": 1}


@pytest.mark.parametrize("mapped", [False, True])
def test_a_pickled_index_is_the_same_index(index, directory, mapped):
    given_index = open_index(directory) if mapped else index
    given_index.mentioning("risk", np.arange(4))
    again = pickle.loads(pickle.dumps(given_index))
    assert again.digest == index.digest
    assert repr(again.all_nodes()) == repr(index.all_nodes())
    assert answers(again) == answers(index)
    assert again.firsts(np.array([3, 3, 1])).tolist() == [0, 2]


@pytest.mark.parametrize("value", [(1, 2), {1}, b"x", {1: 2}, np.float64(1)], ids=repr)
def test_a_property_that_is_no_json_is_refused_before_anything_is_written(tmp_path, value):
    place = tmp_path / "new"
    with pytest.raises(GraphSourceError, match="cannot be stored") as error:
        write_index(index_of([node("a"), node("b", x=[value])]).table, place)
    assert error.value.where.startswith("node ")
    assert ("1" in error.value.where) or ("b" in error.value.where.split()[-1])
    edge = KnowledgeEdge("a", "b", "uses", properties={"x": value})
    with pytest.raises(GraphSourceError, match="cannot be stored") as error:
        write_index(GraphIndex.from_records([node("a")], [edge]).table, place)
    assert error.value.where.startswith("edge ")
    assert not place.exists()


def test_writing_again_replaces_the_index_and_leaves_nothing_of_it(directory):
    other = everything("x")
    before = {entry.name for entry in directory.iterdir()}
    write_index(other.table, directory)
    after = {entry.name for entry in directory.iterdir()}
    assert open_index(directory, verify=True).digest == other.digest
    assert before & after == {"manifest.json"}
    assert len(after) == 2


def test_threads_of_one_process_may_write_one_directory_at_once(index, directory):
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(write_index, index.table, directory) for _ in range(12)]:
            assert done.result().digest == index.digest
    assert open_index(directory, verify=True).digest == index.digest


def test_a_reader_of_the_old_index_still_answers_after_a_rewrite(index, directory):
    opened = open_index(directory)
    expected = answers(index)
    for more in "xyz":
        write_index(everything(more).table, directory)
    assert answers(opened) == expected
    assert repr(opened.all_edges()) == repr(index.all_edges())
    assert opened.find("control", 9).tolist() == [3]


def test_an_index_can_be_read_by_whoever_the_umask_lets(tmp_path):
    before = os.umask(0o022)
    try:
        everything().save(tmp_path / "index")
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "index").rglob("*")}
    assert modes == {0o755, 0o644}
