"""A digest of everything a query gave but the time it took."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from graphrag_pipeline.experiment.checksums import checksum_of_floats, checksum_of_numbers
from graphrag_pipeline.experiment.recording import rows_of
from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import Extras


def result_digest(working: WorkingSet) -> str:
    """Return the digest of a result, from what the last step left; see :func:`digest_of`."""
    candidates = working.candidates
    rows, score = checksum_of_numbers(*rows_of(candidates)), checksum_of_floats(candidates.score)
    return digest_of(len(candidates), rows, score, working.extras, working.context.text)


def digest_of(candidates: int, rows: int, score: int, extras: Extras, context: str) -> str:
    """Return the SHA-256 of a result: candidates with parents, edges and scores, extras, and the context.

    Columns of candidates go in by their checksums. Nodes are positions, so it says the same only with the
    digest of the graph. Bytes are little-endian whatever the machine.

    Args:
        candidates: How many there are.
        rows: Checksum of their nodes, parents, edges and hops.
        score: Checksum of their scores.
        extras: What a bridge added.
        context: The text.
    """
    text = context.encode("utf-8", "surrogatepass")
    counts = f"{candidates} {rows} {score} {len(extras.score)} {len(text)} "
    digest = hashlib.sha256(counts.encode("ascii") + text)
    digest.update(np.ascontiguousarray(extras.score, "<f8").data)
    if extras.nodes or extras.edges or extras.paths:
        added = QueryResult(extras.nodes, extras.edges, extras.paths, (), "")
        # What a bridge gives may be no JSON. The text of an object may hold its address; its type does not.
        content = json.dumps(added.to_dict(), skipkeys=True, default=lambda value: type(value).__name__)
        digest.update(content.encode("ascii"))
    return digest.hexdigest()
