"""
The shapes of receipts, as in docs/receipts/format.md: exactly these members, of these types and not longer. The verifier in
TypeScript has the same shapes, so that no file is valid in one language and not in the other.
"""
import re
from datetime import datetime, timezone
from typing import Callable, Dict, Mapping, Optional, Sequence

from .._exact import is_exact_number
from ..errors import VerificationError

#: Tells whether a value has a shape.
Shape = Callable[[object], bool]

#: The largest number that every language can count exactly.
WHOLE_MOST = 2**53 - 1
#: The last second of the year 9999.
SECONDS_MOST = 253_402_300_799


def text(most: Optional[int] = None) -> Shape:
    """A text, of at most `most` characters when given."""
    return lambda value: isinstance(value, str) and (most is None or len(value) <= most)


def matching(pattern: str) -> Shape:
    """A text that matches the pattern as a whole."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def whole(most: int = WHOLE_MOST) -> Shape:
    """A whole number from 0 on. JSON does not tell 1 from 1.0."""

    def _is_whole(value: object) -> bool:
        # In Python, True is a number.
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return 0 <= value <= most and value == int(value)

    return _is_whole


def equal_to(*values: object) -> Shape:
    """One of these texts or numbers. True is not 1."""
    return lambda value: not isinstance(value, (bool, dict, list)) and value in values


def nullable(shape: Shape) -> Shape:
    """None, or a value that has the shape."""
    return lambda value: value is None or shape(value)


def boolean(value: object) -> bool:
    """True or False. 1 is not True."""
    return isinstance(value, bool)


def anything(_value: object) -> bool:
    """Every value."""
    return True


def items(shape: Shape, most: int = 1024) -> Shape:
    """A list of at most `most` values that have the shape."""
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(shape, value))


def either(*shapes: Shape) -> Shape:
    """A value that has one of these shapes."""
    return lambda value: any(shape(value) for shape in shapes)


def members(required: Mapping[str, Shape], optional: Optional[Mapping[str, Shape]] = None, more: bool = False) -> Shape:
    """An object with these members. Another member could change the meaning, so it is refused unless `more` is given."""
    shapes: Dict[str, Shape] = {**required, **(optional or {})}

    def _has_shape(value: object) -> bool:
        if not isinstance(value, dict) or not set(required) <= set(value):
            return False
        if not more and not set(value) <= set(shapes):
            return False
        return all(shapes[name](inner) for name, inner in value.items() if name in shapes)

    return _has_shape


def instant(value: object) -> bool:
    """A time of the service: ISO 8601 in UTC with milliseconds. Other digits, and days that no month has, are no time."""
    return isinstance(value, str) and time_of(value) is not None


def time_of(value: str) -> Optional[datetime]:
    """Returns a time of the service, or None for another text."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value, re.ASCII):
        return None
    try:
        return datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
    except ValueError:
        return None


def read(shape: Shape, value: object, what: str) -> Dict[str, object]:
    """Returns an object that has the shape. Raises `VerificationError`."""
    if not isinstance(value, dict) or not shape(value):
        raise VerificationError(f"The {what} is not complete, or has members or values that are not known.")
    return value


DIGEST = matching(r"[A-Za-z0-9_-]{43}")
#: A test service signed it. Only there with `allow_test`.
MARK: Dict[str, Shape] = {"test": lambda value: value is True}
SCOPE = equal_to("limited", "timed", "standing")
OUTCOME = equal_to("approved", "rejected", "expired", "cancelled", "revoked", "consumed")
LONG_TEXT = text(128 * 1024)

JWKS = members(
    {
        "keys": items(
            members(
                {
                    "kty": equal_to("OKP"),
                    "crv": equal_to("Ed25519"),
                    "x": text(),
                    "kid": text(),
                    "use": equal_to("sig"),
                    "alg": equal_to("EdDSA"),
                }
            ),
            100,
        )
    },
    {"distrusted": items(members({"kid": text(), "from": text()}), WHOLE_MOST)},
)

#: The statement of an approval (version 1).
STATEMENT = members(
    {
        "type": equal_to("beak.peck.approval"),
        "version": equal_to(1),
        "peck_id": text(),
        "action": text(),
        "scope": SCOPE,
        "params_hash": text(),
        "requester": members({"duckling_id": text(), "agent_id": nullable(text())}),
        "target_duckling_id": text(),
        "created_at": instant,
        "expires_at": instant,
        "grant_seconds": nullable(whole(SECONDS_MOST)),
    }
)
PROOF = members(
    {
        "credential_id": text(),
        "public_key": text(),
        "assertion": members({"authenticatorData": text(), "clientDataJSON": text(), "signature": text()}),
    }
)
#: A receipt of version 1, and what the service signs in it.
RECEIPT = members(
    {
        "peck_id": text(),
        "decided_at": instant,
        "statement": STATEMENT,
        "statement_text": text(),
        "jws": text(),
        "passkey": nullable(PROOF),
        "jwks": JWKS,
    }
)
RECEIPT_CLAIMS = members(
    {
        "iss": text(),
        "aud": text(),
        "sub": text(),
        "iat": whole(SECONDS_MOST),
        "decision": equal_to("approved"),
        "decided_at": instant,
        "grant_expires_at": nullable(instant),
        "statement": STATEMENT,
        "approval": nullable(text()),
    },
    MARK,
)

#: The facts of a decision in versions 2 and 3.
_DECISION_FACTS: Dict[str, Shape] = {
    "type": equal_to("beak.peck.decision"),
    "decision": nullable(equal_to("approve", "reject")),
    "issuer": text(300),
    "audience": nullable(text(300)),
    "nonce": text(64),
    "peck_id": text(64),
    "action": text(200),
    "scope": SCOPE,
    "params": items(DIGEST),
    "requester": members({"duckling_id": text(64), "agent_id": nullable(text(64))}),
    "target_duckling_id": text(64),
    "created_at": instant,
    "expires_at": instant,
    "grant_seconds": nullable(whole(SECONDS_MOST)),
    "display": members({"version": whole(), "hash": DIGEST}),
    "log": nullable(members({"origin": text(300), "size": whole(), "root": text(44)})),
}
#: The statement of a decision (version 2).
DECISION = members({**_DECISION_FACTS, "version": equal_to(2)})


def _origin(value: object) -> bool:
    """Tells whether a value is scheme, host name and perhaps port of a web address, and nothing else."""
    form = r"(https?)://([a-z0-9_-]+\.)*[a-z][a-z0-9_-]*(?::([1-9][0-9]{0,4}))?"
    found = re.fullmatch(form, value) if isinstance(value, str) and len(value) <= 300 else None
    if found is None:
        return False
    port = int(found[3] or 0)
    return port <= 65535 and port != {"http": 80, "https": 443}[found[1]]


#: The statement of a decision (version 3).
DECISION_3 = members(
    {
        **_DECISION_FACTS,
        "version": equal_to(3),
        "decided_by": nullable(
            either(members({"type": equal_to("person")}), members({"type": equal_to("rule"), "rule_id": text(64)}))
        ),
        "challenge": nullable(matching(r"[\x21-\x7e]{1,64}")),
        "code": nullable(members({"hash": DIGEST, "typed": nullable(matching(r"\d{6}"))})),
        "approver": nullable(_origin),
        "test": boolean,
    }
)
_SIGNATURE: Dict[str, Shape] = {
    "credential_id": text(1400),
    "public_key": text(4096),
    "assertion": members({"authenticatorData": text(8192), "clientDataJSON": text(16_384), "signature": text(4096)}),
}
DECISION_PROOF = members(_SIGNATURE, {"statement_v1": text(4096)})
#: The signature of a passkey in version 3, with the older passkeys that endorse it.
DECISION_PROOF_3 = members(
    {**_SIGNATURE, "endorsements": items(members({**_SIGNATURE, "statement_text": text(8192)}), 20)}
)
#: What an older passkey signs about a newer one.
ENDORSEMENT_STATEMENT = members(
    {
        "type": equal_to("beak.passkey.endorsement"),
        "version": equal_to(1),
        "issuer": text(300),
        "duckling_id": text(64),
        "credential_id": text(1400),
        "public_key": text(4096),
        "nonce": text(64),
    }
)
ENROLMENT = members(
    {
        "index": whole(),
        "inclusion": items(text(44), 64),
        "checkpoint": LONG_TEXT,
        "vkeys": items(text(600), 20),
    }
)
_LOGGED_ENTRY = members({"index": whole(), "inclusion": items(text(44), 64), "checkpoint": LONG_TEXT})
#: What the log has about the receipt (version 3).
LOGGED = members(
    {
        "decided": _LOGGED_ENTRY,
        "used": nullable(_LOGGED_ENTRY),
        "revoked": nullable(_LOGGED_ENTRY),
        "vkeys": items(text(600), 20),
    }
)
_SPENT = members({"uses": whole(), "period_uses": whole(), "amount": whole()})
#: The rule that decided, and its budget (version 3).
RULE_PROOF = members(
    {
        "statement_text": LONG_TEXT,
        "passkey": DECISION_PROOF_3,
        "enrolment": nullable(ENROLMENT),
        "budget": members(
            {
                "currency": nullable(text(3)),
                "cost": whole(),
                "period": nullable(text(10)),
                "before": _SPENT,
                "after": _SPENT,
                "limits": members(
                    {"uses": nullable(whole()), "uses_each": nullable(whole()), "amount": nullable(whole())}
                ),
            }
        ),
    }
)
VALUES = members(
    {"params": items(members({"salt": text(64), "name": text(), "value": anything}))},
    {"display": members({"salt": text(64), "shown": anything})},
)
#: What the page displayed, as far as every version of it has this form.
SHOWN = members(
    {
        "version": whole(),
        "sentence": text(),
        "values": items(members({"name": text(), "type": text(), "text": text()}, more=True)),
        "message": nullable(text()),
    },
    more=True,
)
_OUTCOME_FILE: Dict[str, Shape] = {
    "peck_id": text(),
    "outcome": OUTCOME,
    "statement_text": LONG_TEXT,
    "jws": LONG_TEXT,
    "enrolment": nullable(ENROLMENT),
    "jwks": JWKS,
}
#: A receipt of version 2 or 3, and what the service signs in it.
OUTCOME_RECEIPT = either(
    members(
        {**_OUTCOME_FILE, "version": equal_to(2), "statement": DECISION, "passkey": nullable(DECISION_PROOF)},
        {"values": VALUES},
    ),
    members(
        {
            **_OUTCOME_FILE,
            "version": equal_to(3),
            "statement": DECISION_3,
            "passkey": nullable(DECISION_PROOF_3),
            "logged": nullable(LOGGED),
        },
        {"values": VALUES, "rule": RULE_PROOF},
    ),
)
_OUTCOME_CLAIMS: Dict[str, Shape] = {
    "iss": text(),
    "aud": text(),
    "sub": text(),
    "iat": whole(SECONDS_MOST),
    "outcome": OUTCOME,
    "decided_at": nullable(instant),
    "ended_at": nullable(instant),
    "uses": whole(),
    "last_used_at": nullable(instant),
    "grant_expires_at": nullable(instant),
    "statement": DIGEST,
    "passkey": nullable(DIGEST),
    "enrolment": nullable(DIGEST),
}
OUTCOME_CLAIMS = either(
    members({**_OUTCOME_CLAIMS, "version": equal_to(2)}, MARK),
    members(
        {**_OUTCOME_CLAIMS, "version": equal_to(3), "logged": nullable(DIGEST)}, {**MARK, "rule": nullable(DIGEST)}
    ),
)

#: The largest receipt: its names and values, their nesting, and the characters of its texts.
VALUES_MOST = 40_000
DEPTH_MOST = 40
CHARACTERS_MOST = 512 * 1024


def check_size(receipt: object) -> None:
    """Refuses what no service makes before it is read, so that a check never takes long. Raises `VerificationError`."""
    waiting: "list[tuple[object, int]]" = [(receipt, 0)]
    values = characters = 0
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, (int, float)) and not is_exact_number(value):
            raise VerificationError("There is a number that JSON does not keep.")
        if isinstance(value, str):
            characters += len(value)
            if any("\ud800" <= character <= "\udfff" for character in value):
                raise VerificationError("There is a text that is not Unicode.")
        inner: Sequence[object] = ()
        if isinstance(value, (Mapping, list, tuple)):
            inner = [*value.keys(), *value.values()] if isinstance(value, Mapping) else list(value)
            values += len(inner)
            if values > VALUES_MOST or depth > DEPTH_MOST:
                raise VerificationError("This is not a receipt: it is too large.")
        if characters > CHARACTERS_MOST:
            raise VerificationError("This is not a receipt: it is too large.")
        waiting.extend((one, depth + 1) for one in inner)
