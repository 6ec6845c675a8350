"""Results against JSON Schemas: those of this repository, and the public ones where they are at hand."""

import json
import os
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry

ROOT = Path(__file__).resolve().parents[4]
OURS = ROOT / "schemas/tools"
PUBLIC = Path(os.environ.get("BATON_CORPUS") or ROOT / "../shared/corpus") / "process/schemas/core-2"


@cache
def _neighbours() -> Registry:
    schemas = {path.name: json.loads(path.read_text()) for path in OURS.glob("*.json")}
    return Registry().with_contents(schemas.items()).crawl()


@cache
def _ours(name: str) -> Draft202012Validator:
    schema = json.loads((OURS / name).read_text())
    return Draft202012Validator(schema, registry=_neighbours())


@cache
def _public(name: str) -> Draft202012Validator | None:
    path = PUBLIC / name
    if not path.exists():
        print(f"skipped: no public {name} (set BATON_CORPUS)")
        return None
    return Draft202012Validator(json.loads(path.read_text()))


def _check(value: object, *validators: Draft202012Validator | None) -> None:
    for validator in validators:
        if validator is not None:
            validator.validate(value)


def check_arguments(tool: str, arguments: dict) -> None:
    name = f"{tool}.arguments.json"
    _check(arguments, _ours(name), _public(f"tools/{name}"))


def check_result(tool: str, data: dict) -> None:
    name = f"{tool}.result.json"
    _check(data, _ours(name), _public(f"tools/{name}"))


def check_error(error: dict) -> None:
    _check(error, _ours("tool-error.json"), _public("tool-error.json"))
