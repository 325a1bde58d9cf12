"""The description of the API: what FastAPI makes of the routes, with problems and the settings' limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.schemas import Problem
from biomolkg.settings import Settings

_TEMPLATE = "#/components/schemas/{model}"
_DRAWN = {"minimum": 50, "maximum": 2_000}


def install(app: FastAPI, settings: Settings) -> None:
    """Let `app` describe itself so; the description is made when it is first asked for."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            _add_problem(schema)
            _limit_parameters(schema, settings)
            _limit_bodies(schema["components"]["schemas"], settings)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]


def _add_problem(schema: dict[str, Any]) -> None:
    problem = Problem.model_json_schema(ref_template=_TEMPLATE)
    schemas = schema.setdefault("components", {}).setdefault("schemas", {})
    schemas |= problem.pop("$defs", {})
    schemas["Problem"] = problem


def _limit_parameters(schema: Mapping[str, Any], settings: Settings) -> None:
    limits: dict[str, dict[str, int]] = {
        "limit": {"maximum": settings.max_page},
        "width": _DRAWN,
        "height": _DRAWN,
        "smiles": {"minLength": 1, "maxLength": settings.max_smiles_chars},
        "highlight": {"minLength": 1, "maxLength": settings.max_smarts_chars},
    }
    for path in schema["paths"].values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()):
                _narrow(parameter["schema"], limits.get(parameter["name"], {}))


def _limit_bodies(schemas: Mapping[str, Any], settings: Settings) -> None:
    question = {"maxLength": settings.max_question_chars}
    values = {"maxItems": settings.max_filter_values}
    for name in ("RetrieveRequest", "AnswerRequest"):
        fields = schemas[name]["properties"]
        _narrow(fields["question"], question)
        _narrow(fields["questions"], {"maxItems": settings.max_questions})
        for part in _parts(fields["questions"]):
            if "items" in part:
                part["items"] |= question
        _narrow(fields["k"], {"maximum": settings.max_k})
        for filtered in ("kinds", "sources", "entities", "evidence"):
            if filtered in fields:
                _narrow(fields[filtered], values)
        _exactly_one(schemas[name], "question", "questions")
    _narrow(schemas["MentionsRequest"]["properties"]["text"], {"maxLength": settings.max_text_chars})
    search = schemas["MoleculeSearch"]["properties"]
    _narrow(search["k"], {"maximum": settings.max_k})
    _narrow(search["substructure"], {"minLength": 1, "maxLength": settings.max_smarts_chars})
    search["groups"]["additionalProperties"] |= {"minimum": 1}
    molecule = schemas["MoleculeIn"]
    _narrow(molecule["properties"]["smiles"], {"minLength": 1, "maxLength": settings.max_smiles_chars})
    _exactly_one(molecule, "id", "smiles")


def _exactly_one(schema: dict[str, Any], *names: str) -> None:
    schema["oneOf"] = [
        {"required": [name], "properties": {name: {"not": {"type": "null"}}}} for name in names
    ]


def _narrow(schema: dict[str, Any], limits: Mapping[str, int]) -> None:
    """Say the limits where the value is of a type that they are for."""
    types = {"maximum": "integer", "minimum": "integer", "maxItems": "array", "maxLength": "string"}
    types["minLength"] = "string"
    for part in _parts(schema):
        part |= {name: limit for name, limit in limits.items() if part.get("type") == types[name]}


def _parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    yield from schema.get("anyOf", ())
