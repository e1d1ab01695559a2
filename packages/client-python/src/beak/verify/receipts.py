"""Receipts of approvals: what exactly was approved, signed by the service and by the passkey of the person."""
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Mapping, Optional, Tuple, cast
from urllib.parse import urlsplit

from .. import models
from ..errors import VerificationError
from ._cose import verify_cose
from ._encoding import base64url, base64url_bytes, canonical_json, digest_of, json_object
from ._shapes import RECEIPT, RECEIPT_CLAIMS, check_size, read
from .keys import (
    Issuer,
    kid_of,
    object_claim,
    open_token,
    read_time,
    require_own_ids,
    text_claim,
)


@dataclass(frozen=True)
class VerifiedReceipt:
    """
    An approval that took place. `statement` is what was approved; `params_hash` in it covers the parameters.

    `passkey_id` is the credential that the person signed with, or None when the receipt has no signature of a passkey: then
    only the service vouches for it. A passkey may have signed version 2: see `get_outcome_receipt`.
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
    allow_test: Optional[bool] = None,
) -> VerifiedReceipt:
    """
    Checks a receipt without a call: the signature of the service, the statement, and the signature of the passkey.

    Returns even when only the service signed. `verify_outcome` compares a receipt of any version with a policy.

    - `receipt`: the answer of `get_receipt`, or the same from a file.
    - `issuer`: the service with its keys from a source that you trust. The keys in the receipt prove nothing.
    - `allow_test`: accepts what a test service on this computer made. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the
      environment is `1`.

    Raises `VerificationError`.
    """
    check_size(receipt)
    members = read(RECEIPT, receipt, "receipt")
    check_keys(members)
    claims = open_token(text_claim(members, "jws"), "peck-receipt+jwt", issuer.keys, issuer.url, allow_test=allow_test)
    read(RECEIPT_CLAIMS, claims, "signed content")
    if claims["aud"] != issuer.url:
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


def check_keys(receipt: Dict[str, object]) -> None:
    """Checks that the id of each key in the file is its thumbprint (RFC 7638) and is there once, although these keys are not used."""
    ids = set()
    keys = cast(List[Dict[str, str]], object_claim(receipt, "jwks")["keys"])
    require_own_ids(keys)
    for key in keys:
        thumbprint = hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{key["x"]}"}}'.encode("utf-8"))
        if base64url(thumbprint.digest()) != key["kid"]:
            raise VerificationError("A key of the service in the receipt does not match its id.")
        ids.add(key["kid"])
    if kid_of(text_claim(receipt, "jws")) not in ids:
        raise VerificationError("The receipt was not signed with a key of this service.")


def _check_statement(receipt: Dict[str, object], claims: Dict[str, object]) -> str:
    statement = object_claim(receipt, "statement")
    text = canonical_json(statement, any_number=True)
    if text != receipt["statement_text"]:
        raise VerificationError("The statement and its text differ.")
    if text != canonical_json(claims["statement"], any_number=True):
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
    proof = object_claim(receipt, "passkey")
    if claims["approval"] != digest_of(proof):
        raise VerificationError("The passkey proof is not the one that the service signed.")
    check_assertion(proof, text, issuer.url)
    return text_claim(proof, "credential_id")


def check_assertion(proof: Mapping[str, object], text: str, site: str) -> None:
    """
    Checks that a passkey of a site signed this text (WebAuthn Level 3, 7.2). `site` is the address of the site and may have a
    path. Raises `VerificationError`.
    """
    origin, host = _origin_of(site)
    assertion = object_claim(proof, "assertion")
    client_data = base64url_bytes(text_claim(assertion, "clientDataJSON"), "client data of the passkey")
    _check_client_data(json_object(client_data, "client data of the passkey"), text, origin)
    data = base64url_bytes(text_claim(assertion, "authenticatorData"), "data of the authenticator")
    if len(data) < 37 or data[:32] != hashlib.sha256(host.encode("ascii")).digest():
        raise VerificationError("The passkey belongs to another site.")
    if data[32] & 0x05 != 0x05:
        raise VerificationError("The authenticator did not verify the person.")
    verify_cose(
        base64url_bytes(text_claim(proof, "public_key"), "public key of the passkey"),
        data + hashlib.sha256(client_data).digest(),
        base64url_bytes(text_claim(assertion, "signature"), "signature of the passkey"),
    )


def _check_client_data(client: Dict[str, object], text: str, origin: str) -> None:
    """Checks what the browser signed (WebAuthn Level 3, 7.2). The challenge is the digest of the statement."""
    if client.get("type") != "webauthn.get":
        raise VerificationError("The passkey signed something else.")
    if client.get("challenge") != base64url(hashlib.sha256(text.encode("utf-8")).digest()):
        raise VerificationError("The passkey signed another statement.")
    if client.get("origin") != origin or client.get("crossOrigin", False) is not False:
        raise VerificationError("The passkey signed on another site.")


def _origin_of(site: str) -> Tuple[str, str]:
    """
    Returns the origin and the host of a site, as a browser writes them. A passkey knows no path. Raises `VerificationError`: the
    address of an approver comes from the receipt, so it can be any text.
    """
    try:
        address = urlsplit(site)
        host, port = address.hostname or "", address.port
    except ValueError as error:
        raise VerificationError("The site of the passkey is not a URL.") from error
    if ":" in host:
        host = f"[{host}]"
    usual_port = {"http": 80, "https": 443}.get(address.scheme)
    if usual_port is None or re.fullmatch(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", host) is None:
        raise VerificationError("The site of the passkey is not a URL.")
    return f"{address.scheme}://{host}" + ("" if port in (None, usual_port) else f":{port}"), host
