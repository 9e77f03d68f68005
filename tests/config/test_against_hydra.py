"""Our composing and Hydra's own give the same tree."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from omegaconf import OmegaConf

from graphrag_pipeline.config.compose import compose
from graphrag_pipeline.config.overrides import parse_overrides
from graphrag_pipeline.config.roots import conf_root
from graphrag_pipeline.config.search_path import search_path
from graphrag_pipeline.config.tree import plain
from graphrag_pipeline.plugin.host import PluginHost

VALUES = [
    "++query.k=7",
    "++query.text='a, b = c'",
    "++query.persona=null",
    "++context.max_tokens=300",
    "++score.weights.label_match=0.6",
    "++score.weights.extra=1e-3",
    "++score.weights={baseline:0.2,other:1}",
    "++pipeline.order=[seed,expand,score,context]",
    "++bridge.timeout_s=.5",
    "++extra={a:{b:[1,2,{c:true}]}}",
    "~filter.match",
    "~bridge",
]


def _options() -> list[str]:
    files = sorted(conf_root().glob("*/*.yaml"))
    plus = {"experiment": "+", "rerank": "+"}
    return [f"{plus.get(file.parent.name, '')}{file.parent.name}={file.stem}" for file in files]


def _cases() -> list[list[str]]:
    singles = [[override] for override in (*_options(), *VALUES)]
    pairs = [list(pair) for pair in itertools.combinations(VALUES, 2) if "~bridge" not in pair]
    return [[], *singles, *pairs[::3]]


@pytest.fixture(scope="module")
def hydra_trees() -> dict[str, Any]:
    trees = {}
    with initialize_config_dir(str(Path(conf_root()).absolute()), version_base="1.3"):
        for case in _cases():
            trees[str(case)] = OmegaConf.to_container(hydra_compose("config", case))
    return trees


def test_every_option_and_override_gives_the_tree_that_hydra_composes(hydra_trees: dict[str, Any]) -> None:
    roots, _ = search_path([], PluginHost.discover(entry_points=False, environ={}))
    for case in _cases():
        parsed, problems = parse_overrides(case)
        composition = compose(parsed, roots)
        assert not problems, case
        assert not composition.problems, case
        assert plain(composition.tree) == hydra_trees[str(case)], case
