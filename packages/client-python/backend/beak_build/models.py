"""The types of answers and inputs, as TypedDicts."""
import json
import re
from dataclasses import dataclass
from typing import Dict, List, Mapping, Sequence, Tuple

from .description import Operation, Schema
from .names import is_identifier, literal, name_of, pascal_case
from .text import docstring, file_header

#: The names of `typing` and the constants that a type is made of. Every other name with a capital letter is a type of models.py.
BUILT_IN = re.compile(r"Dict|List|Literal|Optional|Union|NotRequired|None|True|False|Mapping|Sequence|Unset|UNSET")

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


@dataclass(frozen=True)
class Member:
    """A member of a TypedDict."""

    name: str
    type: str
    description: str


@dataclass(frozen=True)
class Type:
    """A TypedDict."""

    description: str
    members: Tuple[Member, ...]


class Models:
    """Collects the named types. A type without a name in the description is named after the place where it is used."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._classes: Dict[str, Type] = {}
        self._aliases: Dict[str, str] = {}
        for name, schema in schemas.items():
            if "properties" in schema:
                self._add_class(name, schema)
            else:
                self._aliases[name] = self.answer_type(schema, name)

    def argument_type(self, schema: Schema, place: str) -> str:
        """Returns the type of an argument: wider than the type of the same value in an answer."""
        if schema.get("type") == "array" and "items" in schema:
            return f"Sequence[{self.argument_type(schema['items'], place)}]"
        if _is_map(schema):
            return "Mapping[str, object]"
        if "anyOf" in schema:
            return _union([self.argument_type(one, place) for one in schema["anyOf"]])
        return self.answer_type(schema, place)

    def answer_type(self, schema: Schema, place: str) -> str:
        """Returns the type of a value. `place` names a type that the description does not name."""
        if "$ref" in schema:
            return name_of(schema["$ref"])
        if "const" in schema:
            return f"Literal[{literal(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(literal, schema['enum']))}]"
        alternatives = schema.get("anyOf") or schema.get("oneOf")
        if alternatives:
            return _union([self.answer_type(one, place + _choice_name(one)) for one in alternatives])
        return self._plain_type(schema, place)

    def _plain_type(self, schema: Schema, place: str) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            return _union([self.answer_type({**schema, "type": one}, place) for one in kind])
        if kind == "array":
            return f"List[{self.answer_type(schema.get('items', {}), f'{place}Item')}]"
        if kind == "object" and not _is_map(schema):
            return self._add_class(place, schema)
        if kind == "object":
            values = schema.get("additionalProperties")
            return f"Dict[str, {self.answer_type(values if isinstance(values, dict) else {}, f'{place}Value')}]"
        return "JsonValue" if kind is None else SCALARS[kind]

    def _add_class(self, name: str, schema: Schema) -> str:
        members = []
        for member, property in schema.get("properties", {}).items():
            type = self.answer_type(property, name + pascal_case(member))
            is_required = member in schema.get("required", [])
            shown = type if is_required else f"NotRequired[{type}]"
            members.append(Member(member, shown, property.get("description", "")))
        made = Type(schema.get("description", ""), tuple(members))
        if self._classes.setdefault(name, made) != made:
            raise ValueError(f"Two types would be called {name}.")
        return name

    def source(self) -> str:
        """Returns the source of all types so far."""
        lines = [
            *file_header("The types of the fields that the service takes and returns."),
            "from typing import Dict, List, Literal, Optional, Union",
            "",
            "from typing_extensions import NotRequired, TypedDict",
            "",
            "#: Any JSON value. Not recursive, because programs that read types at run time, such as FastAPI, cannot follow that.",
            "JsonValue = Union[None, bool, int, float, str, List[object], Dict[str, object]]",
        ]
        for name, made in sorted(self._classes.items()):
            lines += ["", "", *_class_lines(name, made)]
        # After the classes, so that their names need no quotes.
        aliases = [f"{name} = {type}" for name, type in sorted(self._aliases.items())]
        return "\n".join([*lines, "", "", *aliases, ""])


def _class_lines(name: str, made: Type) -> List[str]:
    described = [f"- `{member.name}`: {member.description}" for member in made.members if member.description]
    text = docstring([made.description, "\n".join(described)], 4)
    types = [(member.name, _quoted(member.type)) for member in made.members]
    # A member such as `from` cannot be written in a class.
    if not all(is_identifier(member) for member, _ in types):
        members = [f"        {json.dumps(member)}: {type}," for member, type in types]
        return [f"{name} = TypedDict(", f'    "{name}",', "    {", *members, "    },", ")"]
    gap = [""] if text and types else []
    return [f"class {name}(TypedDict):", *text, *gap, *(f"    {member}: {type}" for member, type in types)]


def replace_names(type: str, form: str) -> str:
    """Writes each name of a model in a type in another form, such as `models.{}`."""

    def replace(match: "re.Match[str]") -> str:
        word = match.group()
        return word if word.startswith('"') or BUILT_IN.fullmatch(word) else form.format(word)

    return re.sub(r'"[^"]*"|\b[A-Z]\w*', replace, type)


def _quoted(type: str) -> str:
    """Writes the names of types as forward references, because the types are in alphabetical order."""
    return replace_names(type, '"{}"')


def _union(types: Sequence[str]) -> str:
    unique = list(dict.fromkeys(types))
    rest = [type for type in unique if type != "None"]
    union = rest[0] if len(rest) == 1 else f"Union[{', '.join(rest)}]"
    return f"Optional[{union}]" if len(rest) < len(unique) else union


def _is_map(schema: Schema) -> bool:
    """Returns whether a schema is an object without named members."""
    return schema.get("type") == "object" and not schema.get("properties")


def _choice_name(schema: Schema) -> str:
    """Names an alternative of an answer after its status or its `active`, or after its only member."""
    properties = schema.get("properties", {})
    for name, property in properties.items():
        if "const" in property:
            value = property["const"]
            return pascal_case(name if value is True else f"not_{name}" if value is False else str(value))
    return pascal_case(next(iter(properties))) if len(properties) == 1 else ""


def query_type(schema: Schema) -> str:
    """Returns the type of an argument that travels in the query, where every value is a text."""
    choices = schema.get("enum") or ([schema["const"]] if "const" in schema else None)
    if choices is None:
        kind = schema.get("type", "string")
        return "str" if isinstance(kind, list) else SCALARS[kind]
    if all(value in ("true", "false") for value in choices):
        return "bool"
    are_digits = all(str(value).isdigit() for value in choices)
    return f"Literal[{', '.join(str(value) if are_digits else literal(value) for value in choices)}]"


def answer_name(operation: Operation) -> str:
    """Returns the name for the type of an answer that the description does not name."""
    return f"{pascal_case(operation.name)}Answer"
