"""Statements of a test's own, beside those of the project."""

from __future__ import annotations

import pytest

from cypher import catalogue


def own_statements(monkeypatch: pytest.MonkeyPatch, texts: dict[str, str]) -> None:
    """Let the client run `texts`, by name, until the test ends."""
    real = catalogue.statement

    def statement(name: str) -> str:
        return texts[name] if name in texts else real(name)

    monkeypatch.setattr("cypher.client.statement", statement)
