"""What an agent accepts of a shop's demand. The cases are also those of the TypeScript client."""
import json
from typing import Any, Dict, List

import httpx
import pytest
from beak import Beak, RequiredPermissionError, required_permission
from service import ROOT

SHARED: Dict[str, Any] = json.loads((ROOT / "packages/contract/required-permissions.json").read_text("utf-8"))
SHOP = "https://shop.example/"


def demand(changes: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the demand with changes, of which those that are null are left out."""
    return {name: value for name, value in {**SHARED["required"], **changes}.items() if value is not None}


@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: f"{case['reason']}: {case['about']}")
# security: agent-20
def test_accepts_only_the_host_that_was_called(case: Dict[str, Any]) -> None:
    required = demand(case["changes"])
    answer = {"status": 401, "required": required}
    if case["reason"] is None:
        found = required_permission(case["address"], answer)
        assert {name: value for name, value in found.items() if value is not None} == required
    elif case["reason"] == "address":
        with pytest.raises(ValueError):
            required_permission(case["address"], answer)
    else:
        with pytest.raises(RequiredPermissionError) as refused:
            required_permission(case["address"], answer)
        assert refused.value.reason == case["reason"]


@pytest.mark.parametrize("answer", [None, [], "required", {}, {"required": None}, {"required": "place:order"}])
def test_refuses_what_is_not_the_answer_of_a_guard(answer: object) -> None:
    with pytest.raises(RequiredPermissionError):
        required_permission(SHOP, answer)


def test_leaves_out_members_that_it_does_not_know() -> None:
    found = required_permission(SHOP, {"required": {**SHARED["required"], "target": "DUCK-EVIL", "expires_in": 60}})
    assert {name: value for name, value in found.items() if value is not None} == SHARED["required"]


def client(url: str, sent: List[httpx.Request]) -> Beak:
    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(404)

    return Beak(url, key="beak_key_of_the_agent", retries=0, http=httpx.Client(transport=httpx.MockTransport(answer)))


@pytest.mark.parametrize(
    ("url", "issuer"),
    [
        ("https://beak.example", "https://evil.example"),
        ("https://beak.example", "https://beak.example.evil.example"),
        ("https://beak.example", "https://beak.example:8443"),
        ("https://beak.example", "https://beak.example/other"),
        ("https://beak.example", "https://beak.example@evil.example"),
        ("https://beak.example", "http://beak.example"),
        ("https://beak.example", ""),
        ("http://localhost:4010", "http://localhost:4011"),
        ("http://localhost:4010", "http://localhost.evil.example:4010"),
        ("http://localhost:4010", "http://localhost:4010@evil.example"),
        ("http://localhost:4010", "http://localhost:4010/other"),
    ],
)
def test_sends_nothing_to_anybody_when_a_shop_names_another_issuer(url: str, issuer: str) -> None:
    sent: List[httpx.Request] = []
    required = required_permission(SHOP, {"required": demand({"issuer": issuer})})
    with pytest.raises(RequiredPermissionError) as refused:
        client(url, sent).request_permission(target="@teal", **required)
    assert (refused.value.reason, refused.value.named, sent) == ("issuer", issuer, [])


@pytest.mark.parametrize(
    ("url", "issuer"),
    [
        ("https://beak.example", "https://beak.example"),
        ("http://127.0.0.1:4010", "http://localhost:4010"),
        ("http://[::1]:4010/prod", "http://localhost:4010/prod"),
    ],
)
def test_asks_at_its_own_address_and_does_not_send_the_name(url: str, issuer: str) -> None:
    sent: List[httpx.Request] = []
    with pytest.raises(Exception):
        client(url, sent).request_permission(target="@teal", action="place:order", issuer=issuer)
    assert [str(one.url) for one in sent] == [f"{url}/beak/peck/request"]
    assert "issuer" not in json.loads(sent[0].content)
