"""`biomolkg bench` and `python -m evaluation.speed` against the running service."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import ir_measures
import pytest

from app.cli import run
from evaluation import speed
from evaluation.client import ServiceClient
from evaluation.naive import naive_speed, sample_triples
from evaluation.report import Service

NAMED = 12


def named_triples(http: httpx.Client) -> list[tuple[str, str, str]]:
    """A few triples of the graph whose ends have short names, each of other entities, alone in its effect."""
    found: list[tuple[str, str, str]] = []
    used: set[str] = set()
    for entity in http.get("/v1/entities", params={"label": "Drug", "limit": 200}).json()["entities"]:
        if len(entity["name"]) > 20 or entity["name"] in used:
            continue
        path = f"/v1/entities/{entity['id']}/neighbors"
        page = http.get(path, params={"kinds": ["DDI"], "limit": 200}).json()
        effects = Counter(row["triple"]["relation"] for row in page["neighbors"])
        for row in page["neighbors"] if page["total"] <= 200 else ():
            head, tail = row["triple"]["head"]["name"], row["triple"]["tail"]["name"]
            alone = effects[row["triple"]["relation"]] == 1 and head == entity["name"]
            if alone and len(head) <= 20 and len(tail) <= 20 and not used & {head, tail}:
                found.append((head, row["triple"]["relation"], tail))
                used |= {head, tail}
                break
        if len(found) == NAMED:
            return found
    pytest.fail(f"the starter graph has only {len(found)} such triples")


@pytest.fixture
def questions(http: httpx.Client, tmp_path: Path) -> Path:
    rows = [*named_triples(http), ("Nothing-1", "no such relation", "Nothing-2")]
    return write(tmp_path / "made.csv", rows, "Is {1} reported when {0} and {2} are taken together?")


def write(path: Path, rows: list[tuple[str, str, str]], wording: str) -> Path:
    """A question file; the answer to each is the tail of its triple."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("Entities", "Question_Background", "Question", "Answer", "Label"))
        for head, relation, tail in rows:
            background = (
                f"DRUG 1 NAME: {head}\n\nDRUG 2 NAME: {tail}\n\n"
                f"DRUG-DRUG INTERACTION TRIPLE (subject-predicate-object): {head}-{relation}-{tail}"
            )
            asked = wording.format(head, relation, tail)
            writer.writerow((f"{head}-{tail}", background, asked, tail, "0"))
    return path


def bench(http: httpx.Client, questions: Path, *more: str) -> tuple[int, dict[str, Any]]:
    out = questions.parent / "out.json"
    arguments = ["--questions", str(questions), "--url", str(http.base_url), "--json", str(out), *more]
    code = run(["bench", "biomolmqa", *arguments])
    return code, json.loads(out.read_text(encoding="utf-8"))


def test_named_triples_come_first_and_everything_is_reported(
    http: httpx.Client, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trec = questions.parent / "trec"
    code, report = bench(http, questions, "--trec", str(trec), "--batch-size", "8")
    shown = capsys.readouterr().out
    assert code == 0, report["failures"]
    assert report["service"]["triples"] == {"DDI": 18_585, "DPI": 314, "MOLECULAR": 499}
    for text in ("19,398", "hard/soft@5", "triple", "neo4j", "paper: BM25", "single/s"):
        assert text in shown

    for name, found in report["retrievers"].items():
        assert found["graph_version"] == http.get("/version").json()["graph_version"]
        assert (found["ties"], found["disagreements"]) == (0, 0), name
        firsts = [next(iter(question["gold_ranks"].values())) for question in found["questions"]]
        assert firsts[-1] is None, "a triple that is not in the graph was found"
        assert firsts[:-1] == [1] * NAMED, name
        assert found["groups"]["all"]["mrr"]["mean"] == pytest.approx(NAMED / (NAMED + 1))
        assert found["speed"]["first"]["questions"] == NAMED + 1

        again = ir_measures.calc_aggregate(
            [ir_measures.RR, ir_measures.R @ 5],
            list(ir_measures.read_trec_qrels(str(trec / "biomolmqa.qrels"))),
            list(ir_measures.read_trec_run(str(trec / f"{name}.run"))),
        )
        assert again[ir_measures.RR] == pytest.approx(found["groups"]["all"]["mrr"]["mean"])
        assert again[ir_measures.R @ 5] == pytest.approx(found["groups"]["all"]["recall@5"]["mean"])


def test_what_the_service_refuses_ends_the_command_with_its_reason(
    http: httpx.Client, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, report = bench(http, questions, "--retriever", "nosuch,triple", "--no-latency", "--limit", "2")
    assert code != 0
    assert set(report["failures"]) == {"nosuch"}
    assert set(report["retrievers"]) == {"triple"}
    assert "404" in capsys.readouterr().err
    code, report = bench(http, questions, "--retriever", "triple", "--k", "1000", "--no-latency")
    assert code != 0
    assert "k: " in report["failures"]["triple"]
    code, report = bench(http, questions, "--retriever", "bm25,triple", "--no-latency", "--limit", "2")
    assert code != 0
    assert "bm25 failed: it returns passages" in capsys.readouterr().err
    assert (set(report["failures"]), set(report["retrievers"])) == ({"bm25"}, {"triple"})


def test_documents_answers_and_a_page(http: httpx.Client, tmp_path: Path) -> None:
    wording = "Which drug causes {1} in combination with {0}?"
    questions = write(tmp_path / "asked.csv", named_triples(http), wording)
    page = tmp_path / "page.html"
    code, report = bench(
        http,
        questions,
        *("--retriever", "hybrid,bm25", "--gold", "documents", "--answers", "--no-latency"),
        *("--model", "both", "--limit", "6", "--html", str(page)),
    )
    assert code == 0, report["failures"]
    assert set(report["retrievers"]) == {"hybrid-untrained", "bm25-untrained"}
    for found in report["retrievers"].values():
        # The starter graph has no texts, so that no right document can be found.
        assert found["groups"]["all"]["soft@5"]["mean"] == 0.0
        assert all(set(question["gold_ranks"].values()) == {None} for question in found["questions"])
        assert all(question["hits"] for question in found["questions"])
    answers = report["answers"]["answer-untrained"]
    assert answers["groups"]["all"]["among 2"]["mean"] == 1.0
    assert {row["id"] for row in answers["questions"]} == {f"q{row:04d}" for row in range(1, 7)}
    text = page.read_text(encoding="utf-8")
    assert "hybrid-untrained" in text
    assert "<svg" in text
    assert "http://" not in text.replace(str(http.base_url).rstrip("/"), ""), "nothing is fetched"


def test_questions_that_name_their_entities_and_a_split(
    http: httpx.Client, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "named.json"
    url = str(http.base_url)
    command = ["bench", "named", "--url", url, "--count", "30", "--json", str(out)]
    assert run([*command, "--retriever", "triple,hybrid"]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))["retrievers"]
    for retriever in ("triple", "hybrid"):
        assert found[retriever]["shares"]["all"]["questions"] == 30
        assert found[retriever]["shares"]["all"]["mean"] >= 0.9, found[retriever]["failures"]
    assert run([*command, "--retriever", "bm25"]) != 0
    capsys.readouterr()

    folder = tmp_path / "split"
    split = ["bench", "split", "--questions", str(questions), "--out", str(folder), "--seed", "1"]
    assert run([*split, "--share", "0.5"]) == 0
    assert "to train on" in capsys.readouterr().out
    code, report = bench(
        http,
        folder / "test.parquet",
        *("--train", str(folder / "train.parquet"), "--retriever", "triple", "--no-latency"),
    )
    assert code == 0
    groups = report["retrievers"]["triple"]["groups"]
    assert groups["unseen entities"]["questions"] == groups["all"]["questions"]


def test_speed_is_measured_beside_the_naive_baseline(
    http: httpx.Client, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "speed.json"
    speed.measure(str(http.base_url), "triple", questions, out, batch_size=8, naive=False)
    found = json.loads(out.read_text(encoding="utf-8"))["retrievers"]["triple"]
    assert (found["first"]["questions"], found["batch_size"]) == (NAMED + 1, 8)
    assert found["first"]["p50"] <= found["first"]["p99"]

    with ServiceClient(str(http.base_url)) as client:
        sample = sample_triples(client, 24)
        triples = sum(Service.of(client).triples.values())
    assert len(set(sample)) == 24
    assert len(set(speed.QUESTIONS)) == 64
    baseline = naive_speed(speed.QUESTIONS[:1], sample, triples=triples)
    assert baseline.seconds > found["again"]["mean"] / 1000
