"""What ``fcc-agent-team-ext`` knows, read from the files inside the package.

``fcc`` is imported when something is loaded, not when the plugin is: it takes most of a second.
"""

from __future__ import annotations

import json
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from graphrag_pipeline import GraphSourceError

DISTRIBUTION = "fcc-agent-team-ext"
VERSION = "2.2.0"
SOURCE = f"{DISTRIBUTION} {VERSION}"
"""What the sources call themselves in reports."""
WORKFLOW_PREFIX = "wf_"
"""Put before workflow ids, which are persona ids and would replace the personas."""


def require_package() -> None:
    """Check that the package is there in the one version whose graph is known.

    Raises:
        GraphSourceError: It is not.
    """
    hint = f"Run: pip install {DISTRIBUTION}=={VERSION}"
    try:
        found = metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError as error:
        raise GraphSourceError(f"{DISTRIBUTION} is not installed.", where="source fcc", hint=hint) from error
    if found != VERSION:
        raise GraphSourceError(
            f"{DISTRIBUTION} is {found}; its graph is known for {VERSION} only.",
            where="source fcc",
            hint=hint,
        )


def data_directory() -> Path:
    """Return the package's data directory."""
    return Path(str(files("fcc"))) / "data"


# Any, here and below: the package's objects carry no types that a checker could use.
def persona_registry() -> Any:
    """Return the package's persona registry."""
    from fcc.personas.models import PersonaSpec
    from fcc.personas.registry import PersonaRegistry
    from fcc.vocab.store import VocabStore

    # PersonaRegistry.from_yaml_directory reads this database too, and leaves its connections open.
    store = VocabStore.open(data_directory() / "fcc_vocab.sqlite")
    try:
        return PersonaRegistry(
            [PersonaSpec.from_dict(entry["payload"]) for entry in store.iter_phrases("persona")]
        )
    finally:
        store.engine.dispose()


def cell_of(kind: str, persona_id: str) -> str:
    """Return ``row:column`` as the package classifies an artefact."""
    from fcc.classification.zachman import classify

    cell = classify(kind, persona_id)
    return f"{cell.perspective.value}:{cell.interrogative.value}"


def full_graph(personas: Any) -> dict[str, Any]:
    """Return the graph that the package builds from all its registries."""
    from fcc.federation.namespaces import NamespaceRegistry
    from fcc.governance.constitution_registry import ConstitutionRegistry
    from fcc.knowledge.builders import build_full_fcc_graph
    from fcc.knowledge.schema import default_ontology
    from fcc.personas.cross_reference import CrossReferenceMatrix
    from fcc.personas.dimensions import DimensionRegistry
    from fcc.workflow.actions import WorkflowActionRegistry

    data = data_directory()
    folder = data / "personas"
    declared = CrossReferenceMatrix.from_personas(personas)
    curated = CrossReferenceMatrix.from_yaml(folder / "cross_reference.yaml")
    graph = build_full_fcc_graph(
        persona_registry=personas,
        crossref_matrix=declared.merge_with_precedence(curated),
        action_registry=WorkflowActionRegistry.from_yaml_directory(folder / "actions"),
        constitution_registry=ConstitutionRegistry.from_registry(personas),
        dimension_registry=DimensionRegistry.from_yaml(folder / "dimension_definitions.yaml"),
        namespace_registry=NamespaceRegistry.from_yaml(data / "federation" / "namespace_registry.yaml"),
        ontology=default_ontology(),
        workflow_data=_workflow(data / "workflows" / "extended_84.json"),
    )
    return _plain(graph)


def persona_nodes(personas: Any) -> dict[str, dict[str, Any]]:
    """Return the node of each registered persona, as the package makes it before it is overwritten."""
    from fcc.knowledge.builders import build_persona_graph

    nodes = _plain(build_persona_graph(personas))["nodes"]
    return {node["node_id"]: node for node in nodes if node["node_id"] in personas}


def _plain(graph: Any) -> dict[str, Any]:
    plain: dict[str, Any] = graph.to_dict()
    return plain


def _workflow(path: Path) -> dict[str, Any]:
    """Read a workflow file and give it the keys that the package's builder asks for."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    nodes = [
        {"id": WORKFLOW_PREFIX + node["id"], "label": node["name"], "type": node["type"]}
        for node in stored["nodes"]
    ]
    edges = [
        {"source": WORKFLOW_PREFIX + edge["from"], "target": WORKFLOW_PREFIX + edge["to"]}
        for edge in stored["edges"]
    ]
    return {"nodes": nodes, "edges": edges}
