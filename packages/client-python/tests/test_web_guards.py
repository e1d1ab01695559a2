"""The guards for web frameworks give one answer. A test of the TypeScript client compares this answer with that of its guards."""
import importlib
import json
from typing import Any, Callable, Dict, Optional, Tuple

import httpx
import pytest
from beak import AsyncBeak, Beak
from beak.fastapi import require_permission as fastapi_guard
from beak.trust import GuardTrust
from fastapi import Body, Depends, FastAPI, HTTPException
from fastapi.testclient import TestClient
from service import ROOT
from shop import LyingService

BELIEVED = GuardTrust(require="service")
ORDER = {"item": "tea", "amount": 2}

#: Sends the body with a grant token, and returns status, headers and body of the answer.
Shop = Callable[[Optional[str], object], Tuple[int, Any, Any]]

#: Refusals as the TypeScript guards answer them. `guard-answers.test.ts` compares them with the guards.
EXPECTED: Dict[str, Any] = json.loads((ROOT / "packages/contract/guard-answers.json").read_text("utf-8"))


def order_of(body: Any = Body()) -> Any:
    return body


def fastapi_shop(beak: AsyncBeak, _: Beak) -> Shop:
    app = FastAPI()
    guard = fastapi_guard("place:order", beak=beak, params=order_of, audience="shop.example", trust=BELIEVED)

    @app.exception_handler(HTTPException)
    def other_errors(_: object, __: object) -> None:
        raise AssertionError("The handler for other errors must not change a refusal.")

    @app.post("/orders")
    def order(used: Any = Depends(guard)) -> Dict[str, Any]:
        return {"for": used["target_duckling_id"]}

    client = TestClient(app)

    def send(token: Optional[str], body: object) -> Tuple[int, Any, Any]:
        answer = client.post("/orders", json=body, headers={} if token is None else {"X-Peck-Grant": token})
        return answer.status_code, answer.headers, answer.json()

    return send


def flask_shop(_: AsyncBeak, beak: Beak) -> Shop:
    flask: Any = importlib.import_module("flask")
    from beak.flask import require_permission

    app = flask.Flask("shop")

    guard = require_permission(
        "place:order", beak=beak, params=lambda: flask.request.get_json(), audience="shop.example", trust=BELIEVED
    )

    def order(permission: Any) -> Any:
        return {"for": permission["target_duckling_id"]}

    app.post("/orders")(guard(order))

    def send(token: Optional[str], body: object) -> Tuple[int, Any, Any]:
        headers = {} if token is None else {"X-Peck-Grant": token}
        answer = app.test_client().post("/orders", json=body, headers=headers)
        return answer.status_code, answer.headers, answer.get_json()

    return send


def django_shop(_: AsyncBeak, beak: Beak) -> Shop:
    django: Any = importlib.import_module("django")
    from django.conf import settings
    from django.http import JsonResponse

    from beak.django import require_permission

    if not settings.configured:
        settings.configure(ALLOWED_HOSTS=["*"])
        django.setup()
    from django.test import RequestFactory

    @require_permission(
        "place:order", beak=beak, params=lambda request: json.loads(request.body), audience="shop.example", trust=BELIEVED
    )
    def order(request: Any, permission: Any) -> Any:
        return JsonResponse({"for": permission["target_duckling_id"]})

    def send(token: Optional[str], body: object) -> Tuple[int, Any, Any]:
        headers = {} if token is None else {"HTTP_X_PECK_GRANT": token}
        request = RequestFactory().post("/orders", json.dumps(body), content_type="application/json", **headers)
        answer = order(request)
        return answer.status_code, answer.headers, json.loads(answer.content)

    return send


def answering(status: int, body: object) -> httpx.MockTransport:
    headers = {"Content-Type": "application/problem+json"}
    return httpx.MockTransport(lambda _: httpx.Response(status, json=body, headers=headers))


def problem(code: str, status: int, **more: object) -> Dict[str, object]:
    texts = {key: "x" for key in ("title", "detail", "action", "message", "request_id")}
    return {"type": "about:blank", "success": False, "status": status, "code": code, **texts, **more}


#: What Beak answers → name of the refusal.
REFUSALS: Dict[str, Tuple[int, object]] = {
    "invalid": (401, problem("E4006", 401)),
    "mismatch": (403, problem("E4007", 403)),
    "consumed": (409, problem("E4008", 409, current_status="consumed")),
    "revoked": (409, problem("E4008", 409, current_status="revoked")),
    "paused": (409, problem("E4008", 409, current_status="paused")),
    "expired": (409, problem("E4008", 409, current_status="expired")),
    "unavailable": (503, problem("E5002", 503, retry_after=2.5)),
}


@pytest.mark.parametrize("framework", [fastapi_shop, flask_shop, django_shop])
def test_answers_refusals_as_the_typescript_guards(framework: Callable[..., Shop]) -> None:
    service = LyingService()
    token = service.token("place:order")

    def shop(transport: httpx.MockTransport) -> Shop:
        url = "https://pond.example"
        asynchronous = AsyncBeak(url, retries=0, http=httpx.AsyncClient(transport=transport))
        return framework(asynchronous, Beak(url, retries=0, http=httpx.Client(transport=transport)))

    found = {
        "missing": shop(answering(500, {}))(None, ORDER),
        # Not asked: nobody can give a permission for such a number.
        "inexact": shop(answering(500, {}))(token, {**ORDER, "amount": 2**53}),
    }
    for code, (status, body) in REFUSALS.items():
        found[code] = shop(answering(status, body))(token, ORDER)
    names = ("Content-Type", "Cache-Control", "WWW-Authenticate", "Retry-After")
    shown = {
        code: {"status": status, "headers": {name: headers[name] for name in names if name in headers}, "body": body}
        for code, (status, headers, body) in found.items()
    }
    assert shown == EXPECTED


@pytest.mark.parametrize("framework", [fastapi_shop, flask_shop, django_shop])
def test_lets_a_permission_through_and_refuses_a_body_that_is_no_object(framework: Callable[..., Shop]) -> None:
    service = LyingService()
    service.answer = {"active": True, "action": "place:order", "target_duckling_id": "DUCK-TEAL"}
    send = framework(service.async_client(), service.client())
    token = service.token("place:order")
    assert send(token, [ORDER])[2]["code"] == "mismatch"
    assert send(service.token("cancel:order"), ORDER)[2]["code"] == "mismatch"
    assert service.spent == 0
    assert send(token, ORDER)[2] == {"for": "DUCK-TEAL"}
    # What Beak says decides, and not what the token says.
    service.answer = {**service.answer, "action": "cancel:order"}
    assert send(token, ORDER)[2]["code"] == "mismatch"
