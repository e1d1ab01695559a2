"""The dependency for FastAPI, in an application that asks the running service."""
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, Dict, Iterator, Mapping

import pytest
from beak import AsyncBeak, UsedGrant
from beak.fastapi import GRANT_HEADER, require_permission
from beak.trust import GuardTrust
from conftest import Agent, Person
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient
from service import Service


def table(seats: int, at: str) -> Mapping[str, object]:
    return {"seats": seats, "at": at}


def owner(duckling_id: str) -> str:
    return duckling_id


def application(url: str) -> FastAPI:
    beak = AsyncBeak(url, retries=0)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with beak:
            yield

    app = FastAPI()
    app.router.lifespan_context = lifespan
    # These people approve without a passkey.
    believed = GuardTrust(require="service")
    book = require_permission("book:table", beak=beak, params=table, trust=believed)
    send = require_permission("send:mail", beak=beak, target=owner, trust=believed)

    @app.post("/book")
    async def book_table(grant: UsedGrant = Depends(book)) -> Dict[str, Any]:
        return {"booked_for": grant["target_duckling_id"]}

    @app.post("/send/{duckling_id}")
    async def send_mail(grant: UsedGrant = Depends(send)) -> Dict[str, Any]:
        return {"sent_by": grant["claimed"].get("agent_name")}

    return app


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[TestClient]:
    with TestClient(application(service.url)) as running:
        yield running


def grant_token(scout: Agent, teal: Person, action: str, params: Dict[str, object]) -> str:
    peck = scout.beak.request_peck(target_duckling_id=teal.id, action=action, scope="limited", params=params)
    teal.beak.approve_peck(peck_id=peck["peck_id"])
    return scout.beak.wait_for_permission(peck["peck_id"]).grant_token


def test_lets_a_permission_through_once(client: TestClient, scout: Agent, teal: Person) -> None:
    headers = {GRANT_HEADER: grant_token(scout, teal, "book:table", {"seats": 2, "at": "19:30"})}
    booked = client.post("/book?seats=2&at=19:30", headers=headers)
    assert (booked.status_code, booked.json()) == (200, {"booked_for": teal.id})
    again = client.post("/book?seats=2&at=19:30", headers=headers)
    assert (again.status_code, again.json()["code"]) == (403, "consumed")


def test_refuses_a_request_without_a_permission(client: TestClient) -> None:
    answer = client.post("/book?seats=2&at=19:30")
    assert (answer.status_code, answer.json()["code"]) == (401, "missing")
    assert answer.headers["WWW-Authenticate"].startswith('PeckGrant action="book:table", issuer="http://localhost:')
    required = answer.json()["required"]
    assert required.pop("issuer").startswith("http://localhost:")
    assert required == {"action": "book:table", "params": {"seats": 2, "at": "19:30"}, "scope": "limited"}


@pytest.mark.parametrize("token", ["x", "a.b.c", "e30.e30.e30", "a.W10.c", "." * 9, "é".encode("latin-1")])
def test_refuses_what_is_no_permission(client: TestClient, token: Any) -> None:
    answer = client.post("/book?seats=2&at=19:30", headers={GRANT_HEADER: token})
    assert answer.status_code == 403


def test_does_not_spend_a_permission_for_other_params_another_action_or_another_target(
    client: TestClient, scout: Agent, teal: Person
) -> None:
    headers = {GRANT_HEADER: grant_token(scout, teal, "book:table", {"seats": 2, "at": "19:30"})}
    for path in ("/book?seats=20&at=19:30", f"/send/{teal.id}"):
        answer = client.post(path, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "mismatch")
    assert client.post("/book?seats=2&at=19:30", headers=headers).status_code == 200
    mail = {GRANT_HEADER: grant_token(scout, teal, "send:mail", {})}
    assert client.post(f"/send/{scout.owner.id}", headers=mail).status_code == 403
    assert client.post(f"/send/{teal.id}", headers=mail).json() == {"sent_by": "Scout"}


def test_refuses_a_forged_permission_that_claims_to_fit(client: TestClient, scout: Agent, teal: Person) -> None:
    real = grant_token(scout, teal, "send:mail", {}).split(".")
    other = grant_token(scout, teal, "book:table", {"seats": 2, "at": "19:30"}).split(".")
    forged = ".".join([real[0], other[1], real[2]])
    answer = client.post("/book?seats=2&at=19:30", headers={GRANT_HEADER: forged})
    assert (answer.status_code, answer.json()["code"]) == (403, "invalid")


@pytest.mark.parametrize("fault", ["cut", "error-E5002", "html", "error-E5001"])
def test_refuses_while_the_service_cannot_be_asked(
    faults: str, run: str, scout: Agent, teal: Person, fault: str
) -> None:
    headers = {GRANT_HEADER: grant_token(scout, teal, "book:table", {"seats": 2, "at": "19:30"})}
    with TestClient(application(f"{faults}/{fault}/always/{run}")) as client:
        answer = client.post("/book?seats=2&at=19:30", headers=headers)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1
