"""Audit logs: a chain of events, each with the hash of the event before, and a signed end."""
from typing import Dict, Mapping, Optional, Sequence

from ..errors import VerificationError
from ._encoding import digest_of
from .keys import Issuer, open_token, text_claim

#: What the first event names as the hash before it.
START = "0" * 64

#: The parts of a context that closing an account erases.
ERASABLE = ("ip", "salt", "user_agent")


def verify_audit_log(
    events: Sequence[Mapping[str, object]],
    *,
    duckling_id: str,
    head: str,
    issuer: Issuer,
    log: Optional[Mapping[str, object]] = None,
    allow_test: Optional[bool] = None,
) -> None:
    """
    Checks a whole audit log, oldest event first, up to its signed end.

    - `events`: such as `audit.events` of an account export.
    - `head`: the signed token of `get_audit_head`, or `audit.head` of the export.
    - `log`: `audit.log` of the export. It lists the entries that the transparency log has of these events. Without it, a log that the
      service rewrote and signed again is not found. `verify_log_entry` checks the newest of the entries.
    - `allow_test`: accepts what a test service on this computer made. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the
      environment is `1`.

    Raises `VerificationError` when an event was changed, removed, added or moved, when the log ends elsewhere, or when an entry
    contradicts the events.
    """
    previous = START
    for number, event in enumerate(events, 1):
        if event.get("seq") != number or event.get("duckling_id") != duckling_id:
            raise VerificationError(f"Event {number} is missing, or is of another log.")
        if event.get("prev_hash") != previous:
            raise VerificationError(f"Event {number} does not follow from the event before.")
        previous = _check_event(event, number)
    claims = open_token(head, "audit-head+jwt", issuer.keys, issuer.url, allow_test=allow_test)
    if claims.get("aud") != issuer.url or claims.get("sub") != duckling_id:
        raise VerificationError("The signed head is of another log.")
    if claims.get("seq") != len(events) or claims.get("hash") != previous:
        raise VerificationError("The log does not end with the event that the service signed.")
    if log is not None:
        _check_heads(events, duckling_id, log)


def _check_heads(events: Sequence[Mapping[str, object]], duckling_id: str, log: Mapping[str, object]) -> None:
    """Compares the events with the entries that the transparency log has of them. A missing list hides entries."""
    heads = log.get("heads")
    if not isinstance(heads, list):
        raise VerificationError("The export does not list its entries of the transparency log.")
    index, seq = -1, 0
    for head in heads:
        before = (index, seq)
        index, seq = _number(head, "index"), _number(head, "seq")
        if index <= before[0] or seq <= before[1]:
            raise VerificationError("Entries of the transparency log are not in order: the audit log was rewritten.")
        if seq > len(events):
            raise VerificationError(f"Entry {index} of the transparency log stands for event {seq}, which is missing.")
        event = {"duckling_id": duckling_id, "hash": events[seq - 1].get("hash"), "seq": seq}
        if digest_of(event) != head.get("digest"):
            raise VerificationError(f"Event {seq} had another hash when it was entered in the transparency log.")


def _number(head: object, name: str) -> int:
    value = head.get(name) if isinstance(head, dict) else None
    if isinstance(value, bool) or not isinstance(value, int):
        raise VerificationError("The export lists an entry that cannot be read.")
    return value


def _check_event(event: Mapping[str, object], number: int) -> str:
    """Checks the hash of an event and the digest of its context. Returns the hash."""
    context = event.get("context")
    if not isinstance(context, dict):
        raise VerificationError(f"Event {number} has no context.")
    content: Dict[str, object] = {name: value for name, value in event.items() if name != "hash"}
    if "digest" in context:
        content["context"] = {name: value for name, value in context.items() if name not in ERASABLE}
        _check_context(context, number)
    if digest_of(content) != event.get("hash"):
        raise VerificationError(f"Event {number} was changed.")
    return text_claim(event, "hash")


def _check_context(context: Dict[str, object], number: int) -> None:
    erasable = {name: context.get(name) for name in ERASABLE}
    if all(value is None for value in erasable.values()):
        return
    if erasable["salt"] is None or digest_of(erasable) != context["digest"]:
        raise VerificationError(f"The context of event {number} was changed.")
