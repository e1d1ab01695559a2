"""Offline checks: what the service made is accepted, and everything that was forged or altered is refused."""
import base64
import copy
import gzip
import hashlib
import json
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import jwt
import pytest
from authenticator import Authenticator, add_passkey, base64url
from beak import AsyncBeak, Beak, VerificationError, models
from beak.verify import (
    AsyncVerifier,
    Checkpoint,
    Issuer,
    KeySet,
    Verifier,
    list_number,
    open_checkpoint,
    status_place,
    verify_agent_token,
    verify_audit_log,
    verify_certificate,
    verify_consistency,
    verify_inclusion,
    verify_log_entry,
    verify_log_growth,
    verify_receipt,
)
from beak.verify._cose import verify_cose
from beak.verify._encoding import canonical_json, digest_of
from beak.verify.audit import _check_event
from beak.verify.log import leaf_hash, read_cosignatures
from conftest import Agent, Person, new_person
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from service import ROOT, Service

NOW = datetime.now(timezone.utc)


def decode(part: str) -> Dict[str, Any]:
    value: Dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return value


def encode(value: object) -> str:
    return base64url(json.dumps(value).encode())


class OwnService:
    """A service that we play: it signs anything, in the formats of the real one."""

    def __init__(self, url: str = "https://pond.example") -> None:
        self.url = url
        self.private = Ed25519PrivateKey.generate()
        x = base64url(self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
        thumbprint = hashlib.sha256(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode()).digest()
        self.kid = base64url(thumbprint)
        self.jwks: Dict[str, Any] = {
            "keys": [{"kty": "OKP", "crv": "Ed25519", "x": x, "kid": self.kid, "use": "sig", "alg": "EdDSA"}]
        }

    def issuer(self, **changes: Any) -> Issuer:
        return Issuer(self.url, KeySet({**self.jwks, **changes}))

    def sign(self, kind: str, claims: Dict[str, Any], **header: Any) -> str:
        start = f"{encode({'alg': 'EdDSA', 'typ': kind, 'kid': self.kid, **header})}.{encode({'iss': self.url, **claims})}"
        return f"{start}.{base64url(self.private.sign(start.encode()))}"

    def certificate(self, **changes: Any) -> str:
        claims = {
            "@context": ["https://www.w3.org/ns/credentials/v2"],
            "id": f"{self.url}/verify/CERT-1",
            "type": ["VerifiableCredential", "BirthCertificate"],
            "issuer": self.url,
            "validFrom": "2026-01-01T00:00:00.000Z",
            "credentialSubject": {"id": "urn:beak:DUCK-1", "display_name": "Mallard", "trust_tier": "T1"},
            "credentialStatus": {
                "type": "BitstringStatusListEntry",
                "statusPurpose": "revocation",
                "statusListIndex": "9",
                "statusListCredential": f"{self.url}/.well-known/status-list/0",
            },
        }
        return self.sign("vc+jwt", {**claims, **changes})

    def status_list(self, bits: bytes = bytes(16384), subject: Optional[Dict[str, Any]] = None, **changes: Any) -> str:
        claims = {
            "@context": ["https://www.w3.org/ns/credentials/v2"],
            "id": f"{self.url}/.well-known/status-list/0",
            "type": ["VerifiableCredential", "BitstringStatusListCredential"],
            "issuer": self.url,
            "validFrom": NOW.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "validUntil": (NOW + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "credentialSubject": {
                "type": "BitstringStatusList",
                "statusPurpose": "revocation",
                "encodedList": "u" + base64url(gzip.compress(bits)),
                **(subject or {}),
            },
        }
        return self.sign("vc+jwt", {**claims, **changes})


own = OwnService()


def new_certified_person(anybody: Beak, service: Service) -> Person:
    person = new_person(anybody, "Vera")
    person.beak.verify_email(otp=service.code_for(person.email))
    person.beak.issue_certificate()
    return person


@pytest.fixture(scope="module")
def certified(anybody: Beak, service: Service) -> Person:
    return new_certified_person(anybody, service)


@pytest.fixture(scope="module")
def issuer(anybody: Beak, service: Service) -> Issuer:
    return Issuer(service.url, KeySet(anybody.get_public_keys()))


def altered(token: str) -> Iterator[str]:
    """Yields the token with one character changed, at places in all of its parts, and shortened."""
    for place in range(0, len(token), max(1, len(token) // 120)):
        if token[place] != ".":
            yield token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
    # The last character has bits that the bytes do not use.
    last = "AEIMQUYcgkosw048"
    yield token[:-1] + last[(last.index(token[-1]) + 1) % 16] if token[-1] in last else token[:-1] + "B"
    yield token[:-1] + chr(ord(token[-1]) + 1)
    yield token[:-1]
    yield token + "="
    yield token + "A"
    yield ""
    yield "a.b.c"


def refuses(check: Callable[[], object]) -> None:
    with pytest.raises(VerificationError):
        check()


class TestCertificate:
    def test_accepts_a_certificate_of_the_service_and_refuses_a_revoked_one(
        self, anybody: Beak, service: Service, certified: Person, issuer: Issuer
    ) -> None:
        other = new_certified_person(anybody, service)
        revoked = other.beak.revoke_certificate(reason="lost")["credential"]
        certificate = certified.beak.get_certificate()
        credential = certificate["credential"]
        status_list = anybody.get_status_list(n=list_number(status_place(credential, issuer)))
        verified = verify_certificate(credential, issuer=issuer, status_list=status_list)
        assert (verified.duckling_id, verified.display_name, verified.trust_tier) == (certified.id, "Vera", "T1")
        assert verified.cert_id == certificate["cert_id"]
        with pytest.raises(VerificationError, match="revoked"):
            verify_certificate(revoked, issuer=issuer, status_list=status_list)
        verifier = Verifier(anybody)
        assert verifier.certificate(credential).cert_id == verified.cert_id
        with pytest.raises(VerificationError, match="revoked"):
            verifier.certificate(revoked)

    def test_refuses_every_altered_certificate_and_status_list(self) -> None:
        credential, status_list = own.certificate(), own.status_list()
        assert verify_certificate(credential, issuer=own.issuer(), status_list=status_list).cert_id == "CERT-1"
        for forged in altered(credential):
            refuses(lambda: verify_certificate(forged, issuer=own.issuer(), status_list=status_list))
        for forged in altered(status_list):
            refuses(lambda: verify_certificate(credential, issuer=own.issuer(), status_list=forged))

    @pytest.mark.parametrize(
        "credential",
        [
            own.certificate(type=["VerifiableCredential"]),
            own.certificate(type="BirthCertificate"),
            own.certificate(issuer="https://lake.example"),
            own.certificate(iss="https://lake.example"),
            own.certificate(validFrom=(NOW + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S.000Z")),
            own.certificate(validUntil="2026-02-01T00:00:00.000Z"),
            own.certificate(validUntil=None),
            own.certificate(validUntil=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")),
            own.certificate(exp=NOW.timestamp()),
            own.certificate(nbf=NOW.timestamp() + 3600),
            own.certificate(validFrom=0),
            own.certificate(credentialStatus=None),
            own.certificate(**{"@context": ["https://www.w3.org/2018/credentials/v1"]}),
            own.certificate(credentialSubject={}),
            own.certificate(id="https://lake.example/verify/CERT-1"),
            own.sign("at+jwt", decode(own.certificate().split(".")[1])),
            OwnService().certificate(),
        ],
    )
    def test_refuses_a_certificate_that_the_service_signed_as_something_else(self, credential: str) -> None:
        refuses(lambda: verify_certificate(credential, issuer=own.issuer(), status_list=own.status_list()))

    @pytest.mark.parametrize(
        "change",
        [
            {"statusListIndex": "-1"},
            {"statusListIndex": "131072"},
            {"statusListIndex": "9.0"},
            {"statusListIndex": 9},
            {"statusPurpose": "suspension"},
            {"type": "Other"},
            {"statusListCredential": "https://lake.example/.well-known/status-list/0"},
            {"statusListCredential": "https://pond.example/.well-known/status-list/1"},
        ],
    )
    def test_refuses_another_place_of_the_status(self, change: Dict[str, Any]) -> None:
        status = decode(own.certificate().split(".")[1])["credentialStatus"]
        credential = own.certificate(credentialStatus={**status, **change})
        if "status-list/1" not in str(change):
            # The list must not even be read.
            refuses(lambda: status_place(credential, own.issuer()))
        refuses(lambda: verify_certificate(credential, issuer=own.issuer(), status_list=own.status_list()))

    @pytest.mark.parametrize(
        "status_list",
        [
            own.status_list(bits=bytes([0, 0x40]) + bytes(16382)),
            own.status_list(bits=b"\xff" * 16384),
            own.status_list(bits=bytes(16383)),
            own.status_list(bits=bytes(2 * 1024 * 1024)),
            own.status_list(subject={"encodedList": base64url(gzip.compress(bytes(16384)))}),
            own.status_list(subject={"encodedList": "u" + base64url(gzip.compress(bytes(16384))[:-9])}),
            own.status_list(subject={"encodedList": "u" + base64url(gzip.compress(bytes(16384)) + b"x")}),
            own.status_list(subject={"encodedList": "uAAAA"}),
            own.status_list(subject={"statusPurpose": "suspension"}),
            own.status_list(subject={"type": "Other"}),
            own.status_list(id="https://pond.example/.well-known/status-list/1"),
            own.status_list(type=["VerifiableCredential"]),
            own.status_list(validUntil="2026-01-01T00:00:00.000Z"),
            own.sign("vc+jwt", {k: v for k, v in decode(own.status_list().split(".")[1]).items() if k != "validUntil"}),
            own.status_list(issuer="https://lake.example"),
            OwnService().status_list(),
            own.certificate(),
        ],
    )
    def test_refuses_a_list_that_revokes_or_does_not_answer(self, status_list: str) -> None:
        refuses(lambda: verify_certificate(own.certificate(), issuer=own.issuer(), status_list=status_list))

    def test_uses_a_list_for_ten_minutes_at_most_whatever_end_it_names(self) -> None:
        started = datetime.fromisoformat(NOW.isoformat(timespec="seconds"))
        status_list = own.status_list(
            subject={"ttl": 315_360_000_000}, validUntil="2099-01-01T00:00:00.000Z", exp=4_070_908_800
        )

        def check(seconds: int) -> object:
            now = started + timedelta(seconds=seconds)
            return verify_certificate(own.certificate(), issuer=own.issuer(), status_list=status_list, now=now)

        assert check(599)
        for late in (600, 2_592_000):
            refuses(lambda: check(late))

    def test_fails_closed_when_the_service_cannot_be_asked(self, faults: str, run: str) -> None:
        with Beak(f"{faults}/cut/always/{run}", retries=0) as beak:
            refuses(lambda: Verifier(beak).certificate(own.certificate()))


class TestToken:
    def test_accepts_the_token_of_an_agent_for_this_audience_only(
        self, anybody: Beak, scout: Agent, mallard: Person, issuer: Issuer
    ) -> None:
        token = scout.beak.issue_agent_token(audience="shop.example")["token"]
        verified = verify_agent_token(token, issuer=issuer, audience="shop.example")
        assert (verified.agent_id, verified.operator_id, verified.trust_tier) == (scout.id, mallard.id, "T1")
        assert "request:peck" in verified.capabilities
        assert Verifier(anybody).agent_token(token, audience="shop.example") == verified
        refuses(lambda: verify_agent_token(token, issuer=issuer, audience="other.example"))
        late = datetime.now(timezone.utc) + timedelta(minutes=7)
        refuses(lambda: verify_agent_token(token, issuer=issuer, audience="shop.example", now=late))
        early = datetime.now(timezone.utc) - timedelta(minutes=7)
        refuses(lambda: verify_agent_token(token, issuer=issuer, audience="shop.example", now=early))
        for forged in altered(token):
            refuses(lambda: verify_agent_token(forged, issuer=issuer, audience="shop.example"))

    CLAIMS: Dict[str, Any] = {
        "aud": "shop",
        "sub": "AGT-1",
        "operator": "DUCK-1",
        "tier": "T1",
        "capabilities": [],
        "jti": "1",
        "iat": NOW.timestamp(),
        "exp": NOW.timestamp() + 3600,
    }

    def check(self, token: str, **changes: Any) -> object:
        return verify_agent_token(token, issuer=own.issuer(**changes), audience="shop")

    def test_refuses_other_algorithms_types_and_headers(self) -> None:
        self.check(own.sign("agent+jwt", self.CLAIMS))
        x = own.jwks["keys"][0]["x"]
        header: Dict[str, Any] = {"typ": "agent+jwt", "kid": own.kid}
        claims: Dict[str, Any] = {"iss": own.url, **self.CLAIMS}
        for token in (
            jwt.encode(dict(claims), key="", algorithm="none", headers=header),
            jwt.encode(dict(claims), key=x, algorithm="HS256", headers=header),
            own.sign("at+jwt", self.CLAIMS),
            own.sign("JWT", self.CLAIMS),
            own.sign("agent+jwt", self.CLAIMS, crit=["b64"], b64=False),
            own.sign("agent+jwt", self.CLAIMS, jwk=own.jwks["keys"][0]),
            own.sign("agent+jwt", self.CLAIMS, kid="k2"),
            own.sign("agent+jwt", self.CLAIMS, kid=None),
            own.sign("agent+jwt", self.CLAIMS, alg="Ed25519"),
            OwnService().sign("agent+jwt", self.CLAIMS),
        ):
            refuses(lambda: self.check(token))

    @pytest.mark.parametrize(
        "changes",
        [
            {"exp": None},
            {"exp": "soon"},
            {"exp": True},
            {"exp": NOW.timestamp() - 61},
            {"nbf": NOW.timestamp() + 3600},
            {"iat": NOW.timestamp() + 3600},
            {"aud": ["shop", "other"]},
            {"aud": None},
            {"iss": "https://lake.example"},
            {"sub": 1},
            {"capabilities": "all"},
            {"jti": None},
        ],
    )
    def test_refuses_wrong_claims(self, changes: Dict[str, Any]) -> None:
        refuses(lambda: self.check(own.sign("agent+jwt", {**self.CLAIMS, **changes})))

    def test_allows_30_seconds_before_the_start_and_none_after_the_end(self) -> None:
        now = datetime(2027, 1, 1, tzinfo=timezone.utc)
        start, end = int(now.timestamp()), int(now.timestamp()) + 300
        token = own.sign("agent+jwt", {**self.CLAIMS, "iat": start, "exp": end})
        options: Dict[str, Any] = {"issuer": own.issuer(), "audience": "shop"}
        for seconds in (-30, 299.999):
            verify_agent_token(token, now=now + timedelta(seconds=seconds), **options)
        for seconds in (-31, 300, 301):
            refuses(lambda: verify_agent_token(token, now=now + timedelta(seconds=seconds), **options))

    def test_refuses_stolen_keys_and_broken_key_sets(self) -> None:
        token = own.sign("agent+jwt", self.CLAIMS)
        stolen = [{"kid": own.kid, "from": "2026-01-01T00:00:00.000Z"}]
        refuses(lambda: self.check(token, distrusted=stolen))
        refuses(lambda: self.check(token, keys=[]))
        broken: List[Dict[str, Any]] = [
            {},
            {"keys": {}},
            {"keys": [1]},
            {"keys": [{"kty": "OKP"}]},
            {"keys": [], "distrusted": 1},
            {"keys": own.jwks["keys"] * 2},
            {"keys": [own.jwks["keys"][0], {**OwnService().jwks["keys"][0], "kid": own.kid}]},
        ]
        for jwks in broken:
            refuses(lambda: KeySet(jwks))
        refuses(lambda: KeySet({"keys": [{**own.jwks["keys"][0], "x": "AA"}]}))

    def test_refuses_a_claim_that_is_given_twice(self) -> None:
        claims = json.dumps({"iss": own.url, **self.CLAIMS})[:-1] + ',"sub":"AGT-2"}'
        start = f"{encode({'alg': 'EdDSA', 'typ': 'agent+jwt', 'kid': own.kid})}.{base64url(claims.encode())}"
        refuses(lambda: self.check(f"{start}.{base64url(own.private.sign(start.encode()))}"))

    def test_works_asynchronously(self, service: Service, scout: Agent) -> None:
        import asyncio

        async def main() -> str:
            async with AsyncBeak(service.url, key=scout.key) as beak:
                token = (await beak.issue_agent_token(audience="shop.example"))["token"]
                return (await AsyncVerifier(beak).agent_token(token, audience="shop.example")).agent_id

        assert asyncio.run(main()) == scout.id


def approve(scout: Agent, person: Person, passkey: Optional[Authenticator]) -> models.Receipt:
    peck = scout.beak.request_peck(target_duckling_id=person.id, action="send:mail", scope="limited")
    if passkey is None:
        person.beak.approve_peck(peck_id=peck["peck_id"])
    else:
        options = person.beak.request_passkey_challenge(
            purpose="approve", peck_id=peck["peck_id"], statement_version=1
        )
        person.beak.approve_peck(peck_id=peck["peck_id"], passkey=passkey.assertion(options))
    # Version 1, which the service gives until 2027-02-23.
    with pytest.warns(DeprecationWarning, match="get_receipt"):
        return person.beak.get_receipt(peck_id=peck["peck_id"])


def leaves(value: Any, path: Tuple[Any, ...] = ()) -> Iterator[Tuple[Any, ...]]:
    """Yields the path of every value in a JSON value."""
    items: List[Tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        yield path
    for key, item in items:
        yield from leaves(item, (*path, key))


def changed(value: Any, path: Tuple[Any, ...]) -> Any:
    """Returns a JSON value with another value at a path."""
    copied = copy.deepcopy(value)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    old = inner[path[-1]]
    if isinstance(old, str):
        inner[path[-1]] = old[:-2] + ("A" if old[-2:-1] != "A" else "B") + old[-1:]
    else:
        inner[path[-1]] = (old or 0) + 1
    return copied


class TestReceipt:
    @pytest.mark.parametrize("kind", ["ES256", "EdDSA", "RS256"])
    def test_accepts_the_receipt_of_an_approval_with_a_passkey_and_refuses_any_change(
        self, anybody: Beak, service: Service, scout: Agent, teal: Person, issuer: Issuer, kind: str
    ) -> None:
        receipt = approve(scout, teal, add_passkey(teal.beak, service.url, kind))
        verified = verify_receipt(receipt, issuer=issuer)
        assert verified.statement["target_duckling_id"] == teal.id
        assert verified.statement["requester"]["agent_id"] == scout.id
        assert verified.passkey_id is not None
        assert Verifier(anybody).receipt(receipt) == verified
        for path in leaves({**receipt, "jwks": None}):
            if path != ("jwks",):
                refuses(lambda: verify_receipt(changed(receipt, path), issuer=issuer))
        for member in receipt:
            refuses(lambda: verify_receipt({k: v for k, v in receipt.items() if k != member}, issuer=issuer))
        refuses(lambda: verify_receipt({**receipt, "passkey": None}, issuer=issuer))
        refuses(lambda: verify_receipt({**receipt, "note": "more"}, issuer=issuer))
        refuses(lambda: verify_receipt(receipt, issuer=own.issuer()))

    def test_says_when_no_passkey_confirmed(self, scout: Agent, teal: Person, issuer: Issuer) -> None:
        receipt = approve(scout, teal, None)
        assert verify_receipt(receipt, issuer=issuer).passkey_id is None
        assert verify_receipt(json.loads(json.dumps(receipt)), issuer=issuer).grant_expires_at is not None

    def test_refuses_the_parts_of_two_receipts_together(
        self, service: Service, scout: Agent, teal: Person, issuer: Issuer
    ) -> None:
        passkey = add_passkey(teal.beak, service.url)
        first, second = approve(scout, teal, passkey), approve(scout, teal, passkey)
        for member in ("peck_id", "decided_at", "statement", "statement_text", "jws", "passkey"):
            mixed: Dict[str, Any] = {**first}
            mixed[member] = dict(second)[member]
            refuses(lambda: verify_receipt(mixed, issuer=issuer))

    @pytest.mark.parametrize("receipt", [{}, {"jws": 1}, {"statement": {}}])
    def test_refuses_what_is_not_a_receipt(self, receipt: Dict[str, Any]) -> None:
        refuses(lambda: verify_receipt(receipt, issuer=own.issuer()))

    def test_refuses_every_cut_or_other_key_of_a_passkey(self) -> None:
        passkey = Authenticator(own.url)
        key, signature = passkey.cose_key(), passkey.sign(b"text")
        verify_cose(key, b"text", signature)
        refuses(lambda: verify_cose(key, b"Text", signature))
        for place in range(len(key)):
            refuses(lambda: verify_cose(key[:place], b"text", signature))
            refuses(lambda: verify_cose(key[:place] + bytes([key[place] ^ 1]) + key[place + 1 :], b"text", signature))
        refuses(lambda: verify_cose(key + b"\x00", b"text", signature))
        for data in (b"", b"\xa0", b"\xbf\xff", b"\x9f", b"\xa1\x01\x5f", b"\xbb" + b"\xff" * 8):
            refuses(lambda: verify_cose(data, b"text", signature))


def vectors(name: str) -> Dict[str, Any]:
    value: Dict[str, Any] = json.loads((ROOT / "docs/audit/vectors" / name).read_text())
    return value


def hashes(proof: List[str]) -> List[bytes]:
    return [base64.b64decode(one) for one in proof]


def tree_hash(leaves_of_tree: List[bytes]) -> bytes:
    """The root of entries by the definition (RFC 6962, 2.1)."""
    if len(leaves_of_tree) < 2:
        return leaf_hash(leaves_of_tree[0]) if leaves_of_tree else hashlib.sha256(b"").digest()
    k = split(len(leaves_of_tree))
    return hashlib.sha256(b"\x01" + tree_hash(leaves_of_tree[:k]) + tree_hash(leaves_of_tree[k:])).digest()


def split(n: int) -> int:
    """The largest power of two below n."""
    return 1 << (n - 1).bit_length() - 1


def audit_path(index: int, entries: List[bytes]) -> List[bytes]:
    """RFC 6962, 2.1.1."""
    if len(entries) == 1:
        return []
    k = split(len(entries))
    if index < k:
        return [*audit_path(index, entries[:k]), tree_hash(entries[k:])]
    return [*audit_path(index - k, entries[k:]), tree_hash(entries[:k])]


def growth_path(first: int, entries: List[bytes], is_whole: bool = True) -> List[bytes]:
    """RFC 6962, 2.1.2."""
    if first == len(entries):
        return [] if is_whole else [tree_hash(entries)]
    k = split(len(entries))
    if first <= k:
        return [*growth_path(first, entries[:k], is_whole), tree_hash(entries[k:])]
    return [*growth_path(first - k, entries[k:], False), tree_hash(entries[:k])]


def base64_text(data: bytes) -> str:
    return base64.b64encode(data).decode()


class OwnLog:
    """A log that we play: entries about the events of one account."""

    NAME = "pond.example/.well-known/tlog"

    def __init__(self, size: int) -> None:
        self.private = Ed25519PrivateKey.generate()
        key = b"\x01" + self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key_id = hashlib.sha256(self.NAME.encode() + b"\n" + key).digest()[:4]
        self.vkey = f"{self.NAME}+{self.key_id.hex()}+{base64_text(key)}"
        self.heads = [{"duckling_id": "DUCK-1", "hash": f"{seq}" * 64, "seq": seq} for seq in range(1, size + 1)]
        self.entries = [
            canonical_json({"digest": digest_of(head), "kind": "chain_head"}).encode() for head in self.heads
        ]

    def checkpoint(self, size: int, root: Optional[bytes] = None) -> str:
        text = f"{self.NAME}\n{size}\n{base64_text(root or tree_hash(self.entries[:size]))}\n"
        signature = self.key_id + self.private.sign(text.encode())
        return f"{text}\n\u2014 {self.NAME} {base64_text(signature)}\n"

    def proof(self, seq: int) -> Dict[str, Any]:
        data = self.entries[seq - 1]
        entry = {
            "index": seq - 1,
            "kind": "chain_head",
            "digest": json.loads(data)["digest"],
            "data": data.decode(),
            "leaf_hash": base64_text(leaf_hash(data)),
            **self.heads[seq - 1],
        }
        return {
            "checkpoint": self.checkpoint(len(self.entries)),
            "vkeys": [self.vkey],
            "entry": entry,
            "inclusion": [base64_text(one) for one in audit_path(seq - 1, self.entries)],
            "consistency": None,
        }

    def growth(self, first: int) -> Dict[str, Any]:
        proof = growth_path(first, self.entries) if first > 0 else []
        consistency = {
            "first": first,
            "second": len(self.entries),
            "proof": [base64_text(one) for one in proof],
        }
        return {
            "checkpoint": self.checkpoint(len(self.entries)),
            "vkeys": [self.vkey],
            "consistency": consistency,
        }


class TestLog:
    @pytest.mark.parametrize("name", ["log-5.json", "log-300.json"])
    def test_accepts_the_proofs_of_the_vectors_and_refuses_every_change(self, name: str) -> None:
        log = vectors(name)
        checkpoint = open_checkpoint(log["checkpoint"], [log["vkey"]])
        tiles = {path: base64.b64decode(data) for path, data in log["tiles"].items()}
        leaf = b"".join(tiles[path] for path in sorted(tiles) if path.startswith("tile/0/"))
        for one in log["inclusion"]:
            index, proof = one["index"], hashes(one["proof"])
            own_leaf = leaf[32 * index : 32 * index + 32]
            verify_inclusion(own_leaf, index, checkpoint, proof)
            refuses(lambda: verify_inclusion(own_leaf, index + 1, checkpoint, proof))
            refuses(lambda: verify_inclusion(own_leaf, index + checkpoint.size, checkpoint, proof))
            refuses(lambda: verify_inclusion(own_leaf, -1, checkpoint, proof))
            refuses(lambda: verify_inclusion(bytes(32), index, checkpoint, proof))
            refuses(lambda: verify_inclusion(checkpoint.root, index, checkpoint, []))
            refuses(lambda: verify_inclusion(own_leaf, index, checkpoint, proof[:-1]))
            refuses(lambda: verify_inclusion(own_leaf, index, checkpoint, [*proof, bytes(32)]))
            for place in range(len(proof)):
                forged = [*proof[:place], bytes(32), *proof[place + 1 :]]
                refuses(lambda: verify_inclusion(own_leaf, index, checkpoint, forged))
        for one in log["consistency"]:
            proof = hashes(one["proof"])
            first = Checkpoint(checkpoint.origin, one["first"], base64.b64decode(one["first_root"]))
            verify_consistency(first, checkpoint, proof)
            refuses(lambda: verify_consistency(first, checkpoint, [*proof, bytes(32)]))
            other = Checkpoint(checkpoint.origin, first.size, bytes(32))
            refuses(lambda: verify_consistency(other, checkpoint, proof))
            if first.size < checkpoint.size:
                refuses(lambda: verify_consistency(checkpoint, first, proof))
            for place in range(len(proof)):
                forged = [*proof[:place], bytes(32), *proof[place + 1 :]]
                refuses(lambda: verify_consistency(first, checkpoint, forged))
                refuses(lambda: verify_consistency(first, checkpoint, proof[:place]))

    def test_refuses_every_altered_checkpoint_and_other_keys(self) -> None:
        log, other = vectors("log-5.json"), vectors("log-300.json")
        note, vkey = log["checkpoint"], log["vkey"]
        # Later lines are signatures of witnesses, which are ignored.
        end = note.index("\n", note.index("\u2014")) + 1
        open_checkpoint(note[:end], [vkey])
        for place in range(end):
            forged = note[:place] + ("A" if note[place] != "A" else "B") + note[place + 1 :]
            refuses(lambda: open_checkpoint(forged, [vkey]))
            refuses(lambda: open_checkpoint(note[:place], [vkey]))
        refuses(lambda: open_checkpoint(note, []))
        if other["vkey"] != vkey:
            refuses(lambda: open_checkpoint(note, [other["vkey"]]))
        for key in ("", "pond.example", vkey[:-1], vkey.replace("pond", "lake"), vkey + "A"):
            refuses(lambda: open_checkpoint(note, [key]))

    def test_ignores_cosignatures_and_refuses_a_key_of_a_witness(self) -> None:
        log, witness = vectors("log-5.json"), vectors("cosignature.json")
        seen = read_cosignatures(log["checkpoint"], [witness["vkey"]])
        assert [(one.witness, int(one.time.timestamp())) for one in seen] == [("witness.example/w1", 1_790_000_000)]
        refuses(lambda: open_checkpoint(log["checkpoint"], [witness["vkey"]]))

    def test_opens_the_checkpoint_of_the_service_with_its_key_only(self, anybody: Beak) -> None:
        note, vkeys = anybody.get_log_checkpoint(), anybody.get_log_verifier_keys().splitlines()
        checkpoint = open_checkpoint(note, vkeys)
        assert checkpoint.origin == vkeys[0].split("+")[0]
        refuses(lambda: open_checkpoint(note, [vectors("log-5.json")["vkey"]]))

    def test_accepts_the_proof_of_an_own_entry_and_refuses_every_change(self) -> None:
        log = OwnLog(7)
        for seq in range(1, 8):
            proof = log.proof(seq)
            entry = verify_log_entry(proof, vkeys=[log.vkey])
            assert (entry.index, entry.duckling_id, entry.seq, entry.hash) == (seq - 1, "DUCK-1", seq, f"{seq}" * 64)
            for path in leaves(proof):
                if path not in {("vkeys", 0), ("consistency",)}:
                    refuses(lambda: verify_log_entry(changed(proof, path), vkeys=[log.vkey]))
            refuses(lambda: verify_log_entry({**proof, "entry": None}, vkeys=[log.vkey]))
            refuses(lambda: verify_log_entry({**proof, "inclusion": None}, vkeys=[log.vkey]))
            refuses(lambda: verify_log_entry({**proof, "checkpoint": log.checkpoint(6)}, vkeys=[log.vkey]))
            refuses(lambda: verify_log_entry(proof, vkeys=[OwnLog(7).vkey]))

    def test_accepts_a_log_that_grew_and_refuses_every_other_one(self) -> None:
        log = OwnLog(7)
        for first in range(8):
            proof = log.growth(first)
            assert verify_log_growth(log.checkpoint(first), proof, vkeys=[log.vkey]).size == 7
            for other in range(8):
                if other != first:
                    refuses(lambda: verify_log_growth(log.checkpoint(other), proof, vkeys=[log.vkey]))
            for path in leaves(proof):
                if path != ("vkeys", 0):
                    refuses(lambda: verify_log_growth(log.checkpoint(first), changed(proof, path), vkeys=[log.vkey]))
            refuses(lambda: verify_log_growth(log.checkpoint(first, bytes(32)), proof, vkeys=[log.vkey]))
            refuses(lambda: verify_log_growth(log.checkpoint(first), {**proof, "consistency": None}, vkeys=[log.vkey]))

    def test_hashes_entries_as_the_vectors(self) -> None:
        for vector in vectors("entries.json")["entries"]:
            data = canonical_json({"digest": digest_of(json.loads(vector["canonical"])), "kind": vector["kind"]})
            assert data == vector["data"]
            assert base64.b64encode(leaf_hash(data.encode())).decode() == vector["leaf_hash"]


class TestAuditLog:
    def test_accepts_the_log_of_an_export_and_refuses_every_change(self, teal: Person, issuer: Issuer) -> None:
        audit = teal.beak.export_account()["audit"]
        events: List[Any] = [dict(event) for event in audit["events"]]

        def check(log: List[Any], head: str = audit["head"], owner: str = teal.id) -> None:
            verify_audit_log(log, duckling_id=owner, head=head, issuer=issuer)

        check(events)
        for path in leaves(events):
            refuses(lambda: check(changed(events, path)))
        refuses(lambda: check(events[:-1]))
        refuses(lambda: check(events[1:]))
        refuses(lambda: check([events[1], events[0], *events[2:]]))
        refuses(lambda: check([*events, events[-1]]))
        refuses(lambda: check(events, owner="DUCK-00000000000000000000000000"))
        for head in list(altered(audit["head"]))[::10]:
            refuses(lambda: check(events, head))

        end = {"duckling_id": teal.id, "hash": events[-1]["hash"], "seq": len(events)}
        logged: Dict[str, Any] = {"index": 7, "seq": len(events), "digest": digest_of(end)}

        def compare(log: Any) -> None:
            verify_audit_log(events, duckling_id=teal.id, head=audit["head"], issuer=issuer, log=log)

        compare({"heads": []})
        compare({"heads": [logged]})
        hidden: Any
        for hidden in (
            {},
            {"heads": None},
            {"heads": [logged, logged]},
            {"heads": [{**logged, "seq": 1}]},
            {"heads": [{**logged, "seq": len(events) + 1}]},
            {"heads": [{**logged, "index": None}]},
            {"heads": [{**logged, "digest": "A" * 43}]},
            {"heads": ["entry"]},
        ):
            refuses(lambda: compare(hidden))

    def test_hashes_events_as_the_vectors(self) -> None:
        named = vectors("events.json")
        for number, vector in enumerate(named["events"], 1):
            # The service writes no fractions, so the client has no canonical form for them.
            if "0.5" in vector["canonical"]:
                continue
            assert canonical_json(json.loads(vector["canonical"])) == vector["canonical"]
            assert _check_event(vector["event"], number) == vector["hash"]
        digest = named["context_digest"]
        assert digest_of(json.loads(digest["canonical"])) == digest["digest"]


@pytest.mark.parametrize("value", [1.5, float("nan"), 2**53, "\ud800", {1: 2}, object()])
def test_has_no_canonical_form_for_other_values(value: object) -> None:
    refuses(lambda: canonical_json(value))
