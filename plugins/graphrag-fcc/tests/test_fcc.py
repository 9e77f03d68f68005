from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from graphrag_fcc import registries
from graphrag_fcc.graph import FccGraph, FccGraphParams
from graphrag_fcc.personas import FccPersonas

from graphrag_pipeline import GraphSourceError
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.plugin.host import PluginHost


@pytest.fixture(scope="module")
def classified() -> LoadedGraph:
    return FccGraph().load()


@pytest.fixture(scope="module")
def raw() -> LoadedGraph:
    return FccGraph(FccGraphParams(variant="raw")).load()


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover(entry_points=True, environ={}, strict=True)


def recorded(path: Path):
    return json.loads(path.read_text(encoding="utf-8"))


def assert_same(loaded: LoadedGraph, path: Path) -> None:
    built, expected = loaded.graph.to_dict(), recorded(path)
    for part in ("nodes", "edges"):
        assert len(built[part]) == len(expected[part])
        for ours, theirs in zip(built[part], expected[part], strict=True):
            assert ours == theirs
    assert json.dumps(built) == json.dumps(expected)


@pytest.mark.shared
def test_the_classified_graph_is_the_recorded_one_node_by_node_and_edge_by_edge(classified, fcc_kg):
    assert_same(classified, fcc_kg / "graph.json")


@pytest.mark.shared
def test_the_raw_graph_is_the_recorded_one_node_by_node_and_edge_by_edge(raw, fcc_kg):
    assert_same(raw, fcc_kg / "graph.raw.json")


@pytest.mark.shared
def test_the_personas_are_the_recorded_ones(fcc_kg):
    keys = ("id", "name", "role", "category", "phase", "zachman_cell")
    ours = [{key: getattr(persona, key) for key in keys} for persona in FccPersonas().load()]
    assert ours == recorded(fcc_kg / "personas.json")


def test_the_graph_has_its_known_size(classified, raw):
    for loaded in (classified, raw):
        assert (loaded.graph.node_count, loaded.graph.edge_count) == (857, 2234)
        assert loaded.graph.dangling_edges == 0


def test_there_are_131_personas_each_with_an_origin():
    personas = FccPersonas().load()
    assert len(personas) == 131
    assert {persona.origin for persona in personas} == {"fcc-agent-team-ext 2.2.0"}


def test_the_classified_graph_reports_every_persona_it_put_back(classified, raw):
    (found,) = classified.report.findings
    assert (found.kind, found.count, found.places[0]) == ("repaired", 131, "AMK")
    assert found.what.startswith("a persona's label and properties were put back")
    assert raw.report.findings == ()
    assert classified.report.account.balanced
    assert raw.report.account.balanced


def test_loading_twice_gives_the_same_graph(classified):
    assert FccGraph().load().graph.to_dict() == classified.graph.to_dict()


def test_the_installed_plugin_is_found_by_its_entry_point(host):
    for kind in ("graph_source", "persona_source"):
        info = host.find(kind, "fcc")
        assert (info.plugin, info.distribution, info.source) == ("fcc", "graphrag-fcc", "entry point")
        assert info.version == metadata.version("graphrag-fcc")


def test_it_ships_a_config_option_for_each_source(host):
    (source,) = [source for source in host.config_sources() if source.plugin == "fcc"]
    shipped = sorted(path.relative_to(source.path).as_posix() for path in source.path.rglob("*.yaml"))
    assert shipped == ["graph/fcc.yaml", "personas/fcc.yaml"]


def test_registering_does_not_import_the_package(host):
    code = (
        "import sys; from graphrag_pipeline.plugin.host import PluginHost\n"
        "PluginHost.discover(entry_points=True, environ={}, strict=True).build('graph_source', 'fcc')\n"
        "sys.exit('fcc' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_another_version_of_the_package_is_refused(monkeypatch):
    monkeypatch.setattr(registries, "VERSION", "9.9.9")
    with pytest.raises(GraphSourceError, match=r"is 2\.2\.0; its graph is known for 9\.9\.9 only"):
        FccGraph().load()


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setattr(registries, "DISTRIBUTION", "not-there-at-all")
    with pytest.raises(GraphSourceError, match="pip install not-there-at-all"):
        FccPersonas().load()
