"""The fake: packages/contract/permissions.json, and what only the fake has."""
import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Optional, Tuple

import pytest
from beak import Beak, BeakError, PermissionRefused
from beak._exact import INEXACT
from beak.errors import TestCredentialError
from beak.testing import FakeBeak
from beak.testing._failures import FAILURES
from beak.verify import OutcomePolicy, Verifier
from scenario import Run
from service import ROOT

PARAMS = {"seats": 2}
NUMBERS: List[Dict[str, Any]] = json.loads((ROOT / "packages/contract/numbers.json").read_text("utf-8"))
CASES: List[Dict[str, Any]] = json.loads((ROOT / "packages/contract/permissions.json").read_text("utf-8"))["cases"]


def status_of(use: Callable[[], object]) -> str:
    try:
        use()
    except PermissionRefused as refused:
        return refused.status
    return "used"


def refusal_of(call: Callable[[], object]) -> Tuple[object, object]:
    with pytest.raises(BeakError) as error:
        call()
    return error.value.reason, error.value.problem.get("current_status")


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_answers_as_the_service_does(case: Dict[str, Any]) -> None:
    """The test of the TypeScript client runs the same cases on the service."""
    fake = FakeBeak()
    teal = fake.person("teal")
    clients: Dict[Optional[str], Beak] = {"agent": fake.agent(), "person": teal.beak, "shop": fake.shop()}
    run = Run(None, lambda actor, method, values: getattr(clients[actor], method)(**values))
    run.variables.update(target=teal.id, service=fake.url)
    run.steps(case["steps"])


def test_spends_one_of_fifty_simultaneous_uses() -> None:
    fake = FakeBeak()
    token = fake.agent().request_permission(target="@always-approves", action="book:table").grant_token
    with ThreadPoolExecutor(50) as pool:
        uses = [pool.submit(status_of, lambda: fake.shop().use_permission(token)) for _ in range(50)]
    assert sorted(one.result() for one in uses) == ["consumed"] * 49 + ["used"]


def test_lets_the_test_undo_an_approval_of_the_last_30_seconds() -> None:
    fake = FakeBeak()
    teal, agent = fake.person("teal"), fake.agent()
    peck_id = agent.request_peck(target=teal.handle, action="send:email")["peck_id"]
    with pytest.raises(Exception, match="nothing_to_undo"):
        fake.undo(peck_id)
    fake.approve(peck_id)
    rule_id = fake.rule(teal.handle, "send:email")
    fake.clock.advance("29s")
    again = fake.undo(peck_id) or ""
    assert fake.undo(peck_id) == again != ""
    ends = [agent.get_peck(peck_id=one)["expires_at"] for one in (peck_id, again)]
    assert ends[0] == ends[1]
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(agent.wait_for_permission, peck_id)
        assert fake.waiting() == again
        fake.approve(again)
        assert waiting.result().peck_id == again
    fake.clock.advance("30s")
    assert refusal_of(lambda: teal.beak.undo_decision(peck_id=again)) == ("nothing_to_undo", None)
    by_rule = agent.request_permission(target=teal.handle, action="send:email", params=PARAMS)
    assert by_rule.peck["decided_by"]["rule_id"] == rule_id
    with pytest.raises(Exception, match="nothing_to_undo"):
        fake.undo(by_rule.peck_id)


def test_does_not_ask_again_after_the_end_of_the_undone_request() -> None:
    fake = FakeBeak()
    teal, agent = fake.person("teal"), fake.agent()
    peck_id = agent.request_peck(target=teal.handle, action="send:email", expires_in=60)["peck_id"]
    fake.clock.advance("40s")
    fake.approve(peck_id)
    fake.clock.advance("20s")
    assert fake.undo(peck_id) is None
    assert agent.get_peck(peck_id=peck_id)["grant_status"] == "revoked"


def test_uses_no_permission_and_answers_by_no_rule_while_the_person_has_paused_everything() -> None:
    fake = FakeBeak()
    teal, agent = fake.person("teal"), fake.agent()
    fake.rule(teal.handle, "pay:invoice")
    permission = agent.request_permission(target=teal.handle, action="pay:invoice")
    fake.pause(teal.handle)
    assert status_of(lambda: fake.shop().use_permission(permission)) == "paused"
    assert agent.request_peck(target=teal.handle, action="pay:invoice")["status"] == "pending"
    fake.resume(teal.handle)
    assert status_of(lambda: fake.shop().use_permission(permission)) == "used"


def test_gives_no_permission_for_a_request_in_free_text_and_takes_no_rule_for_it() -> None:
    fake = FakeBeak()
    with pytest.raises(PermissionRefused) as refused:
        fake.agent().request_permission(target="@always-approves", action="ask:favour", params={"favour": "come"})
    assert (refused.value.status, refused.value.peck and refused.value.peck["status"]) == ("expired", "approved")
    with pytest.raises(ValueError, match="No rule answers ask:favour"):
        fake.rule("@always-approves", "ask:favour")


def test_takes_a_link_in_request_permission_until_it_ends_by_the_clock() -> None:
    fake = FakeBeak()
    link = str(fake.person("teal").beak.create_invitation(expires_in=3600)["url"])
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(fake.agent().request_permission, target=link, action="book:table")
        fake.approve(fake.waiting())
        assert asking.result().action == "book:table"
    fake.clock.advance("1h")
    with pytest.raises(BeakError) as error:
        fake.agent().request_permission(target=link, action="book:table")
    assert error.value.reason == "invitation_expired"


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: str(number["text"]))
def test_reads_numbers_as_the_service_does(number: Dict[str, Any]) -> None:
    fake = FakeBeak()
    body = f'{{"grant_token":"none","params":{{"ids":[{number["text"]}]}}}}'
    answer = fake.http.post(f"{fake.url}/beak/peck/check", content=body).json()
    if number["accepted"]:
        assert answer["reason"] == "grant_token_invalid"
        return
    assert (answer["code"], answer["errors"]) == ("E4000", [{"field": "params.ids.0", "message": INEXACT}])


def test_has_the_refusals_of_the_other_fake() -> None:
    """The test of the TypeScript client compares its fake with the service."""
    source = (ROOT / "packages/client/src/testing/failures.ts").read_text()
    table = source[source.index("export const failures") : source.index("as const satisfies")]
    names = set(re.findall(r"^  (\w+): \{", table, re.MULTILINE))
    assert set(FAILURES) == names
    for failure in FAILURES.values():
        for text in (failure.code, failure.title, failure.detail, failure.action):
            assert text in source, text


def test_lets_the_test_accounts_answer_by_the_clock() -> None:
    fake = FakeBeak(now=datetime(2026, 11, 24, 9, tzinfo=timezone.utc))
    agent = fake.agent()
    agent.request_permission(target="@always-approves", action="send:email")
    for handle in ("@always-rejects", "@asks-for-a-code"):
        with pytest.raises(PermissionRefused) as refused:
            agent.request_permission(target=handle, action="send:email")
        assert refused.value.status == "rejected"
    with ThreadPoolExecutor() as pool:
        late = pool.submit(agent.request_permission, target="@approves-in-5s", action="send:email")
        fake.clock.advance("5s") if fake.waiting() else None
        assert agent.get_peck(peck_id=late.result().peck_id)["decided_at"] == "2026-11-24T09:00:05.000Z"
        never = pool.submit(agent.request_permission, target="@never-answers", action="send:email")
        fake.waiting()
        fake.clock.advance("1d")
        assert status_of(never.result) == "expired"
    last = fake.calls[-1]
    assert (last.method, last.path, last.status) == ("GET", "/beak/peck/status", 200)


def test_answers_at_once_by_a_rule_without_a_call_that_waits() -> None:
    fake = FakeBeak()
    teal = fake.person("teal")
    agent = fake.agent()
    rule_id = fake.rule(teal.handle, "pay:invoice")
    fake.rule(teal.handle, "delete:file", "reject")
    permission = agent.request_permission(target=teal.handle, action="pay:invoice", params=PARAMS)
    assert permission.peck["decided_by"] == {"type": "rule", "rule_id": rule_id}
    with pytest.raises(PermissionRefused) as refused:
        agent.request_permission(target=teal.handle, action="delete:file")
    assert (refused.value.status, refused.value.reason) == ("rejected", "Reject without asking me: delete:file.")
    assert [call.path for call in fake.calls] == ["/beak/peck/request"] * 2
    fake.shop().use_permission(permission, PARAMS)


def test_works_with_the_asynchronous_client() -> None:
    fake = FakeBeak()
    teal = fake.person("teal")

    async def job() -> int:
        asking = asyncio.ensure_future(
            fake.async_agent().request_permission(target=teal.handle, action="book:table", params=PARAMS)
        )
        fake.approve(await fake.waiting_async())
        permission = await asking
        used = await fake.async_shop().use_permission(permission, PARAMS)
        return used["uses_left"] or 0

    assert asyncio.run(job()) == 0


def test_refuses_an_expired_and_a_revoked_permission() -> None:
    fake = FakeBeak()
    agent = fake.agent()
    expired = agent.request_permission(target="@always-approves", action="send:email")
    revoked = agent.request_permission(target="@always-approves", action="send:letter")
    fake.revoke(revoked.peck_id)
    assert status_of(lambda: fake.shop().use_permission(revoked)) == "revoked"
    fake.clock.advance("1d")
    assert status_of(lambda: fake.shop().use_permission(expired)) == "expired"


def test_signs_what_only_its_own_verifiers_with_allow_test_accept() -> None:
    fake, other = FakeBeak(), FakeBeak()
    permission = fake.agent().request_permission(target="@always-approves", action="send:email")
    assert status_of(lambda: other.shop().use_permission(permission.grant_token)) == "invalid"
    ordinary = Beak(fake.url, http=fake.http)
    with pytest.raises(TestCredentialError):
        ordinary.consume_grant(grant_token=permission.grant_token)
    receipt = fake.shop().use_permission(permission)["receipt"]
    policy = OutcomePolicy(require="service")
    assert Verifier(fake.shop()).outcome(receipt, policy).outcome == "consumed"
    with pytest.raises(TestCredentialError):
        Verifier(ordinary).outcome(receipt, policy)


def test_knows_nothing_else() -> None:
    fake = FakeBeak()
    with pytest.raises(BeakError) as error:
        fake.shop().get_metrics()
    assert error.value.reason == "path_not_found"
    with pytest.raises(ValueError, match="taken"):
        fake.person("always-approves")
    with pytest.raises(ValueError, match="5m"):
        fake.clock.advance("soon")
