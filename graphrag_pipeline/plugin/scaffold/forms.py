"""What kinds of plugin can be written, and how each is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphrag_pipeline.plugin.kinds import KINDS, Kind


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of plugin as a template has it.

    Args:
        flag: What ``--kind`` calls it.
        kind: Its kind of component.
        module: Name of the module with the class.
        suffix: End of the class's name, so that no name of a component makes a name that is taken.
        suite: The suite of the contract kit.
        group: The config group of its option; empty when it has none.
        choice: What a command line says to use it; ``{name}`` stands for the name.
    """

    flag: str
    kind: Kind
    module: str
    suffix: str
    suite: str
    group: str
    choice: str

    def use(self, name: str) -> str:
        """Return what a command line says to use a component of this name."""
        return self.choice.format(name=name)


def _form(flag: str, kind: str, suffix: str, suite: str, group: str, choice: str) -> Form:
    return Form(flag, KINDS[kind], flag.replace("-", "_"), suffix, suite, group, choice)


_RERANK = "+rerank={name} 'pipeline.order=[seed,expand,score,rerank,context]'"
_ALL = (
    _form("seed", "seed_retriever", "Seeds", "SeedRetrieverSuite", "seed", "seed={name}"),
    _form("expander", "expander", "Expander", "ExpanderSuite", "expand", "expand={name}"),
    _form("filter", "filter", "Filter", "FilterSuite", "filter", "filter={name}"),
    _form("signal", "signal", "Signal", "SignalSuite", "score", "score={name}"),
    _form("scorer", "scorer", "Scorer", "ScorerSuite", "score", "score={name}"),
    _form("reranker", "reranker", "Reranker", "RerankerSuite", "rerank", _RERANK),
    _form("bridge", "bridge", "Bridge", "BridgeSuite", "bridge", "bridge={name}"),
    _form("context", "context_assembler", "Context", "ContextAssemblerSuite", "context", "context={name}"),
    _form("token-counter", "token_counter", "Counter", "TokenCounterSuite", "context", "context={name}"),
    _form("embedder", "embedder", "Embedder", "EmbedderSuite", "seed", "seed={name}"),
    _form("source", "graph_source", "Source", "GraphSourceSuite", "graph", "graph={name} graph.path=FILE"),
    _form(
        "personas",
        "persona_source",
        "Personas",
        "PersonaSourceSuite",
        "personas",
        "personas={name} personas.path=FILE",
    ),
    _form("metric", "metric", "Metric", "MetricSuite", "", ""),
    _form("tracker", "tracker", "Tracker", "TrackerSuite", "trackers", "trackers={name}"),
)
FORMS: Mapping[str, Form] = {form.flag: form for form in _ALL}
"""Every form by what ``--kind`` calls it."""
