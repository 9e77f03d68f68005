"""Reading question sets: each layout, and what is wrong in a file."""

from __future__ import annotations

import pytest

from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.load import load_dataset


def load(path, **rest):
    return load_dataset(DatasetSection(path=str(path), **rest))


def texts(dataset):
    return {question.query_id: question.text for question in dataset.questions}


def test_a_folder_has_queries_judgements_and_paths(lines, tmp_path):
    lines("queries.jsonl", {"id": "a", "text": "Wo ist Ŝo?", "k": 3, "type": "two"}, {"id": 7, "text": "b"})
    lines("qrels.txt", "a 0 x 1", "a 0 y 0")
    lines("gold_paths.jsonl", {"id": "a", "triples": [["x", "to", "y"], ["x", "to", "y"]]})
    found = load(tmp_path)
    assert (found.name, texts(found)) == (tmp_path.name, {"a": "Wo ist Ŝo?", "7": "b"})
    assert (found.questions[0].k, found.questions[0].kind) == (3, "two")
    assert found.relevance == {"a": {"x": 1, "y": 0}}
    assert found.paths == {"a": (("x", "to", "y"),)}


def test_a_part_of_a_folder_is_named(lines, tmp_path):
    lines("queries.dev.jsonl", {"id": "a", "text": "dev"})
    lines("queries.test.jsonl", {"id": "b", "text": "test"})
    lines("qrels.dev.txt", "a 0 x 1")
    found = load(tmp_path, split="dev", name="mine")
    assert (found.name, texts(found), found.relevance) == ("mine", {"a": "dev"}, {"a": {"x": 1}})
    assert load(tmp_path, split="test").relevance == {}
    with pytest.raises(DatasetError) as caught:
        load(tmp_path)
    assert "queries.dev.jsonl, queries.test.jsonl" in caught.value.hint


def test_files_are_named_one_by_one(lines):
    queries, qrels = lines("q.jsonl", {"id": "a", "text": "t"}), lines("r.trec", "a 0 x 1")
    found = load_dataset(DatasetSection(queries=str(queries), qrels=str(qrels)))
    assert (found.name, found.relevance) == ("q", {"a": {"x": 1}})
    assert texts(load(queries)) == {"a": "t"}


def test_a_folder_of_beir(lines, tmp_path):
    lines("queries.jsonl", {"_id": "a", "text": "t", "metadata": {}})
    lines("qrels/test.tsv", "query-id\tcorpus-id\tscore", "a\tdoc one\t2")
    lines("qrels/dev.tsv", "query-id\tcorpus-id\tscore", "a\td\t1")
    assert load(tmp_path).relevance == {"a": {"doc one": 2}}
    assert load(tmp_path, format="beir", split="dev").relevance == {"a": {"d": 1}}
    with pytest.raises(DatasetError) as caught:
        load(tmp_path, split="train")
    assert "dev, test" in caught.value.hint


def test_topics_of_trec(lines, tmp_path):
    lines(
        "topics.txt",
        "<top>\n<num> Number: 301\n<title> International Organized Crime\n\n<desc> Description:\nx\n</top>",
        "<top><num>302</num><title>Post\nPolio</title></top>",
    )
    lines("qrels.txt", "301 0 x 1")
    found = load(tmp_path, format="trec")
    assert texts(found) == {"301": "International Organized Crime", "302": "Post Polio"}
    lines("topics.txt", "a\tfirst query", "b\tsecond")
    assert texts(load(tmp_path, format="trec")) == {"a": "first query", "b": "second"}


def test_questions_with_supporting_titles(lines, tmp_path):
    hotpot = {
        "_id": "a",
        "question": "?",
        "type": "bridge",
        "supporting_facts": [["T", 0], ["T", 1], ["U", 0]],
    }
    wiki = {**hotpot, "_id": "b", "evidences": [["T", "director", "U"]]}
    paragraphs = [{"title": "T", "is_supporting": True}, {"title": "V", "is_supporting": False}]
    musique = {"id": "c", "question": "?", "paragraphs": paragraphs}
    face = {"id": "d", "question": "?", "supporting_facts": {"title": ["W"], "sent_id": [0]}}
    found = load(lines("set.jsonl", hotpot, wiki, musique, face))
    assert found.by_label
    assert found.relevance == {"a": {"T": 1, "U": 1}, "b": {"T": 1, "U": 1}, "c": {"T": 1}, "d": {"W": 1}}
    assert found.paths == {"b": (("T", "director", "U"),)}
    (tmp_path / "set.json").write_text(f"[{(tmp_path / 'set.jsonl').read_text().replace(chr(10), ',')[:-1]}]")
    assert load(tmp_path / "set.json").relevance == found.relevance
    assert load(tmp_path / "set.json").digest == found.digest


def test_a_limit_leaves_judgements_of_later_queries_out(lines, tmp_path):
    lines("queries.jsonl", {"id": "a", "text": "1"}, {"id": "b", "text": "2"})
    lines("qrels.txt", "a 0 x 1", "b 0 x 1", "c 0 x 1")
    found = load(tmp_path, limit=1)
    assert (texts(found), sorted(found.relevance)) == ({"a": "1"}, ["a", "c"])
    assert found.digest != load(tmp_path).digest


def test_repeated_ids_are_all_counted(lines):
    path = lines("q.jsonl", *[{"id": name, "text": "t"} for name in "abab"])
    with pytest.raises(DatasetError, match=r"2 query ids are repeated: 'a' \(1 and 3\), 'b' \(2 and 4\)"):
        load(path)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "not valid JSON"),
        ("[]", "no JSON object but a list"),
        ({"text": "t"}, "no 'id' or '_id'"),
        ({"id": "a"}, "no 'text'"),
        ({"id": None, "text": "t"}, "'id' must be a text, not null"),
        ({"id": " ", "text": "t"}, "id is empty"),
        ({"id": "a", "text": ["t"]}, "'text' must be a text, not a list"),
        ({"id": "a", "text": "t", "k": True}, "'k' must be a whole number, not True"),
        ({"id": "a", "text": "t", "k": "3"}, "'k' must be a whole number"),
        ({"id": "a", "text": "t", "cell": "architekt:who"}, "did you mean architect:who"),
    ],
)
def test_a_wrong_line_is_named(lines, line, what):
    path = lines("q.jsonl", {"id": "ok", "text": "t"}, line)
    with pytest.raises(DatasetError, match=what) as caught:
        load(path)
    assert caught.value.where == f"{path}:2"


@pytest.mark.parametrize(
    ("text", "what", "column"),
    [
        ("[" * 100_000, "nested too deeply", ":201"),
        ("9" * 5_000, "a whole number has more than 4,300 digits", ""),
    ],
)
def test_a_line_that_python_cannot_read_is_told_in_words(tmp_path, text, what, column):
    path = tmp_path / "q.jsonl"
    path.write_text(text)
    with pytest.raises(DatasetError, match=what) as caught:
        load(path)
    assert caught.value.where == f"{path}:1{column}"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ({"id": "a", "triples": "x"}, "'triples' must be a list"),
        ({"id": "a", "triples": [["x", "y"]]}, "three texts"),
        ({"id": "ok", "triples": []}, "has paths already"),
    ],
)
def test_a_wrong_gold_path_is_named(lines, tmp_path, line, what):
    lines("queries.jsonl", {"id": "ok", "text": "t"})
    lines("paths.jsonl", {"id": "ok", "triples": []}, line)
    with pytest.raises(DatasetError, match=what):
        load(tmp_path)


@pytest.mark.parametrize("row", ["a\tx", "a\tx\tmuch", "a\tx\t²", "a\tx\t99999999", "b\tx\t1"])
def test_a_wrong_judgement_of_beir_is_named(lines, tmp_path, row):
    lines("queries.jsonl", {"_id": "b", "text": "t"})
    lines("qrels/test.tsv", "query-id\tcorpus-id\tscore", "b\tx\t1", row)
    with pytest.raises(DatasetError) as caught:
        load(tmp_path)
    assert caught.value.where.endswith("test.tsv:3")


def test_no_query_and_no_file_are_told(lines, tmp_path):
    for path, what in ((lines("q.jsonl"), "no query"), (tmp_path / "none", "no such file")):
        with pytest.raises(DatasetError, match=what):
            load(path)
    with pytest.raises(DatasetError, match="No question set is given"):
        load_dataset(DatasetSection())


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "a", "text": "one", "text": "two"}',
        '{"id": "a", "text": "t", "filters": {"f": {"x": 1, "x": 2}}}',
    ],
)
def test_a_key_that_is_there_twice_is_an_error_and_not_the_last(lines, line):
    path = lines("q.jsonl", {"id": "ok", "text": "t"}, line)
    with pytest.raises(DatasetError, match=r"The key '(text|x)' is there twice in one object\.") as caught:
        load(path)
    assert caught.value.where == f"{path}:2"


def test_a_key_of_a_gold_path_that_is_there_twice_is_an_error(lines, tmp_path):
    lines("queries.jsonl", {"id": "ok", "text": "t"})
    lines("paths.jsonl", '{"id": "ok", "triples": [], "triples": []}')
    with pytest.raises(DatasetError, match="'triples' is there twice"):
        load(tmp_path)


@pytest.mark.parametrize("level", ["1", "-1", "+1", "0.5", "1e0", ""])
@pytest.mark.parametrize("name", ["qrels/test.tsv", "qrels.txt"])
def test_judgements_of_beir_without_a_line_of_names_are_told_what_to_add(lines, tmp_path, name, level):
    lines("queries.jsonl", {"_id": "a", "text": "t"})
    path = lines(name, f"a\tx\t{level}", "a\ty\t0")
    with pytest.raises(DatasetError, match="no first line of names") as caught:
        load(tmp_path)
    assert caught.value.where == f"{path}:1"
    assert "Put a first line before it: query-id, corpus-id and score" in caught.value.hint
    assert "put a 0" not in caught.value.hint
    lines(name, "query-id\tcorpus-id\tscore", "a\tx\t1", "a\ty\t0")
    assert load(tmp_path).relevance == {"a": {"x": 1, "y": 0}}


def test_a_folder_with_topics_is_found_out(lines, tmp_path):
    lines("topics.txt", "<top><num>301</num><title>Crime</title></top>")
    lines("topics.dev.txt", "302\tdev")
    lines("qrels.txt", "301 0 x 1")
    assert texts(load(tmp_path)) == {"301": "Crime"}
    assert texts(load(tmp_path, split="dev")) == {"302": "dev"}
    with pytest.raises(DatasetError) as caught:
        load(tmp_path, format="folder")
    assert caught.value.hint == "There is topics.txt: dataset.format=trec reads it."
    lines("queries.jsonl", {"id": "a", "text": "t"})
    assert texts(load(tmp_path)) == {"a": "t"}
    assert texts(load(tmp_path, format="trec")) == {"301": "Crime"}


def test_a_device_is_told_to_be_one():
    with pytest.raises(DatasetError, match="no file and no directory but a pipe or a device") as caught:
        load("/dev/null")
    assert caught.value.where == "/dev/null"


@pytest.mark.parametrize("split", ["../../x", "a/b", "/etc", "a\\b", "a\0b"])
@pytest.mark.parametrize("kind", ["auto", "folder", "beir", "trec", "hotpot"])
def test_a_split_that_leads_elsewhere_is_refused(lines, tmp_path, split, kind):
    lines("queries.jsonl", {"id": "a", "text": "t"})
    with pytest.raises(DatasetError, match="leads to another directory") as caught:
        load(tmp_path, split=split, format=kind)
    assert caught.value.where == "dataset.split"


def test_a_split_that_is_not_there_is_told_with_the_files_looked_for(lines, tmp_path):
    lines("queries.jsonl", {"id": "a", "text": "t"})
    with pytest.raises(DatasetError, match=r"no queries\.dev\.jsonl or queries\.dev\.txt") as caught:
        load(tmp_path, split="dev")
    assert caught.value.where == str(tmp_path)
    assert caught.value.hint == "There are queries.jsonl: choose with dataset.split=NAME, or leave it out."
    lines("qrels/test.tsv", "query-id\tcorpus-id\tscore", "a\tx\t1")
    with pytest.raises(DatasetError, match=r"The directory has no judgements qrels/dev\.tsv\."):
        load(tmp_path, split="dev")
    (tmp_path / "qrels/test.tsv").unlink()
    with pytest.raises(DatasetError, match=r"qrels/test\.tsv") as caught:
        load(tmp_path)
    assert caught.value.hint == "Judgements of BEIR are files qrels/NAME.tsv."


def test_judgements_by_which_nothing_is_relevant_are_refused(lines, tmp_path):
    lines("queries.jsonl", {"id": "a", "text": "1"}, {"id": "b", "text": "2"})
    path = lines("qrels.txt", "a 0 x 0", "b 0 y -1")
    with pytest.raises(DatasetError, match="No document is relevant to any query") as caught:
        load(tmp_path)
    assert caught.value.where == str(path)
    lines("qrels.txt", "a 0 x 0", "b 0 y 1")
    assert load(tmp_path, limit=1).relevance == {"a": {"x": 0}}
