"""Whether openapi/openapi.yaml is OpenAPI 3.1 and its examples are what its schemas say.

Needs PyYAML, jsonschema and openapi-spec-validator; that routes, slugs and event types agree with the program is
held by ContractTests in Swift.
"""

import pathlib

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

FILE = pathlib.Path(__file__).parents[2] / "openapi" / "openapi.yaml"
CONTRACT = yaml.safe_load(FILE.read_text(encoding="utf-8"))


def resolved(node):
    """What a reference stands for."""
    while isinstance(node, dict) and set(node) == {"$ref"}:
        target = CONTRACT
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def contents():
    """Every body of a request or a response, with a name to find it by."""
    for path, item in CONTRACT["paths"].items():
        for method, operation in item.items():
            name = f"{method} {path}"
            body = resolved(operation.get("requestBody", {}))
            for content in body.get("content", {}).values():
                yield f"{name} request", content
            for status, response in operation["responses"].items():
                for content in resolved(response).get("content", {}).values():
                    yield f"{name} {status}", content


def examples():
    for name, content in contents():
        for label, example in content.get("examples", {}).items():
            yield pytest.param(content["schema"], resolved(example)["value"], id=f"{name} {label}")


def validator(schema):
    return Draft202012Validator({**schema, "components": CONTRACT["components"]})


def test_is_openapi():
    validate(CONTRACT)


@pytest.mark.parametrize("schema, value", examples())
def test_example(schema, value):
    errors = [f"{list(error.path)}: {error.message}" for error in validator(schema).iter_errors(value)]
    assert errors == []


def test_every_reference_leads_somewhere_and_every_component_is_used():
    text = FILE.read_text(encoding="utf-8")
    for kind, components in CONTRACT["components"].items():
        for name in components:
            if kind != "securitySchemes":
                assert f"'#/components/{kind}/{name}'" in text, f"{kind}/{name} is not used"


def test_objects_are_closed():
    """Unknown members are errors in requests and never appear in answers."""
    for name, schema in CONTRACT["components"]["schemas"].items():
        if schema.get("type") == "object":
            assert schema.get("additionalProperties") is False, name
