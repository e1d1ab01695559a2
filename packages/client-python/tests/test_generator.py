"""The generated modules follow from the description of the service."""
import ast
from dataclasses import replace
from pathlib import Path
from typing import Dict, Mapping

import pytest
from beak_build.description import Description, Operation, Schema, read_description
from beak_build.models import Models
from beak_build.names import snake_case
from beak_build.sources import described_sources, generated_sources
from beak_build.synchronous import to_synchronous
from beak_build.text import docstring

PACKAGE = Path(__file__).resolve().parents[1]

DUCK: Schema = {"type": "object", "properties": {"fed": {"type": "boolean"}}, "required": ["fed"]}
FEED = Operation(
    name="feedDuck",
    method="POST",
    path="/beak/feed",
    summary="Feed a duck",
    credentials=["session", "key"],
    parameters=[{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}],
    body={"type": "object", "properties": {"grams": {"type": "integer"}}, "required": ["grams"]},
    media="application/json",
    answer={"$ref": "#/components/schemas/Duck"},
)


def sources_of(operation: Operation) -> Dict[str, str]:
    return described_sources(Description(version="1.2.3", operations=[operation], schemas={"Duck": DUCK}))


def test_merges_the_data_of_kinds_with_the_same_first_word() -> None:
    fed: Schema = {"type": "object", "properties": {"id": {"type": "string"}, "grams": {"type": "integer"}}}
    seen: Schema = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    schemas: Dict[str, Schema] = {"Fed": {**fed, "required": ["id", "grams"]}, "Seen": seen}
    text = described_sources(
        Description(
            version="1.2.3",
            operations=[],
            schemas=schemas,
            webhooks=[
                {"kind": "duck.fed", "summary": "A duck was fed", "data": "Fed"},
                {"kind": "duck.seen", "summary": "A duck was seen", "data": "Seen"},
                {"kind": "cert.seen", "summary": "A certificate was seen", "data": "Seen"},
            ],
        )
    )["_webhook_events.py"]
    assert "    id: str\n    grams: NotRequired[int]\n" in text
    assert 'type: Literal["duck.fed", "duck.seen"]\n    timestamp: datetime\n    data: DuckData' in text
    assert "CertificateData = models.Seen" in text
    assert '"cert.seen": CertificateEvent' in text


def with_body(properties: Mapping[str, Schema]) -> Operation:
    return replace(FEED, body={"type": "object", "properties": dict(properties)})


def test_has_a_method_for_every_operation_in_both_halves_and_the_version() -> None:
    description, sources = read_description(PACKAGE), generated_sources(PACKAGE)
    assert len(description.operations) > 80
    for operation in description.operations:
        assert f"def {snake_case(operation.name)}(" in sources["_async_methods.py"]
        assert f"    def {snake_case(operation.name)}(" in sources["_methods.py"]
    assert f'VERSION = "{description.version}"' in sources["_version.py"]


def test_leaves_nothing_asynchronous_in_the_synchronous_half() -> None:
    for name in ("_methods.py", "_client.py", "_verifier.py"):
        nodes = list(ast.walk(ast.parse(generated_sources(PACKAGE)[name])))
        kinds = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
        assert not [node for node in nodes if isinstance(node, kinds)]


def test_notes_that_an_operation_takes_an_idempotency_key_which_is_an_option_of_the_method() -> None:
    sources = sources_of(FEED)
    assert "takes_idempotency_key=True" in sources["_operations.py"]
    assert "        idempotency_key: Optional[str] = None,\n    ) -> models.Duck:" in sources["_methods.py"]
    without = sources_of(replace(FEED, parameters=[]))["_methods.py"]
    assert "idempotency_key" not in without[without.index("def feed_duck") :]


def test_warns_of_a_deprecated_operation() -> None:
    text = sources_of(replace(FEED, deprecated=True))["_methods.py"]
    assert 'warnings.warn("feed_duck is deprecated.", DeprecationWarning' in text
    assert "import warnings" in text
    assert "warnings" not in sources_of(FEED)["_methods.py"]


def test_distinguishes_null_from_nothing_only_where_null_has_a_meaning() -> None:
    sources = sources_of(
        with_body({"note": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "grams": {"type": "integer"}})
    )
    assert "note: Union[Optional[str], Unset] = UNSET," in sources["_methods.py"]
    assert "grams: Optional[int] = None," in sources["_methods.py"]
    assert 'nullable=("note",),' in sources["_operations.py"]


def test_iterates_over_the_pages_of_a_list() -> None:
    items: Schema = {"type": "array", "items": {"$ref": "#/components/schemas/Duck"}}
    listed: Schema = {
        "type": "object",
        "properties": {"items": items, "next_cursor": {"type": ["string", "null"]}},
        "required": ["items", "next_cursor"],
    }
    operation = replace(
        FEED,
        name="listDucks",
        method="GET",
        parameters=[{"name": "cursor", "in": "query", "schema": {"type": "string"}}],
        body=None,
        answer=listed,
    )
    assert "-> AsyncIterator[models.Duck]:" in sources_of(operation)["_async_methods.py"]
    with pytest.raises(ValueError, match="must begin with list"):
        sources_of(replace(operation, name="ducks"))


@pytest.mark.parametrize("name", ["from", "timeout", "1st"])
def test_fails_for_a_field_that_cannot_be_an_argument(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be an argument"):
        sources_of(with_body({name: {"type": "string"}}))


def test_writes_a_type_with_a_member_that_is_a_keyword_as_a_call_and_refuses_two_types_of_one_name() -> None:
    stolen: Schema = {"type": "object", "properties": {"from": {"type": "string"}}, "required": ["from"]}
    expected = 'Stolen = TypedDict(\n    "Stolen",\n    {\n        "from": str,'
    assert expected in Models({"Stolen": stolen}).source()
    with pytest.raises(ValueError, match="Two types would be called Duck"):
        Models({"Duck": DUCK}).answer_type(stolen, "Duck")


@pytest.mark.parametrize("text", ['Ends with "a quotation mark"', 'Has """ inside', "Ends with \\", "Two\nlines"])
def test_writes_any_text_as_a_docstring(text: str) -> None:
    lines = docstring([text], 0)
    assert ast.literal_eval("\n".join(lines)).strip() == text
    module = sources_of(replace(FEED, summary=text))["_async_methods.py"]
    ast.parse(module)


def test_translates_keywords_names_and_calls_and_nothing_in_between() -> None:
    source = '''"""An example."""
import asyncio
import time
class AsyncBeak(AsyncMethods):
    async def __aenter__(self) -> "AsyncBeak":
        await asyncio.sleep(1)
        async for _ in self.all():
            await self.aclose()
            awaiting = http = httpx.AsyncClient()
'''
    expected = '''# Translated from _async_duck.py. Do not edit.
"""An example."""
import time
class Beak(Methods):
    def __enter__(self) -> "Beak":
        time.sleep(1)
        for _ in self.all():
            self.close()
            awaiting = http = httpx.Client()
'''
    assert to_synchronous(source, "_async_duck.py") == expected
