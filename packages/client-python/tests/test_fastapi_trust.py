"""The dependency for FastAPI that does not believe the service."""
import sqlite3
import threading
from pathlib import Path
from typing import Any, Dict, Mapping, Optional

import pytest
from beak import models
from beak.fastapi import GRANT_HEADER, require_permission
from beak.trust import GuardTrust, MemoryPinStore, MemoryUsedStore, SqlUsedStore, is_own_challenge, shop_challenge
from beak.verify import Issuer, KeySet
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient
from shop import PARAMS, SHOP, TEAL, LyingService

SECRET = b"0123456789abcdef"


def invoice() -> Mapping[str, object]:
    return PARAMS


def shop_of(
    service: LyingService, trust: Optional[GuardTrust] = None, audience: Optional[str] = SHOP
) -> TestClient:
    app = FastAPI()
    pay = require_permission(
        "pay:invoice", beak=service.async_client(), params=invoice, audience=audience, trust=trust
    )

    @app.post("/pay")
    async def pay_invoice(grant: models.ConsumedGrant = Depends(pay)) -> Dict[str, Any]:
        return {"paid_for": grant["target_duckling_id"]}

    return TestClient(app)


def own_secret(**options: Any) -> GuardTrust:
    return GuardTrust(secret=SECRET, used=MemoryUsedStore(), **options)


@pytest.fixture
def service() -> LyingService:
    return LyingService()


def pay(shop: TestClient, service: LyingService) -> Any:
    return shop.post("/pay", headers={GRANT_HEADER: service.token()})


def found_in(answer: Any) -> "tuple[int, str]":
    return answer.status_code, answer.json()["code"]


def test_tells_an_agent_what_to_ask_for_and_accepts_it_once(service: LyingService) -> None:
    shop = shop_of(service)
    asked = shop.post("/pay")
    assert found_in(asked) == (401, "missing")
    required = asked.json()["required"]
    challenge = required.pop("challenge")
    assert required == {
        "action": "pay:invoice",
        "params": PARAMS,
        "scope": "limited",
        "audience": SHOP,
        "issuer": service.issuer.url,
        "require": "signed",
    }
    assert shop.post("/pay").json()["required"]["challenge"] != challenge
    service.answer_with(service.receipt("PECK-1", challenge=challenge))
    assert pay(shop, service).json() == {"paid_for": TEAL}
    assert found_in(pay(shop, service)) == (403, "consumed")
    # Another guard of the process remembers the same.
    service.answer_with(service.receipt("PECK-2", challenge=challenge))
    assert found_in(pay(shop_of(service), service)) == (403, "untrusted")


def test_refuses_a_receipt_without_a_passkey_or_a_challenge_of_the_shop(service: LyingService) -> None:
    shop = shop_of(service, own_secret())
    for receipt in (
        None,
        service.receipt(challenge=None),
        service.receipt(challenge="order-17"),
        service.receipt(challenge=shop_challenge(b"another secret of 16")),
        service.receipt(challenge=shop_challenge(SECRET), is_signed=False),
        service.receipt("PECK-2", challenge=shop_challenge(SECRET)),
    ):
        service.answer_with(service.receipt(), receipt=receipt)
        answer = pay(shop, service)
        assert found_in(answer) == (403, "untrusted")
        problem = answer.json()
        assert '"required"' in problem["action"]
        assert problem["required"]["require"] == "signed"
        assert is_own_challenge(SECRET, problem["required"]["challenge"], None)
    service.answer_with(service.receipt(challenge=shop_challenge(SECRET)))
    assert pay(shop, service).status_code == 200


def test_believes_the_service_when_asked(service: LyingService) -> None:
    shop = shop_of(service, GuardTrust(require="service"))
    assert set(shop.post("/pay").json()["required"]) == {"action", "params", "scope", "audience", "issuer"}
    service.answer_with(service.receipt(), receipt=None)
    assert pay(shop, service).status_code == 200


@pytest.mark.parametrize(
    ("host", "audience"),
    [
        ("SHOP.example:8443", SHOP),
        ("shop.example.", SHOP),
        ("127.0.0.1:3000", None),
        ("0x7f.1", None),
        ("[::1]:3000", None),
        ("localhost", None),
        ("shop", None),
        ("shop.example@evil.example", None),
        ("evil.example\\@shop.example", None),
    ],
)
def test_names_the_host_of_the_request_as_audience(service: LyingService, host: str, audience: Optional[str]) -> None:
    shop = shop_of(service, GuardTrust(require="service"), audience=None)
    assert shop.post("/pay", headers={"Host": host}).json()["required"].get("audience") == audience


@pytest.mark.parametrize("audience", ["", "localhost", "127.0.0.1", "https://shop.example", "shop@evil.example"])
def test_refuses_an_audience_that_is_no_public_host_name(service: LyingService, audience: str) -> None:
    with pytest.raises(ValueError):
        shop_of(service, audience=audience)


def test_accepts_a_permission_of_before_a_restart_once(
    service: LyingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BEAK_SHOP_SECRET", "the secret of all processes")

    def started() -> TestClient:
        """Returns the shop as a new process has it: with another connection to the store."""
        database = sqlite3.connect(tmp_path / "used", check_same_thread=False, isolation_level=None)
        database.execute("CREATE TABLE IF NOT EXISTS beak_used (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT)")
        store = SqlUsedStore(lambda text, values: database.execute(text, values).fetchall())
        return shop_of(service, GuardTrust(used=store))

    challenge = started().post("/pay").json()["required"]["challenge"]
    service.answer_with(service.receipt("PECK-1", challenge=challenge))
    assert pay(started(), service).status_code == 200
    assert found_in(pay(started(), service)) == (403, "consumed")
    # Another permission with the same challenge stays unspent.
    service.spent = 0
    service.answer_with(service.receipt("PECK-2", challenge=challenge))
    assert (found_in(pay(started(), service)), service.spent) == ((403, "untrusted"), 0)
    assert caplog.records == []


def test_warns_once_without_a_secret_and_a_store(
    service: LyingService, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("beak.trust._WARNED", threading.Event())
    shop_of(service, GuardTrust(require="service"))
    assert caplog.records == []
    shop_of(service)
    shop_of(service)
    assert ["BEAK_SHOP_SECRET" in record.getMessage() for record in caplog.records] == [True]


def test_needs_a_store_beside_a_secret_of_the_environment(service: LyingService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEAK_SHOP_SECRET", "the secret of all processes")
    with pytest.raises(ValueError, match="used"):
        shop_of(service)
    shop_of(service, GuardTrust(require="service"))


def test_leaves_a_permission_unspent_whose_receipt_is_refused(service: LyingService) -> None:
    service.answer_with(service.receipt(challenge=shop_challenge(b"another secret of 16")))
    assert found_in(pay(shop_of(service), service)) == (403, "untrusted")
    assert service.spent == 0


def test_requires_pins(service: LyingService) -> None:
    shop = shop_of(service, own_secret(require="pinned", pins=MemoryPinStore()))
    service.answer_with(service.receipt(challenge=shop_challenge(SECRET)))
    assert found_in(pay(shop, service)) == (403, "untrusted")


def test_checks_with_another_issuer(service: LyingService) -> None:
    service.answer_with(service.receipt(challenge=shop_challenge(SECRET)))
    assert found_in(pay(shop_of(service, own_secret(issuer="https://lake.example")), service)) == (403, "untrusted")
    keys = Issuer("https://pond.example", KeySet(LyingService().jwks))
    assert found_in(pay(shop_of(service, own_secret(issuer=keys)), service)) == (403, "untrusted")
    service.has_keys = False
    assert pay(shop_of(service, own_secret(issuer=service.issuer)), service).status_code == 200


def test_refuses_every_request_while_the_keys_cannot_be_read(service: LyingService) -> None:
    service.has_keys = False
    service.answer_with(service.receipt(challenge=shop_challenge(SECRET)))
    answer = pay(shop_of(service, own_secret()), service)
    assert found_in(answer) == (503, "unavailable")
    assert (answer.headers["Retry-After"], service.spent) == ("1", 0)


def test_refuses_demands_that_nothing_can_meet_when_the_guard_is_made() -> None:
    wrong: "list[Dict[str, Any]]" = [
        {"require": "proven"},
        {"require": "pinned"},
        {"secret": SECRET},
        {"secret": b"too short", "used": MemoryUsedStore()},
        {"require": "safe"},
    ]
    for options in wrong:
        with pytest.raises(ValueError):
            GuardTrust(**options)


def test_does_not_show_its_secret() -> None:
    assert "0123456789" not in repr(own_secret())
    assert "0123456789" not in repr(own_secret().permission_trust(None))
