"""The files of docker/ without an engine: lint, the specification, and what they promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from compose_spec import PyCompose
from packaging.requirements import Requirement

from biomolkg.errors import ConfigurationError
from biomolkg.settings import load_settings

ROOT = Path(__file__).resolve().parents[1]
DOCKER = ROOT / "docker"
PASSWORD_FILE = "/run/secrets/neo4j_auth"


def compose() -> dict[str, Any]:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    # What Compose fills in from the environment, with its defaults.
    filled = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    read = PyCompose.from_yaml(filled)
    read.validate()
    found: dict[str, Any] = read.to_dict()
    return found


def test_the_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    hadolint = which("hadolint", path=str(Path(sys.executable).parent))
    assert hadolint is not None
    done = subprocess.run([hadolint, str(DOCKER / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    broken = subprocess.run(
        [hadolint, "-"], input="FROM python\nRUN cd /tmp\n", capture_output=True, text=True, check=False
    )
    assert broken.returncode == 1, "a lint that finds nothing wrong anywhere says nothing"


def test_the_compose_file_is_what_the_page_says() -> None:
    services = compose()["services"]
    service, neo4j = services["biomolkg"], services["neo4j"]
    assert neo4j["image"] == "neo4j:5.26-community"
    assert service["depends_on"]["neo4j"]["condition"] == "service_healthy"
    assert neo4j["healthcheck"]["test"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["environment"]["BIOMOLKG_NEO4J_URI"] == "bolt://neo4j:7687"
    assert "ports" not in neo4j
    assert [str(port) for port in service["ports"]] == ["127.0.0.1:8000:8000"]
    # The password is nowhere but in the secret, and the secret is no file of the repository.
    assert service["environment"]["BIOMOLKG_NEO4J_PASSWORD_FILE"] == PASSWORD_FILE
    assert neo4j["environment"]["NEO4J_AUTH_FILE"] == PASSWORD_FILE
    assert "NEO4J_AUTH" not in neo4j["environment"]
    assert compose()["secrets"]["neo4j_auth"]["file"] == "./secrets/neo4j_auth"
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "/docker/secrets/" in ignored


def test_a_mistake_in_the_compose_file_would_be_refused() -> None:
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    assert "condition: service_healthy" in text
    with pytest.raises(ValueError, match="condition"):
        PyCompose.from_yaml(text.replace("condition: service_healthy", "condition: healthy"))


def test_the_image_is_not_root_and_serves_with_a_managed_neo4j_out_of_reach() -> None:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    last = text[text.rindex("\nFROM ") :]
    assert re.search(r"^USER (?!0|root)\d+:\d+$", last, re.MULTILINE)
    assert "BIOMOLKG_NEO4J_URI=bolt://neo4j:7687" in last
    assert f"BIOMOLKG_NEO4J_PASSWORD_FILE={PASSWORD_FILE}" in last
    assert not re.search(r"(?i)password=\S", last.replace("PASSWORD_FILE=", ""))


@pytest.mark.parametrize("extra", ["", "bench", "train", "nothing"])
def test_requirements_are_those_of_the_project(extra: str) -> None:
    done = subprocess.run(
        [sys.executable, str(DOCKER / "requirements.py"), str(ROOT / "pyproject.toml"), *extra.split()],
        capture_output=True,
        text=True,
        check=False,
    )
    if extra == "nothing":
        assert done.returncode == 2
        assert "train" in done.stderr
        return
    names = {Requirement(line).name for line in done.stdout.splitlines()}
    assert {"neo4j", "onnxruntime", "fastapi"} <= names
    assert ("pyarrow" in names) is bool(extra)
    assert ("torch" in names) is (extra == "train")


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    script = tmp_path / "make_secret.sh"
    script.write_text((DOCKER / "make_secret.sh").read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    made = tmp_path / "secrets" / "neo4j_auth"
    secret = made.read_text(encoding="utf-8")
    assert re.fullmatch(r"neo4j/[0-9a-f]{36}\n", secret)
    assert made.parent.stat().st_mode & 0o077 == 0
    subprocess.run(["sh", str(script)], check=True, capture_output=True)
    assert made.read_text(encoding="utf-8") == secret
    settings = load_settings(neo4j_uri="bolt://neo4j:7687", neo4j_password_file=made)
    assert settings.read_neo4j_password() == secret.strip().removeprefix("neo4j/")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("secret\n", "secret"),
        ("neo4j/secret", "secret"),
        ("other/secret", "other/secret"),
        (" \n", None),
        ("neo4j/", None),
        (None, None),
        (b"\xff\xfe", None),
    ],
)
def test_a_password_comes_from_its_file_or_is_missed_in_one_message(
    tmp_path: Path, content: str | bytes | None, expected: str | None
) -> None:
    path = tmp_path / "secret"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    settings = load_settings(neo4j_uri="bolt://127.0.0.1:1", neo4j_password_file=path)
    if expected is not None:
        assert settings.read_neo4j_password() == expected
        twice = settings.model_copy(update={"neo4j_password": "other"})
        with pytest.raises(ConfigurationError, match="both set"):
            twice.read_neo4j_password()
        return
    with pytest.raises(ConfigurationError, match=re.escape(str(path))):
        settings.read_neo4j_password()
