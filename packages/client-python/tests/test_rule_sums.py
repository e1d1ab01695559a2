"""What a shop accepts by a rule from a service that uses the rule more often than the person signed."""
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, Optional

import pytest
from authenticator import Authenticator
from beak import PermissionRefused
from beak._rule_sum import NO_USE, sum_after, sum_key
from beak.trust import MemoryPinStore, MemoryUsedStore, PermissionTrust, SqlUsedStore, SummingStore
from beak.verify import OutcomePolicy, PolicyNotMet, VerifiedRule, verify_outcome
from beak.verify.keys import read_time
from beak.verify.rules import period_of
from shop import PAYMENT, TEAL, URL, Database, LyingService, pin_of, text_of, use_asynchronously, use_synchronously

BY_RULE = OutcomePolicy(require="signed", rules="accept")
HISTORIES = json.loads((Path(__file__).resolve().parents[2] / "contract/rule-sums.json").read_text("utf-8"))


@pytest.fixture
def service() -> LyingService:
    return LyingService()


def trust_of(used: Optional[SummingStore] = None, **options: Any) -> PermissionTrust:
    policy = options.pop("policy", BY_RULE)
    return PermissionTrust(policy=policy, used=used or MemoryUsedStore(), **options)


def pay(service: LyingService, trust: PermissionTrust, receipt: Dict[str, Any]) -> str:
    """Uses the permission of a receipt. Returns `used`, or why not."""
    service.answer_with(receipt)
    try:
        use_synchronously(service, trust=trust, params=PAYMENT)
        return "used"
    except PermissionRefused as refused:
        fault = refused.fault
        return f"{refused.status} {fault.reason}" if isinstance(fault, PolicyNotMet) else refused.status


@pytest.mark.parametrize(
    "budget",
    [
        {"uses": 2},
        {"per": "month", "uses_each": 2, "uses": 3},
        {"amount": "€100.00"},
        {"amount": "€149.99", "per": "month"},
    ],
    ids=str,
)
# security: site-18
def test_stops_at_what_the_signed_rule_allows_although_the_service_says_that_nothing_was_spent(
    service: LyingService, budget: Dict[str, object]
) -> None:
    pins = MemoryPinStore()
    pins.add(TEAL, pin_of(service.passkey))
    for trust in (trust_of(), trust_of(pins=pins)):
        results = [pay(service, trust, service.rule_receipt(f"PECK-{number}", budget=budget)) for number in range(4)]
        assert results == ["used", "used", "untrusted budget", "untrusted budget"]


# security: site-18
def test_stops_in_the_asynchronous_client_too(service: LyingService) -> None:
    trust = trust_of()
    for number in range(2):
        service.answer_with(service.rule_receipt(f"PECK-{number}", budget={"uses": 2}))
        assert use_asynchronously(service, trust=trust, params=PAYMENT)["active"]
    service.answer_with(service.rule_receipt("PECK-2", budget={"uses": 2}))
    with pytest.raises(PermissionRefused, match="as much as the rule allows"):
        use_asynchronously(service, trust=trust, params=PAYMENT)


# security: site-18
def test_counts_a_permission_once_also_when_it_is_shown_again(service: LyingService) -> None:
    trust, budget = trust_of(), {"uses": 2}
    first = service.rule_receipt("PECK-1", budget=budget)
    results = [pay(service, trust, one) for one in (first, first, service.rule_receipt("PECK-2", budget=budget))]
    assert results == ["used", "consumed outcome", "used"]


# security: site-18
def test_sums_each_statement_of_a_rule_apart(service: LyingService) -> None:
    trust, budget = trust_of(), {"uses": 1}
    receipts = [
        service.rule_receipt("PECK-1", budget=budget),
        service.rule_receipt("PECK-2", budget=budget),
        service.rule_receipt("PECK-3", budget=budget, nonce="signed again"),
    ]
    assert [pay(service, trust, one) for one in receipts] == ["used", "untrusted budget", "used"]


# security: site-18
def test_leaves_the_sum_as_it_was_when_it_refuses_a_receipt(service: LyingService) -> None:
    trust, budget = trust_of(), {"uses": 1}
    other = service.rule_receipt("PECK-1", budget=budget, audience="other.example")
    assert pay(service, trust, other) == "untrusted audience"
    assert pay(service, trust, service.rule_receipt("PECK-2", budget=budget)) == "used"


# security: site-18
def test_keeps_the_passkey_of_the_rule_at_the_first_contact(service: LyingService) -> None:
    pins = MemoryPinStore()
    trust = trust_of(pins=pins)
    assert pay(service, trust, service.rule_receipt("PECK-1")) == "used"
    assert pins.get(TEAL) == [pin_of(service.passkey)]
    assert pay(service, trust, service.rule_receipt("PECK-2", signed_by=Authenticator(URL))) == "untrusted trust"


# security: site-18
def test_refuses_a_decision_of_more_than_an_hour_ago(service: LyingService) -> None:
    def decided(minutes: int) -> Dict[str, Any]:
        now = datetime.now(timezone.utc)
        times = {"decided_at": text_of(now - timedelta(minutes=minutes)), "grant_expires_at": text_of(now + timedelta(minutes=30))}
        return service.rule_receipt(f"PECK-{minutes}", grant_seconds=7200, claims=times)

    assert pay(service, trust_of(), decided(59)) == "used"
    assert pay(service, trust_of(), decided(62)) == "untrusted stale"
    longer = OutcomePolicy(require="signed", rules="accept", decided_within=timedelta(days=1))
    assert pay(service, trust_of(policy=longer), decided(62)) == "used"


# security: site-18
def test_refuses_a_rule_that_ended_also_when_its_decision_is_dated_back(service: LyingService) -> None:
    made = datetime.now(timezone.utc) - timedelta(days=17)
    claims = {"decided_at": text_of(made + timedelta(days=2)), "grant_expires_at": None}
    receipt = service.rule_receipt(made=made, expires_in=604_800, grant_seconds=None, claims=claims)
    any_time = OutcomePolicy(require="signed", rules="accept", decided_within=timedelta.max)
    for policy in (BY_RULE, any_time):
        assert pay(service, trust_of(policy=policy), receipt) == "untrusted stale"


@pytest.mark.parametrize("used", [None, object()], ids=["no store", "a store that only claims"])
# security: site-18
def test_needs_a_store_that_sums(used: Any) -> None:
    with pytest.raises(ValueError, match="SummingStore"):
        PermissionTrust(policy=BY_RULE, used=used)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> SummingStore:
    return MemoryUsedStore() if request.param == "memory" else SqlUsedStore(Database(tmp_path / "shop.db").run)


# security: site-18
def test_replaces_an_owner_only_while_the_key_has_the_expected_one(store: SummingStore) -> None:
    assert store.replace("sum", "a", "b") is False
    store.claim("sum", "a")
    assert [store.replace("sum", "a", "b"), store.replace("sum", "a", "c")] == [True, False]
    assert store.claim("sum", "d") == "b"


# security: site-18
def test_accepts_as_much_as_the_rule_allows_of_50_simultaneous_uses(service: LyingService, store: SummingStore) -> None:
    trust, budget = trust_of(store), {"amount": "€350.00", "per": "month", "uses": 8}
    services = []
    for number in range(50):
        one = LyingService()
        one.private, one.kid, one.jwks, one.passkey = service.private, service.kid, service.jwks, service.passkey
        one.answer_with(one.rule_receipt(f"PECK-{number}", budget=budget))
        services.append(one)

    def start(one: LyingService) -> bool:
        try:
            return bool(use_synchronously(one, trust=trust, params=PAYMENT)["active"])
        except PermissionRefused:
            return False

    with ThreadPoolExecutor(50) as pool:
        assert sum(pool.map(start, services)) == 7


def rule_of(statement: Dict[str, Any], cost: int, at: str, found: VerifiedRule) -> VerifiedRule:
    """Returns a rule with this statement, whose answer at this time cost so much."""
    per = statement["rule"].get("budget", {}).get("per")
    period = None if per is None else period_of(per, statement["time_zone"], read_time(at))
    return VerifiedRule(**{**vars(found), "statement": statement, "budget": {"cost": cost, "period": period}})


@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: str(history["about"]))
# security: site-18
def test_sums_as_the_typescript_client_does(service: LyingService, history: Dict[str, Any]) -> None:
    policy = OutcomePolicy(require="service", issuer=service.issuer)
    found = verify_outcome(service.rule_receipt(), policy).rule
    assert found is not None
    kept = NO_USE
    for use in history["uses"]:
        rule = rule_of(history["statement"], use["cost"], use["at"], found)
        assert sum_key(rule) == history["key"]
        after = sum_after(kept, rule)
        assert (after is not None) == use["accepted"]
        kept = after or kept
    assert kept == history["kept"]
