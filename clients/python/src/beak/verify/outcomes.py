"""
Receipts of outcomes (version 2): what became of a request, signed by the service and by the passkey of the person.

The format is in docs/receipts/format.md of the service, with test vectors.
"""
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Dict, List, Mapping, Optional, Sequence, cast

from .. import models
from ..errors import VerificationError
from ._encoding import base64_bytes, base64url, canonical_json, digest_of, json_object
from .keys import Issuer, kid_of, open_token, read_time, text_claim
from .log import Checkpoint, Cosignature, leaf_hash, open_checkpoint, read_cosignatures, verify_inclusion
from .receipts import ASSERTION, PROOF, STATEMENT, check_assertion, members_of

MEMBERS = {"version", "peck_id", "outcome", "statement", "statement_text", "jws", "passkey", "enrolment", "jwks"}
CLAIMS = {
    "iss",
    "aud",
    "sub",
    "iat",
    "version",
    "outcome",
    "decided_at",
    "ended_at",
    "uses",
    "last_used_at",
    "grant_expires_at",
    "statement",
    "passkey",
    "enrolment",
}
DECISION = (STATEMENT - {"params_hash"}) | {
    "decision",
    "issuer",
    "audience",
    "nonce",
    "params",
    "display",
    "log",
}

#: The decision that must have come before an outcome. None: nobody decided.
DECISIONS: Dict[object, Optional[str]] = {
    "approved": "approve",
    "consumed": "approve",
    "revoked": "approve",
    "rejected": "reject",
    "expired": None,
    "cancelled": None,
}

#: The largest receipt: its values and their nesting, and the characters of its texts.
VALUES_MOST = 40_000
DEPTH_MOST = 40
CHARACTERS_MOST = 512 * 1024

#: A witness cosigns within a minute, and clocks differ.
WITNESS_DELAY = timedelta(minutes=10)


@dataclass(frozen=True)
class VerifiedOutcome:
    """
    What became of a request. A verified receipt can be about a rejection: read `outcome` first.

    - `outcome`: `approved`, `consumed`, `revoked`, `rejected`, `expired` or `cancelled`, as of `signed_at`.
    - `statement`: what was asked and decided. It has only salted hashes of the params.
    - `passkey_id`: the credential that the person signed with. None: only the service vouches for the decision.
    - `enrolment`: `proven` (the transparency log had the passkey before the decision), `not_witnessed` (the same, but no
      trusted witness confirmed that in time), `log_not_trusted` (the same, but you gave no key of the log),
      `not_logged` (nothing shows it) or `no_passkey`.
    - `params`: the params that the receipt discloses. `hidden_params` is the number of the others.
    - `shown`: what the page displayed to the person who decided. None when the receipt keeps it to itself.
    """

    outcome: str
    statement: models.DecisionStatement
    decided_at: Optional[datetime]
    ended_at: Optional[datetime]
    uses: int
    last_used_at: Optional[datetime]
    grant_expires_at: Optional[datetime]
    signed_at: datetime
    issuer: str
    passkey_id: Optional[str]
    enrolment: str
    cosignatures: List[Cosignature]
    params: Dict[str, object]
    hidden_params: int
    shown: Optional[Dict[str, object]]


def verify_outcome(
    receipt: Mapping[str, object],
    *,
    issuer: Issuer,
    vkeys: Optional[Sequence[str]] = None,
    witnesses: Optional[Sequence[str]] = None,
) -> VerifiedOutcome:
    """
    Checks a receipt of version 2 without a call: the signatures of the service and of the passkey, that the passkey was
    enrolled before the decision, and the values that the receipt discloses.

    - `receipt`: the answer of `get_outcome_receipt`, or the same from a file.
    - `issuer`: the service with its keys from a source that you trust. The keys in the receipt prove nothing.
    - `vkeys`: keys of the transparency log that you trust. Without them, `enrolment` is never `proven`.
    - `witnesses`: keys of witnesses. When given, one of them must have cosigned the log in time.

    A receipt of version 1 is checked with `verify_receipt`. Raises `VerificationError`.
    """
    _check_size(receipt)
    if not isinstance(receipt, Mapping):
        raise VerificationError("This is not a receipt.")
    members = members_of({name: receipt[name] for name in receipt if name != "values"}, MEMBERS, "receipt")
    if members["version"] != 2 or isinstance(members["version"], bool):
        raise VerificationError("This is not a receipt of version 2.")
    _check_keys(members)
    claims = open_token(text_claim(members, "jws"), "peck-receipt+jwt", issuer.keys, issuer.url)
    members_of(claims, CLAIMS, "signed content")
    if claims["aud"] != issuer.url or claims["version"] != 2:
        raise VerificationError("The signed content is not an outcome of this service.")
    statement = _check_statement(members, claims)
    _check_times(statement, claims)
    passkey_id = _check_passkey(members, statement, claims, issuer)
    if claims["enrolment"] != _digest(members["enrolment"]):
        raise VerificationError("The proof of the enrolment is not the one that the service signed.")
    decided_at = _time(claims, "decided_at")
    enrolment, cosignatures = _check_enrolment(members, statement, decided_at, vkeys, witnesses)
    params, hidden, shown = _check_values(receipt.get("values", {"params": []}), statement)
    return VerifiedOutcome(
        outcome=text_claim(claims, "outcome"),
        statement=cast(models.DecisionStatement, statement),
        decided_at=decided_at,
        ended_at=_time(claims, "ended_at"),
        uses=_whole(claims["uses"]),
        last_used_at=_time(claims, "last_used_at"),
        grant_expires_at=_time(claims, "grant_expires_at"),
        signed_at=datetime.fromtimestamp(_whole(claims["iat"]), timezone.utc),
        issuer=issuer.url,
        passkey_id=passkey_id,
        enrolment=enrolment,
        cosignatures=cosignatures,
        params=params,
        hidden_params=hidden,
        shown=shown,
    )


def _check_size(receipt: object) -> None:
    """Refuses what no service makes before it is read, so that a check never takes long."""
    waiting: List["tuple[object, int]"] = [(receipt, 0)]
    values = characters = 0
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            characters += len(value)
        inner: List[object] = []
        if isinstance(value, Mapping):
            inner = [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple)):
            inner = list(value)
        values += len(inner)
        if values > VALUES_MOST or depth > DEPTH_MOST or characters > CHARACTERS_MOST:
            raise VerificationError("This is not a receipt: it is too large.")
        waiting.extend((one, depth + 1) for one in inner)


def _check_keys(receipt: Dict[str, object]) -> None:
    """Checks that the id of each key in the file is its thumbprint (RFC 7638), although these keys are not used."""
    keys = cast(Dict[str, object], receipt["jwks"]).get("keys") if isinstance(receipt["jwks"], dict) else None
    ids = set()
    for key in _list(keys, "key set"):
        members = members_of(key, {"kty", "crv", "x", "kid", "use", "alg"}, "key")
        kind = {name: members[name] for name in ("kty", "crv", "use", "alg")}
        if kind != {"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA"}:
            raise VerificationError("A key of the service in the receipt is of another kind.")
        thumbprint = hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{members["x"]}"}}'.encode("utf-8", "replace"))
        if base64url(thumbprint.digest()) != members["kid"]:
            raise VerificationError("A key of the service in the receipt does not match its id.")
        ids.add(members["kid"])
    if kid_of(text_claim(receipt, "jws")) not in ids:
        raise VerificationError("The receipt was not signed with a key of this service.")


def _check_statement(receipt: Dict[str, object], claims: Dict[str, object]) -> Dict[str, object]:
    statement = members_of(receipt["statement"], DECISION, "statement")
    members_of(statement["requester"], {"duckling_id", "agent_id"}, "requester")
    members_of(statement["display"], {"version", "hash"}, "display")
    if statement["type"] != "beak.peck.decision" or statement["version"] != 2:
        raise VerificationError("The statement is of another kind.")
    if canonical_json(statement) != receipt["statement_text"]:
        raise VerificationError("The statement and its text differ.")
    if _digest(statement) != claims["statement"]:
        raise VerificationError("The statement is not the statement that the service signed.")
    if not receipt["peck_id"] == statement["peck_id"] == claims["sub"]:
        raise VerificationError("The receipt and its statement are about different pecks.")
    if statement["issuer"] != claims["iss"]:
        raise VerificationError("The statement is of another service.")
    if receipt["outcome"] != claims["outcome"]:
        raise VerificationError("The outcome is not the outcome that the service signed.")
    outcome = text_claim(claims, "outcome")
    if outcome not in DECISIONS or statement["decision"] != DECISIONS[outcome]:
        raise VerificationError("The outcome does not follow from the decision in the statement.")
    params = _list(statement["params"], "list of params")
    hashes = [one for one in params if isinstance(one, str) and re.fullmatch(r"[A-Za-z0-9_-]{43}", one)]
    if params != sorted(set(hashes)):
        raise VerificationError("The hashes of the params are not in order.")
    return statement


def _check_times(statement: Dict[str, object], claims: Dict[str, object]) -> None:
    """Checks that times and uses fit the outcome. Compares no times of different servers: their clocks differ."""
    outcome, uses = claims["outcome"], _whole(claims["uses"])
    decided, ended, used, grant = (
        _time(claims, name) for name in ("decided_at", "ended_at", "last_used_at", "grant_expires_at")
    )
    expires = read_time(text_claim(statement, "expires_at"))
    read_time(text_claim(statement, "created_at"))
    is_consistent = (
        (decided is not None) == (statement["decision"] is not None)
        and (decided is None or decided <= expires)
        and (ended is None or outcome not in ("approved", "rejected"))
        and (ended is not None or outcome not in ("expired", "cancelled", "revoked"))
        and (outcome != "expired" or ended == expires)
        and (outcome != "consumed" or (statement["scope"] == "limited" and uses == 1))
        and (statement["decision"] == "approve" or (uses == 0 and grant is None))
        and (uses > 0 or used is None)
    )
    if not is_consistent:
        raise VerificationError("The times in the receipt do not fit its outcome.")


def _check_passkey(
    receipt: Dict[str, object], statement: Dict[str, object], claims: Dict[str, object], issuer: Issuer
) -> Optional[str]:
    if claims["passkey"] != _digest(receipt["passkey"]):
        raise VerificationError("The passkey proof is not the one that the service signed.")
    if receipt["passkey"] is None:
        return None
    if statement["decision"] is None:
        raise VerificationError("A passkey signed, but nobody decided.")
    given = receipt["passkey"]
    is_earlier = isinstance(given, dict) and "statement_v1" in given
    proof = members_of(given, PROOF | {"statement_v1"} if is_earlier else PROOF, "passkey proof")
    assertion = members_of(proof["assertion"], ASSERTION, "assertion")
    text = text_claim(receipt, "statement_text")
    if is_earlier:
        text = text_claim(proof, "statement_v1")
        _check_earlier(text, statement)
    check_assertion(proof, assertion, text, issuer)
    _check_lifetime(statement, claims)
    return text_claim(proof, "credential_id")


def _check_earlier(text: str, statement: Dict[str, object]) -> None:
    """Checks that a statement of version 1, which the passkey signed, says the same. It knows only approvals."""
    what = "earlier statement"
    earlier = members_of(json_object(text.encode("utf-8", "replace"), what), STATEMENT, what)
    is_kind = earlier["type"] == "beak.peck.approval" and earlier["version"] == 1
    shared = STATEMENT - {"type", "version", "params_hash"}
    is_same = all(earlier[name] == statement[name] for name in shared) and isinstance(earlier["params_hash"], str)
    if not is_kind or not is_same or statement["decision"] != "approve" or canonical_json(earlier) != text:
        raise VerificationError("The passkey signed another statement.")


def _check_lifetime(statement: Dict[str, object], claims: Dict[str, object]) -> None:
    """The passkey signs the lifetime of the permission as the longest one."""
    seconds, decided, end = statement["grant_seconds"], _time(claims, "decided_at"), _time(claims, "grant_expires_at")
    if seconds is None or decided is None or statement["decision"] != "approve":
        return
    if end is None or end > decided + timedelta(seconds=_whole(seconds)):
        raise VerificationError("The permission is longer than the passkey signed.")


def _check_enrolment(
    receipt: Dict[str, object],
    statement: Dict[str, object],
    decided_at: Optional[datetime],
    vkeys: Optional[Sequence[str]],
    witnesses: Optional[Sequence[str]],
) -> "tuple[str, List[Cosignature]]":
    """Checks that the log had the passkey in the state that the statement names. Returns the state and cosignatures."""
    if receipt["enrolment"] is None:
        return ("no_passkey" if receipt["passkey"] is None else "not_logged"), []
    enrolment = members_of(receipt["enrolment"], {"index", "inclusion", "checkpoint", "vkeys"}, "enrolment")
    passkey, log = receipt["passkey"], statement["log"]
    if not isinstance(passkey, dict) or log is None or "statement_v1" in passkey:
        raise VerificationError("The receipt proves the enrolment of a passkey that did not sign a state of the log.")
    tree = members_of(log, {"origin", "size", "root"}, "state of the log")
    note = text_claim(enrolment, "checkpoint")
    own = [str(one) for one in _list(enrolment["vkeys"], "list of keys")]
    checkpoint = open_checkpoint(note, own if vkeys is None else vkeys)
    named = Checkpoint(
        text_claim(tree, "origin"), _whole(tree["size"]), base64_bytes(text_claim(tree, "root"), "root")
    )
    if checkpoint != named:
        raise VerificationError("The checkpoint is not the state of the log that the passkey signed.")
    if named.origin != re.sub(r"^https?://", "", text_claim(statement, "issuer")) + "/.well-known/tlog":
        raise VerificationError("The transparency log belongs to another service.")
    _check_inclusion(enrolment, statement, passkey, checkpoint)
    cosignatures = read_cosignatures(note, witnesses or [])
    if vkeys is None:
        return "log_not_trusted", cosignatures
    is_in_time = witnesses is None or any(
        decided_at is not None and one.time <= decided_at + WITNESS_DELAY for one in cosignatures
    )
    return ("proven" if is_in_time else "not_witnessed"), cosignatures


def _check_inclusion(
    enrolment: Dict[str, object], statement: Dict[str, object], passkey: Dict[str, object], checkpoint: Checkpoint
) -> None:
    """The entry is computed, not read: so it is about this account and this key."""
    named = {
        "duckling_id": statement["target_duckling_id"],
        "credential_id": passkey["credential_id"],
        "public_key": passkey["public_key"],
    }
    entry = canonical_json({"digest": digest_of(named), "kind": "passkey_enrolled"})
    proof = [base64_bytes(str(one), "hash") for one in _list(enrolment["inclusion"], "inclusion proof")]
    if len(proof) > 64 or any(len(one) != 32 for one in proof):
        raise VerificationError("A hash of the log has a wrong length.")
    verify_inclusion(leaf_hash(entry.encode("utf-8")), _whole(enrolment["index"]), checkpoint, proof)


def _check_values(
    given: object, statement: Dict[str, object]
) -> "tuple[Dict[str, object], int, Optional[Dict[str, object]]]":
    names = {"params", "display"} if isinstance(given, dict) and "display" in given else {"params"}
    values = members_of(given, names, "values")
    hidden = set(_list(statement["params"], "list of params"))
    params: Dict[str, object] = {}
    for one in _list(values["params"], "list of values"):
        disclosed = members_of(one, {"salt", "name", "value"}, "value")
        name = text_claim(disclosed, "name")
        digest = _digest([text_claim(disclosed, "salt"), name, disclosed["value"]])
        if name in params or digest not in hidden:
            raise VerificationError("A value in the receipt is not a value in the statement.")
        hidden.remove(digest)
        params[name] = disclosed["value"]
    shown = _check_shown(values["display"], statement) if "display" in values else None
    return params, len(hidden), shown


def _check_shown(given: object, statement: Dict[str, object]) -> Dict[str, object]:
    display = members_of(given, {"salt", "shown"}, "display")
    signed = cast(Dict[str, object], statement["display"])
    if _digest([text_claim(display, "salt"), display["shown"]]) != signed["hash"]:
        raise VerificationError("The page displayed something else than the receipt says.")
    shown = display["shown"]
    is_readable = isinstance(shown, dict) and isinstance(shown.get("sentence"), str)
    if not isinstance(shown, dict) or not is_readable or shown.get("version") != _whole(signed["version"]):
        raise VerificationError("What the page displayed cannot be read.")
    return shown


def _digest(value: object) -> Optional[str]:
    """Returns the SHA-256 of the canonical JSON of a value in base64url, or None for None."""
    if value is None:
        return None
    return base64url(hashlib.sha256(canonical_json(value, any_number=True).encode("utf-8")).digest())


def _time(claims: Mapping[str, object], name: str) -> Optional[datetime]:
    value = claims[name]
    if value is None:
        return None
    text = text_claim(claims, name)
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text, re.ASCII):
        raise VerificationError(f"{name} is not a time of the service.")
    return read_time(text)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise VerificationError("There is a value that is not a whole number.")
    return value


def _list(value: object, what: str) -> List[object]:
    if not isinstance(value, list) or len(value) > 1024:
        raise VerificationError(f"The {what} cannot be read.")
    return value
