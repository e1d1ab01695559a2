"""Webhooks: what the service sends is accepted, and everything else is refused."""
import base64
import hashlib
import hmac
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Iterator, List, Optional

import pytest
from beak import Beak, VerificationError
from beak.webhooks import (
    EVENT_CLASSES,
    AgentEvent,
    CertificateEvent,
    EndpointTestEvent,
    OtherEvent,
    PeckEvent,
    verify_webhook,
)
from conftest import Agent, Person
from service import eventually

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
BODY = b'{"type":"webhook.test","timestamp":"2026-11-22T12:00:00.000Z","data":{"webhook_id":"WHK-1","message":"m"}}'
NOW = 1_800_000_000.0


@dataclass
class Delivery:
    headers: Dict[str, str]
    body: bytes


class Receiver:
    """A receiver of webhooks on this machine."""

    def __init__(self) -> None:
        deliveries = self.deliveries = []  # type: List[Delivery]

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                deliveries.append(Delivery(dict(self.headers.items()), body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def find(self, kind: str) -> Delivery:
        def look() -> Optional[Delivery]:
            return next((one for one in self.deliveries if json.loads(one.body)["type"] == kind), None)

        return eventually(look)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    running = Receiver()
    yield running
    running.stop()


def test_reads_the_webhooks_of_the_service(receiver: Receiver, scout: Agent, teal: Person) -> None:
    webhook = teal.beak.create_webhook(url=receiver.url)
    secret = webhook["secret"]
    teal.beak.test_webhook(webhook_id=webhook["webhook_id"])
    scout.beak.request_peck(target_duckling_id=teal.id, action="send:mail", scope="limited")
    teal.beak.register_agent(agent_name="Scout", agent_type="assistant", capabilities=["read:peck"])
    test = receiver.find("webhook.test")
    peck = receiver.find("peck.sent")
    agent = receiver.find("agent.registered")
    event = verify_webhook(secret, test.headers, test.body)
    assert isinstance(event, EndpointTestEvent) and event.data["webhook_id"] == webhook["webhook_id"]
    event = verify_webhook([SECRET, secret], peck.headers, peck.body)
    assert isinstance(event, PeckEvent) and event.data["requester"].get("agent_id") == scout.id
    assert event.id.startswith("MSG-") and event.type == "peck.sent" and event.timestamp.tzinfo is not None
    event = verify_webhook(secret, agent.headers, agent.body)
    assert isinstance(event, AgentEvent) and event.data["agent_name"] == "Scout"
    with pytest.raises(VerificationError):
        verify_webhook(SECRET, peck.headers, peck.body)


def test_accepts_both_secrets_after_a_rotation(receiver: Receiver, teal: Person) -> None:
    webhook = teal.beak.create_webhook(url=receiver.url)
    rotated = teal.beak.rotate_webhook_secret(webhook_id=webhook["webhook_id"])
    teal.beak.test_webhook(webhook_id=webhook["webhook_id"])
    delivery = receiver.find("webhook.test")
    for secret in (webhook["secret"], rotated["secret"]):
        assert verify_webhook(secret, delivery.headers, delivery.body).type == "webhook.test"


def signed(body: bytes = BODY, time: float = NOW) -> Dict[str, str]:
    key = base64.b64decode(SECRET[6:])
    content = b"MSG-1." + str(int(time)).encode() + b"." + body
    signature = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "MSG-1", "Webhook-Timestamp": str(int(time)), "Webhook-Signature": f"v1,{signature}"}


def check(headers: Dict[str, str], body: bytes = BODY) -> object:
    return verify_webhook(SECRET, headers, body, now=NOW)


def test_accepts_any_case_of_headers_and_further_signatures() -> None:
    headers = signed()
    check(headers)
    check({name.upper(): value for name, value in headers.items()})
    check({**headers, "Webhook-Signature": "v2,AAAA v1,AAAA " + headers["Webhook-Signature"]})


def test_refuses_every_changed_byte_of_the_body() -> None:
    for place in range(len(BODY)):
        with pytest.raises(VerificationError):
            check(signed(), BODY[:place] + bytes([BODY[place] ^ 1]) + BODY[place + 1 :])
    with pytest.raises(VerificationError):
        check(signed(), BODY + b" ")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**signed(), "Webhook-Id": "MSG-2"},
        {**signed(), "Webhook-Id": ""},
        {**signed(), "Webhook-Timestamp": str(int(NOW) + 1)},
        {**signed(), "Webhook-Timestamp": "soon"},
        {**signed(), "Webhook-Timestamp": "²"},
        {**signed(), "Webhook-Signature": "v1,AAAA"},
        {**signed(), "Webhook-Signature": signed()["Webhook-Signature"].replace("v1", "v2")},
        {**signed(), "Webhook-Signature": "v1,é"},
        signed(time=NOW - 301),
        signed(time=NOW + 301),
    ],
)
def test_refuses_other_headers_and_times(headers: Dict[str, str]) -> None:
    with pytest.raises(VerificationError):
        check(headers)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"type":1,"timestamp":"x","data":{}}', b"\xff"])
def test_refuses_a_signed_message_that_is_no_event(body: bytes) -> None:
    with pytest.raises(VerificationError):
        check(signed(body), body)


def test_passes_events_on_that_it_does_not_know() -> None:
    body = BODY.replace(b"webhook.test", b"pond.frozen")
    event = check(signed(body), body)
    assert isinstance(event, OtherEvent) and event.type == "pond.frozen"


def test_refuses_a_secret_that_is_none() -> None:
    for secret in ("", "whsec_", "whsec_!!!!", "whsec_AAAA"):
        with pytest.raises(ValueError):
            verify_webhook(secret, signed(), BODY, now=NOW)


def test_has_a_class_for_every_kind_of_the_service(anybody: Beak) -> None:
    document: Any = anybody.get_openapi()
    body = document["paths"]["/beak/webhook/create"]["post"]["requestBody"]
    kinds = body["content"]["application/json"]["schema"]["properties"]["kinds"]["items"]["enum"]
    assert set(EVENT_CLASSES) == set(kinds)
    for kind, made in EVENT_CLASSES.items():
        assert kind in str(made.__annotations__["type"])
    assert EVENT_CLASSES["cert.revoked"] is CertificateEvent
