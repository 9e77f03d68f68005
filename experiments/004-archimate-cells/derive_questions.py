"""Make a question set for each ArchiMate model: `python derive_questions.py DIR`.

A view's name is the query, the elements drawn in it are relevant. The query's cell is an oracle: the row that
most relevant elements are in, and of its cells the one that most of them are in. Texts go to DIR, which git
ignores, and nowhere else.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

from graphrag_pipeline import load_pipeline

DATA = Path(os.environ["GRAPHRAG_DATA"]) / "archimate"


def most(counts: Counter[str]) -> str:
    """Return the most frequent name; of equally frequent ones the first in the order of letters."""
    return min(counts, key=lambda name: (-counts[name], name))


def oracle(cells: list[str]) -> str:
    """Return the cell that a question is given."""
    rows = Counter(cell.split(":")[0] for cell in cells)
    row = most(rows)
    return most(Counter(cell for cell in cells if cell.startswith(f"{row}:")))


def published_table() -> dict[str, str]:
    """Return the cell of each type of element, by the table that comes with the data."""
    with (DATA / "zachman_mapping.csv").open(encoding="utf-8", newline="") as lines:
        return {row["element_type"]: row["zachman_cell"] for row in csv.DictReader(lines)}


def main(folder: Path) -> None:
    """Write a set for each model, and print what the cells have to do with what is relevant."""
    relevant: dict[str, list[str]] = defaultdict(list)
    for line in (DATA / "view_qrels.dev.txt").read_text(encoding="utf-8").splitlines():
        query, _, node, _ = line.split()
        relevant[query].append(node)
    questions: dict[str, list[dict[str, str]]] = defaultdict(list)
    for line in (DATA / "view_queries.dev.jsonl").read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        questions[question["model"]].append({"id": question["id"], "text": question["text"]})
    table = published_table()
    shares: list[tuple[float, float]] = []
    told: dict[str, int] = {}
    other: Counter[str] = Counter()
    missing = 0
    for model in sorted(questions):
        path = DATA / model / "model.archimate"
        index = load_pipeline(["graph=archimate", f"graph.path={path}", "personas=none"]).index
        queries, judged = [], []
        for question in questions[model]:
            gold = relevant[question["id"]]
            nodes = [found for element in gold if (found := index.get_node(element))]
            missing += len(gold) - len(nodes)
            cells = [str(node.properties.get("zachman_cell", "")) for node in nodes]
            other.update(
                n.node_type for n, c in zip(nodes, cells, strict=True) if table.get(n.node_type, "") != c
            )
            cell = oracle([known for known in cells if known])
            row = cell.split(":")[0]
            in_row = sum(known.split(":")[0] == row for known in cells) / len(gold)
            shares.append((in_row, sum(known == cell for known in cells) / len(gold)))
            queries.append({**question, "cell": cell})
            judged += [f"{question['id']} 0 {element} 1" for element in gold]
        (folder / model).mkdir(parents=True, exist_ok=True)
        lines = "\n".join(json.dumps(question, ensure_ascii=False) for question in queries)
        (folder / model / "queries.jsonl").write_text(lines + "\n", encoding="utf-8")
        (folder / model / "qrels.txt").write_text("\n".join(judged) + "\n", encoding="utf-8")
        told[model] = len(queries)
    means = {
        "relevant elements in the row": round(sum(row for row, _ in shares) / len(shares), 4),
        "in the cell": round(sum(cell for _, cell in shares) / len(shares), 4),
        "all in the row": sum(row == 1 for row, _ in shares),
        "all in the cell": sum(cell == 1 for _, cell in shares),
    }
    differ = {
        "relevant elements that are no node": missing,
        "elements whose cell is not that of zachman_mapping.csv": dict(sorted(other.items())),
    }
    print(json.dumps({"questions": told, "mean over questions": means, **differ}, indent=1))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
