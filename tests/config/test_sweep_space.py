"""What a sweep goes over, and that its configs are those that ``load_settings`` gives."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from graphrag_pipeline.config.settings import Settings, load_settings, recipe_yaml
from graphrag_pipeline.config.sweep_space import (
    MOST_POINTS,
    MOST_PROBLEMS,
    SweepSpace,
    check,
    point_settings,
    sweep_space,
)
from graphrag_pipeline.errors import ConfigError
from graphrag_pipeline.plugin.host import PluginHost
from tests.config.conftest import builtin_host


def texts(host: PluginHost, override: str) -> list[str]:
    """Return the values of the one key that is swept."""
    space = sweep_space([override], host=host)
    return [text for point in space.points() for text in point.values.values()]


def problems(host: PluginHost, *overrides: str) -> dict[str, str]:
    """Return what is wrong with a sweep, by key."""
    with pytest.raises(ConfigError) as caught:
        sweep_space(overrides, host=host)
    return {problem.key: problem.what for problem in caught.value.problems}


# -- grammar --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1,2,3", ["1", "2", "3"]),
        ("007,1_000,1e-3,TRUE", ["007", "1_000", "1e-3", "TRUE"]),
        ("'0.7,0.3','a=b'", ["'0.7,0.3'", "'a=b'"]),
        ("[a,b],[007]", ["[a,b]", "[007]"]),
        ("{a:1},{b:[1,2]}", ["{a:1}", "{b:[1,2]}"]),
        ("null,1", ["null", "1"]),
        ("北条,の 港", ["北条", "の 港"]),
        ("1,1", ["1", "1"]),
        ("choice(a,b)", ["a", "b"]),
        ("choice('a,b',c,'1',1)", ["'a,b'", "c", "'1'", "1"]),
        ("sort(3,1,2)", ["1", "2", "3"]),
        ("sort(c,'a,a',reverse=true)", ["c", "'a,a'"]),
        ("str(1,2)", ["'1'", "'2'"]),
        ("range(3)", ["0", "1", "2"]),
        ("range(1,4)", ["1", "2", "3"]),
        ("range(0,0.5,0.1)", ["0.0", "0.1", "0.2", "0.3", "0.4"]),
        ("tag(fast,choice(a,b))", ["a", "b"]),
        ("0:1:0.25", ["0.0", "0.25", "0.5", "0.75", "1.0"]),
        ("1:10:3", ["1", "4", "7", "10"]),
        ("1:11:3", ["1", "4", "7", "10"]),
        ("1:0:-0.5", ["1.0", "0.5", "0.0"]),
        ("5:5:1", ["5"]),
        ("1e-3:3e-3:1e-3", ["0.001", "0.002", "0.003"]),
        ("0.1:0.3:0.1000000000000000000001", ["0.1", "0.2000000000000000000001"]),
    ],
)
def test_a_sweep_stands_for_these_values(host, value, expected):
    assert texts(host, f"a.b={value}") == expected


def test_steps_are_decimal_so_no_sum_of_floats_creeps_in(host):
    assert texts(host, "a.b=0:1:0.1") == [f"{n / 10}" for n in range(11)]
    assert texts(host, "a.b=-1:1:0.01")[::50] == ["-1.0", "-0.5", "0.0", "0.5", "1.0"]
    assert len(texts(host, "a.b=0:0.3:0.1")) == 4  # in floats, three times 0.1 is above 0.3


@pytest.mark.parametrize(
    "value", ["'0.7,0.3'", "'0:1:0.1'", "'range(1,3)'", "[1,2]", "{a: 1}", "08:30", "a:b:c"]
)
def test_quoted_or_bracketed_it_is_one_value(host, value):
    space = sweep_space([f"a.b={value}"], host=host)
    assert (space.keys, space.size, space.base) == ((), 1, (f"a.b={value}",))


def test_a_quoted_comma_beside_a_sweep_gives_exactly_the_points_asked_for(host):
    space = sweep_space(["score.signal='0.7,0.3'", "context.max_tokens=500,1000"], host=host)
    assert space.size == 2
    assert [point.overrides for point in space.points()] == [
        ("context.max_tokens=500",),
        ("context.max_tokens=1000",),
    ]


def test_the_last_key_changes_fastest_and_points_are_numbered(host):
    space = sweep_space(["query.k=1,2", "+experiment=a,b"], host=host)
    assert space.keys == ("query.k", "experiment")
    assert [(point.number, dict(point.values), point.overrides) for point in space.points()] == [
        (0, {"query.k": "1", "experiment": "a"}, ("query.k=1", "+experiment=a")),
        (1, {"query.k": "1", "experiment": "b"}, ("query.k=1", "+experiment=b")),
        (2, {"query.k": "2", "experiment": "a"}, ("query.k=2", "+experiment=a")),
        (3, {"query.k": "2", "experiment": "b"}, ("query.k=2", "+experiment=b")),
    ]


def test_without_a_sweep_there_is_one_point(host):
    space = sweep_space(["query.k=3"], host=host)
    assert [point.overrides for point in space.points()] == [()]
    assert space.settings_of({}).query.k == 3


def test_glob_takes_options_of_its_group(host):
    assert texts(host, "seed=glob(*)") == ["bm25", "dense", "hybrid", "ids", "label", "mention", "retriever"]
    assert texts(host, "seed=glob([b*,m*],exclude=bm*)") == ["mention"]
    assert problems(host, "query.k=glob(*)")["query.k"].startswith(
        "glob(*) stands for options of a config group"
    )
    assert problems(host, "seed=glob(x*)")["seed"].startswith("glob(x*) matches no option")


def test_glob_sees_options_that_a_plugin_of_the_config_brings(tmp_path, monkeypatch):
    (tmp_path / "more_seeds.py").write_text(PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))
    space = sweep_space(["seed=glob(o*)", "plugins.modules=[more_seeds]"], host=builtin_host())
    assert [point.values["seed"] for point in space.points()] == ["odd_seeds"]


def test_shuffling_gives_the_same_order_every_time(host):
    once, again = (texts(host, "query.k=shuffle(range(0,20))") for _ in range(2))
    assert once == again != sorted(once, key=int)
    assert sorted(once, key=int) == [str(number) for number in range(20)]
    assert texts(host, "query.k=shuffle(a,b,c,d,e,f)") == texts(host, "query.k=shuffle(a,b,c,d,e,f)")


def test_an_interval_has_no_size_and_no_grid(host):
    space = sweep_space(["a.b=tag(log,interval(1e-3,1))", "a.c=int(interval(1,9))", "a.d=1,2"], host=host)
    assert space.size is None
    assert [axis.tags for axis in space.axes] == [("log",), (), ()]
    assert [getattr(axis.values, "whole", None) for axis in space.axes] == [False, True, None]
    with pytest.raises(ConfigError, match="an interval has no end of values") as caught:
        space.points()
    assert [problem.key for problem in caught.value.problems] == ["a.b", "a.c"]


def test_everything_that_cannot_be_read_is_told_at_once(host):
    found = problems(
        host,
        "a.a=0:1:0",
        "a.b=range(1,1)",
        "a.c=range(1,x)",
        "a.d=1,,2",
        "a.e=interval(2,1)",
        "a.f=tag(log,interval(0,1))",
        "a.g=0:1e99:1",
        "plugins.modules=a,b",
        "~a.h=1,2",
        "not an override",
        "a.i=1",
        "a.i=2,3",
        "a.j=choice()",
        "a.k=shuffle([1,2,3])",
    )
    assert found["a.a"] == "the step is 0"
    assert found["a.b"] == "range(1,1) stands for no value"
    assert found["a.c"].startswith("range(1,x) cannot be read: TypeError")
    assert found["a.d"].startswith("one of the values is empty")
    assert found["a.e"] == "interval(2,1) is not an interval: it goes from a number to a higher one"
    assert found["a.f"].endswith("a logarithmic scale has numbers above 0 only")
    assert found["a.g"] == "1E+99 is not a number to count with"
    assert found["plugins.modules"] == "plugins are loaded once, for all configs of a sweep"
    assert found["a.h"] == "what is taken out has one value"
    assert found[""] == "'not an override' is not an override"
    assert found["a.i"] == "is set 2 times: a.i=1, a.i=2,3"
    assert "a.j" in found
    assert found["a.k"] == "shuffle([1,2,3]) is one list, and in another order every time"


def test_the_size_is_known_before_anything_is_composed_and_is_limited(host):
    begun = time.perf_counter()
    space = sweep_space(["query.k=range(0,1000)", "query.max_hops=0:999:1"], host=host)
    assert space.size == 1_000_000
    with pytest.raises(ConfigError, match=r"1,000,000 points \(1,000 of query.k × 1,000 of query.max_hops\)"):
        space.points()
    assert sweep_space(["query.k=range(0,1000000000)"], host=host).size == 10**9
    assert time.perf_counter() - begun < 2
    assert sweep_space([f"query.k=range(0,{MOST_POINTS})"], host=host).size == MOST_POINTS


def test_a_group_with_a_comma_in_a_command_without_sweeps_is_still_refused(host):
    with pytest.raises(ConfigError, match="takes one choice; use sweep for several"):
        load_settings(["seed=glob(*)"], host=host)


# -- the same as one by one -----------------------------------------------------------------------

PLUGIN = """
from graphrag_pipeline import Component, Params, hookimpl

class Odd(Component):
    name = "odd_seeds"
    Params = Params
    def retrieve(self, query, index, k):
        return []

@hookimpl
def graphrag_register_seed_retrievers():
    return [Odd]
"""

POOL = [
    "seed=label,bm25,mention",
    "seed.use=label,bm25",
    "seed.k=1,5,null",
    "score=reference,rrf,all_signals",
    "score.weights={baseline:0.2},{label_match:1}",
    "score.weights.baseline=0:1:0.5",
    "score.weights.bm25=0.1,007,x",
    "score.normalise=none,minmax,rank",
    "score.clamp=true,false,1",
    "~score.weights.label_match",
    "query.k=1,2,-1",
    "query.persona=007,null,'1,2'",
    "query.cell=architect:who,null,nowhere:what",
    "context=bullets,markdown,jsonl",
    "context.max_tokens=100,${query.k},1000",
    "context.max_tokens=100,200",
    "context.counter=words,chars4",
    "bridge=noop,mock",
    "~bridge",
    "bridge={use:noop},{use:mock}",
    "bridge.timeout_s=1,${oc.env:GRAPHRAG_WAIT}",
    "pipeline=reference,hybrid",
    "pipeline.order=[seed,expand,score,context],[seed,score,expand,context]",
    "expand=bfs,beam,ppr",
    "expand.gate=null,filter",
    "+experiment=no_bridge,strict_cell",
    "+rerank=mmr,coverage",
    "+second={use:label,kind:seed_retriever},{use:bm25,kind:seed_retriever}",
    "dataset=none,kg_2wiki",
    "dataset.limit=1,2,0",
    "links=none,text",
    "text.analysis.stemmer=none,english",
    "nosuch=1,2",
    "nosuch.key=1,2",
    "extra={_target_:os.system},{use:label}",
    "graph=demo,nowhere",
    "seed@other=label,bm25",
]


def one_by_one(space: SweepSpace, overrides: Sequence[str], host: PluginHost) -> Settings | list[str]:
    try:
        return load_settings([*space.base, *overrides], host=host)
    except ConfigError as error:
        return [str(problem) for problem in error.problems]


def composed(space: SweepSpace, overrides: Sequence[str]) -> Settings | list[str]:
    try:
        return space.composer.settings(overrides)
    except ConfigError as error:
        return [str(problem) for problem in error.problems]


def assert_equal(fast: Settings | list[str], slow: Settings | list[str]) -> None:
    assert fast == slow
    if isinstance(fast, Settings) and isinstance(slow, Settings):
        # 1, 1.0 and true are equal, and so are mappings of another order: the text tells them apart.
        assert recipe_yaml(fast) == recipe_yaml(slow)
        assert list(fast.origins) == list(slow.origins)
        assert [repr(slot) for slot in fast.pipeline.slots.items()] == [
            repr(slot) for slot in slow.pipeline.slots.items()
        ]


@pytest.mark.parametrize("seed", range(12))
def test_every_point_of_random_sweeps_is_what_load_settings_gives(host, monkeypatch, seed):
    monkeypatch.setenv("GRAPHRAG_WAIT", "2.5")
    random_source = random.Random(seed)
    overrides = random_source.sample(POOL, random_source.randint(1, 4))
    # A key that two of them sweep is refused, and that is another test's matter.
    keys = [override.lstrip("~+").partition("=")[0] for override in overrides]
    space = sweep_space(
        [o for o, key in zip(overrides, keys, strict=True) if keys.count(key) == 1], host=host
    )
    points = list(space.points())
    for point in random_source.sample(points, min(len(points), 6)):
        assert_equal(composed(space, point.overrides), one_by_one(space, point.overrides, host))


@pytest.mark.parametrize("override", POOL)
def test_every_sweep_alone_gives_what_load_settings_gives(host, monkeypatch, override):
    monkeypatch.setenv("GRAPHRAG_WAIT", "2.5")
    space = (
        sweep_space([override, "seed.k=3"], host=host)
        if override[:6] != "seed.k"
        else sweep_space([override], host=host)
    )
    for point in space.points():
        assert_equal(composed(space, point.overrides), one_by_one(space, point.overrides, host))


def test_directories_of_the_user_count(host, write):
    write("mine/seed/label.yaml", "use: bm25\nk: 3\n")
    write("mine/experiment/wide.yaml", "# @package _global_\nquery: {k: 50}\n")
    space = sweep_space(
        ["+experiment=wide,strict_cell", "seed=label,mention"], config_dirs=["mine"], host=host
    )
    for point in space.points():
        slow = load_settings(point.overrides, config_dirs=["mine"], host=host)
        assert space.composer.settings(point.overrides) == slow
    assert space.settings_of({"experiment": "wide", "seed": "label"}).notes != ()


def test_plugins_of_one_option_are_loaded_before_any_point_is_composed(write, monkeypatch, tmp_path):
    write("more_seeds_2.py", PLUGIN)
    monkeypatch.syspath_prepend(str(tmp_path))
    write("mine/experiment/plain.yaml", "# @package _global_\nquery: {k: 5}\n")
    write(
        "mine/experiment/odd.yaml",
        "# @package _global_\nplugins: {modules: [more_seeds_2]}\nseed: {use: odd_seeds}\n",
    )
    host = builtin_host()
    load = "plugins.modules=[more_seeds_2]"
    space = sweep_space([load, "+experiment=plain,odd"], config_dirs=["mine"], host=host)
    points = list(space.points())
    first = space.composer.settings(points[0].overrides)
    assert "odd_seeds" in host.components("seed_retriever")
    second = space.composer.settings(points[1].overrides)
    assert (first.query.k, second.pipeline.slots["seed"].use) == (5, "odd_seeds")
    assert second == load_settings([load, *points[1].overrides], config_dirs=["mine"], host=host)


def test_what_a_point_shares_with_another_is_the_same_object(host):
    space = sweep_space(["score.weights.baseline=0.1,0.2", "query.k=1,2"], host=host)
    [a, b, c, _] = [settings for _, settings in point_settings(space, space.points())]
    assert a.pipeline.slots["expand"] is c.pipeline.slots["expand"]
    assert a.pipeline.slots["score"] is b.pipeline.slots["score"]
    assert a.pipeline.slots["score"] is not c.pipeline.slots["score"]


def test_numbers_that_compare_equal_stay_what_they_are(host):
    space = sweep_space(["score.clamp=true,false", "query.persona=1,1.0,true"], host=host)
    found = [settings.query.persona for _, settings in point_settings(space, space.points())]
    assert found == ["1", "1.0", "true"] * 2


# -- mistakes of points ---------------------------------------------------------------------------


def test_all_mistakes_of_all_points_are_told_once_with_the_points_that_have_them(host):
    space = sweep_space(["score.weights.baseline=0.1,bad,0.9", "query.k=1,x", "bridge=noop,mok"], host=host)
    found = {problem.key: problem for problem in check(space)}
    assert set(found) == {"score.weights.baseline", "query.k", "bridge"}
    assert found["bridge"].hint.endswith(
        "in 6 of 12 points, first with score.weights.baseline=0.1 query.k=1 bridge=mok"
    )
    assert found["score.weights.baseline"].what == "must be a number, got 'bad'"
    assert "in 4 of 12 points, first with score.weights.baseline=bad" in found["score.weights.baseline"].hint
    assert "in 6 of 12 points, first with score.weights.baseline=0.1 query.k=x" in found["query.k"].hint


def test_nothing_is_yielded_from_the_first_invalid_point_on(host):
    space = sweep_space(["score.weights.baseline=0.1,bad,0.9"], host=host)
    points = point_settings(space, space.points())
    assert next(points)[0].values == {"score.weights.baseline": "0.1"}
    with pytest.raises(ConfigError, match="must be a number, got 'bad'"):
        next(points)


def test_a_mistake_of_every_point_says_so(host):
    space = sweep_space(["seed=lable", "query.k=1,2"], host=host)
    [problem] = check(space)
    assert problem.what == "there is no option 'lable'"
    assert problem.hint.endswith("in all 2 points, first with query.k=1")


def test_a_valid_sweep_has_no_mistakes(host):
    assert check(sweep_space(["query.k=1,2", "seed=glob([b*,label])"], host=host)) == ()


def test_the_list_of_mistakes_has_an_end(host):
    space = sweep_space([f"query.k=1.5:{MOST_PROBLEMS + 10}:1"], host=host)
    found = check(space)
    assert len(found) == MOST_PROBLEMS + 1
    assert found[-1].what == "and 9 further mistakes of other points"


def test_two_equal_points_are_both_there(host):
    space = sweep_space(["query.k=1,1"], host=host)
    assert len({recipe_yaml(settings) for _, settings in point_settings(space, space.points())}) == 1
    assert [point.number for point in space.points()] == [0, 1]


def test_a_thousand_points_that_differ_in_values_take_less_than_five_seconds(host):
    space = sweep_space(
        [
            "pipeline=hybrid",
            "dataset=kg_2wiki",
            "score.weights.ppr=0:0.9:0.1",
            "score.weights.path_sum=0:0.99:0.01",
        ],
        host=host,
    )
    begun = time.process_time()
    found = [settings.pipeline.slots["score"] for _, settings in point_settings(space, space.points())]
    assert time.process_time() - begun < 5
    assert len({repr(score) for score in found}) == 1000


def test_a_host_of_another_sweep_is_left_as_it_is(load: Callable[..., Settings], host, tmp_path: Path):
    before = load()
    sweep_space(["seed=label,bm25"], host=host).settings_of({"seed": "bm25"})
    assert load() == before


@pytest.mark.parametrize("swept", ["query.k=2,3", "seed=label,bm25", "score.weights.label_match=0:1:0.5"])
def test_a_sweep_may_start_from_a_whole_config_in_a_file(tmp_path, swept):
    host = PluginHost.discover(entry_points=False)
    file = tmp_path / "frozen.yaml"
    file.write_text(recipe_yaml(load_settings(["query.max_hops=1", "pipeline=hybrid"], host=host)), "utf-8")
    space = sweep_space(["context.max_tokens=99", swept], host=host, config_file=file)
    for point, settings in point_settings(space, space.points()):
        expected = load_settings(["context.max_tokens=99", *point.overrides], host=host, config_file=file)
        assert settings.tree == expected.tree
        assert settings.query.max_hops == 1
