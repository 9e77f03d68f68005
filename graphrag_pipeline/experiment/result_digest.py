"""A digest of everything a query gave but the time it took."""

from __future__ import annotations

import hashlib
import json

from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.pipeline.working import WorkingSet


def result_digest(working: WorkingSet) -> str:
    """Return the SHA-256 of a result: candidates with parents, edges and scores, extras, and the context.

    Nodes are positions, so it says the same only with the digest of the graph. Bytes are little-endian
    whatever the machine.
    """
    candidates, extras = working.candidates, working.extras
    digest = hashlib.sha256()
    for column in (candidates.node, candidates.parent, candidates.edge, candidates.hop):
        digest.update(column.astype("<i8").tobytes())
    digest.update(candidates.score.astype("<f8").tobytes())
    digest.update(extras.score.astype("<f8").tobytes())
    added = QueryResult(extras.nodes, extras.edges, extras.paths, (), working.context.text)
    # What a bridge gives may be no JSON. The text of an object may hold its address; its type does not.
    content = [len(candidates), added.to_dict()]
    text = json.dumps(content, skipkeys=True, default=lambda value: type(value).__name__)
    digest.update(text.encode("ascii"))
    return digest.hexdigest()
