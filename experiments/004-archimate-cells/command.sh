#!/bin/sh
# From a clean clone to the figures. GRAPHRAG_DATA is the folder that holds archimate.
set -e
cd "$(dirname "$0")/../.."
HERE=experiments/004-archimate-cells
PYTHON=${PYTHON:-.venv/bin/python}
$PYTHON -m pip install -q "ir-measures>=0.4" matplotlib
mkdir -p runs/004 $HERE/results $HERE/figures

# A view is searched for inside its own model: a sweep for each, put together by analysis.py.
$PYTHON $HERE/derive_questions.py runs/004/sets > $HERE/results/questions.json 2> runs/004/reading.log
for model in $(ls runs/004/sets); do
    mkdir -p $HERE/results/$model
    $PYTHON -m graphrag_pipeline sweep dataset.path=runs/004/sets/$model personas=none pipeline=hybrid \
        graph=archimate "graph.path=\${oc.env:GRAPHRAG_DATA}/archimate/$model/model.archimate" filter=rules \
        'pipeline.order=[seed,expand,recall,filter,score],[seed,filter,expand,recall,score],[seed,filter,expand,recall,filter,score]' \
        'filter.rule={all: []},{cell: {match: perspective}},{cell: {match: perspective, rows: 1}},{cell: {match: cell}},{cell: {match: cell, rows: 1}},{cell: {match: interrogative}}' \
        expand.gate=null,filter expand.gate_mode=block,pass \
        --measure nDCG@10 --measure R@10 --measure RR --measure gold_candidates --measure candidates \
        --output runs/004/sweeps/$model > runs/004/$model.txt 2> runs/004/$model.log
    cp runs/004/sweeps/$model/points.csv runs/004/sweeps/$model/manifest.json runs/004/sweeps/$model/config.yaml $HERE/results/$model/
done
cp "runs/004/sweeps/archisurance-v3/config.yaml" $HERE/config.yaml
$PYTHON $HERE/analysis.py runs/004/sweeps
$PYTHON $HERE/figures.py
