"""Signs the tokens and receipts of a fake, with a key that exists only in this fake."""
import base64
import hashlib
import json
import math
from datetime import datetime, timezone
from typing import Dict, List, Optional

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..verify._encoding import canonical_json
from ._pecks import AgentAccount, FakePeck, owner_of, random_text

_STANDING_SECONDS = 30 * 86_400

_DECISIONS = {"approved": "approve", "consumed": "approve", "revoked": "approve", "rejected": "reject"}


def iso(seconds: Optional[float]) -> Optional[str]:
    """Returns a time as the service writes it, with milliseconds."""
    if seconds is None:
        return None
    moment = datetime.fromtimestamp(round(seconds * 1000) / 1000, timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _digest_of(value: object) -> str:
    """Returns the digest that receipts have: the SHA-256 of the canonical JSON, in base64url (docs/receipts/format.md)."""
    return _base64url(hashlib.sha256(canonical_json(value, any_number=True).encode()).digest())


class Signer:
    """Signs with a new key."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        self._key = Ed25519PrivateKey.generate()
        # Not `public_bytes_raw`, which versions of cryptography before 40 do not have.
        x = _base64url(self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
        thumbprint = hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest()
        self._jwk = {
            "kty": "OKP",
            "crv": "Ed25519",
            "x": x,
            "kid": _base64url(thumbprint),
            "alg": "EdDSA",
            "use": "sig",
        }

    def jwks(self) -> Dict[str, object]:
        """Returns the key set with the public key."""
        return {"keys": [self._jwk]}

    def _sign(self, kind: str, claims: Dict[str, object]) -> str:
        """Returns a token. Every one has the mark of a test service."""
        header = {"alg": "EdDSA", "typ": kind, "kid": self._jwk["kid"]}
        marked = {"iss": self._issuer, "aud": self._issuer, **claims, "test": True}
        text = ".".join(_base64url(json.dumps(part).encode()) for part in (header, marked))
        return f"{text}.{_base64url(self._key.sign(text.encode()))}"

    def grant_token(self, peck: FakePeck, now: float) -> str:
        """Returns a grant token of an approved request."""
        ends = peck.grant_expires_at
        return self._sign(
            "peck+jwt",
            {
                "sub": peck.asker.id,
                "jti": random_text(20),
                "iat": math.floor(now),
                "exp": math.ceil(now + _STANDING_SECONDS if ends is None else ends),
                "peck_id": peck.id,
                "target": peck.target.id,
                "action": peck.question.action,
                "scope": peck.question.scope,
                "params_hash": peck.params_hash,
            },
        )

    def receipt(self, peck: FakePeck, outcome: str, now: float) -> Dict[str, object]:
        """Returns a receipt of version 2 without a passkey."""
        params: List[Dict[str, object]] = [
            {"salt": random_text(), "name": name, "value": value} for name, value in peck.question.params.items()
        ]
        statement = self._statement(peck, outcome, params)
        decision = statement["decision"]
        ends = {
            "expired": peck.expires_at,
            "cancelled": peck.decided_at,
            "revoked": peck.revoked_at,
            "consumed": peck.last_used_at,
        }
        jws = self._sign(
            "peck-receipt+jwt",
            {
                "iat": math.floor(now),
                "version": 2,
                "sub": peck.id,
                "outcome": outcome,
                "decided_at": None if decision is None else iso(peck.decided_at),
                "ended_at": iso(ends.get(outcome)),
                "uses": peck.uses,
                "last_used_at": iso(peck.last_used_at),
                "grant_expires_at": iso(peck.grant_expires_at) if decision == "approve" else None,
                "statement": _digest_of(statement),
                "passkey": None,
                "enrolment": None,
            },
        )
        return {
            "version": 2,
            "peck_id": peck.id,
            "outcome": outcome,
            "statement": statement,
            "statement_text": canonical_json(statement, any_number=True),
            "passkey": None,
            "enrolment": None,
            "values": {"params": params},
            "jws": jws,
            "jwks": self.jwks(),
        }

    def _statement(self, peck: FakePeck, outcome: str, params: List[Dict[str, object]]) -> Dict[str, object]:
        question, asker = peck.question, peck.asker
        shown = {"version": 1, "sentence": question.action, "values": [], "message": question.message}
        return {
            "type": "beak.peck.decision",
            "version": 2,
            "decision": _DECISIONS.get(outcome),
            "issuer": self._issuer,
            "audience": question.audience,
            "nonce": random_text(),
            "peck_id": peck.id,
            "action": question.action,
            "scope": question.scope,
            "params": sorted(_digest_of([one["salt"], one["name"], one["value"]]) for one in params),
            "requester": {
                "duckling_id": owner_of(asker).id,
                "agent_id": asker.id if isinstance(asker, AgentAccount) else None,
            },
            "target_duckling_id": peck.target.id,
            "created_at": iso(peck.created_at),
            "expires_at": iso(peck.expires_at),
            "grant_seconds": question.grant_seconds,
            "display": {"version": 1, "hash": _digest_of([random_text(), shown])},
            "log": None,
        }
