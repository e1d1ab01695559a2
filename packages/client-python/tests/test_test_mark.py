"""What a test service made is refused, unless the caller allows it."""
import base64
import json
from typing import Callable, Dict

import httpx
import jwt
import pytest
from beak import Beak, PermissionRefused
from beak.errors import TestCredentialError
from beak.verify import Issuer, KeySet, verify_agent_token
from beak.webhooks import verify_webhook
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

URL = "http://localhost:4010"
KEY = Ed25519PrivateKey.generate()
X = base64.urlsafe_b64encode(KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).rstrip(b"=").decode()
ISSUER = Issuer(URL, KeySet({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "one", "x": X}]}))
AGENT = {
    "iss": URL,
    "aud": "shop",
    "sub": "AGT-0123456789ABCDEF",
    "operator": "DUCK-0123456789ABCDEF",
    "tier": "T1",
    "capabilities": [],
    "iat": 1_000_000_000,
    "exp": 4_000_000_000,
    "jti": "one",
}


def token(kind: str, claims: Dict[str, object]) -> str:
    return signed(kind, json.dumps(claims))


def signed(kind: str, claims: str) -> str:
    """Returns a token of exactly this JSON text."""
    return jwt.api_jws.encode(claims.encode(), KEY, algorithm="EdDSA", headers={"typ": kind, "kid": "one"})


@pytest.mark.parametrize("mark", [True, False, None, 1, "false", {}])
def test_refuses_an_agent_token_with_any_value_of_the_mark(mark: object) -> None:
    with pytest.raises(TestCredentialError) as error:
        verify_agent_token(token("agent+jwt", {**AGENT, "test": mark}), issuer=ISSUER, audience="shop")
    assert error.value.reason == "test_credential"


def test_refuses_a_mark_in_other_spellings() -> None:
    text = json.dumps(AGENT)[:-1]
    with pytest.raises(TestCredentialError):
        verify_agent_token(signed("agent+jwt", text + ', "te\\u0073t": true}'), issuer=ISSUER, audience="shop")


def test_accepts_an_agent_token_with_allow_test_and_one_without_a_mark() -> None:
    marked = token("agent+jwt", {**AGENT, "test": True})
    assert verify_agent_token(marked, issuer=ISSUER, audience="shop", allow_test=True).token_id == "one"
    ordinary = token("agent+jwt", {**AGENT, "params": {"test": True}})
    assert verify_agent_token(ordinary, issuer=ISSUER, audience="shop").token_id == "one"


def client(answer: Callable[[httpx.Request], httpx.Response], allow_test: bool = False) -> Beak:
    return Beak(URL, http=httpx.Client(transport=httpx.MockTransport(answer)), allow_test=allow_test)


def test_refuses_a_marked_grant_token_before_it_is_spent() -> None:
    requests = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json={"peck_id": "PECK-1"})

    marked = token("peck+jwt", {"test": True})
    with pytest.raises(PermissionRefused) as error:
        client(answer).use_permission(marked)
    assert (error.value.status, requests) == ("test_credential", [])
    assert client(answer, allow_test=True).use_permission(marked)["peck_id"] == "PECK-1"


def test_refuses_a_marked_answer_about_an_unmarked_token() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"peck_id": "PECK-1", "test": "false"})

    with pytest.raises(PermissionRefused, match="test service"):
        client(answer).use_permission("a.b.c")
    with pytest.raises(TestCredentialError):
        client(answer).verify_certificate(cert_id="CERT-1")
    with pytest.raises(TestCredentialError):
        client(answer).wait_for_permission("PECK-1")


def test_keeps_allow_test_for_another_credential() -> None:
    assert Beak(URL).allow_test is False
    assert Beak(URL, allow_test=True).with_credential(token="one").allow_test is True


def test_sends_params_with_the_name_test() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"peck_id": "PECK-1"})

    assert client(answer).use_permission("a.b.c", {"test": True})["peck_id"] == "PECK-1"


def test_refuses_a_marked_webhook() -> None:
    import hashlib
    import hmac

    secret = b"0123456789abcdef"
    body = json.dumps({"type": "x.y", "timestamp": "2026-11-24T00:00:00.000Z", "data": {}, "test": True}).encode()
    signature = base64.b64encode(hmac.new(secret, b"one.1000." + body, hashlib.sha256).digest()).decode()
    headers = {"webhook-id": "one", "webhook-timestamp": "1000", "webhook-signature": f"v1,{signature}"}
    text = "whsec_" + base64.b64encode(secret).decode()
    with pytest.raises(TestCredentialError):
        verify_webhook(text, headers, body, now=1000)
    assert verify_webhook(text, headers, body, now=1000, allow_test=True).id == "one"
