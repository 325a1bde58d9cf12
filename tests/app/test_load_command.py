"""`biomolkg load` and `biomolkg graph stats`, as a person or a script calls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from biomolkg.settings import Settings
from cypher.client import Client

pytestmark = pytest.mark.usefixtures("given_back")


def biomolkg(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=os.environ | {"BIOMOLKG_HOME": str(settings.home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_starter_graph_from_the_command_line(client: Client, neo4j_server: Settings) -> None:
    first = biomolkg(neo4j_server, "load", "starter", "--no-pathways")
    assert first.returncode == 0, first.stderr
    assert "18,585" in first.stdout
    assert "ddi: 18,585 written" in first.stderr
    second = biomolkg(neo4j_server, "load", "starter", "--no-pathways", "--json")
    ledger = json.loads(second.stdout)
    assert ledger["changed"] is False
    assert {row["table"]: row["unchanged"] for row in ledger["tables"]}["ddi"] == 18_585
    stats = json.loads(biomolkg(neo4j_server, "graph", "stats", "--json").stdout)
    assert stats["graph_version"] == ledger["graph_version"]
    assert stats["loading"] is False
    roles = stats["counts"]["triples"].pop("HAS_ROLE")
    assert stats["counts"]["triples"] == {"ACTION": 938, "DDI": 18_585, "DPI": 314, "MOLECULAR": 499}
    assert stats["counts"]["sources"] == {"biomolmqa": 20_336, "vocabulary": roles}
    worth = {row["evidence_type"]: row["triples"] for row in stats["evidence"]}
    assert (worth["curated"], worth["database"]) == (roles, 938 + 314)
    assert (worth["report_signal"], worth["model_written"]) == (18_585, 499)


def test_a_wrong_folder_is_told_in_one_line(neo4j_server: Settings, tmp_path: Path) -> None:
    answer = biomolkg(neo4j_server, "load", "biomolmqa", str(tmp_path))
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert "DDI_subset.csv" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert len(answer.stderr.strip().splitlines()) == 1


def test_a_caller_without_standard_streams_is_served(neo4j_server: Settings, tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text(":ID,name\na,aspirin\nb,ibuprofen\n")
    ledger = tmp_path / "ledger.json"
    command = [sys.executable, "-m", "app.cli", "load", "csv", str(tmp_path), "--name", "mine", "--dry-run"]
    answer = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" --json >{ledger} <&- 2>&-', "sh", *command],
        env=os.environ | {"BIOMOLKG_HOME": str(neo4j_server.home)},
        check=False,
    )
    assert answer.returncode == 0
    assert json.loads(ledger.read_text())["dataset"] == "mine"
