"""Events of `stream_pecks`, and their form on the wire (server-sent events)."""
import codecs
import json
from dataclasses import dataclass
from typing import Iterable, Iterator, List, Literal, Optional, Union, cast

from . import models
from .errors import BeakConnectionError


@dataclass(frozen=True)
class StreamReady:
    """
    The stream is connected.

    Changes before this event were not sent. After a reconnection (`is_reconnected`), read what may have changed
    with `list_pecks`.
    """

    is_reconnected: bool


@dataclass(frozen=True)
class PeckChanged:
    """
    A peck that you sent or received has changed. `peck` is the peck now.

    `cause` is what ended it or its permission, as in webhooks, such as `agent_deregistered`.
    """

    peck: models.Peck
    cause: Optional[str] = None


@dataclass(frozen=True)
class PasskeyRecoveryChanged:
    """A removal of all your passkeys was requested (`pending`, at `removes_at`), cancelled or done."""

    status: Literal["pending", "cancelled", "done"]
    removes_at: Optional[str]


@dataclass(frozen=True)
class BlockChanged:
    """
    You blocked or unblocked a duckling (`blocked`).

    After a block, its pecks that waited for you have gone. After unblocking, each that is back comes as `PeckChanged`.
    """

    duckling_id: str
    blocked: bool


@dataclass(frozen=True)
class AccountChanged:
    """A session of yours changed what protects your account or speaks for it, such as `webhook.deleted`, at `at`."""

    change: str
    at: str


#: What `stream_pecks` yields.
StreamEvent = Union[StreamReady, PeckChanged, PasskeyRecoveryChanged, BlockChanged, AccountChanged]


@dataclass(frozen=True)
class ServerSentEvent:
    """A message of the stream before it is read."""

    type: str
    data: str


class EventParser:
    """
    Splits the bytes of a stream into messages (HTML standard, 9.2.6). Only CR, LF and CRLF end a line: the line
    splitting of Python would also split inside texts of people.
    """

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text = ""
        self._type = ""
        self._data: List[str] = []

    def feed(self, chunk: bytes) -> List[ServerSentEvent]:
        """Returns the messages that end in this chunk."""
        text = self._text + self._decode(chunk)
        # The LF of a CRLF may be in the next chunk.
        held = "\r" if text.endswith("\r") else ""
        complete = text[: len(text) - len(held)].replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = complete.split("\n")
        self._text = rest + held
        return [event for event in map(self._read_line, lines) if event is not None]

    def _read_line(self, line: str) -> Optional[ServerSentEvent]:
        if line == "":
            event = ServerSentEvent(self._type or "message", "\n".join(self._data)) if self._data else None
            self._type, self._data = "", []
            return event
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        return None


def read_events(messages: Iterable[ServerSentEvent], is_reconnected: bool) -> Iterator[StreamEvent]:
    """Yields the events of messages, without types that this version does not know. Raises `BeakConnectionError`."""
    for message in messages:
        try:
            event = _read_event(message, is_reconnected)
        except (KeyError, ValueError) as error:
            raise BeakConnectionError("The stream has an event that cannot be read.") from error
        if event is not None:
            yield event


def _read_event(message: ServerSentEvent, is_reconnected: bool) -> Optional[StreamEvent]:
    if message.type == "ready":
        return StreamReady(is_reconnected)
    if message.type not in ("peck", "passkey_recovery", "peck_block", "account_change"):
        return None
    data = json.loads(message.data)
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    if message.type == "peck":
        return PeckChanged(cast(models.Peck, data), data.get("cause"))
    if message.type == "peck_block":
        return BlockChanged(data["duckling_id"], data["blocked"])
    if message.type == "account_change":
        return AccountChanged(data["change"], data["at"])
    return PasskeyRecoveryChanged(data["status"], data.get("removes_at"))
