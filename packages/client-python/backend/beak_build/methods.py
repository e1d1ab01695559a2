"""The methods of the asynchronous client, one for each operation. The synchronous client is translated from them."""
import re
from typing import List, Sequence

from .arguments import Argument, arguments_of
from .description import Operation
from .models import Models, answer_name, replace_names
from .names import literal, snake_case
from .text import docstring, file_header, indented

CREDENTIALS = {"session": "a session token", "key": "an agent's beak key"}

#: The names of `typing` that a method may use.
TYPING = ["AsyncIterator", "Dict", "List", "Literal", "Mapping", "Optional", "Sequence", "Union", "cast"]

HEAD = '''
from . import _operations as operations
from . import models
from ._operation import UNSET, Operation, Unset
from .events import StreamEvent


class AsyncMethods:
    """The operations of the service, as methods."""

    async def _call(
        self,
        operation: Operation,
        values: Mapping[str, object],
        *,
        timeout: Optional[float],
        idempotency_key: Optional[str] = None,
    ) -> object:
        raise NotImplementedError

    def _events(self, operation: Operation) -> AsyncIterator[StreamEvent]:
        raise NotImplementedError
'''


def _qualified(type: str) -> str:
    """Writes the types of models.py with the name of the module."""
    return replace_names(type, "models.{}")


def _parameter(argument: Argument) -> str:
    type = _qualified(argument.type)
    if argument.is_required:
        return f"{argument.name}: {type},"
    if argument.is_nullable:
        return f"{argument.name}: Union[{type}, Unset] = UNSET,"
    return f"{argument.name}: Optional[{type}] = None,"


def _answer_type(operation: Operation, models: Models) -> str:
    if operation.answer_kind in ("text", "bytes"):
        return {"text": "str", "bytes": "bytes"}[operation.answer_kind]
    return _qualified(models.answer_type(operation.answer, answer_name(operation)))


def _argument_text(argument: Argument) -> str:
    default = argument.schema.get("default")
    if argument.description != "":
        return argument.description
    return "" if default is None or isinstance(default, (dict, list)) else f"Default: {default}."


def _documentation(operation: Operation, arguments: Sequence[Argument]) -> List[str]:
    needed = " or ".join(CREDENTIALS[kind] for kind in operation.credentials)
    described = [f"- `{argument.name}`: {_argument_text(argument)}" for argument in arguments if _argument_text(argument)]
    return docstring(
        [
            f"{operation.summary}.",
            *operation.description.split("\n\n"),
            "Deprecated." if operation.deprecated else "",
            f"`{operation.method} {operation.path}`. Sends {needed or 'no credential'}.",
            "\n".join(described),
        ],
        8,
    )


def _call(operation: Operation, type: str, arguments: Sequence[Argument]) -> List[str]:
    values = [f"{literal(argument.field)}: {argument.name}," for argument in arguments]
    return [
        "return cast(",
        f"    {type},",
        "    await self._call(",
        f"        operations.{snake_case(operation.name).upper()},",
        *(["        {", *indented(values, 12), "        },"] if values else ["        {},"]),
        "        timeout=timeout,",
        *(["        idempotency_key=idempotency_key,"] if operation.takes_idempotency_key else []),
        "    ),",
        ")",
    ]


def _method(operation: Operation, models: Models) -> List[str]:
    arguments = arguments_of(operation, models)
    # Python wants the arguments without a default first.
    ordered = sorted(arguments, key=lambda argument: not argument.is_required)
    name = snake_case(operation.name)
    documentation = _documentation(operation, ordered)
    if operation.answer_kind == "events":
        call = f"        return self._events(operations.{name.upper()})"
        return [f"    def {name}(self) -> AsyncIterator[StreamEvent]:", *documentation, call]
    type = _answer_type(operation, models)
    warning = f'warnings.warn("{name} is deprecated.", DeprecationWarning, stacklevel=2)'
    return [
        f"    async def {name}(",
        *indented(["self,", "*,", *map(_parameter, ordered), "timeout: Optional[float] = None,"], 8),
        *(["        idempotency_key: Optional[str] = None,"] if operation.takes_idempotency_key else []),
        f"    ) -> {type}:",
        *documentation,
        *([f"        {warning}"] if operation.deprecated else []),
        *indented(_call(operation, type, arguments), 8),
    ]


def _iterator(operation: Operation, models: Models) -> List[str]:
    """Returns a method that iterates over all pages of a list. Other operations have none."""
    if all(parameter["name"] != "cursor" for parameter in operation.parameters):
        return []
    arguments = [argument for argument in arguments_of(operation, models) if argument.name != "cursor"]
    name = snake_case(operation.name)
    if not name.startswith("list_"):
        raise ValueError(f"{operation.name} has a cursor, so its name must begin with list.")
    items = operation.answer.get("properties", {})["items"]
    item = _qualified(models.answer_type(items.get("items", {}), f"{answer_name(operation)}Item"))
    texts = [f"Iterates over everything that `{name}` lists, page by page.", "`limit` is the size of a page."]
    return [
        f"    async def iter_{name[len('list_'):]}(",
        *indented(["self,", "*,", *map(_parameter, arguments), "timeout: Optional[float] = None,"], 8),
        f"    ) -> AsyncIterator[{item}]:",
        *docstring(texts, 8),
        "        cursor: Optional[str] = None",
        "        while True:",
        f"            page = await self.{name}(",
        *indented([f"{argument.name}={argument.name}," for argument in arguments], 16),
        "                cursor=cursor,",
        "                timeout=timeout,",
        "            )",
        '            for item in page["items"]:',
        "                yield item",
        '            cursor = page["next_cursor"]',
        "            if cursor is None:",
        "                return",
        "",
    ]


def methods_source(operations: Sequence[Operation], models: Models) -> str:
    """Returns the source of the asynchronous methods."""
    lines: List[str] = []
    for operation in operations:
        lines += [*_method(operation, models), "", *_iterator(operation, models)]
    code = HEAD + "\n" + "\n".join(lines)
    used = [name for name in TYPING if re.search(rf"\b{name}\b", code)]
    imports = [*(["import warnings"] if "warnings.warn(" in code else []), f"from typing import {', '.join(used)}"]
    return "\n".join([*file_header("A method for each operation of the service."), *imports]) + "\n" + code
