"""The classes of the events that webhooks tell, from the kinds of messages."""
from typing import Dict, List, Mapping, Sequence

from .description import Schema, WebhookMessage
from .models import Models, replace_names
from .names import literal, pascal_case
from .text import docstring, file_header

#: The classes whose name is not the first word of their kinds.
NAMES = {"cert": "Certificate", "passkey": "Recovery", "webhook": "EndpointTest"}


def webhook_events_source(messages: Sequence[WebhookMessage], schemas: Mapping[str, Schema], models: Models) -> str:
    """Returns the source of a class for each first word of the kinds, with the data that its kinds have."""
    groups: Dict[str, List[WebhookMessage]] = {}
    for message in messages:
        word = message["kind"].split(".")[0]
        groups.setdefault(NAMES.get(word, pascal_case(word)), []).append(message)
    lines = [
        *file_header("The events that webhooks tell."),
        "from dataclasses import dataclass",
        "from datetime import datetime",
        "from typing import Dict, List, Literal, Optional, Union",
        "",
        "from typing_extensions import NotRequired, TypedDict",
        "",
        "from . import models",
    ]
    for name, group in groups.items():
        lines += [*_data_lines(name, group, schemas, models), *_event_lines(name, group)]
    pairs = [(message["kind"], f"{name}Event") for name, group in groups.items() for message in group]
    return "\n".join(
        [
            *lines,
            "",
            "",
            "#: The events of the kinds that this version of the package knows.",
            "KnownEvent = Union[",
            *(f"    {name}Event," for name in groups),
            "]",
            "",
            "#: The class of each kind of event.",
            "EVENT_CLASSES: Dict[str, type] = {",
            *(f"    {literal(kind)}: {event}," for kind, event in pairs),
            "}",
            "",
        ]
    )


def _data_lines(name: str, group: Sequence[WebhookMessage], schemas: Mapping[str, Schema], models: Models) -> List[str]:
    """Returns the type of the data. A member that only some kinds of the class have is not required."""
    parts = list(dict.fromkeys(message["data"] for message in group))
    if len(parts) == 1:
        return ["", "", f"{name}Data = models.{parts[0]}"]
    members: Dict[str, str] = {}
    for part in parts:
        for member, property in schemas[part]["properties"].items():
            type = replace_names(models.answer_type(property, f"{part}{pascal_case(member)}"), "models.{}")
            in_all = all(member in schemas[other].get("required", []) for other in parts)
            members[member] = type if in_all else f"NotRequired[{type}]"
    text = docstring([" ".join(f"`{part}`: {schemas[part].get('description', '')}" for part in parts)], 4)
    return ["", "", f"class {name}Data(TypedDict):", *text, "", *(f"    {key}: {type}" for key, type in members.items())]


def _event_lines(name: str, group: Sequence[WebhookMessage]) -> List[str]:
    kinds = "\n".join(f"- `{message['kind']}`: {message['summary']}." for message in group)
    return [
        "",
        "",
        "@dataclass(frozen=True)",
        f"class {name}Event:",
        *docstring(["An event of one of these kinds:", kinds], 4),
        "",
        "    id: str",
        f"    type: Literal[{', '.join(literal(message['kind']) for message in group)}]",
        "    timestamp: datetime",
        f"    data: {name}Data",
    ]
