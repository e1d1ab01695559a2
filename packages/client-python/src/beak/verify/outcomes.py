"""
Receipts of outcomes: the outcome of a request, signed by the service and by the passkey of the person. Reads all versions.

The format is in docs/receipts/format.md of the service, with test vectors.
"""
import hashlib
from datetime import datetime, timedelta, timezone
from typing import Dict, List, Mapping, Optional, Tuple, Union, cast

from .. import models
from ..errors import VerificationError
from ._encoding import canonical_json, json_object
from ._shapes import OUTCOME_CLAIMS, OUTCOME_RECEIPT, SHOWN, STATEMENT, check_size, read
from .enrolments import check_endorsements, check_enrolment, check_logged, part_digest, whole_number
from .keys import Issuer, current_time, object_claim, open_token, read_time, text_claim
from .logged import LoggedOutcome, not_logged
from .policy import OutcomePolicy, accepted_rule, check_policy, is_same_pin, require_approver_pins
from .receipts import check_assertion, check_keys, verify_receipt
from .rule_receipts import check_rule
from .verdicts import Pin, VerifiedOutcome, VerifiedRule

#: The decision that must have come before an outcome. None: nobody decided.
DECISIONS: Dict[object, Optional[str]] = {
    "approved": "approve",
    "consumed": "approve",
    "revoked": "approve",
    "rejected": "reject",
    "expired": None,
    "cancelled": None,
}

def verify_outcome(
    receipt: Mapping[str, object],
    policy: OutcomePolicy,
    *,
    now: Optional[datetime] = None,
) -> VerifiedOutcome:
    """
    Checks a receipt of any outcome without a call, and compares it with a policy: the signatures of the service and of the
    passkey, since when the transparency log has the passkey, the values that the receipt discloses, and what the policy expects.

    - `receipt`: the answer of `get_outcome_receipt` or `get_receipt`, the `receipt` in the answer of `consume_grant` or `check_grant`,
      or the same from a file.
    - `policy`: what you expect, and whom you trust. It must have an `issuer`: the keys in the receipt prove nothing.
    - `now`: the time of the check, for the limits of the policy. Default: the clock.

    Returns only when the receipt is as the policy demands. Raises `PolicyNotMet` for a consistent receipt that is not, with what was
    found, and another `VerificationError` for a receipt that is not valid. Raises `ValueError` for a policy without an issuer, and
    for one with an approver and without pins.
    """
    issuer, time = policy.issuer, current_time(now)
    if issuer is None:
        raise ValueError("The policy has no issuer.")
    require_approver_pins(policy)
    if isinstance(receipt, dict) and "version" not in receipt:
        found, signed, has_params = _read_earlier(receipt, policy, issuer)
    else:
        found, signed, has_params = _read_outcome(receipt, policy, issuer)
    check_policy(found, policy, signed, has_params, time)
    return found


#: What was found, the statement as the required signer signed it, and whether the params are the expected ones.
_Found = Tuple[VerifiedOutcome, Mapping[str, object], bool]


def _read_earlier(receipt: Mapping[str, object], policy: OutcomePolicy, issuer: Issuer) -> _Found:
    """Checks a receipt of version 1. Raises `VerificationError`."""
    verified = verify_receipt(receipt, issuer=issuer, allow_test=policy.allow_test)
    # `verify_receipt` has checked the signature of these claims.
    token = text_claim(dict(receipt), "jws")
    claims = open_token(token, "peck-receipt+jwt", issuer.keys, issuer.url, allow_test=policy.allow_test)
    found = VerifiedOutcome(
        trust="service" if verified.passkey_id is None else "signed",
        version=1,
        outcome="approved",
        statement=verified.statement,
        decided_at=verified.decided_at,
        ended_at=None,
        uses=0,
        last_used_at=None,
        grant_expires_at=verified.grant_expires_at,
        signed_at=datetime.fromtimestamp(whole_number(claims["iat"]), timezone.utc),
        issuer=issuer.url,
        passkey_id=verified.passkey_id,
        passkey_statement=None if verified.passkey_id is None else 1,
        passkey_chain=[],
        enrolment="no_passkey" if verified.passkey_id is None else "not_logged",
        cosignatures=[],
        rule=None,
        logged=LoggedOutcome(not_logged(), None, None),
        params={},
        hidden_params=0,
        shown=None,
    )
    text = canonical_json(dict(policy.params or {}), any_number=True)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return found, cast(Mapping[str, object], verified.statement), digest == verified.statement["params_hash"]


def _read_outcome(receipt: Mapping[str, object], policy: OutcomePolicy, issuer: Issuer) -> _Found:
    """Checks a receipt of version 2 or 3. Raises `VerificationError`."""
    check_size(receipt)
    members = read(OUTCOME_RECEIPT, receipt, "receipt")
    version = whole_number(members["version"])
    check_keys(members)
    token = text_claim(members, "jws")
    claims = open_token(token, "peck-receipt+jwt", issuer.keys, issuer.url, allow_test=policy.allow_test)
    read(OUTCOME_CLAIMS, claims, "signed content")
    if claims["version"] != version:
        raise VerificationError("The signed content is of another version.")
    if claims["aud"] != issuer.url:
        raise VerificationError("The signed content is not an outcome of this service.")
    statement = _check_statement(members, claims)
    _check_times(statement, claims)
    if version == 3:
        _check_decider(statement)
    chain = _check_passkey(members, statement, claims, issuer)
    if claims["enrolment"] != part_digest(members["enrolment"]):
        raise VerificationError("The proof of the enrolment is not the one that the service signed.")
    if version == 3 and claims["logged"] != part_digest(members["logged"]):
        raise VerificationError("What the receipt shows of the log is not what the service signed.")
    decided_at = _time(claims, "decided_at")
    target = statement["target_duckling_id"]
    enrolment, cosignatures = check_enrolment(members, statement["log"], target, decided_at, policy)
    logged = check_logged(members.get("logged"), claims, policy)
    params, hidden, shown = _check_values(members, statement)
    rule = check_rule(members, claims, params, hidden, policy)
    passkey_statement = None if not chain else 1 if _earlier_text(members) is not None else version
    found = VerifiedOutcome(
        trust=_trust(chain, passkey_statement, enrolment, rule, policy),
        version=version,
        outcome=text_claim(claims, "outcome"),
        statement=cast(Union[models.DecisionStatement, models.DecisionStatement3], statement),
        decided_at=decided_at,
        ended_at=_time(claims, "ended_at"),
        uses=whole_number(claims["uses"]),
        last_used_at=_time(claims, "last_used_at"),
        grant_expires_at=_time(claims, "grant_expires_at"),
        signed_at=datetime.fromtimestamp(whole_number(claims["iat"]), timezone.utc),
        issuer=issuer.url,
        passkey_id=chain[0]["credential_id"] if chain else None,
        passkey_statement=passkey_statement,
        passkey_chain=chain,
        enrolment=enrolment,
        cosignatures=cosignatures,
        rule=rule,
        logged=logged,
        params=params,
        hidden_params=hidden,
        shown=shown,
    )
    # A passkey that signed a statement of version 1 signed no audience. A rule has none either: a policy that accepts rules takes the word
    # of the service for the audience.
    signed = dict(statement)
    if policy.require != "service" and passkey_statement != version and rule is None:
        signed["audience"] = None
    expected = canonical_json(dict(policy.params or {}), any_number=True)
    return found, signed, hidden == 0 and canonical_json(params, any_number=True) == expected


def _trust(
    chain: List[Pin],
    passkey_statement: Optional[int],
    enrolment: str,
    rule: Optional[VerifiedRule],
    policy: OutcomePolicy,
) -> str:
    """Returns who confirms a receipt."""
    # A rule counts only when everything shows that the request lies within it.
    accepted = accepted_rule(rule, policy)
    if accepted is not None:
        chain, enrolment = accepted.passkey_chain, accepted.enrolment
    if not chain:
        return "service"
    # A passkey that signed version 1 signed neither the audience nor each param, so its pin would say too much.
    if passkey_statement != 1 and any(is_same_pin(link, pin) for link in chain for pin in policy.pins):
        return "pinned"
    return "proven" if enrolment == "proven" else "signed"


def _check_statement(receipt: Dict[str, object], claims: Dict[str, object]) -> Dict[str, object]:
    statement = object_claim(receipt, "statement")
    if canonical_json(statement, any_number=True) != receipt["statement_text"]:
        raise VerificationError("The statement and its text differ.")
    if part_digest(statement) != claims["statement"]:
        raise VerificationError("The statement is not the statement that the service signed.")
    if not receipt["peck_id"] == statement["peck_id"] == claims["sub"]:
        raise VerificationError("The receipt and its statement are about different pecks.")
    if statement["issuer"] != claims["iss"]:
        raise VerificationError("The statement is of another service.")
    if receipt["outcome"] != claims["outcome"]:
        raise VerificationError("The outcome is not the outcome that the service signed.")
    outcome = text_claim(claims, "outcome")
    if statement["decision"] != DECISIONS[outcome]:
        raise VerificationError("The outcome does not follow from the decision in the statement.")
    hashes = cast(List[str], statement["params"])
    if hashes != sorted(set(hashes)):
        raise VerificationError("The hashes of the params are not in order.")
    return statement


def _check_times(statement: Dict[str, object], claims: Dict[str, object]) -> None:
    """Checks that times and uses fit the outcome. Compares no times of different servers: their clocks differ."""
    outcome, uses = claims["outcome"], whole_number(claims["uses"])
    decided, ended, used, grant = (
        _time(claims, name) for name in ("decided_at", "ended_at", "last_used_at", "grant_expires_at")
    )
    expires = read_time(text_claim(statement, "expires_at"))
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


def _check_decider(statement: Dict[str, object]) -> None:
    """Checks who decided (version 3). Only a person who approved typed a code, and somebody decided exactly when there is a decision."""
    decision, code = statement["decision"], statement["code"]
    has_typed = isinstance(code, dict) and code["typed"] is not None
    if (decision is None) != (statement["decided_by"] is None) or (has_typed and decision != "approve"):
        raise VerificationError("The statement contradicts itself about who decided.")


def _check_passkey(
    receipt: Dict[str, object], statement: Dict[str, object], claims: Dict[str, object], issuer: Issuer
) -> List[Pin]:
    """Returns the passkey that signed, and behind it the older ones that endorse it. Empty when no passkey signed."""
    if claims["passkey"] != part_digest(receipt["passkey"]):
        raise VerificationError("The passkey proof is not the one that the service signed.")
    if receipt["passkey"] is None:
        return []
    if statement["decision"] is None:
        raise VerificationError("A passkey signed, but nobody decided.")
    proof = object_claim(receipt, "passkey")
    earlier = _earlier_text(receipt)
    if earlier is not None:
        _check_earlier(_earlier_statement(earlier), earlier, statement)
    # Only version 3 has approvers.
    approver = statement.get("approver")
    site = issuer.url if approver is None else str(approver)
    check_assertion(proof, text_claim(receipt, "statement_text") if earlier is None else earlier, site)
    _check_lifetime(statement, claims)
    return check_endorsements(proof, issuer.url, statement["target_duckling_id"], site)


def _earlier_text(receipt: Dict[str, object]) -> Optional[str]:
    """Returns the statement of version 1 that the passkey signed, or None when it signed the statement itself."""
    proof = receipt["passkey"]
    return text_claim(proof, "statement_v1") if isinstance(proof, dict) and "statement_v1" in proof else None


def _earlier_statement(text: str) -> Dict[str, object]:
    what = "earlier statement"
    return read(STATEMENT, json_object(text.encode("utf-8", "replace"), what), what)


def _check_earlier(earlier: Dict[str, object], text: str, statement: Dict[str, object]) -> None:
    """Checks that a statement of version 1 says the same. It knows only approvals, and its params have one hash."""
    shared = set(earlier) - {"type", "version", "params_hash"}
    is_same = all(earlier[name] == statement[name] for name in shared)
    if not is_same or statement["decision"] != "approve" or canonical_json(earlier, any_number=True) != text:
        raise VerificationError("The passkey signed another statement.")


def _check_lifetime(statement: Dict[str, object], claims: Dict[str, object]) -> None:
    """The passkey signs the lifetime of the permission as the longest one."""
    seconds, decided, end = statement["grant_seconds"], _time(claims, "decided_at"), _time(claims, "grant_expires_at")
    if seconds is None or decided is None or statement["decision"] != "approve":
        return
    # A sum of times can be after the last time that Python can represent, a difference cannot.
    if end is None or end - decided > timedelta(seconds=whole_number(seconds)):
        raise VerificationError("The permission is longer than the passkey signed.")


def _check_values(
    receipt: Dict[str, object], statement: Dict[str, object]
) -> "tuple[Dict[str, object], int, Optional[Dict[str, object]]]":
    values = object_claim(receipt, "values") if "values" in receipt else {"params": []}
    hidden = set(cast(List[str], statement["params"]))
    params: Dict[str, object] = {}
    for one in cast(List[Dict[str, object]], values["params"]):
        name = text_claim(one, "name")
        digest = part_digest([one["salt"], name, one["value"]])
        if name in params or digest not in hidden:
            raise VerificationError("A value in the receipt is not a value in the statement.")
        hidden.remove(digest)
        params[name] = one["value"]
    earlier = _earlier_text(receipt)
    # A hash of all params can be compared only when all are there.
    if earlier is not None and not hidden:
        text = canonical_json(params, any_number=True)
        if hashlib.sha256(text.encode("utf-8")).hexdigest() != _earlier_statement(earlier)["params_hash"]:
            raise VerificationError("The passkey signed other params than the receipt has.")
    shown = _check_shown(object_claim(values, "display"), statement) if "display" in values else None
    return params, len(hidden), shown


def _check_shown(display: Dict[str, object], statement: Dict[str, object]) -> Dict[str, object]:
    signed = object_claim(statement, "display")
    if part_digest([display["salt"], display["shown"]]) != signed["hash"]:
        raise VerificationError("The page displayed something else than the receipt says.")
    shown = read(SHOWN, display["shown"], "text that the page displayed")
    if shown["version"] != signed["version"]:
        raise VerificationError("What the page displayed cannot be read.")
    return shown


def _time(claims: Mapping[str, object], name: str) -> Optional[datetime]:
    value = claims[name]
    if value is None:
        return None
    return read_time(text_claim(claims, name))
