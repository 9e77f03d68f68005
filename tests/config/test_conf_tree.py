"""The YAML that is shipped: every option composes and validates."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.roots import SUFFIX, Root, conf_root, find_roots
from graphrag_pipeline.config.search_path import options_with_places
from graphrag_pipeline.pipeline.spec import REFERENCE_ORDER, SLOT_KINDS

CONF = Root("conf", conf_root())
OPTIONS = [(group, option) for group in CONF.groups() for option in CONF.options(group)]
ADDED = ("experiment", "rerank")
"""Groups that no option of is a default."""
REQUIRED = {
    **{
        f"graph={option}": ["graph.path=g"]
        for option in CONF.options("graph")
        if option not in ("demo", "networkx")
    },
    "personas=file": ["personas.path=p.yaml"],
    "filter=rules": ["filter.rule={persona: mentioned}"],
    **{f"filter={name}": [f"filter.rule.{name}=[a]"] for name in ("node_type", "edge_type", "namespace")},
    "filter=property": ["filter.rule.property.key=a"],
    "filter=time": ["filter.rule.time.key=a"],
}


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_option_composes_and_validates(load, group, option):
    choice = f"{group}={option}"
    settings = load(f"+{choice}" if group in ADDED else choice, *REQUIRED.get(choice, []))
    assert settings.choices[group] == option


def test_the_default_is_the_reference_pipeline(settings):
    assert settings.pipeline.order == REFERENCE_ORDER
    assert {slot: spec.kind for slot, spec in settings.pipeline.slots.items()} == {
        slot: SLOT_KINDS[slot] for slot in REFERENCE_ORDER
    }
    assert settings.tree["score"]["weights"] == {"baseline": 0.1, "label_match": 0.5, "persona_match": 0.4}
    assert (settings.query.k, settings.query.max_hops, settings.query.text) == (10, 3, "")


@pytest.mark.parametrize("path", sorted(CONF.path.rglob(f"*{SUFFIX}")), ids=lambda path: path.stem)
def test_every_file_says_what_it_is_for(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("# @")]
    assert lines[0].startswith("# ")


def test_an_experiment_changes_several_things_at_once(load):
    settings = load("+experiment=strict_cell")
    assert settings.choices["bridge"] == "noop"
    assert settings.tree["filter"]["match"] == "cell"


def test_a_missing_config_directory_is_a_mistake(mistakes):
    assert "does not exist" in mistakes(dirs=("nowhere",))["nowhere"].what


def test_options_come_from_the_first_directory_that_has_them(write):
    write("mine/seed/label.yaml", "use: label\n")
    roots, _ = find_roots(["mine"], ())
    places = options_with_places(roots, "seed")
    assert places.pop("label") == "mine/seed"
    assert set(places.values()) == {"conf/seed"}


def test_an_option_cannot_lead_out_of_its_directory(write):
    write("secret.yaml", "use: label\n")
    write("mine/seed/x.yaml", "use: label\n")
    roots, _ = find_roots(["mine"], ())
    assert roots[0].file("seed/../../secret") is None
    assert not roots[0].is_group("../mine")
    assert not roots[0].is_group("x" * 999)
