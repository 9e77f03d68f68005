"""`plugins new`, `plugins check` and `plugins list`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

GOOD = '''
"""A plugin."""

import numpy as np

from graphrag_pipeline import Component, Params, hookimpl


class EvenParams(Params):
    """What counts."""

    by: int = 2
    """What a position is divided by."""


class Even(Component[EvenParams]):
    """1 where the position is divided without a rest."""

    name = "even"
    Params = EvenParams

    def compute(self, candidates, query, index):
        return (candidates.node % self.params.by == 0).astype(float)


@hookimpl
def graphrag_register_signals():
    return [Even]
'''


@pytest.fixture
def check(cli, tmp_path, monkeypatch):
    """Write a plugin file, and check it; return exit code and what each check told."""

    def checked(text, *options, name="mine.py"):
        monkeypatch.chdir(tmp_path)
        (tmp_path / name).write_text(text, encoding="utf-8")
        done = cli("plugins", "check", name, "--json", *options)
        told = json.loads(done.out)
        return done.code, told["checks"]

    return checked


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A plugin file that cannot be imported."""
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("x = 1\nimport acme_rules\n", encoding="utf-8")
    return "broken.py"


CAUSE = "ModuleNotFoundError: No module named 'acme_rules'"


@pytest.mark.parametrize(
    "command",
    [
        ("query", "audit"),
        ("config", "show"),
        ("config", "schema"),
        ("graph", "info"),
        ("evaluate", "dataset.path=set"),
        ("sweep", "dataset.path=set", "query.k=1,2"),
        ("plugins", "new", "mine", "--kind", "filter"),
    ],
    ids=" ".join,
)
def test_a_broken_plugin_that_is_named_ends_the_command(cli, broken, command):
    done = cli(*command, "--plugin", broken)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"error: The plugin broken (file) could not be loaded: {CAUSE}\n"
        "  where: broken.py:2\n"
        "  hint:  Repair it, or do not name it; "
        "`graphrag-pipeline plugins check broken.py` tells every fault.\n"
    )


def test_a_broken_module_that_is_named_ends_the_command(cli):
    done = cli("query", "audit", "plugins.modules=[acme_rules]")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: The plugin acme_rules (module) could not be loaded: {CAUSE}\n")


def test_a_broken_plugin_is_listed_and_checked_all_the_same(cli, broken):
    listed = cli("plugins", "list", "--plugin", broken, "--json")
    assert listed.code == 0
    record = json.loads(listed.out)["plugins"][-1]
    found = [record[key] for key in ("name", "status", "error", "where")]
    assert found == ["broken", "failed", CAUSE, "broken.py:2"]
    for command in (("plugins", "check", "--plugin", broken), ("plugins", "check", broken)):
        done = cli(*command)
        assert done.code == 1
        assert f"{CAUSE} (broken.py:2)" in done.out
    assert cli("plugins", "list", "--plugin", broken, "--strict-plugins").code == 2


def test_a_broken_plugin_of_the_environment_is_a_warning(cli, broken, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_PLUGINS", broken)
    done = cli("query", "audit", "bridge=noop", "--top", "1")
    assert done.code == 0
    assert done.err == f"warning: The plugin broken (environment) is left out: {CAUSE} (broken.py:2)\n"


def faults(checks):
    return [(each["check"], each["told"]) for each in checks if each["status"] == "fault"]


def test_a_good_plugin_has_no_fault(check):
    code, checks = check(GOOD)
    assert code == 0
    assert faults(checks) == []
    assert [each["check"] for each in checks] == ["hooks", "names", "parameters", "docs", "contract"]
    assert checks[-1]["told"] == "17 checks"


def test_a_misspelt_hook_is_told_with_the_nearest(check):
    code, checks = check(GOOD.replace("graphrag_register_signals", "graphrag_register_signal"))
    assert code == 1
    ((what, told),) = faults(checks)
    assert what == "hooks"
    assert "unknown hook graphrag_register_signal, did you mean graphrag_register_signals" in told
    assert "mine.py:26" in told


def test_every_fault_of_a_class_is_told(check):
    code, checks = check(GOOD.replace('name = "even"', 'name = "Even"').replace("query, index", "query"))
    assert code == 1
    told = " ".join(told for _, told in faults(checks))
    assert "the name 'Even' is not lower-case" in told
    assert "it cannot be called as compute(candidates, query, index)" in told


def test_missing_docs_and_descriptions_are_faults(check):
    bare = GOOD.replace('"""A plugin."""', "").replace('    """What a position is divided by."""\n', "")
    bare = bare.replace('    """1 where the position is divided without a rest."""\n', "")
    code, checks = check(bare, "--no-contract")
    assert code == 1
    told = dict(faults(checks))
    assert told["parameters"] == "the parameter 'by' is not described: write a docstring under it"
    assert "docstring: say in one line" in told["docs"]
    assert len(faults(checks)) == 3


def test_a_default_that_no_config_could_give_is_a_fault(check):
    code, checks = check(GOOD.replace("by: int = 2", 'by: int = "two"'), "--no-contract")
    assert code == 1
    assert "a default is refused when it is written into a config" in dict(faults(checks))["parameters"]


def test_a_broken_contract_is_told_by_check(check):
    code, checks = check(GOOD.replace(".astype(float)", "[:1]"))
    assert code == 1
    contract = [told for check_name, told in faults(checks) if check_name == "contract"]
    assert (
        "test_ordinary_input_gets_a_right_answer: The signal 'even' returned values of shape" in contract[0]
    )


def test_an_exception_that_the_class_declares_is_no_fault(check):
    named = GOOD.replace(
        '    name = "even"\n',
        '    name = "even"\n    contract_exceptions = {"test_two_runs_agree": "it rolls dice"}\n',
    )
    luck = ".astype(float) + np.random.default_rng().random(len(candidates))"
    assert check(named)[1][-1]["told"] == "16 checks"
    code, checks = check(named.replace(".astype(float)", luck))
    assert code == 1
    assert "test_two_runs_agree" not in " ".join(told for _, told in faults(checks))


def test_a_name_that_the_built_ins_have_is_a_fault(check):
    code, checks = check(GOOD.replace('name = "even"', 'name = "bm25"'))
    assert code == 1
    assert "another plugin has a signal 'bm25' too" in dict(faults(checks))["names"]


def test_what_cannot_be_tried_is_skipped_with_the_reason(check):
    code, checks = check(GOOD.replace("by: int = 2", "by: int"))
    assert code == 0
    (skipped,) = (each for each in checks if each["status"] == "skipped")
    assert skipped["told"] == "it needs a value for by: test it with SignalSuite"


def test_config_options_are_composed(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "mine"
    for name, text in {
        "__init__.py": GOOD
        + "\n\n@hookimpl\ndef graphrag_config_sources():\n"
        + "    from pathlib import Path\n\n    return [Path(__file__).parent / 'conf']\n",
        "conf/score/even.yaml": "use: weighted_sum\nweights: {even: 1.0}\n",
        "conf/score/wrong.yaml": "use: weighted_sum\nweights: {evn: 1.0}\n",
        "conf/score/reference.yaml": "use: weighted_sum\nweights: {even: 1.0}\n",
        "conf/scores/even.yaml": "use: weighted_sum\n",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    done = cli("plugins", "check", "mine", "--json", "--no-contract")
    told = {each["component"]: each for each in json.loads(done.out)["checks"] if each["check"] == "config"}
    assert done.code == 1
    assert told["score/even"]["status"] == "ok"
    assert "evn" in told["score/wrong"]["told"]
    assert "hides the built-in option score=reference" in told["score/reference"]["told"]
    assert "no group 'scores', did you mean 'score'" in told["scores/even"]["told"]


def test_an_unknown_plugin_and_a_missing_file_are_wrong_input(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = cli("plugins", "check", "nobody")
    assert done.code == 2
    assert "There is no plugin 'nobody'" in done.err
    done = cli("plugins", "check", "nobody.py")
    assert done.code == 2
    assert "There is no plugin file nobody.py" in done.err


def test_the_built_ins_have_no_fault(cli):
    done = cli("plugins", "check", "builtin", "--json")
    checks = json.loads(done.out)["checks"]
    assert faults(checks) == []
    assert done.code == 0
    assert len(checks) > 200


def test_the_check_for_people_counts_faults(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(GOOD, encoding="utf-8")
    done = cli("plugins", "check", "mine.py", "--no-contract")
    assert done.out.splitlines()[-1] == "no faults"
    (tmp_path / "mine.py").write_text(GOOD.replace('name = "even"', ""), encoding="utf-8")
    done = cli("plugins", "check", "mine.py", "--no-contract")
    assert done.out.splitlines()[-1] == "1 fault"


def test_a_written_plugin_has_no_fault_and_runs(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = cli("plugins", "new", "near", "--kind", "signal", "--single-file")
    assert done.code == 0
    assert done.out.splitlines()[0] == "wrote near.py"
    command = done.out.splitlines()[-1]
    assert command == 'graphrag-pipeline query "audit" --plugin near.py score.weights.near=0.2'
    assert cli("plugins", "check", "near.py").code == 0
    assert cli("query", "audit", "--plugin", "near.py", "score.weights.near=0.2").code == 0


def test_a_package_is_written_whole(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = cli("plugins", "new", "near", "--kind", "signal", "--directory", "sub")
    written = [line.strip() for line in done.out.splitlines() if line.startswith("  ")]
    found = sorted(
        path.relative_to(tmp_path / "sub" / "graphrag-near") for path in tmp_path.rglob("*") if path.is_file()
    )
    assert written == [path.as_posix() for path in found]
    again = cli("plugins", "new", "near", "--kind", "signal", "--directory", "sub")
    assert again.code == 2
    assert "is there already" in again.err


@pytest.mark.parametrize(
    "arguments",
    [("Near", "--kind", "signal"), ("bm25", "--kind", "signal"), ("near", "--kind", "sygnal"), ("near",), ()],
)
def test_a_wrong_order_is_wrong_input_and_writes_nothing(cli, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    assert cli("plugins", "new", *arguments).code == 2
    assert list(tmp_path.iterdir()) == []


def test_the_list_tells_the_config_options_of_a_plugin(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli("plugins", "new", "near", "--kind", "filter")
    monkeypatch.syspath_prepend(str(tmp_path / "graphrag-near"))
    monkeypatch.setenv("GRAPHRAG_PLUGINS", "graphrag_near")
    done = cli("plugins", "list", "--json")
    for name in [name for name in sys.modules if name.partition(".")[0] == "graphrag_near"]:
        del sys.modules[name]  # other tests write a plugin of this name
    (record,) = (each for each in json.loads(done.out)["plugins"] if each["name"] == "graphrag_near")
    assert record["config"] == ["filter/near"]
    assert record["components"] == {"filter": ["near"]}
    assert record["hooks"] == ["graphrag_config_sources", "graphrag_register_filters"]
    assert len(record["digest"]) == 64


@pytest.mark.parametrize("name", ["json", "numpy", "graphrag_pipeline", "sys"])
def test_a_file_is_not_named_like_a_module_that_is_there(cli, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    done = cli("plugins", "new", name, "--kind", "filter", "--single-file")
    assert done.code == 2
    assert f"There is a module {name!r} already" in done.err
    assert list(tmp_path.iterdir()) == []


def test_what_a_plugin_prints_is_not_among_the_checks(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loud = GOOD.replace("        return (", '        print("computing")\n        return (')
    (tmp_path / "mine.py").write_text(loud + '\nprint("imported")\n', encoding="utf-8")
    done = cli("plugins", "check", "mine.py", "--json")
    told = [each["told"] for each in json.loads(done.out)["checks"] if each["check"] == "contract"]
    assert told[0] == "17 checks"
    assert told[1].startswith("it prints, ")
    assert done.code == 0
    assert "imported" in done.err
    assert "computing" in done.err


def test_a_component_that_never_answers_is_a_fault_and_the_command_ends(process, tmp_path):
    hanging = GOOD.replace("        return (", "        while True:\n            pass\n        return (")
    (tmp_path / "mine.py").write_text(hanging, encoding="utf-8")
    done = process("plugins", "check", str(tmp_path / "mine.py"), "--timeout", "0.5", "--json")
    assert done.code == 1
    assert faults(json.loads(done.out)["checks"]) == [
        ("contract", "test_ordinary_input_gets_a_right_answer: it did not end within 0.5 s")
    ]


def test_a_component_that_hangs_is_no_fault_of_another(process, tmp_path):
    other = """
class Idle(Even):
    \"\"\"Never done.\"\"\"

    name = "idle"

    def compute(self, candidates, query, index):
        while True:
            pass


@hookimpl"""
    both = GOOD.replace("\n@hookimpl", other).replace("[Even]", "[Even, Idle]")
    (tmp_path / "mine.py").write_text(both, encoding="utf-8")
    done = process("plugins", "check", str(tmp_path / "mine.py"), "--timeout", "5", "--json")
    contract = [each for each in json.loads(done.out)["checks"] if each["check"] == "contract"]
    assert [(each["component"], each["status"]) for each in contract] == [
        ("signal even", "ok"),
        ("signal idle", "fault"),
    ]


def test_what_hangs_in_other_processes_is_a_fault_and_ends_with_the_command(process, tmp_path):
    here = "        if os.environ.get('PYTHONHASHSEED') in ('1', '2'):\n"
    note = "            (Path(__file__).parent / str(os.getpid())).touch()\n"
    note += "            while True:\n                pass\n"
    text = GOOD.replace("import numpy", "import os\nfrom pathlib import Path\n\nimport numpy")
    text = text.replace("        return (", here + note + "        return (")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    done = process(
        *("plugins", "check", str(tmp_path / "mine.py"), "--timeout", "5", "--json"),
        env={"PYTHONHASHSEED": "0"},
    )
    assert faults(json.loads(done.out)["checks"]) == [
        ("contract", "test_hash_seeds_change_nothing: it did not end within 5 s")
    ]
    left = [int(path.name) for path in tmp_path.iterdir() if path.name.isdigit()]
    assert left
    limit = time.monotonic() + 20
    while any(Path(f"/proc/{number}").exists() for number in left):
        assert time.monotonic() < limit, "processes are left running"
        time.sleep(0.1)


def test_a_component_that_is_never_made_is_a_fault(process, tmp_path):
    init = "    def __init__(self, params=None):\n        while True:\n            pass\n\n"
    (tmp_path / "mine.py").write_text(GOOD.replace("    def compute", init + "    def compute"), "utf-8")
    done = process("plugins", "check", str(tmp_path / "mine.py"), "--timeout", "0.5", "--json")
    assert done.code == 1
    assert faults(json.loads(done.out)["checks"]) == [("contract", "make: it was not made within 0.5 s")]


def test_where_a_component_raised_is_told_once(check):
    code, checks = check(GOOD.replace("return (candidates", "return [][3] + (candidates"))
    assert code == 1
    ((_, told),) = faults(checks)
    assert "raised IndexError: list index out of range (mine.py:23) for " in told
    assert told.endswith("more checks fail there.")
