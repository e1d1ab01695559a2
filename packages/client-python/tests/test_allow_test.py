"""What a test service made is accepted only of a service on this computer, whatever the program or its environment says."""
import json
from typing import Any

import httpx
import pytest
from beak import Beak
from beak.fastapi import GuardTrust, require_permission
from beak.verify import Issuer, verify_agent_token
from service import ROOT
from test_test_mark import AGENT, ISSUER, token

SHARED = json.loads((ROOT / "packages/contract/test-addresses.json").read_text("utf-8"))


def client(url: str, **options: Any) -> Beak:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"agent_id": "AGT-1", "test": True})

    return Beak(url, http=httpx.Client(transport=httpx.MockTransport(answer)), **options)


@pytest.mark.parametrize("address", SHARED["loopback"])
def test_accepts_a_service_on_this_computer(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Exception, match="BEAK_ALLOW_TEST=1"):
        client(address).verify_agent(agent_id="AGT-1")
    assert client(address, allow_test=True).verify_agent(agent_id="AGT-1")["agent_id"] == "AGT-1"
    monkeypatch.setenv("BEAK_ALLOW_TEST", "1")
    assert client(address).verify_agent(agent_id="AGT-1")["agent_id"] == "AGT-1"
    with pytest.raises(Exception, match="BEAK_ALLOW_TEST=1"):
        client(address, allow_test=False).verify_agent(agent_id="AGT-1")


@pytest.mark.parametrize("address", SHARED["elsewhere"])
def test_refuses_every_other_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="allow_test counts only"):
        Beak(address, allow_test=True)
    monkeypatch.setenv("BEAK_ALLOW_TEST", "1")
    assert Beak(address).allow_test is False
    with pytest.raises(Exception, match="BEAK_ALLOW_TEST=1"):
        client(address).verify_agent(agent_id="AGT-1")


@pytest.mark.parametrize("value", ["", "0", "true", "yes", " 1", "1 "])
def test_reads_only_1_from_the_environment(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEAK_ALLOW_TEST", value)
    assert Beak(SHARED["loopback"][0]).allow_test is False


@pytest.mark.parametrize("allow_test", [True, None])
def test_refuses_a_signed_token_of_an_issuer_elsewhere(allow_test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEAK_ALLOW_TEST", "1")
    for url, is_accepted in (("http://localhost:4010", True), ("https://beak.example", False)):
        marked = token("agent+jwt", {**AGENT, "iss": url, "test": True})
        issuer = Issuer(url, ISSUER.keys)
        if is_accepted:
            assert verify_agent_token(marked, issuer=issuer, audience="shop", allow_test=allow_test).token_id == "one"
        else:
            with pytest.raises(Exception, match="BEAK_ALLOW_TEST=1"):
                verify_agent_token(marked, issuer=issuer, audience="shop", allow_test=allow_test)


def test_makes_no_guard_that_allows_tests_elsewhere() -> None:
    beak: Any = Beak("http://localhost:4010")
    with pytest.raises(ValueError, match="allow_test counts only"):
        require_permission("place:order", beak=beak, trust=GuardTrust(allow_test=True, issuer="https://beak.example"))
