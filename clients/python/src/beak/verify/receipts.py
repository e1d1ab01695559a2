"""Receipts of approvals: what exactly was approved, signed by the service and by the passkey of the person."""
import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Dict, Mapping, Optional, cast
from urllib.parse import urlsplit

from .. import models
from ..errors import VerificationError
from ._cose import verify_cose
from ._encoding import base64url, base64url_bytes, canonical_json, digest_of, json_object
from .keys import Issuer, open_token, read_time, text_claim

MEMBERS = {"peck_id", "decided_at", "statement", "statement_text", "jws", "passkey", "jwks"}
CLAIMS = {"iss", "aud", "sub", "iat", "decision", "decided_at", "grant_expires_at", "statement", "approval"}
STATEMENT = {
    "type",
    "version",
    "peck_id",
    "action",
    "scope",
    "params_hash",
    "requester",
    "target_duckling_id",
    "created_at",
    "expires_at",
    "grant_seconds",
}
PROOF = {"credential_id", "public_key", "assertion"}
ASSERTION = {"authenticatorData", "clientDataJSON", "signature"}


@dataclass(frozen=True)
class VerifiedReceipt:
    """
    An approval that took place. `statement` is what was approved; `params_hash` in it covers the parameters.

    `passkey_id` is the credential that the person signed with, or None when the approval used no passkey: then only the
    service vouches for it.
    """

    statement: models.ApprovalStatement
    decided_at: datetime
    grant_expires_at: Optional[datetime]
    issuer: str
    passkey_id: Optional[str]


def verify_receipt(
    receipt: Mapping[str, object],
    *,
    issuer: Issuer,
) -> VerifiedReceipt:
    """
    Checks a receipt without a call: the signature of the service, the statement, and the signature of the passkey.

    - `receipt`: the answer of `get_receipt`, or the same from a file.
    - `issuer`: the service with its keys from a source that you trust. The keys in the receipt prove nothing.

    Raises `VerificationError`.
    """
    members = members_of(receipt, MEMBERS, "receipt")
    claims = open_token(text_claim(members, "jws"), "peck-receipt+jwt", issuer.keys, issuer.url)
    members_of(claims, CLAIMS, "signed content")
    if claims["aud"] != issuer.url or claims["decision"] != "approved":
        raise VerificationError("The signed content is not an approval of this service.")
    text = _check_statement(members, claims)
    passkey_id = _check_passkey(members, claims, text, issuer)
    ends = claims["grant_expires_at"]
    return VerifiedReceipt(
        statement=cast(models.ApprovalStatement, members["statement"]),
        decided_at=read_time(text_claim(claims, "decided_at")),
        grant_expires_at=None if ends is None else read_time(text_claim(claims, "grant_expires_at")),
        issuer=issuer.url,
        passkey_id=passkey_id,
    )


def members_of(value: object, names: "set[str]", what: str) -> Dict[str, object]:
    """Returns an object that has exactly these members. An unknown member could change the meaning."""
    if not isinstance(value, dict) or set(value) != names:
        raise VerificationError(f"The {what} is not complete, or has members that are not known.")
    return value


def _check_statement(receipt: Dict[str, object], claims: Dict[str, object]) -> str:
    statement = members_of(receipt["statement"], STATEMENT, "statement")
    members_of(statement["requester"], {"duckling_id", "agent_id"}, "requester")
    if statement["type"] != "beak.peck.approval" or statement["version"] != 1:
        raise VerificationError("The statement is of another kind.")
    text = canonical_json(statement)
    if text != receipt["statement_text"]:
        raise VerificationError("The statement and its text differ.")
    if text != canonical_json(claims["statement"]):
        raise VerificationError("The statement is not the statement that the service signed.")
    if not receipt["peck_id"] == statement["peck_id"] == claims["sub"]:
        raise VerificationError("The receipt and its statement are about different pecks.")
    if receipt["decided_at"] != claims["decided_at"]:
        raise VerificationError("The time of the decision is not the time that the service signed.")
    return text


def _check_passkey(
    receipt: Dict[str, object], claims: Dict[str, object], text: str, issuer: Issuer
) -> Optional[str]:
    if receipt["passkey"] is None:
        if claims["approval"] is not None:
            raise VerificationError("A passkey signed the approval, but its signature is missing.")
        return None
    proof = members_of(receipt["passkey"], PROOF, "passkey proof")
    assertion = members_of(proof["assertion"], ASSERTION, "assertion")
    if claims["approval"] != digest_of(proof):
        raise VerificationError("The passkey proof is not the one that the service signed.")
    check_assertion(proof, assertion, text, issuer)
    return text_claim(proof, "credential_id")


def check_assertion(
    proof: Dict[str, object], assertion: Dict[str, object], text: str, issuer: Issuer
) -> None:
    """Checks that a passkey of the service signed this text (WebAuthn Level 3, 7.2). Raises `VerificationError`."""
    client_data = base64url_bytes(text_claim(assertion, "clientDataJSON"), "client data of the passkey")
    _check_client_data(json_object(client_data, "client data of the passkey"), text, issuer)
    data = base64url_bytes(text_claim(assertion, "authenticatorData"), "data of the authenticator")
    site = urlsplit(issuer.url).hostname or ""
    if len(data) < 37 or data[:32] != hashlib.sha256(site.encode("ascii", "replace")).digest():
        raise VerificationError("The passkey belongs to another site.")
    if data[32] & 0x05 != 0x05:
        raise VerificationError("The authenticator did not verify the person.")
    verify_cose(
        base64url_bytes(text_claim(proof, "public_key"), "public key of the passkey"),
        data + hashlib.sha256(client_data).digest(),
        base64url_bytes(text_claim(assertion, "signature"), "signature of the passkey"),
    )


def _check_client_data(client: Dict[str, object], text: str, issuer: Issuer) -> None:
    """Checks what the browser signed (WebAuthn Level 3, 7.2). The challenge is the digest of the statement."""
    if client.get("type") != "webauthn.get":
        raise VerificationError("The passkey signed something else.")
    if client.get("challenge") != base64url(hashlib.sha256(text.encode("utf-8")).digest()):
        raise VerificationError("The passkey signed another statement.")
    address = urlsplit(issuer.url)
    # The issuer may have a path, which a passkey does not know.
    origin = f"{address.scheme}://{address.netloc}"
    if client.get("origin") != origin or client.get("crossOrigin", False) is not False:
        raise VerificationError("The passkey signed on another site.")
