"""Birth certificates: W3C Verifiable Credentials 2.0 with a bitstring status list."""
import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Dict, Optional
from urllib.parse import urlsplit

from ..errors import VerificationError
from ._encoding import base64url_bytes
from .keys import (
    CLOCK_SKEW,
    check_times,
    Issuer,
    current_time,
    object_claim,
    open_token,
    read_time,
    text_claim,
)

#: Certificates on one list. The standard asks for at least this many.
LIST_LENGTH = 131_072

#: No status list is larger than this after it is unpacked, in bytes.
LARGEST_LIST = 1024 * 1024

#: A status list counts for at most this time, whatever it says: an old one does not show later revocations.
LIST_LIFETIME = timedelta(minutes=10)

CONTEXT = "https://www.w3.org/ns/credentials/v2"


@dataclass(frozen=True)
class StatusPlace:
    """Where the status of a certificate stands: the address of its list, and its bit there."""

    list_url: str
    index: int


@dataclass(frozen=True)
class VerifiedCertificate:
    """
    A certificate that is valid: signed by the issuer, and not revoked at `checked_at`.

    `full_name` is the name in any script at the issue, if the person had one. `trust_tier` is the tier at the issue; `cert/verify` of the service has the tier now.
    """

    cert_id: str
    duckling_id: str
    display_name: str
    trust_tier: str
    issued_at: datetime
    issuer: str
    checked_at: datetime
    full_name: Optional[str] = None


def status_place(credential: str, issuer: Issuer, *, allow_test: Optional[bool] = None) -> StatusPlace:
    """Returns the status list that `verify_certificate` needs for this certificate. Raises `VerificationError`."""
    return _place_of(open_token(credential, "vc+jwt", issuer.keys, issuer.url, allow_test=allow_test), issuer)


def verify_certificate(
    credential: str,
    *,
    issuer: Issuer,
    status_list: str,
    now: Optional[datetime] = None,
    allow_test: Optional[bool] = None,
) -> VerifiedCertificate:
    """
    Checks a certificate without a call: signature, type, times, and its bit in the status list.

    - `credential`: the certificate as a token.
    - `status_list`: the signed list that `status_place` names, not older than ten minutes. `beak.get_status_list(n=…)`
      reads it.
    - `now`: the time of the check, with a time zone. Default: the clock.
    - `allow_test`: accepts what a test service on this computer made. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the
      environment is `1`.

    Raises `VerificationError` unless every check passed.
    """
    at = current_time(now)
    claims = open_token(credential, "vc+jwt", issuer.keys, issuer.url, allow_test=allow_test)
    _check_frame(claims, "BirthCertificate", issuer, at)
    if _is_set(status_list, _place_of(claims, issuer), issuer, at, allow_test):
        raise VerificationError("The certificate was revoked or superseded.")
    subject = object_claim(claims, "credentialSubject")
    return VerifiedCertificate(
        cert_id=_after(text_claim(claims, "id"), f"{issuer.url}/verify/"),
        duckling_id=_after(text_claim(subject, "id"), "urn:beak:"),
        display_name=text_claim(subject, "display_name"),
        trust_tier=text_claim(subject, "trust_tier"),
        issued_at=read_time(text_claim(claims, "validFrom")),
        issuer=issuer.url,
        checked_at=at,
        full_name=text_claim(subject, "full_name") if "full_name" in subject else None,
    )


def _check_frame(claims: Dict[str, object], kind: str, issuer: Issuer, now: datetime) -> None:
    """Checks context, type, issuer and times of a credential."""
    types, contexts = claims.get("type"), claims.get("@context")
    if not isinstance(contexts, list) or contexts[:1] != [CONTEXT]:
        raise VerificationError("This is not a credential of version 2.0.")
    if not isinstance(types, list) or "VerifiableCredential" not in types or kind not in types:
        raise VerificationError(f"This is not a {kind}.")
    if claims.get("issuer") != issuer.url:
        raise VerificationError("The credential is from another issuer.")
    if read_time(text_claim(claims, "validFrom")) > now + timedelta(seconds=CLOCK_SKEW):
        raise VerificationError("The credential is not valid yet.")
    if "validUntil" in claims and read_time(text_claim(claims, "validUntil")) <= now:
        raise VerificationError("The credential has expired.")
    check_times(claims, now, needs_end=False)


def _place_of(claims: Dict[str, object], issuer: Issuer) -> StatusPlace:
    status = object_claim(claims, "credentialStatus")
    if status.get("type") != "BitstringStatusListEntry" or status.get("statusPurpose") != "revocation":
        raise VerificationError("The certificate has no status for revocation.")
    url, index = text_claim(status, "statusListCredential"), text_claim(status, "statusListIndex")
    if not url.startswith(f"{issuer.url}/.well-known/status-list/"):
        raise VerificationError("The status list is at another service.")
    if not index.isascii() or not index.isdigit() or int(index) >= LIST_LENGTH:
        raise VerificationError("The place in the status list is not valid.")
    return StatusPlace(list_url=url, index=int(index))


def _is_set(status_list: str, place: StatusPlace, issuer: Issuer, now: datetime, allow_test: Optional[bool]) -> bool:
    """Returns the bit of a certificate in a signed list. Raises `VerificationError` for any list that does not have it."""
    claims = open_token(status_list, "vc+jwt", issuer.keys, issuer.url, allow_test=allow_test)
    _check_frame(claims, "BitstringStatusListCredential", issuer, now)
    if text_claim(claims, "id") != place.list_url:
        raise VerificationError("This is another status list.")
    if "validUntil" not in claims:
        raise VerificationError("The status list has no end, so it may be old.")
    if now - read_time(text_claim(claims, "validFrom")) >= LIST_LIFETIME:
        raise VerificationError("The status list is older than ten minutes.")
    subject = object_claim(claims, "credentialSubject")
    if subject.get("type") != "BitstringStatusList" or subject.get("statusPurpose") != "revocation":
        raise VerificationError("The status list is not a list of revocations.")
    bits = _unpack(text_claim(subject, "encodedList"))
    return bool(bits[place.index // 8] >> (7 - place.index % 8) & 1)


def _unpack(encoded: str) -> bytes:
    if not encoded.startswith("u"):
        raise VerificationError("The status list is not multibase base64url.")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        bits = unpacker.decompress(base64url_bytes(encoded[1:], "status list"), LARGEST_LIST)
    except zlib.error as error:
        raise VerificationError("The status list is not compressed with GZIP.") from error
    if not unpacker.eof or unpacker.unused_data or len(bits) * 8 < LIST_LENGTH:
        raise VerificationError("The status list is not whole.")
    return bits


def list_number(place: StatusPlace) -> int:
    """Returns the number of a status list, for `beak.get_status_list(n=…)`. Raises `VerificationError`."""
    number = urlsplit(place.list_url).path.rsplit("/", 1)[-1]
    if not number.isascii() or not number.isdigit():
        raise VerificationError("The address of the status list is not valid.")
    return int(number)


def _after(text: str, start: str) -> str:
    if not text.startswith(start) or len(text) == len(start):
        raise VerificationError("The certificate names somebody in another way.")
    return text[len(start) :]
