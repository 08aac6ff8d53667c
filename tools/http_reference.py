"""Writes docs/reference/routes.md from the OpenAPI document, so that the page cannot fall behind the service.

python -m tools.http_reference          write the page
python -m tools.http_reference --check  say whether it is up to date
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gunita.server.app import create_app
from gunita.settings import Settings

FROM_THE_FRAMEWORK = {"422", "HTTPValidationError", "ValidationError"}
"""What FastAPI writes into every document; the service refuses with 400 and a ProblemReply instead."""
TARGET = Path(__file__).parent.parent / "docs" / "reference" / "routes.md"

HEAD = """# Every route

<!-- Written by tools/http_reference.py from the OpenAPI document; change the routes and run `make reference`. -->

What `/openapi.json` says, in one page: every route with what it takes and what it answers.
[The HTTP interface](http.md) says what a schema cannot. A credential travels as `Authorization: Bearer …`; what goes
wrong is told as a [ProblemReply](#problemreply), whatever the route. A field with a `*` has to be there.
"""
Json = Mapping[str, Any]


def written() -> str:
    document = create_app(Settings(_env_file=None)).openapi()  # type: ignore[call-arg]
    schemas = document["components"]["schemas"]
    shapes = [shape(name, schemas[name]) for name in sorted(schemas) if name not in FROM_THE_FRAMEWORK]
    return HEAD + "".join([*routes(document), "\n## Schemas\n", *shapes])


def routes(document: Json) -> Iterator[str]:
    """Write the routes under the heading of their part, in the service's own order."""
    under: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            [part, *_] = told.get("tags", ["other"])
            under.setdefault(part, []).append(route(method.upper(), path, told))
    for part, entries in under.items():
        yield f"\n## {part.capitalize()}\n"
        yield from entries


def route(method: str, path: str, told: Json) -> str:
    parts = [f"\n### `{method} {path}`\n\n{told['summary']}.\n"]
    if description := told.get("description", "").strip():
        parts.append(f"\n{description}\n")
    if rows := [parameter(each) for each in told.get("parameters", ())]:
        parts.append("\n| parameter | in | |\n| --- | --- | --- |\n" + "".join(rows))
    if "requestBody" in told:
        parts.append(f"\nTakes {content(told['requestBody'])}.\n")
    answers, refusals = told_outcomes(told["responses"])
    parts.append(f"\nAnswers {answers}{'; refuses with ' if refusals else ''}{refusals}.\n")
    return "".join(parts)


def told_outcomes(responses: Json) -> tuple[str, str]:
    """Say what a route answers, and with which numbers it refuses."""
    known = sorted(responses.keys() - FROM_THE_FRAMEWORK)
    answers = [f"{status} {content(responses[status])}".rstrip() for status in known if status < "300"]
    return ", ".join(answers), ", ".join(status for status in known if status >= "300")


def parameter(told: Json) -> str:
    name = f"`{told['name']}`{'*' if told.get('required') else ''}"
    said = told.get("description") or told["schema"].get("description") or ""
    return f"| {name} | {told['in']} | {cell(kind(told['schema']), said)} |\n"


def content(told: Json) -> str:
    """Say what a body holds: a schema of this page, or another kind of text."""
    return " or ".join(
        kind(body["schema"]) if form == "application/json" and body.get("schema") else f"`{form}`"
        for form, body in told.get("content", {}).items()
    )


def shape(name: str, told: Json) -> str:
    described = told.get("description", "").strip()
    needed = set(told.get("required", ()))
    rows = [
        f"| `{field}`{'*' if field in needed else ''} | {cell(kind(value), value.get('description', ''))} |\n"
        for field, value in told.get("properties", {}).items()
    ]
    table = "\n| field | |\n| --- | --- |\n" + "".join(rows) if rows else f"\n{kind(told)}\n"
    return f"\n### {name}\n" + (f"\n{described}\n" if described else "") + table


def kind(schema: Json) -> str:
    """Say in a few words what a value may be."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(kind(each) for each in schema[several]))
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return " ".join(filter(None, [str(schema.get("type", "anything")), schema.get("format"), bounds(schema)]))


def bounds(schema: Json) -> str:
    named = {"minimum": "from", "maximum": "to", "minLength": "at least", "maxLength": "at most", "maxItems": "at most"}
    told = [f"{word} {schema[name]:,}" for name, word in named.items() if name in schema]
    return f"({', '.join(told)})" if told else ""


def cell(what: str, said: str) -> str:
    return f"{what}{'; ' if said else ''}{' '.join(said.split())}".replace("|", "\\|")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if TARGET.read_text(encoding="utf-8") == written() else "run: make reference")
    TARGET.write_text(written(), encoding="utf-8")
