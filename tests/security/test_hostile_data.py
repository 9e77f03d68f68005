"""A graph, personas, a table of cells or a question set that names code is data like any other."""

from __future__ import annotations

import importlib
import json
import pickle
from contextlib import suppress

import pytest

from graphrag_pipeline import Persona, load_pipeline
from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.experiment.datasets.load import load_dataset
from tests.security.conftest import CANARY

NODE = {
    "node_id": "n",
    "node_type": f"{CANARY}.call",
    "label": "audit",
    "_target_": f"{CANARY}.call",
    "properties": {
        "_target_": f"{CANARY}.call",
        "__class__": f"{CANARY}.call",
        "py/object": f"{CANARY}.call",
        "py/reduce": [{"py/type": f"{CANARY}.call"}],
        "description": f"!!python/object/apply:{CANARY}.call []",
        "use": f"{CANARY}:call",
    },
}


class Bomb:
    def __reduce__(self):
        return importlib.import_module, (CANARY,)


def test_a_graph_that_names_code_is_read_as_it_is_written(write, host):
    write("g.json", json.dumps({"nodes": [NODE], "edges": []}))
    result = load_pipeline(["graph=json", "graph.path=g.json", "bridge=noop"], host=host).run("audit")
    assert result.nodes[0].properties["__class__"] == f"{CANARY}.call"


@pytest.mark.parametrize(
    "name", ["g.json", "g.graphml", "g.gexf", "g.csv", "g.parquet", "g.pkl", "g.gpickle", "g"]
)
def test_a_pickle_is_never_read_whatever_it_is_called(write, host, name):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        write(name, pickle.dumps(Bomb(), protocol=protocol))
        with pytest.raises(GraphRAGError):
            load_pipeline(["graph=auto", f"graph.path={name}"], host=host)


TAGGED = [
    f"!!python/object/apply:{CANARY}.call []",
    f"!!python/name:{CANARY}.call",
    f"!!python/module:{CANARY}",
]


@pytest.mark.parametrize("tagged", TAGGED)
def test_personas_with_tags_call_nothing(write, host, tagged):
    # Whether an entry is skipped or the file is refused, nothing of it is called.
    write("p.yaml", f"- id: x\n  name: {tagged}\n- id: y\n  role: [{tagged}]\n")
    personas: list[object] = []
    with suppress(GraphRAGError):
        personas += load_pipeline(["personas=file", "personas.path=p.yaml"], host=host).personas
    assert all(type(persona) is Persona for persona in personas)


@pytest.mark.parametrize("tagged", TAGGED)
def test_a_table_of_cells_with_tags_calls_nothing(write, host, tagged):
    write("g.json", json.dumps({"nodes": [NODE], "edges": []}))
    write("t.yaml", f"rules:\n  - node_type: {tagged}\n    cell: architect:who\n")
    with pytest.raises(GraphRAGError):
        load_pipeline(["graph=json", "graph.path=g.json", "graph.zachman=t.yaml"], host=host)


def test_a_question_set_that_names_code_is_read_as_it_is_written(write):
    line = {"id": "q1", "text": f"!!python/name:{CANARY}.call", "_target_": f"{CANARY}.call"}
    write("set/queries.jsonl", json.dumps(line) + "\n")
    dataset = load_dataset(DatasetSection(path="set"))
    assert [question.text for question in dataset.questions] == [line["text"]]


def test_a_pickle_is_no_question_set(write):
    write("set.jsonl", pickle.dumps(Bomb()))
    with pytest.raises(GraphRAGError):
        load_dataset(DatasetSection(path="set.jsonl"))


def test_a_query_is_text_whatever_it_holds(host):
    pipeline = load_pipeline(["bridge=noop"], host=host)
    for text in (
        f"${{oc.env:HOME}} _target_={CANARY}.call",
        "plugins.modules=[os]",
        "!!python/name:os.system",
    ):
        assert pipeline.trace(text).query.text == text
