"""A service that we play, which can lie: it answers shops over a fake connection, with receipts that it makes."""
import asyncio
import hashlib
import json
import secrets
import sqlite3
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

import httpx
from authenticator import Authenticator, base64url
from beak import AsyncBeak, Beak
from beak.verify import Issuer, KeySet, Pin
from beak.verify._encoding import canonical_json
from beak.verify._money import read_money
from beak.verify.keys import read_time
from beak.verify.rules import period_of
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

URL = "https://pond.example"
SHOP = "shop.example"
TEAL = "DUCK-TEAL"
ASKER = {"duckling_id": "DUCK-MALLARD", "agent_id": "AGT-SCOUT"}
PARAMS: Dict[str, Any] = {"amount": 4800.5, "to": "pond@example.com"}
#: What a rule of the person allows, for €50 each time.
PAYMENT: Dict[str, Any] = {"amount": "€50.00", "to": "pond@example.com"}


def digest(value: object) -> str:
    return base64url(hashlib.sha256(canonical_json(value, any_number=True).encode()).digest())


def text_of(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def pin_of(passkey: Authenticator) -> Pin:
    return {"credential_id": passkey.credential_id, "public_key": base64url(passkey.cose_key())}


def proof(passkey: Authenticator, text: str, rp_id: str = "pond.example") -> Dict[str, Any]:
    """Returns what a passkey makes of a text, as receipts have it."""
    options: Any = {"challenge": base64url(hashlib.sha256(text.encode()).digest()), "rpId": rp_id}
    return {**pin_of(passkey), "assertion": passkey.assertion(options)["response"]}


def endorsement(
    older: Authenticator,
    newer: Authenticator,
    *,
    signer: Optional[Authenticator] = None,
    rp_id: str = "pond.example",
    **changes: Any,
) -> Dict[str, Any]:
    """Returns the signature of an older passkey about a newer one. `signer` signs in its place."""
    facts = {
        "type": "beak.passkey.endorsement",
        "version": 1,
        "issuer": URL,
        "duckling_id": TEAL,
        **pin_of(newer),
        "nonce": secrets.token_hex(8),
        **changes,
    }
    text = canonical_json(facts)
    return {**proof(signer or older, text, rp_id), **pin_of(older), "statement_text": text}


#: When a rule decided. All decisions have one time, so that no period ends between two of them.
DECIDED = datetime.now(timezone.utc).replace(microsecond=0) - timedelta(minutes=2)
#: When the person signed the usual rule.
MADE = DECIDED - timedelta(days=1)


class LyingService:
    """
    Answers every use of a permission as `answer` says, and counts the uses. `claims` and `facts` of `receipt` replace the usual ones, so
    it signs anything.
    """

    def __init__(self) -> None:
        self.private = Ed25519PrivateKey.generate()
        x = base64url(self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
        self.kid = base64url(hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest())
        self.jwks = {
            "keys": [{"kty": "OKP", "crv": "Ed25519", "x": x, "kid": self.kid, "use": "sig", "alg": "EdDSA"}]
        }
        self.passkey = Authenticator(URL)
        self.has_keys = True
        self.spent = 0
        self.asked: List[Dict[str, Any]] = []
        self.answer: Dict[str, Any] = {}

    @property
    def issuer(self) -> Issuer:
        return Issuer(URL, KeySet(self.jwks))

    def sign(self, kind: str, claims: Dict[str, Any]) -> str:
        parts = ({"alg": "EdDSA", "typ": kind, "kid": self.kid}, claims)
        start = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        return f"{start}.{base64url(self.private.sign(start.encode()))}"

    def token(self, action: str = "pay:invoice", target: str = TEAL) -> str:
        return self.sign("peck+jwt", {"iss": URL, "action": action, "target": target})

    def receipt(
        self,
        peck_id: str = "PECK-1",
        *,
        signed_by: Optional[Authenticator] = None,
        is_signed: bool = True,
        endorsements: Any = (),
        rp_id: str = "pond.example",
        params: Dict[str, Any] = PARAMS,
        code: Any = None,
        claims: Optional[Dict[str, Any]] = None,
        **facts: Any,
    ) -> Dict[str, Any]:
        """Returns a receipt of version 3 after a use. `facts` replace members of its statement."""
        now = datetime.now(timezone.utc)
        values = [{"salt": base64url(bytes([at]) * 16), "name": name, "value": params[name]} for at, name in enumerate(params)]
        statement = {
            "type": "beak.peck.decision",
            "version": 3,
            "decision": "approve",
            "issuer": URL,
            "audience": SHOP,
            "nonce": secrets.token_hex(8),
            "peck_id": peck_id,
            "action": "pay:invoice",
            "scope": "limited",
            "params": sorted(digest([one["salt"], one["name"], one["value"]]) for one in values),
            "requester": ASKER,
            "target_duckling_id": TEAL,
            "created_at": text_of(now - timedelta(minutes=3)),
            "expires_at": text_of(now + timedelta(days=1)),
            "grant_seconds": 3600,
            "display": {"version": 1, "hash": digest(["salt", {}])},
            "log": None,
            "decided_by": {"type": "person"},
            "challenge": None,
            "code": code,
            "approver": None,
            "test": False,
            **facts,
        }
        text = canonical_json(statement)
        passkey = None
        if is_signed:
            passkey = {**proof(signed_by or self.passkey, text, rp_id), "endorsements": list(endorsements)}
        is_used_up = statement["scope"] == "limited"
        decided_at = now - timedelta(minutes=2)
        signed = {
            "iss": URL,
            "aud": URL,
            "sub": peck_id,
            "iat": int(now.timestamp()),
            "version": 3,
            "outcome": "consumed" if is_used_up else "approved",
            "decided_at": text_of(decided_at),
            "ended_at": text_of(now) if is_used_up else None,
            "uses": 1,
            "last_used_at": text_of(now),
            "grant_expires_at": text_of(decided_at + timedelta(hours=1)),
            "statement": digest(statement),
            "passkey": None if passkey is None else digest(passkey),
            "enrolment": None,
            "logged": None,
            **(claims or {}),
        }
        return {
            "version": 3,
            "peck_id": peck_id,
            "outcome": signed["outcome"],
            "statement": statement,
            "statement_text": text,
            "jws": self.sign("peck-receipt+jwt", signed),
            "passkey": passkey,
            "enrolment": None,
            "logged": None,
            "values": {"params": values},
            "jwks": self.jwks,
        }

    def rule_receipt(
        self,
        peck_id: str = "PECK-1",
        *,
        budget: Optional[Mapping[str, object]] = None,
        signed_by: Optional[Authenticator] = None,
        nonce: str = "once",
        made: datetime = MADE,
        expires_in: int = 2_592_000,
        claims: Optional[Dict[str, Any]] = None,
        **facts: Any,
    ) -> Dict[str, Any]:
        """Returns the receipt of a payment that a rule allowed. The service says that nothing was spent before."""
        rule = {
            "agent_id": ASKER["agent_id"],
            "actions": ["pay:invoice"],
            "params": {"amount": {"at_most": "€50.00"}, "to": {"domain": "example.com"}},
            **({} if budget is None else {"budget": dict(budget)}),
            "reasons": ["money"],
            "expires_in": expires_in,
            "answer": "approve",
            "mode": "on",
        }
        statement = {
            "type": "beak.rule",
            "version": 1,
            "issuer": URL,
            "nonce": nonce,
            "rule_id": "RULE-1",
            "duckling_id": TEAL,
            "rule": rule,
            "time_zone": "Europe/Berlin",
            "sentence": "Pay an invoice of at most €50.00.",
            "created_at": text_of(made),
            "expires_at": text_of(made + timedelta(seconds=expires_in)),
            "log": None,
        }
        text, limits, given = canonical_json(statement), budget or {}, claims or {}
        decided_at = given.get("decided_at", text_of(DECIDED))
        per = limits.get("per")
        amount = read_money(str(limits["amount"])) if "amount" in limits else None
        proof_of_rule = {
            "statement_text": text,
            "passkey": {**proof(signed_by or self.passkey, text), "endorsements": []},
            "enrolment": None,
            "budget": {
                "currency": "EUR",
                "cost": 5000,
                "period": None if per is None else period_of(str(per), "Europe/Berlin", read_time(decided_at)),
                "before": {"uses": 0, "period_uses": 0, "amount": 0},
                "after": {"uses": 1, "period_uses": 1, "amount": 5000},
                "limits": {
                    "uses": limits.get("uses"),
                    "uses_each": limits.get("uses_each"),
                    "amount": None if amount is None else amount.minor,
                },
            },
        }
        terms = {"decided_by": {"type": "rule", "rule_id": "RULE-1"}, "params": PAYMENT, **facts}
        end = text_of(DECIDED + timedelta(hours=1))
        signed = {"decided_at": decided_at, "grant_expires_at": end, "rule": digest(proof_of_rule), **given}
        return {**self.receipt(peck_id, is_signed=False, claims=signed, **terms), "rule": proof_of_rule}

    def answer_with(self, receipt: Any, /, **changes: Any) -> None:
        """Answers with a receipt from now on, and with what the receipt says. `changes` are lies about it."""
        statement = receipt["statement"]
        self.answer = {
            "active": True,
            **{name: statement[name] for name in ("peck_id", "action", "target_duckling_id", "requester")},
            "uses_left": 0,
            "receipt": receipt,
            **changes,
        }

    def _respond(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path == "/.well-known/jwks.json":
            return httpx.Response(200, json=self.jwks) if self.has_keys else httpx.Response(500, text="no keys")
        if path == "/beak/peck/request":
            self.asked.append(json.loads(request.content))
            problem = {"type": "about:blank", "title": "No", "status": 403, "detail": "No.", "code": "E4007"}
            more = {"message": "No.", "success": False, "request_id": "1", "action": "Stop."}
            return httpx.Response(403, json={**problem, **more}, headers={"Content-Type": "application/problem+json"})
        if path == "/beak/peck/consume":
            self.spent += 1
        assert path in ("/beak/peck/consume", "/beak/peck/check")
        return httpx.Response(200, json=self.answer)

    def client(self) -> Beak:
        return Beak(URL, retries=0, http=httpx.Client(transport=httpx.MockTransport(self._respond)))

    def async_client(self) -> AsyncBeak:
        return AsyncBeak(URL, retries=0, http=httpx.AsyncClient(transport=httpx.MockTransport(self._respond)))


def use_synchronously(service: LyingService, **options: Any) -> Any:
    given: Dict[str, Any] = {"params": PARAMS, "audience": SHOP, **options}
    return service.client().use_permission(service.token(), **given)


def use_asynchronously(service: LyingService, **options: Any) -> Any:
    given: Dict[str, Any] = {"params": PARAMS, "audience": SHOP, **options}
    return asyncio.run(service.async_client().use_permission(service.token(), **given))


#: Uses a permission of a service in one of the two ways.
Use = Callable[..., Any]


TABLES = """
CREATE TABLE beak_used (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT);
CREATE TABLE beak_pins (
  target TEXT NOT NULL, credential_id TEXT NOT NULL, public_key TEXT NOT NULL, is_first INTEGER NOT NULL,
  PRIMARY KEY (target, credential_id, public_key)
);
CREATE UNIQUE INDEX beak_first_pins ON beak_pins (target) WHERE is_first = 1;
"""


class Database:
    """A database of SQLite in a file, with a connection for each statement."""

    def __init__(self, path: Path) -> None:
        self._path = path
        connection = sqlite3.connect(path)
        connection.executescript(TABLES)
        connection.close()

    def run(self, text: str, values: List[object]) -> Sequence[Sequence[object]]:
        connection = sqlite3.connect(self._path, timeout=60)
        try:
            with connection:
                return connection.execute(text, values).fetchall()
        finally:
            connection.close()

    async def run_later(self, text: str, values: List[object]) -> Sequence[Sequence[object]]:
        return self.run(text, values)
