"""LlamaIndex's graph stores as it persists them: the property graph, and the older store of triplets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.entries import entries, mapping_at, read_object
from graphrag_pipeline.graph.reading.kinds import kind
from graphrag_pipeline.graph.sources.embeddings import Embeddings, Treatment
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.triples import ENTITY, headline

PROPERTY_GRAPH, TRIPLETS_ONLY = "property_graph_store.json", "graph_store.json"
CHUNK = "text_chunk"


class LlamaIndexParams(FileGraphParams):
    """Where the store is, and what becomes of vectors."""

    embeddings: Treatment = "drop"
    """What becomes of vectors: ``drop`` them and say how many, or ``keep`` them as properties."""


class LlamaIndexGraph(FileGraph[LlamaIndexParams]):
    """Reads ``property_graph_store.json`` or ``graph_store.json``, or the folder that holds one.

    The shapes are those of ``LabelledPropertyGraph`` and ``SimpleGraphStore`` in
    https://github.com/run-llama/llama_index: of the first, releases differ in what relations are keyed by,
    so a triplet belongs to the relation of its ends and label, whatever the key. A triplet without a
    relation becomes an edge, and so does a relation that no triplet names.
    """

    name = "llamaindex"
    Params = LlamaIndexParams

    def files(self) -> Sequence[Path]:
        """Return the store; in a folder the property graph goes before the older store.

        Raises:
            GraphSourceError: The folder holds neither.
        """
        if not self.path.is_dir():
            return [self.path]
        for name in (PROPERTY_GRAPH, TRIPLETS_ONLY):
            if (self.path / name).is_file():
                return [self.path / name]
        raise GraphSourceError(
            f"The folder holds neither {PROPERTY_GRAPH} nor {TRIPLETS_ONLY}.",
            where=str(self.path),
            hint="It is the folder that LlamaIndex's persist() was given; a file can be named, too.",
        )

    def read(self, intake: Intake) -> None:
        """Read the store.

        Raises:
            GraphSourceError: It is not JSON, or of neither shape.
        """
        (path,) = self.files()
        data = read_object(path, intake)
        if "graph_dict" in data:
            _read_triplets(mapping_at(data["graph_dict"], f"{path}: graph_dict"), intake, str(path))
        elif isinstance(data.get("nodes"), Mapping):
            _PropertyGraph(intake, str(path), self.params.embeddings).read(data)
        else:
            raise GraphSourceError(
                "The file is no graph store of LlamaIndex: it has neither nodes by name nor a graph_dict.",
                where=str(path),
                hint=f"It has: {', '.join(sorted(data)[:12]) or 'nothing'}. "
                "`graph=auto` finds out what a file is.",
            )


# Any throughout: JSON data.
class _PropertyGraph:
    def __init__(self, intake: Intake, where: str, embeddings: Treatment) -> None:
        self._intake = intake
        self._where = where
        self._embeddings = Embeddings(embeddings)
        self._unnamed: dict[tuple[str, str, str], list[str]] = {}
        self._related: set[tuple[str, str, str]] = set()

    def read(self, data: Mapping[str, Any]) -> None:
        relations = mapping_at(data.get("relations", {}), f"{self._where}: relations")
        triplets = entries(data, "triplets", self._where) if "triplets" in data else []
        self._intake.total = len(data["nodes"]) + len(relations) + len(triplets)
        for key, value in data["nodes"].items():
            at = f"{self._where}: nodes[{key!r}]"
            self._node(key, mapping_at(value, at), at)
        for key, value in relations.items():
            at = f"{self._where}: relations[{key!r}]"
            self._relation(mapping_at(value, at), at)
        for number, value in enumerate(triplets):
            self._triplet(value, f"{self._where}: triplets[{number}]")
        for places in self._unnamed.values() if "triplets" in data else ():
            for at in places:
                self._intake.repair("a relation that no triplet names was read as an edge", at)
        self._embeddings.note(self._intake)

    def _node(self, key: str, entry: dict[str, Any], at: str) -> None:
        self._intake.read("nodes")
        label, given, own_id = (entry.pop(name, None) for name in ("label", "name", "id_"))
        text = entry.get("text")
        chunk = isinstance(text, str)
        name = given if isinstance(given, str) else headline(text) if isinstance(text, str) else key
        self._intake.node(
            key,
            label if isinstance(label, str) else CHUNK if chunk else ENTITY,
            name,
            at=at,
            properties={"id_": None if own_id == key else own_id, **self._properties(entry, at)},
        )

    def _relation(self, entry: dict[str, Any], at: str) -> None:
        self._intake.read("relations")
        ends = [_text(entry.pop(key, None), f"{at}: {key}") for key in ("source_id", "label", "target_id")]
        source, label, target = ends
        properties = self._properties(entry, at)
        weight = properties.pop("weight", None)
        self._intake.edge(source, target, label, at=at, weight=weight, properties=properties)
        self._related.add((source, label, target))
        self._unnamed.setdefault((source, label, target), []).append(at)

    def _triplet(self, value: Any, at: str) -> None:
        self._intake.read("triplets")
        if not isinstance(value, list) or len(value) != 3 or not all(isinstance(part, str) for part in value):
            self._intake.skip("a triplet that is no list of three texts", at)
            return
        source, label, target = value
        self._unnamed.pop((source, label, target), None)
        if (source, label, target) in self._related:
            self._intake.absorb("triplets whose relation is an edge")
            return
        self._related.add((source, label, target))
        self._intake.blank("a triplet has no relation; its edge has no properties", at)
        self._intake.edge(source, target, label, at=at)

    def _properties(self, entry: dict[str, Any], at: str) -> dict[str, Any]:
        """Return the properties of an entry, and its other keys among them."""
        given = entry.pop("properties", None)
        properties = {} if given is None else mapping_at(given, f"{at}: properties")
        vector = entry.pop("embedding", None)
        return self._embeddings.taken({**entry, **properties}, {"embedding": vector})


def _read_triplets(graph: Mapping[str, Any], intake: Intake, where: str) -> None:
    names: dict[str, None] = {}
    for subject, pairs in graph.items():
        names[subject] = None
        if not isinstance(pairs, list):
            at = f"{where}: graph_dict[{subject!r}]"
            raise GraphSourceError(f"A subject must have a list of pairs, not {kind(pairs)}.", where=at)
        for number, pair in enumerate(pairs):
            at = f"{where}: graph_dict[{subject!r}][{number}]"
            intake.read("triplets")
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or not all(isinstance(part, str) for part in pair)
            ):
                intake.skip("a triplet that is no pair of a relation and an object", at)
                continue
            label, target = pair
            if intake.edge(subject, target, label, at=at):
                names[target] = None
    for name in names:
        intake.node(name, ENTITY, name, made="nodes that triplets name")


def _text(value: Any, at: str) -> str:
    if isinstance(value, str | None):
        return value or ""
    raise GraphSourceError(f"It must be text, not {kind(value)}.", where=at)
