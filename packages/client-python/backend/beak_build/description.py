"""The description of the service: what operations.json says, which `npm run clients:generate` writes from the API reference."""
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Literal, Optional, Sequence, TypedDict, Union

Schema = TypedDict(
    "Schema",
    {
        "$ref": str,
        "type": Union[str, List[str]],
        "const": object,
        "default": object,
        "enum": List[object],
        "anyOf": List["Schema"],
        "oneOf": List["Schema"],
        "properties": Dict[str, "Schema"],
        "required": List[str],
        "additionalProperties": Union["Schema", bool],
        "items": "Schema",
        "description": str,
    },
    total=False,
)

#: A parameter. `in` is a keyword, so it is not written as a class.
Parameter = TypedDict(
    "Parameter",
    {"name": str, "in": Literal["path", "query", "header"], "required": bool, "description": str, "schema": Schema},
    total=False,
)


@dataclass(frozen=True)
class Operation:
    """An operation of the service."""

    name: str
    method: str
    path: str
    summary: str
    media: str
    answer: Schema
    description: str = ""
    deprecated: bool = False
    #: The kinds of credentials that the operation reads.
    credentials: Sequence[str] = ()
    parameters: Sequence[Parameter] = ()
    body: Optional[Schema] = None

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether a repeated call with the same key has no second effect."""
        return any(parameter["name"].lower() == "idempotency-key" for parameter in self.parameters)

    @property
    def answer_kind(self) -> str:
        """How the client reads the answer: `json`, `events`, `bytes` or `text`."""
        kinds = {"application/json": "json", "text/event-stream": "events", "application/octet-stream": "bytes"}
        return kinds.get(self.media, "text")


class WebhookMessage(TypedDict):
    """A kind of message that webhooks get."""

    kind: str
    #: When the message is sent.
    summary: str
    #: The name of the schema of its data.
    data: str


@dataclass(frozen=True)
class Description:
    """All operations, and the schemas that they refer to."""

    version: str
    operations: Sequence[Operation]
    schemas: Dict[str, Schema]
    webhooks: Sequence[WebhookMessage] = ()


def find_file(folder: Path, name: str) -> Path:
    """Returns a file that an sdist has in its folder, and the repository in the folder `contract` beside the package, or at its top."""
    for place in (folder, folder.parent / "contract", folder.parent.parent):
        if (place / name).is_file():
            return place / name
    raise FileNotFoundError(f"{name} is missing. Build in the repository or from an sdist, with pip 21.3 or newer.")


def read_description(folder: Path) -> Description:
    """Returns the description that belongs to a folder with this package."""
    read = json.loads(find_file(folder, "operations.json").read_text("utf-8"))
    operations = [Operation(**operation) for operation in read["operations"]]
    return Description(read["version"], operations, read["schemas"], read["webhooks"])
