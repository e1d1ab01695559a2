"""Asking for permission, waiting for the decision, and using the permission."""
import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Dict, List

import pytest
from beak import (
    AsyncBeak,
    Beak,
    BeakConnectionError,
    BeakError,
    BlockChanged,
    PeckChanged,
    Permission,
    PermissionPending,
    PermissionRefused,
    StreamReady,
)
from conftest import Agent, Person, new_agent
from service import Service, eventually

PARAMS = {"to": "pond@example.com"}


def answer_later(teal: Person, decide: Callable[[str], object]) -> "threading.Thread":
    """Decides the next pending peck of Teal, in a thread."""

    def decide_first() -> None:
        def pending() -> "str | None":
            items = teal.beak.list_pecks(direction="received", status="pending")["items"]
            return items[0]["peck_id"] if items else None

        decide(eventually(pending))

    thread = threading.Thread(target=decide_first)
    thread.start()
    return thread


def ask_and_approve(scout: Agent, teal: Person) -> Permission:
    peck = scout.beak.request_peck(
        target_duckling_id=teal.id, action="send:mail", scope="limited", params=PARAMS
    )
    teal.beak.approve_peck(peck_id=peck["peck_id"])
    return scout.beak.wait_for_permission(peck["peck_id"])


def test_returns_the_permission_when_the_target_approves(scout: Agent, teal: Person) -> None:
    thread = answer_later(teal, lambda peck_id: teal.beak.approve_peck(peck_id=peck_id))
    permission = scout.beak.request_permission(target=teal.id, action="send:mail", params=PARAMS)
    thread.join()
    assert (permission.action, permission.scope, permission.params) == ("send:mail", "limited", PARAMS)
    assert permission.max_uses == 1
    assert permission.grant_token not in repr(permission)


def test_raises_the_reason_when_the_target_rejects_and_is_blocked_afterwards(
    scout: Agent, teal: Person
) -> None:
    thread = answer_later(teal, lambda peck_id: teal.beak.reject_peck(peck_id=peck_id, reason="Not today."))
    with pytest.raises(PermissionRefused, match="Not today") as caught:
        scout.beak.request_permission(target=teal.id, action="send:mail")
    thread.join()
    assert (caught.value.status, caught.value.reason) == ("rejected", "Not today.")
    with pytest.raises(PermissionRefused) as again:
        scout.beak.request_permission(target=teal.id, action="send:mail")
    assert again.value.status == "blocked"
    assert (again.value.retry_after or 0) > 3000


def test_raises_when_the_request_is_cancelled(mallard: Person, teal: Person) -> None:
    own = mallard.beak.request_peck(target_duckling_id=teal.id, action="send:mail", scope="limited")
    mallard.beak.cancel_peck(peck_id=own["peck_id"])
    with pytest.raises(PermissionRefused) as caught:
        mallard.beak.wait_for_permission(own["peck_id"])
    assert caught.value.status == "cancelled"


def test_looks_like_no_answer_to_a_blocked_asker(scout: Agent, mallard: Person, teal: Person) -> None:
    teal.beak.block_duckling(duckling_id=mallard.id)
    with pytest.raises(PermissionPending) as caught:
        scout.beak.request_permission(target=teal.id, action="send:mail", wait=0)
    assert caught.value.peck["status"] == "pending"


def test_raises_pending_when_the_time_is_over_and_can_wait_again(scout: Agent, teal: Person) -> None:
    started = time.monotonic()
    with pytest.raises(PermissionPending) as caught:
        scout.beak.request_permission(target=teal.id, action="send:mail", wait=0.5)
    assert 0.5 <= time.monotonic() - started < 5
    peck_id = caught.value.peck["peck_id"]
    teal.beak.approve_peck(peck_id=peck_id)
    assert scout.beak.wait_for_permission(peck_id).peck_id == peck_id


def test_waits_for_the_request_in_place_of_an_undone_approval(scout: Agent, teal: Person) -> None:
    asked = scout.beak.request_peck(target_duckling_id=teal.id, action="send:mail", scope="limited", params=PARAMS)
    teal.beak.approve_peck(peck_id=asked["peck_id"])
    again = teal.beak.undo_decision(peck_id=asked["peck_id"])["superseded_by"]
    with pytest.raises(PermissionPending) as pending:
        scout.beak.wait_for_permission(asked["peck_id"], wait=0)
    assert pending.value.peck["peck_id"] == again
    teal.beak.approve_peck(peck_id=again)
    assert scout.beak.wait_for_permission(asked["peck_id"]).peck_id == again


def test_does_not_wait_again_when_the_undone_permission_had_been_used(
    scout: Agent, anybody: Beak, teal: Person
) -> None:
    asked = scout.beak.request_peck(target_duckling_id=teal.id, action="send:mail", scope="timed", params=PARAMS)
    teal.beak.approve_peck(peck_id=asked["peck_id"])
    anybody.use_permission(scout.beak.wait_for_permission(asked["peck_id"]), PARAMS)
    assert "superseded_by" not in teal.beak.undo_decision(peck_id=asked["peck_id"])
    with pytest.raises(PermissionRefused, match="revoked"):
        scout.beak.wait_for_permission(asked["peck_id"])


@pytest.mark.parametrize("fault", ["cut-poll", "error-E5002", "error-E4004", "cut"])
def test_keeps_waiting_through_faults(
    faults: str, run: str, scout: Agent, teal: Person, fault: str
) -> None:
    peck = scout.beak.request_peck(target_duckling_id=teal.id, action="send:mail", scope="limited")
    with Beak(f"{faults}/{fault}/2/{run}", key=scout.key, retries=0) as beak:
        thread = answer_later(teal, lambda peck_id: teal.beak.approve_peck(peck_id=peck_id))
        assert beak.wait_for_permission(peck["peck_id"]).peck_id == peck["peck_id"]
        thread.join()


def test_does_not_wait_for_what_does_not_pass(faults: str, run: str, scout: Agent, teal: Person) -> None:
    with Beak(f"{faults}/error-E4007/always/{run}", key=scout.key) as beak:
        with pytest.raises(BeakError, match="E4007"):
            beak.wait_for_permission("PECK-00000000000000000000000000")


def test_stops_waiting_for_an_unreachable_service_when_the_time_is_over(faults: str, run: str) -> None:
    with Beak(f"{faults}/cut/always/{run}", key="beak_x") as beak:
        with pytest.raises(BeakConnectionError):
            beak.wait_for_permission("PECK-00000000000000000000000000", wait=0.3)


def test_spends_a_limited_permission_once_of_50_simultaneous_uses(
    anybody: Beak, scout: Agent, teal: Person
) -> None:
    permission = ask_and_approve(scout, teal)

    def use(_: int) -> str:
        try:
            return str(anybody.use_permission(permission)["active"])
        except PermissionRefused as error:
            return error.status

    with ThreadPoolExecutor(50) as pool:
        outcomes = list(pool.map(use, range(50)))
    assert sorted(set(outcomes)) == ["True", "consumed"]
    assert outcomes.count("True") == 1


def test_uses_a_permission_although_the_connection_broke_after_the_use(
    faults: str, run: str, scout: Agent, teal: Person
) -> None:
    permission = ask_and_approve(scout, teal)
    with Beak(f"{faults}/cut-after/1/{run}") as beak:
        assert beak.use_permission(permission)["uses_left"] == 0


def test_refuses_the_answer_to_an_earlier_use_with_a_key_of_the_program(
    anybody: Beak, scout: Agent, teal: Person
) -> None:
    permission = ask_and_approve(scout, teal)
    key = f"order-{teal.id}"
    assert anybody.use_permission(permission, idempotency_key=key)["active"]
    with pytest.raises(PermissionRefused) as again:
        anybody.use_permission(permission, idempotency_key=key)
    assert again.value.status == "consumed"
    with pytest.raises(BeakError, match="An earlier call with this idempotency key spent this use"):
        anybody.consume_grant(grant_token=permission.grant_token, params=PARAMS, idempotency_key=key)


def test_tells_the_acting_service_who_asked_whom(anybody: Beak, scout: Agent, teal: Person) -> None:
    permission = ask_and_approve(scout, teal)
    used = anybody.use_permission(permission.grant_token, PARAMS)
    assert (used["action"], used["target_duckling_id"]) == ("send:mail", teal.id)
    assert used["claimed"].get("agent_id") == scout.id


def test_refuses_other_params_a_revoked_permission_and_a_forged_one(
    anybody: Beak, scout: Agent, teal: Person
) -> None:
    permission = ask_and_approve(scout, teal)
    others: List[Dict[str, str]] = [{}, {"to": "lake@example.com"}, {**PARAMS, "cc": "x"}]
    for params in others:
        with pytest.raises(PermissionRefused) as caught:
            anybody.use_permission(permission, params)
        assert caught.value.status == "mismatch"
    teal.beak.revoke_grant(peck_id=permission.peck_id)
    with pytest.raises(PermissionRefused) as revoked:
        anybody.use_permission(permission)
    assert revoked.value.status == "revoked"
    with pytest.raises(PermissionRefused) as forged:
        anybody.use_permission(permission.grant_token[:-4] + "AAAA")
    assert forged.value.status == "invalid"
    with pytest.raises(PermissionRefused) as ended:
        scout.beak.wait_for_permission(permission.peck_id)
    assert ended.value.status == "revoked"


def test_refuses_a_permission_for_another_audience(anybody: Beak, scout: Agent, teal: Person) -> None:
    thread = answer_later(teal, lambda peck_id: teal.beak.approve_peck(peck_id=peck_id))
    permission = scout.beak.request_permission(
        target=teal.id, action="send:mail", params=PARAMS, param_types={"to": "email"}, audience="mail.example"
    )
    thread.join()
    assert permission.peck.get("param_types") == {"to": "email"}
    with pytest.raises(PermissionRefused) as caught:
        anybody.use_permission(permission, audience="other.example")
    assert caught.value.status == "mismatch"
    assert anybody.use_permission(permission, audience="mail.example")["uses_left"] == 0


def test_streams_blocks(teal: Person, mallard: Person) -> None:
    events = teal.beak.stream_pecks()
    assert next(events) == StreamReady(False)
    teal.beak.block_duckling(duckling_id=mallard.id)
    assert next(events) == BlockChanged(mallard.id, True)
    teal.beak.unblock_duckling(duckling_id=mallard.id)
    assert next(events) == BlockChanged(mallard.id, False)


def test_asks_and_uses_asynchronously(service: Service, scout: Agent, teal: Person) -> None:
    async def main() -> None:
        async with AsyncBeak(service.url, key=scout.key) as beak:
            thread = answer_later(teal, lambda peck_id: teal.beak.approve_peck(peck_id=peck_id))
            permission = await beak.request_permission(target=teal.id, action="send:mail", params=PARAMS)
            thread.join()
            assert (await beak.use_permission(permission))["uses_left"] == 0
            with pytest.raises(PermissionRefused) as caught:
                await beak.use_permission(permission)
            assert caught.value.status == "consumed"

    asyncio.run(main())


def test_streams_changes_and_reconnects(faults: str, run: str, scout: Agent, teal: Person) -> None:
    with Beak(f"{faults}/cut-stream/2/{run}", token=teal.token) as beak:
        events = beak.stream_pecks()
        ready = [next(events) for _ in range(3)]
        assert ready == [StreamReady(False), StreamReady(True), StreamReady(True)]
        scout.beak.request_peck(
            target_duckling_id=teal.id, action="send:mail", scope="limited", message="a\u2028b"
        )
        event = next(events)
        assert isinstance(event, PeckChanged)
        assert (event.peck["status"], event.peck["message"]) == ("pending", "a\u2028b")
        teal.beak.approve_peck(peck_id=event.peck["peck_id"])
        teal.beak.undo_decision(peck_id=event.peck["peck_id"])
        causes = (change.cause for change in events if isinstance(change, PeckChanged))
        assert next(cause for cause in causes if cause is not None) == "undone"


def test_streams_asynchronously_and_ends_with_the_session(service: Service, teal: Person) -> None:
    async def main() -> List[object]:
        seen: List[object] = []
        async with AsyncBeak(service.url, token=teal.token) as beak:
            with pytest.raises(BeakError, match="E4006"):
                async for event in beak.stream_pecks():
                    seen.append(event)
                    await beak.sign_out()
        return seen

    assert asyncio.run(main()) == [StreamReady(False)]


def test_raises_when_the_stream_cannot_be_opened(anybody: Beak, service: Service) -> None:
    with pytest.raises(BeakError, match="E4006"):
        next(anybody.stream_pecks())


def test_gives_up_a_stream_that_never_connected(faults: str, run: str) -> None:
    with Beak(f"{faults}/cut/always/{run}", token="t", retries=1) as beak:
        with pytest.raises(BeakConnectionError):
            next(beak.stream_pecks())


def test_an_agent_without_the_capability_cannot_ask(mallard: Person, teal: Person) -> None:
    agent = new_agent(mallard, ["read:profile"])
    with pytest.raises(BeakError, match="E4007"):
        agent.beak.request_permission(target=teal.id, action="send:mail")
