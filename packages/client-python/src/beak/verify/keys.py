"""The public keys of a service, and its signed tokens."""
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Dict, Mapping, Optional, Sequence, cast

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ..errors import VerificationError, refuse_test
from ._encoding import base64url_bytes, json_object
from ._shapes import time_of

#: How far the clock of the service may be ahead, in seconds. An end has no such tolerance, so nothing is valid for longer.
CLOCK_SKEW = 30.0


class UnknownKeyError(VerificationError):
    """The token names a key that the key set does not have. A newer key set may have it."""


class KeysUnavailableError(VerificationError):
    """The keys of the service cannot be read now, so nothing was checked."""


class KeySet:
    """
    The keys of one service, from its `/.well-known/jwks.json` (`beak.get_public_keys()`).

    Keys that the service lists as stolen verify nothing. Raises `VerificationError` for a key set that cannot be read, and for one
    with two keys of the same id: else it would depend on the verifier which key a signature is checked with.
    """

    def __init__(self, jwks: Mapping[str, object]) -> None:
        keys, distrusted = jwks.get("keys"), jwks.get("distrusted", [])
        if not isinstance(keys, list) or not isinstance(distrusted, list):
            raise VerificationError("This is not a key set.")
        require_own_ids(keys)
        self._stolen = {_member(entry, "kid") for entry in distrusted}
        self._keys: Dict[str, Ed25519PublicKey] = {}
        for entry in keys:
            if _member(entry, "kty") == "OKP" and _member(entry, "crv") == "Ed25519":
                data = base64url_bytes(_member(entry, "x"), "key")
                if len(data) != 32:
                    raise VerificationError("A key of the key set has a wrong length.")
                self._keys[_member(entry, "kid")] = Ed25519PublicKey.from_public_bytes(data)

    def find(self, kid: str) -> Ed25519PublicKey:
        """Returns the key with this id. Raises `UnknownKeyError`, or `VerificationError` for a stolen key."""
        if kid in self._stolen:
            raise VerificationError("The key that signed this was stolen, so its signatures prove nothing.")
        key = self._keys.get(kid)
        if key is None:
            raise UnknownKeyError("The key that signed this is not a key of the service.")
        return key


def require_own_ids(keys: Sequence[object]) -> None:
    """Raises `VerificationError` when two keys have the same id."""
    ids = [entry["kid"] for entry in keys if isinstance(entry, dict) and isinstance(entry.get("kid"), str)]
    if len(set(ids)) != len(ids):
        raise VerificationError("Two keys of the key set have the same kid.")


def _member(entry: object, name: str) -> str:
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, str):
        raise VerificationError("This is not a key set.")
    return value


def open_token(
    token: str, kind: str, keys: KeySet, issuer: str, *, allow_test: Optional[bool] = None
) -> Dict[str, object]:
    """
    Returns the claims of a token that the service signed. `kind` is its `typ`, so that no kind passes for another. Checks
    algorithm, type, key, signature and issuer, and no times. Raises `VerificationError`, and `TestCredentialError` for a token of a
    test service without `allow_test`.
    """
    parts = token.split(".")
    if len(parts) != 3:
        raise VerificationError("This is not a signed token.")
    header = json_object(base64url_bytes(parts[0], "header of the token"), "header of the token")
    # Another member could change the meaning of the token (RFC 7515, 4.1.11), so none is accepted.
    if set(header) != {"alg", "typ", "kid"} or header["alg"] != "EdDSA":
        raise VerificationError("The token is not signed in the way of this service.")
    if header["typ"] != kind:
        raise VerificationError(f"The token is of another kind: {header['typ']} instead of {kind}.")
    if not isinstance(header["kid"], str):
        raise VerificationError("The token does not name its key.")
    key = keys.find(header["kid"])
    claims = json_object(base64url_bytes(parts[1], "content of the token"), "content of the token")
    base64url_bytes(parts[2], "signature of the token")
    try:
        jwt.decode(
            token,
            # PyJWT before 2.7 declares only texts.
            cast(str, key),
            algorithms=["EdDSA"],
            options={
                "verify_signature": True,
                "verify_exp": False,
                "verify_nbf": False,
                "verify_iat": False,
                "verify_aud": False,
                "verify_iss": False,
            },
        )
    except jwt.PyJWTError as error:
        raise VerificationError("The signature of the token is wrong.") from error
    refuse_test(claims, allow_test)
    if claims.get("iss") != issuer:
        raise VerificationError("The token is from another issuer.")
    return claims


def check_times(claims: Mapping[str, object], now: datetime, *, needs_end: bool = True) -> None:
    """Checks `exp`, `nbf` and `iat`. Raises `VerificationError`, also without `exp` when an end is needed."""
    seconds = now.timestamp()
    expires = _number(claims, "exp")
    if expires is None and needs_end:
        raise VerificationError("The token has no end.")
    if expires is not None and expires <= seconds:
        raise VerificationError("The token has expired.")
    for name in ("nbf", "iat"):
        begins = _number(claims, name)
        if begins is not None and begins > seconds + CLOCK_SKEW:
            raise VerificationError("The token is not valid yet.")


def _number(claims: Mapping[str, object], name: str) -> Optional[float]:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise VerificationError(f"The claim {name} is not a time.")
    return float(value)


def text_claim(claims: Mapping[str, object], name: str) -> str:
    """Returns a claim that must be a text. Raises `VerificationError`."""
    value = claims.get(name)
    if not isinstance(value, str):
        raise VerificationError(f"{name} is missing.")
    return value


def object_claim(claims: Mapping[str, object], name: str) -> Dict[str, object]:
    """Returns a claim that must be an object. Raises `VerificationError`."""
    value = claims.get(name)
    if not isinstance(value, dict):
        raise VerificationError(f"{name} is missing.")
    return value


def read_time(text: str) -> datetime:
    """Reads a time of the service: ISO 8601 in UTC with milliseconds. Raises `VerificationError`."""
    time = time_of(text)
    if time is None:
        raise VerificationError(f"{text} is not a time of the service.")
    return time


def current_time(now: Optional[datetime]) -> datetime:
    """Returns `now`, or the time of the clock. Raises ValueError for a time without a time zone."""
    if now is None:
        return datetime.now(timezone.utc)
    if now.tzinfo is None:
        raise ValueError("now needs a time zone.")
    return now


@dataclass(frozen=True)
class Issuer:
    """A service that is trusted: its address as it stands in its tokens, and its keys."""

    url: str
    keys: KeySet


def kid_of(token: str) -> str:
    """Returns the id of the key that a token names, without checking the token, or an empty text."""
    try:
        header = json_object(base64url_bytes(token.split(".")[0], "header"), "header")
    except VerificationError:
        return ""
    kid = header.get("kid")
    return kid if isinstance(kid, str) else ""
