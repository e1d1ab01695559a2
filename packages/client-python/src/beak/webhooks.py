"""
Webhooks of the service: the check of their signature (Standard Webhooks), and their events.

The same message can arrive more than once. Its `id` stays the same: remember the ids that you have handled.
"""
import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Callable, Dict, Literal, Mapping, Optional, Sequence, Union, cast

from . import models
from ._webhook_events import *  # noqa: F403
from ._webhook_events import EVENT_CLASSES, KnownEvent
from ._addresses import is_test_allowed
from ._environment import environment_of
from .errors import TestCredentialError, VerificationError

#: How old a message may be, and how far ahead, in seconds.
TOLERANCE = 300.0

Tier = Literal["T0", "T1", "T2", "T3"]


@dataclass(frozen=True)
class OtherEvent:
    """An event of a kind that this version of the package does not know."""

    id: str
    type: str
    timestamp: datetime
    data: Dict[str, models.JsonValue]


#: What a webhook can tell. `isinstance` tells the kinds apart.
WebhookEvent = Union[KnownEvent, OtherEvent]


def verify_webhook(
    secrets: Union[str, Sequence[str]],
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance: float = TOLERANCE,
    now: Optional[float] = None,
    allow_test: Optional[bool] = None,
) -> WebhookEvent:
    """
    Checks a webhook and returns its event.

    - `secrets`: the secret of the endpoint (`whsec_…`), or several while you change it.
    - `headers`: the headers of the request, in any case of letters.
    - `body`: the bytes of the request as they arrived. JSON that was read and written again has another signature.
    - `now`: seconds since 1970. Default: the clock.
    - `allow_test`: accepts messages of a test service. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the environment is `1` and
      `BEAK_URL` a loopback address.

    Raises `VerificationError` for a wrong signature, and for a message that is older or newer than `tolerance`.
    """
    found = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        _header(found, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not timestamp.isascii() or not timestamp.isdigit():
        raise VerificationError("The time of the message cannot be read.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise VerificationError("The message is too old, or a clock is wrong.")
    signed = f"{message_id}.{timestamp}.".encode("utf-8") + body
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    shown = [value for version, _, value in (one.partition(",") for one in signatures.split(" ")) if version == "v1"]
    # Compares all, so that the time does not tell which one is right.
    matches = [hmac.compare_digest(_signature(key, signed), one.encode("utf-8")) for key in keys for one in shown]
    if not any(matches):
        raise VerificationError("The signature of the message is wrong.")
    return _read_event(message_id, body, allow_test)


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name, "")
    if value == "":
        raise VerificationError(f"The header {name} is missing.")
    return value


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("A secret begins with whsec_ and goes on in base64.") from error
    if len(key) < 16:
        raise ValueError("The secret is too short.")
    return key


def _signature(key: bytes, signed: bytes) -> bytes:
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _read_event(message_id: str, body: bytes, allow_test: Optional[bool]) -> WebhookEvent:
    try:
        value = json.loads(body)
        # The secret says which service sent it, and no member of the message does.
        is_allowed = allow_test is True or is_test_allowed(allow_test, environment_of("BEAK_URL"))
        if not is_allowed and isinstance(value, dict) and "test" in value:
            raise TestCredentialError
        kind, data = value["type"], value["data"]
        timestamp = datetime.strptime(value["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise VerificationError("The message cannot be read.") from error
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise VerificationError("The message cannot be read.")
    make = cast(Callable[[str, str, datetime, object], WebhookEvent], EVENT_CLASSES.get(kind, OtherEvent))
    return make(message_id, kind, timestamp, data)
