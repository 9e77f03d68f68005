"""Make the question set of this experiment from the FCC graph: `python derive_questions.py DIR`.

For each registered persona, its name or its title is the query, its id the persona and its own cell the cell.
What the graph joins it to is taken as relevant. Texts go to DIR, which git ignores, and nowhere else.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from pathlib import Path

DATA = Path(os.environ["GRAPHRAG_DATA"]) / "fcc-kg"
TEAM = ("interacts_with", "orchestrates", "champions")
"""Edges between two personas; either end is a colleague of the other."""
Relevant = dict[str, set[str]]


def relevant_nodes() -> tuple[dict[str, str], dict[str, Relevant]]:
    """Return the cell of each node, and the relevant nodes of each persona by kind."""
    graph = json.loads((DATA / "graph.zachman36.json").read_text(encoding="utf-8"))
    cells = {node["node_id"]: node["properties"]["zachman_cell"] for node in graph["nodes"]}
    own: Relevant = defaultdict(set)
    team: Relevant = defaultdict(set)
    for edge in graph["edges"]:
        source, target, kind = edge["source_id"], edge["target_id"], edge["edge_type"]
        if kind == "produces":
            own[source].add(target)
        if kind == "governs":
            own[target].add(source)
        if kind in TEAM:
            team[source].add(target)
            team[target].add(source)
    return cells, {"own": own, "team": team}


def main(folder: Path) -> None:
    """Write `queries.jsonl` and `qrels.txt`, and print what the cells have to do with what is relevant."""
    cells, relevant = relevant_nodes()
    personas = json.loads((DATA / "personas.json").read_text(encoding="utf-8"))
    queries, judged = [], []
    inside = {kind: [0, 0, 0] for kind in relevant}
    for persona in personas:
        here = persona["id"]
        for kind, nodes in relevant.items():
            gold = sorted(nodes[here] - {here})
            for words in ("name", "role"):
                number = f"{here}.{words}.{kind}"
                question = {"id": number, "text": persona[words], "persona": here, "cell": cells[here]}
                queries.append({**question, "kind": f"{words}.{kind}"})
                judged += [f"{number} 0 {node.replace(' ', '%20')} 1" for node in gold]
            row = cells[here].split(":")[0]
            inside[kind][0] += len(gold)
            inside[kind][1] += sum(cells[node].split(":")[0] == row for node in gold)
            inside[kind][2] += sum(cells[node] == cells[here] for node in gold)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(question, ensure_ascii=False) for question in queries]
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "qrels.txt").write_text("\n".join(judged) + "\n", encoding="utf-8")
    names = ("relevant", "in the persona's row", "in its cell")
    told = {kind: dict(zip(names, counts, strict=True)) for kind, counts in inside.items()}
    print(json.dumps({"queries": len(queries), **told}, indent=1))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
