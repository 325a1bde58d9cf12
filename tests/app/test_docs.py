"""The pages of docs/ say what the code does: every example runs, everything there is is listed."""

from __future__ import annotations

import json
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from typer.main import get_command

from app.cli import COMMANDS
from app.cli import app as root
from biomolkg import errors
from biomolkg.settings import Settings

DOCS = Path(__file__).resolve().parents[2] / "docs"
BASE = "http://127.0.0.1:8000"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks as (language, content)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str, str]]:
    """Each curl command of http.md with the language and text of the answer after it."""
    found = blocks(page("http.md"))
    return [(command, *found[at + 1]) for at, (language, command) in enumerate(found) if language == "sh"]


def send(http: httpx.Client, command: str) -> httpx.Response:
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:2] == ["curl", "-s"]
    url, headers, data = "", {}, None
    rest = iter(words[2:])
    for word in rest:
        if word == "-H":
            name, _, value = next(rest).partition(": ")
            headers[name] = value
        elif word == "-d":
            data = next(rest).encode()
        else:
            url = word
    assert url.startswith(BASE)
    return http.request("POST" if data else "GET", url.removeprefix(BASE), headers=headers, content=data)


def agrees(shown: Any, real: Any, where: str = "") -> None:
    """`shown` holds for `real`: each key that is shown, each element of a list in its place."""
    if shown == "…":
        assert real not in (None, ""), where
    elif isinstance(shown, dict):
        for key, value in shown.items():
            assert key in real, f"{where}.{key}"
            agrees(value, real[key], f"{where}.{key}")
    elif isinstance(shown, list) and shown:
        assert len(real) >= len(shown), where
        for at, value in enumerate(shown):
            agrees(value, real[at], f"{where}[{at}]")
    else:
        assert shown == real, where


@pytest.mark.parametrize(
    ("command", "language", "shown"), examples(), ids=lambda text: text.split("\n")[0][:60]
)
def test_examples_of_http_run(http: httpx.Client, command: str, language: str, shown: str) -> None:
    response = send(http, command)
    if language == "ndjson":
        lines = response.text.strip().split("\n")
        agrees([json.loads(line) for line in shown.strip().split("\n")], [json.loads(line) for line in lines])
        assert len(lines) == len(shown.strip().split("\n"))
    elif language == "svg":
        assert response.headers["content-type"] == "image/svg+xml"
        assert response.text.startswith(shown.strip())
    else:
        assert language == "json"
        agrees(json.loads(shown), response.json())


def test_every_json_block_is_an_answer_to_a_command() -> None:
    languages = [language for language, _ in blocks(page("http.md"))]
    assert languages[::2] == ["sh"] * len(languages[::2])
    assert len(languages) == 2 * len(languages[::2])


def test_routes_are_documented(service: FastAPI) -> None:
    shown = set(re.findall(r"^\| `(GET|POST) (/\S*)`", page("http.md"), flags=re.MULTILINE))
    real = {
        (method.upper(), path)
        for path, operations in service.openapi()["paths"].items()
        for method in operations
    }
    assert shown == real


def test_fields_of_a_retrieval_are_documented(service: FastAPI) -> None:
    section = page("http.md").split("## Retrieval")[1].split("```")[0]
    shown = set(re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE))
    assert shown == set(service.openapi()["components"]["schemas"]["RetrieveRequest"]["properties"])


def test_problems_are_documented() -> None:
    text = page("http.md")
    shown = dict(re.findall(r"^\| `urn:biomolkg:problem:([\w-]+)` \| (\d+) \|", text, flags=re.MULTILINE))
    raised = {
        kind.slug: str(kind.status)
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.BioMolKGError)
    }
    for slug, status in shown.items():
        assert raised.get(slug, status) == status
    # These end a command, or are of another service's; no route raises them.
    apart = {"configuration", "invalid-source", "invalid-input", "request-failed"}
    assert set(raised) - apart <= set(shown)


def test_settings_are_documented() -> None:
    rows = re.findall(r"^\| `BIOMOLKG_(\w+)` \| (.*?) \| (.*) \|$", page("settings.md"), flags=re.MULTILINE)
    assert [name for name, _, _ in rows] == list(dict.fromkeys(name for name, _, _ in rows))
    assert {name.lower() for name, _, _ in rows} == set(Settings.model_fields)
    words = {"None": "none", "True": "true", "False": "false"}
    for name, default, description in rows:
        field = Settings.model_fields[name.lower()]
        assert description == field.description
        if field.default_factory is None:
            expected = words.get(str(field.default), str(field.default))
            assert default.strip("`").removesuffix(".0") == expected.removesuffix(".0"), name


def test_variables_that_pages_name_exist() -> None:
    names = {f"BIOMOLKG_{name.upper()}" for name in Settings.model_fields} | {"BIOMOLKG_TEST_DATA"}
    for path in [*DOCS.glob("*.md"), DOCS.parent / "README.md"]:
        found = set(re.findall(r"BIOMOLKG_[A-Z0-9_]*[A-Z0-9]", path.read_text(encoding="utf-8")))
        assert found <= names, path.name


def test_flags_are_documented() -> None:
    parts = re.split(r"^## ", page("cli.md"), flags=re.MULTILINE)[1:]
    sections = dict(part.split("\n", 1) for part in parts)
    assert set(sections) == {"For all commands", *COMMANDS}
    agree_on_flags(sections["For all commands"], get_command(root))
    for name in COMMANDS:
        agree_on_flags(sections[name], get_command(import_module(f"app.commands.{name}").app))


def agree_on_flags(section: str, command: Any) -> None:
    rows = re.findall(r"^\| (`-.*?) \|", section, flags=re.MULTILINE)
    shown = {flag for row in rows for flag in re.findall(r"`(-{1,2}[\w-]+)", row)}
    assert shown == flags_of(command) - {"--help", "--install-completion", "--show-completion"}


def flags_of(command: Any) -> set[str]:
    """The flags of a command, or of every command of a group."""
    own = {
        flag
        for parameter in command.params
        for flag in (*getattr(parameter, "opts", ()), *getattr(parameter, "secondary_opts", ()))
        if flag.startswith("-")
    }
    below = () if command.name == "biomolkg" else getattr(command, "commands", {}).values()
    return own.union(*(flags_of(child) for child in below))
