#!/bin/sh
# From a clean clone to the figures. GRAPHRAG_DATA is the folder that holds fcc-kg.
set -e
cd "$(dirname "$0")/../.."
HERE=experiments/002-reference-weights
PYTHON=${PYTHON:-.venv/bin/python}
$PYTHON -m pip install -q "ir-measures>=0.4" matplotlib
mkdir -p runs/002 $HERE/results $HERE/figures

$PYTHON $HERE/derive_questions.py runs/002/questions > $HERE/results/questions.json
$PYTHON $HERE/persona_signal.py > $HERE/results/persona_signal.json
$PYTHON -m graphrag_pipeline sweep dataset.path=runs/002/questions bridge=noop \
    graph=json 'graph.path=${oc.env:GRAPHRAG_DATA}/fcc-kg/graph.zachman36.json' \
    personas=file 'personas.path=${oc.env:GRAPHRAG_DATA}/fcc-kg/personas.json' \
    'pipeline.order=[seed,expand,filter,score,context]' filter=rules \
    'filter.rule={all: []},{cell: {match: perspective}},{cell: {match: cell}}' \
    score.weights.baseline=0,0.1,0.3 score.weights.label_match=0,0.25,0.5,1 score.weights.persona_match=0,0.2,0.4,0.8 \
    --measure nDCG@10 --measure R@10 --measure RR --measure gold_candidates --measure candidates \
    --output runs/002/sweep > runs/002/sweep.txt 2> runs/002/sweep.log
cat runs/002/sweep.log runs/002/sweep.txt > $HERE/results/sweep.txt
cp runs/002/sweep/points.csv runs/002/sweep/manifest.json $HERE/results/
cp runs/002/sweep/config.yaml $HERE/config.yaml
$PYTHON $HERE/analysis.py runs/002/sweep
$PYTHON $HERE/figures.py
