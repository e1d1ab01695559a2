"""The arguments of a method: the parameters of its operation, and the fields of its body."""
from dataclasses import dataclass
from typing import Dict, Iterator, List, Tuple

from .description import Operation, Schema
from .models import Models, query_type
from .names import is_identifier, pascal_case, snake_case

#: The arguments that every method has.
OPTIONS = ("timeout", "idempotency_key")

#: Headers that the client sets by itself.
OWN_HEADERS = ("x-beak-key", "idempotency-key")


@dataclass(frozen=True)
class Argument:
    """A field of the input, as an argument."""

    #: As the service writes it.
    field: str
    #: `path`, `query`, `header` or `body`.
    place: str
    is_required: bool
    schema: Schema
    description: str
    #: As Python writes it.
    name: str
    type: str

    @property
    def is_nullable(self) -> bool:
        """Whether the service takes null, which is another value than nothing."""
        return self.type.startswith("Optional[")


def _merged(name: str, left: Schema, right: Schema) -> Schema:
    """Merges a field of two alternatives, which are equal or differ only in their constant."""
    if left == right:
        return left
    choices: List[object] = []
    for schema in (left, right):
        if "enum" not in schema and "const" not in schema:
            raise ValueError(f"The alternatives of {name} cannot be merged.")
        choices += schema.get("enum") or [schema["const"]]
    return {"type": "string", "enum": list(dict.fromkeys(choices))}


def _body_fields(body: Schema) -> Dict[str, Tuple[Schema, bool]]:
    """Returns the fields of a body. Of alternatives, a field is required only where every alternative requires it."""
    alternatives = body.get("oneOf") or body.get("anyOf") or [body]
    fields: Dict[str, Tuple[Schema, bool]] = {}
    for alternative in alternatives:
        for name, property in alternative.get("properties", {}).items():
            schema = _merged(name, fields[name][0], property) if name in fields else property
            fields[name] = (schema, all(name in one.get("required", []) for one in alternatives))
    return fields


def _fields(operation: Operation) -> Iterator[Tuple[str, str, bool, Schema, str]]:
    """Yields name, place, whether it is required, schema and description of each field."""
    for parameter in operation.parameters:
        if parameter["name"].lower() not in OWN_HEADERS:
            schema = parameter["schema"]
            text = parameter.get("description", schema.get("description", ""))
            yield parameter["name"], parameter["in"], parameter.get("required", False), schema, text
    for name, (schema, is_required) in _body_fields(operation.body or {}).items():
        yield name, "body", is_required, schema, schema.get("description", "")


def arguments_of(operation: Operation, models: Models) -> List[Argument]:
    """Returns the arguments of an operation, in the order of the API reference."""
    found = []
    for field, place, is_required, schema, description in _fields(operation):
        name = snake_case(field[2:] if place == "header" and field.startswith("X-") else field)
        if not is_identifier(name) or name in OPTIONS:
            raise ValueError(f"{operation.name} has a field that cannot be an argument: {field}")
        model = pascal_case(operation.name) + pascal_case(field)
        type = query_type(schema) if place == "query" else models.argument_type(schema, model)
        found.append(Argument(field, place, is_required, schema, description, name, type))
    return found
