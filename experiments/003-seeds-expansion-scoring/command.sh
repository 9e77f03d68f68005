#!/bin/sh
# From a clean clone to the figures. GRAPHRAG_DATA is the folder that holds kg-2wiki and mh-2wiki.
set -e
cd "$(dirname "$0")/../.."
HERE=experiments/003-seeds-expansion-scoring
PYTHON=${PYTHON:-.venv/bin/python}
$PYTHON -m pip install -q "ir-measures>=0.4" matplotlib
GRID="seed=label,mention,bm25,hybrid expand=none,bfs,ppr,beam score=reference,hybrid,rrf"
MEASURES="--measure R@5 --measure nDCG@10 --measure all-gold@5 --measure gold_candidates --measure candidates"
mkdir -p runs/003 $HERE/results $HERE/figures

# The preset without its second look at the text (recall), its filter and its context: what is compared is the three choices.
$PYTHON -m graphrag_pipeline sweep dataset=kg_2wiki pipeline=hybrid 'pipeline.order=[seed,expand,score]' personas=none $GRID \
    $MEASURES --output runs/003/kg-2wiki > runs/003/kg-2wiki.txt 2> runs/003/kg-2wiki.log
# The relevant nodes are passages: nothing else is ranked, so that no score has to know that.
$PYTHON -m graphrag_pipeline sweep dataset=mh_2wiki pipeline=hybrid 'pipeline.order=[seed,expand,filter,score]' personas=none \
    filter=node_type 'filter.rule.node_type=[passage]' $GRID \
    $MEASURES --output runs/003/mh-2wiki > runs/003/mh-2wiki.txt 2> runs/003/mh-2wiki.log
for set in kg-2wiki mh-2wiki; do
    mkdir -p $HERE/results/$set
    cp runs/003/$set/points.csv runs/003/$set/manifest.json runs/003/$set/config.yaml $HERE/results/$set/
    { grep "^note" runs/003/$set.log; cat runs/003/$set.txt; } > $HERE/results/$set/sweep.txt
done
cp $HERE/results/kg-2wiki/config.yaml $HERE/config.yaml
$PYTHON $HERE/analysis.py runs/003
$PYTHON $HERE/figures.py

# The chosen point and the cheap one as runs of their own: their values are those of the sweep.
for set in kg-2wiki mh-2wiki; do
    for point in 46 21; do
        $PYTHON -m graphrag_pipeline freeze runs/003/$set --point $point --force -o runs/003/$set-$point.yaml
        $PYTHON -m graphrag_pipeline evaluate --config runs/003/$set-$point.yaml --measure R@5 --force \
            --output runs/003/$set-point-$point > runs/003/$set-$point.txt 2> runs/003/$set-$point.log
    done
    $PYTHON -m graphrag_pipeline compare runs/003/$set-point-46 runs/003/$set-point-21 --measure R@5 --split --queries 0 \
        --qrels runs/003/$set-point-46/qrels.txt > $HERE/results/$set/compare.txt 2> runs/003/$set-compare.log
done
