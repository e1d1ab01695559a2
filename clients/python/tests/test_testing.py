"""The fake: the same guarantees as the fake of the TypeScript client, and the main job on a real service too."""
import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Tuple

import pytest
from beak import Beak, BeakError, PermissionRefused
from beak._exact import INEXACT
from beak.errors import TestCredentialError
from beak.testing import FakeBeak
from beak.testing._failures import FAILURES
from beak.verify import OutcomePolicy, Verifier
from conftest import Agent, Person
from service import ROOT

PARAMS = {"seats": 2}
NUMBERS: List[Dict[str, Any]] = json.loads((ROOT / "clients/numbers.json").read_text("utf-8"))


@dataclass
class Actors:
    agent: Beak
    person: Beak
    shop: Beak
    target: str


@pytest.fixture(params=["a real service", "the fake"])
def actors(request: pytest.FixtureRequest) -> Actors:
    if request.param == "the fake":
        fake = FakeBeak()
        teal = fake.person("teal")
        return Actors(fake.agent(), teal.beak, fake.shop(), teal.id)
    scout: Agent = request.getfixturevalue("scout")
    person: Person = request.getfixturevalue("teal")
    return Actors(scout.beak, person.beak, request.getfixturevalue("anybody"), person.id)


def granted(actors: Actors) -> str:
    peck = actors.agent.request_peck(
        target_duckling_id=actors.target, action="book:table", scope="limited", params=PARAMS
    )
    actors.person.approve_peck(peck_id=peck["peck_id"])
    return actors.agent.get_peck(peck_id=peck["peck_id"])["grant_token"]


def status_of(use: Callable[[], object]) -> str:
    try:
        use()
    except PermissionRefused as refused:
        return refused.status
    return "used"


def test_lets_a_permission_be_used_once_with_the_approved_params_only(actors: Actors) -> None:
    token, shop = granted(actors), actors.shop
    assert status_of(lambda: shop.use_permission(token, {"seats": 20})) == "mismatch"
    assert shop.check_grant(grant_token=token, params=PARAMS)["uses_left"] == 1
    used = shop.use_permission(token, PARAMS)
    assert (used["active"], used["action"], used["uses_left"]) == (True, "book:table", 0)
    assert used["receipt"]["outcome"] == "consumed"
    assert status_of(lambda: shop.use_permission(token, PARAMS)) == "consumed"
    assert status_of(lambda: shop.use_permission("a.b.c", PARAMS)) == "invalid"


def test_spends_one_of_fifty_simultaneous_uses(actors: Actors) -> None:
    token = granted(actors)
    with ThreadPoolExecutor(50) as pool:
        uses = [pool.submit(status_of, lambda: actors.shop.use_permission(token, PARAMS)) for _ in range(50)]
    assert sorted(one.result() for one in uses) == ["consumed"] * 49 + ["used"]


def test_tells_the_asker_the_reason_and_pauses_the_same_action(actors: Actors) -> None:
    def ask() -> Dict[str, object]:
        return dict(
            actors.agent.request_peck(target=actors.target, action="send:email")
        )

    def refused(call: Callable[[], object]) -> Tuple[object, object]:
        with pytest.raises(BeakError) as error:
            call()
        return error.value.reason, error.value.problem.get("current_status")

    peck_id = str(ask()["peck_id"])
    again = ask()
    assert (again["peck_id"], again["repeated"]) == (peck_id, True)
    assert refused(lambda: actors.agent.approve_peck(peck_id=peck_id))[0] == "agent_not_allowed"
    assert refused(lambda: actors.agent.get_outcome_receipt(peck_id=peck_id)) == ("peck_undecided", "pending")
    actors.person.reject_peck(peck_id=peck_id, reason="Not today.")
    peck = actors.agent.get_peck(peck_id=peck_id)
    assert (peck["status"], peck["reason"]) == ("rejected", "Not today.")
    assert refused(lambda: actors.person.approve_peck(peck_id=peck_id)) == ("peck_not_pending", "rejected")
    assert refused(ask)[0] == "peck_recently_rejected"


def test_repeats_the_answer_to_the_same_idempotency_key(actors: Actors) -> None:
    def ask(action: str, key: str) -> Dict[str, object]:
        return dict(
            actors.agent.request_peck(
                target_duckling_id=actors.target, action=action, scope="limited", idempotency_key=key
            )
        )

    key = f"first-{actors.target}"
    first, again = ask("send:email", key), ask("send:email", key)
    assert again["peck_id"] == first["peck_id"] and "repeated" not in again
    with pytest.raises(BeakError, match="E4013"):
        ask("send:letter", key)


def test_takes_an_invitation_link_as_the_target(actors: Actors) -> None:
    def ask(target: str, action: str = "book:table", seats: int = 2, **more: str) -> "tuple[object, object]":
        try:
            asked = actors.agent.request_peck(
                target=target, action=action, scope="limited", params={"seats": seats}, **more  # type: ignore[arg-type]
            )
        except BeakError as error:
            return error.reason, [one["field"] for one in error.errors]
        return asked["target_duckling_id"], asked.get("repeated", False)

    made = actors.person.create_invitation(action="book:table", uses=1, note="Fair")
    link = str(made["url"])
    assert (made["status"], made["action"], made["uses"], made["note"]) == ("active", "book:table", 1, "Fair")
    assert ask(link, "send:email")[0] == "invitation_mismatch"
    assert ask(link, target_duckling_id=actors.target) == ("invalid_request", ["target_duckling_id"])
    assert ask(link) == (actors.target, False)
    assert ask(link) == (actors.target, True)
    assert ask(link, seats=3)[0] == "invitation_used_up"
    revoked = actors.person.create_invitation()
    ended = actors.person.revoke_invitation(invitation_id=revoked["invitation_id"])
    assert (ended["status"], ended["url"]) == ("revoked", None)
    assert ask(str(revoked["url"]), seats=4)[0] == "invitation_revoked"
    assert ask(link[:-3] + ("111" if link.endswith("000") else "000"))[0] == "invitation_not_found"
    assert ask("https://elsewhere.example/ask/00000000000000000000000000") == ("invalid_request", ["target"])
    with pytest.raises(BeakError, match="E4005"):
        actors.person.create_invitation(agent_id="AGT-00000000000000000000000000")


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


@pytest.mark.parametrize(("change", "field"), [({"action": "no action"}, "action"), ({"expires_in": 1}, "expires_in")])
def test_names_the_wrong_field(actors: Actors, change: Dict[str, object], field: str) -> None:
    question: Dict[str, object] = {"target_duckling_id": actors.target, "action": "send:email", "scope": "limited"}
    with pytest.raises(BeakError) as error:
        actors.agent.request_peck(**{**question, **change})  # type: ignore[arg-type]
    assert (error.value.code, [one["field"] for one in error.value.errors]) == ("E4000", [field])


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
    source = (ROOT / "clients/typescript/src/testing/failures.ts").read_text()
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
