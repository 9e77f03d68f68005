"""The bridge in a pipeline, chosen by its name."""

from __future__ import annotations

import re

import pytest

from graphrag_pipeline import ConfigError, load_pipeline
from graphrag_pipeline.plugin.host import PluginHost

from .conftest import says  # noqa: TID252  # a folder with a hyphen has no other name


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return PluginHost.discover(modules=["graphrag_lyra_http"], entry_points=False, environ={}, strict=True)


@pytest.fixture
def ask(host, server):
    def asked(*overrides, url=server.url):
        base = [f"bridge.base_url={url}"] if url else []
        return load_pipeline(["bridge=lyra_http", *base, *overrides], host=host).trace("audit")

    return asked


def test_nodes_of_lyra_are_in_the_result(ask):
    trace = ask("bridge.extra_score=0.7")
    assert ("lyra.audit", 0.7) in trace.result.scored
    assert trace.bridge is not None
    assert (trace.bridge.mode, trace.bridge.nodes, trace.bridge.paths) == ("http", 1, 1)


def test_malformed_parts_are_skipped_and_counted(ask, server):
    server.behaviours = [says({"nodes": [{"node_id": "a", "node_type": "t", "label": "l"}, 7], "paths": "x"})]
    trace = ask()
    assert trace.bridge is not None
    assert (trace.bridge.nodes, len(trace.bridge.skipped)) == (1, 2)


def test_a_server_that_fails_costs_the_query_nothing(ask, server):
    server.behaviours = [says({}, 500)]
    trace = ask("bridge.retries=0")
    assert trace.bridge is not None
    assert (trace.bridge.mode, trace.bridge.nodes) == ("failed", 0)
    assert trace.bridge.error == "LYRA over HTTP: the server answered 500 Internal Server Error"
    assert trace.result.nodes


def test_an_experiment_is_replayed_offline(ask, tmp_path):
    tapes = f"bridge.cassette_dir={tmp_path}"
    recorded = ask("bridge.cassette_mode=record", tapes).result
    replayed = ask("bridge.cassette_mode=replay", tapes, url=None)
    assert replayed.result == recorded
    missing = ask("bridge.cassette_mode=replay", tapes, "query.max_hops=1", url=None)
    assert missing.bridge is not None
    assert re.search(r"there is no cassette for this \w+, [0-9a-f]{64}\.json", missing.bridge.error)
    assert missing.bridge.nodes == 0


def test_the_address_may_come_from_the_environment(ask, server, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_LYRA_URL", server.url)
    trace = ask(url="${oc.env:GRAPHRAG_LYRA_URL}")
    assert trace.bridge is not None
    assert trace.bridge.nodes == 1


@pytest.mark.parametrize("part", ["bridge.headers={X-Leak: '${oc.env:GRAPHRAG_LYRA_TOKEN}'}", "query.k=1"])
def test_a_config_cannot_take_the_token_to_a_server_of_its_own(ask, server, token, part):
    token("https://lyra.example.org")
    with pytest.raises(ConfigError, match="a config cannot"):
        ask(part)
    assert server.asked == []


def test_without_an_address_the_mistake_is_told(ask):
    with pytest.raises(ConfigError, match="base_url is needed"):
        ask(url=None)


def test_off_is_a_mode_and_not_false(ask):
    trace = ask("bridge.cassette_mode=off")
    assert trace.bridge is not None
    assert trace.bridge.mode == "http"
