"""docs/plugins.md against the code."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import (
    ConfigError,
    GraphSourceError,
    TrackedEnd,
    TrackedRun,
    TrackedStep,
    load_pipeline,
)
from graphrag_pipeline.cli.app import run
from graphrag_pipeline.config.load import load_graph
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.plugin import discovery, hookspecs
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.plugin.records import SOURCES
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSum
from tests.docs.shown import files

HOOKS = [name for name in vars(hookspecs) if name.startswith(hookspecs.PREFIX)]


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "plugins.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented_with_its_arguments(page, hook):
    arguments = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
    assert f"`{hook}({arguments})`" in page


def test_no_other_hook_is_documented(page):
    assert set(re.findall(r"`(graphrag_\w+)\(", page)) == set(HOOKS)


def test_every_hook_is_a_registration_an_event_or_the_config_hook():
    known = {kind.hook for kind in KINDS.values()} | {f"graphrag_{event}" for event in hookspecs.EVENTS}
    assert set(HOOKS) == known | {hookspecs.CONFIG_HOOK}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_documented_with_hook_methods_and_built_in_names(page, kind):
    (row,) = (line for line in page.splitlines() if line.startswith(f"| `{kind}` |"))
    assert f"`{KINDS[kind].hook}()`" in row
    for method in KINDS[kind].methods:
        arguments = ", ".join(argument.name for argument in KINDS[kind].arguments(method))
        assert f"`{method}({arguments})`" in row
    names = PluginHost.discover(entry_points=False, environ={}).components(kind)
    listed = row.rstrip(" |").rpartition("|")[2] if names else ""
    assert re.findall(r"`(\w+)`", listed) == list(names)


def test_sources_and_variables_are_documented(page):
    for word in (*SOURCES, discovery.GROUP, discovery.LIST_VARIABLE, discovery.DISABLE_VARIABLE):
        assert f"`{word}`" in page


@pytest.fixture(scope="module")
def examples(page: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the files that the page shows."""
    folder = tmp_path_factory.mktemp("examples")
    for name, text in files(page).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def host(examples: Path) -> PluginHost:
    return PluginHost.discover(
        files=sorted(examples.glob("*.py")), entry_points=False, environ={}, strict=True
    )


@pytest.fixture
def ask(host: PluginHost, examples: Path, monkeypatch: pytest.MonkeyPatch):
    def asked(*overrides, text="audit"):
        monkeypatch.chdir(examples)
        return load_pipeline(["bridge=noop", *overrides], host=host).trace(text)

    return asked


@pytest.mark.parametrize("kind", KINDS)
def test_the_contract_of_every_kind_is_there_as_the_code_has_it(page, kind):
    title = KINDS[kind].title.capitalize()
    section = re.search(rf"^### {title}$(.*?)(?=^###? )", page, re.DOTALL | re.MULTILINE)
    assert section
    for method in KINDS[kind].methods:
        signature = str(inspect.signature(getattr(KINDS[kind].contract, method)))
        plain = re.sub(r"(?<=[:>] )'([^']+)'", r"\1", signature)
        plain = plain.replace("(self, ", "(").replace("(self)", "()")
        assert f"`{method}{plain}`" in section[1]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example(host, kind):
    assert [info for info in host.components(kind).values() if info.plugin != "builtin"]


def test_the_seed_retriever(ask):
    trace = ask("seed=by_id", "query.max_hops=0", text="concept.trace FCON-001 nobody")
    assert [node.node_id for node in trace.result.nodes] == ["concept.trace", "FCON-001"]


def test_the_expander_is_breadth_first_but_for_hubs(ask):
    assert ask("expand=no_hubs", "expand.most=100000").result == ask().result
    fewer = ask("expand=no_hubs", "expand.most=8").result
    assert 8 < len(fewer.nodes) < len(ask().result.nodes)


def test_the_filter_judges_extras_too(ask):
    trace = ask("filter=node_types", "filter.types=[concept]")
    assert {node.node_type for node in trace.result.nodes} == {"concept"}
    assert set(trace.slots[2].drop_counts()) == {"other_type"}
    trace = ask("filter=node_types", "filter.types=[persona]", "bridge=glossary")
    assert list(trace.slots[5].dropped()) == [("term.audit", "other_type")]


def test_the_reranker(ask):
    trace = ask(
        "+rerank=one_per_label",
        "pipeline.order=[seed,expand,score,rerank,context]",
    )
    ranking = trace.ranking(0)
    labels = [entry.node.label for entry in ranking if entry.score > 0]
    assert len(labels) == len(set(labels)) > 1


def test_the_signal(ask):
    trace = ask("score.weights.degree=0.2", "score.signal_params.degree.half=20")
    assert len({round(value, 6) for value in trace.signals["degree"]}) > 3
    assert all(0 <= value < 1 for value in trace.signals["degree"])


def test_the_scorer_starts_with_the_reference_weights(ask):
    scores = {score for _, score in ask("score=strongest").result.scored}
    assert scores == {0.5, 0.1}


def test_the_bridge(ask):
    trace = ask("bridge=glossary", "bridge.extra_score=0.7")
    assert ("term.audit", 0.7) in trace.result.scored
    assert trace.bridge is not None
    assert (trace.bridge.mode, trace.bridge.paths) == ("glossary", 1)


def test_the_context_assembler_keeps_the_budget(ask):
    trace = ask("context=numbered", "context.max_tokens=20")
    assert trace.result.context_text.startswith("1. ")
    assert len(trace.result.context_text) <= 80
    assert trace.slots[-1].cut > 0


def test_the_token_counter(ask):
    text = ask("context.counter=utf8", "context.max_tokens=400").result.context_text
    assert 200 < len(text.encode()) <= 400


def test_the_embedder_finds_what_is_spelled_with_the_same_letters(ask):
    given = (
        "seed.embedder=letters",
        "seed.text=[label]",
        "seed.k=1",
        "seed.cache_dir=null",
        "query.max_hops=0",
    )
    [found] = ask("seed=dense", *given, text="nalp enilepip").result.nodes
    assert found.label == "Pipeline plan"


def test_a_signal_with_an_embedding(ask):
    values = ask("score.weights.label_nearness=0.5").signals["label_nearness"]
    assert 0.3 < max(values) <= 1


def test_the_graph_source_reports_what_it_left_out(host, examples, monkeypatch):
    monkeypatch.chdir(examples)
    loaded = load_graph(load_settings(["graph=edge_list", "graph.path=edges.csv"], host=host), host)
    assert [(found.count, found.places) for found in loaded.report.of("skipped")] == [(1, ("edges.csv:3",))]
    with pytest.raises(GraphSourceError, match="cannot be read"):
        load_graph(load_settings(["graph=edge_list", "graph.path=none.csv"], host=host), host)


def test_the_persona_source(ask):
    trace = ask("personas=team", "personas.anchors=[name]", "query.persona=ARCH-001")
    assert trace.query.anchors == ("Architect",)


def test_the_metric_and_the_tracker(host, tmp_path, monkeypatch):
    metric = host.build("metric", "first_hit")
    assert [metric.measure(["a", "b"], {"a": 1}), metric.measure([], {"a": 1})] == [1.0, 0.0]
    monkeypatch.chdir(tmp_path)
    tracker, told = host.build("tracker", "lines"), TrackedRun("0a", "one", steps=1)
    tracker.start(told)
    tracker.log(told, TrackedStep(0, "q1"))
    tracker.finish(told, TrackedEnd("finished"))
    written = (tmp_path / "runs.txt").read_text("utf-8")
    assert written.splitlines() == ["one begins, 1 queries", "q1 done", "one finished"]


def test_a_component_is_an_option_of_its_group_also_by_its_full_name(ask):
    assert ask("filter=node_types:node_types").result == ask("filter=node_types").result


def test_another_component_starts_afresh(host):
    settings = load_settings(["filter.use=node_types"], host=host)
    assert settings.tree["filter"] == {"use": "node_types", "types": ["concept"]}
    with pytest.raises(ConfigError, match=r"filter\.match: unknown key"):
        load_settings(["filter.match=cell", "filter.use=node_types"], host=host)


def test_candidates_signals_and_weights_are_read_only():
    seen: dict[str, Any] = {}

    class Meddling(WeightedSum):
        def score(self, signals, weights, candidates):
            seen.update(signals=signals, weights=weights, candidates=candidates)
            return super().score(signals, weights, candidates)

    load_pipeline(["bridge=noop"], stages={"score": Meddling()}).run("audit")
    candidates = seen["candidates"]
    columns = (candidates.node, candidates.parent, candidates.edge, candidates.hop, candidates.score)
    for column in (*columns, *seen["signals"].values()):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 7
    for mapping in (seen["signals"], seen["weights"]):
        with pytest.raises(TypeError):
            mapping["baseline"] = 1


def test_pipelines_cannot_be_pickled_and_indexes_and_results_can():
    pipeline = load_pipeline(["bridge=noop"], host=PluginHost.discover(entry_points=False, environ={}))
    with pytest.raises(TypeError):
        pickle.dumps(pipeline)
    assert pickle.loads(pickle.dumps(pipeline.index)).digest == pipeline.index.digest
    result = pipeline.run("audit")
    assert pickle.loads(pickle.dumps(result)) == result


def test_what_is_done_to_a_result_reaches_no_later_answer():
    pipeline = load_pipeline(["bridge=noop"], host=PluginHost.discover(entry_points=False, environ={}))
    before = pipeline.run("audit").to_dict()
    properties: Any = pipeline.run("audit").nodes[0].properties
    properties.clear()
    assert pipeline.run("audit").to_dict() == before


def test_a_missing_plugin_is_a_warning_but_for_the_option(tmp_path, monkeypatch, caplog, capsys):
    monkeypatch.chdir(tmp_path)
    assert load_pipeline(["bridge=noop"], plugins="nope.py").run("audit").nodes
    assert "There is no plugin file nope.py" in caplog.text
    assert run(["query", "audit", "--plugin", "nope.py"]) == 2
    assert "'nope.py' does not exist" in capsys.readouterr().err
