#!/bin/sh
# From a clean clone to the figures. GRAPHRAG_DATA is the folder that holds the five sets.
set -e
cd "$(dirname "$0")"
PYTHON=${PYTHON:-../../.venv/bin/python}
$PYTHON -m pip install -q "ir-measures>=0.4"
$PYTHON weights.py      # results/weights.json: the weights, in sample and cross-validated
$PYTHON evaluate.py     # results/metrics.json and *.run: the preset as it is shipped
$PYTHON ablation.py     # results/ablation.json
$PYTHON failures.py     # results/failures.md
