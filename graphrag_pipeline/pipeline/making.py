"""Making components, with what they are given beside their parameters."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from graphrag_pipeline.model.component import Params
from graphrag_pipeline.stages.dense.embedding import Embedding
from graphrag_pipeline.stages.embedders.contract import Embedder, EmbedderParams

if TYPE_CHECKING:
    from graphrag_pipeline.plugin.host import PluginHost
    from graphrag_pipeline.plugin.records import ComponentInfo

EMBEDDINGS = 8
"""Embedders of one host, with different parameters, that are kept for further pipelines."""

_lock = Lock()
_made: WeakKeyDictionary[PluginHost, OrderedDict[str, Embedding]] = WeakKeyDictionary()


def make(host: PluginHost, kind: str, use: str, params: Params) -> object:
    """Make a component; one that works with vectors of texts is given an :class:`Embedding`.

    Raises:
        PluginError: It, or the embedder it names, is unknown or cannot be made.
    """
    if isinstance(params, EmbedderParams):
        return host.build(kind, use, params, embedding=embedding_of(host, params))
    return host.build(kind, use, params)


def embedding_of(host: PluginHost, params: EmbedderParams) -> Embedding:
    """Return the embedding that some parameters name: one for all components and pipelines of a host.

    Raises:
        PluginError: The embedder is unknown or cannot be made.
    """
    info = host.find("embedder", params.embedder)
    own = info.params(**params.embedder_params)
    key = f"{info.qualified} {own.model_dump_json()}"
    with _lock:
        made = _made.setdefault(host, OrderedDict())
        if key not in made:
            embedder = cast("Embedder", host.build("embedder", params.embedder, own))
            made[key] = Embedding(embedder, info.name, lambda: _origin(host, info, own))
            if len(made) > EMBEDDINGS:
                made.popitem(last=False)
        made.move_to_end(key)
        return made[key]


def _origin(host: PluginHost, info: ComponentInfo, params: Params) -> list[object]:
    # A plugin file has no version that tells whether its code changed.
    code = "" if info.source == "builtin" else host.code_digest(info.plugin)
    # Where a model lies says nothing about it, and its content is in the fingerprint.
    return [info.qualified, info.version, code, params.model_dump(mode="json", exclude={"path"})]
