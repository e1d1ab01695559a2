"""A shop that does not believe the service: what it accepts, and every lie that it refuses."""
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

import pytest
from authenticator import Authenticator
from beak import BeakConnectionError, BeakError, PermissionRefused, VerificationError
from beak.trust import (
    ChallengeRule,
    GuardTrust,
    MemoryPinStore,
    MemoryUsedStore,
    PermissionTrust,
    PinStore,
    SqlPinStore,
    SqlUsedStore,
    UsedStore,
    is_own_challenge,
    shop_challenge,
    shop_code,
)
from beak.verify import OutcomePolicy, Pin, PolicyNotMet, code_digest, verify_outcome
from shop import ASKER, PARAMS, SHOP, TEAL, URL, Database, LyingService, Use, endorsement, pin_of, use_asynchronously, use_synchronously

SIGNED = OutcomePolicy(require="signed")
SECRET = b"0123456789abcdef"
NOW = datetime.now(timezone.utc)


@pytest.fixture
def service() -> LyingService:
    return LyingService()


@pytest.fixture(params=[use_synchronously, use_asynchronously], ids=["synchronous", "asynchronous"])
def use(request: pytest.FixtureRequest) -> Use:
    found: Use = request.param
    return found


def refused(use: Use, service: LyingService, trust: PermissionTrust, **options: Any) -> PermissionRefused:
    with pytest.raises(PermissionRefused) as caught:
        use(service, trust=trust, **options)
    return caught.value


def reason_of(error: PermissionRefused) -> "str | None":
    """Returns the status, and the reason of the policy when there is one."""
    assert isinstance(error.fault, VerificationError)
    assert error.__cause__ is error.fault
    return f"{error.status} {error.fault.reason}" if isinstance(error.fault, PolicyNotMet) else error.status


def test_returns_the_answer_when_its_receipt_is_accepted(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt())
    assert use(service, trust=PermissionTrust(SIGNED))["peck_id"] == "PECK-1"


def test_believes_the_service_without_trust(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt(), receipt=None)
    assert use(service)["peck_id"] == "PECK-1"


Receipt = Callable[[LyingService], Any]

REFUSED_RECEIPTS: Dict[str, "tuple[str, Receipt]"] = {
    "no receipt": ("untrusted", lambda service: None),
    "a text": ("untrusted", lambda service: "receipt"),
    "an empty object": ("untrusted", lambda service: {}),
    "only the service signed": ("untrusted trust", lambda service: service.receipt(is_signed=False)),
    "of another permission": ("untrusted", lambda service: service.receipt("PECK-2")),
    "of another service": ("untrusted", lambda service: LyingService().receipt()),
    "about another action": ("untrusted action", lambda service: service.receipt(action="read:calendar")),
    "of another person": ("untrusted target", lambda service: service.receipt(target_duckling_id="DUCK-VERA")),
    "for another asker": (
        "untrusted",
        lambda service: service.receipt(requester={"duckling_id": "DUCK-MALLARD", "agent_id": None}),
    ),
    "with other params": ("untrusted params", lambda service: service.receipt(params={**PARAMS, "amount": 1})),
    "without its params": ("untrusted params", lambda service: {**service.receipt(), "values": {"params": []}}),
    "for another shop": ("untrusted audience", lambda service: service.receipt(audience="other.example")),
    "for any shop": ("untrusted audience", lambda service: service.receipt(audience=None)),
    "of a test person": ("untrusted test", lambda service: service.receipt(test=True)),
    "of a rejection": (
        "untrusted outcome",
        lambda service: service.receipt(
            decision="reject",
            claims={
                "outcome": "rejected",
                "uses": 0,
                "last_used_at": None,
                "ended_at": None,
                "grant_expires_at": None,
            },
        ),
    ),
    "of a revoked permission": (
        "untrusted outcome",
        lambda service: service.receipt(claims={"outcome": "revoked"}),
    ),
    "of an expired permission": (
        "expired stale",
        lambda service: service.receipt(
            grant_seconds=60, claims={"grant_expires_at": (NOW - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:00.000Z")}
        ),
    ),
    "changed after it was signed": (
        "untrusted",
        lambda service: {**service.receipt(), "outcome": "approved"},
    ),
}


@pytest.mark.parametrize("name", REFUSED_RECEIPTS)
def test_refuses_an_active_permission_whose_receipt_is_not_accepted(service: LyingService, use: Use, name: str) -> None:
    expected, make = REFUSED_RECEIPTS[name]
    usual = service.receipt()
    used, pins = MemoryUsedStore(), MemoryPinStore()
    trust = PermissionTrust(OutcomePolicy(require="signed", action="pay:invoice", target=TEAL), used=used, pins=pins)
    service.answer_with(usual, receipt=make(service))
    assert reason_of(refused(use, service, trust)) == expected
    # A refused receipt leaves nothing behind.
    assert used.claim("use:PECK-1", "nobody") == "nobody"
    assert pins.get(TEAL) == []


@pytest.mark.parametrize(
    "lie",
    [
        {"peck_id": "PECK-2"},
        {"peck_id": None},
        {"action": "read:calendar"},
        {"target_duckling_id": "DUCK-VERA"},
        {"target_duckling_id": ["DUCK-TEAL"]},
        {"requester": {"duckling_id": "DUCK-VERA", "agent_id": "AGT-SCOUT"}},
        {"requester": None},
    ],
    ids=str,
)
def test_refuses_an_answer_that_its_receipt_contradicts(service: LyingService, use: Use, lie: Dict[str, Any]) -> None:
    service.answer_with(service.receipt(), **lie)
    trust = PermissionTrust(SIGNED, pins=MemoryPinStore())
    assert reason_of(refused(use, service, trust)) == "untrusted"


def test_compares_the_params_and_the_audience_of_the_call(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt())
    trust = PermissionTrust(SIGNED)
    assert reason_of(refused(use, service, trust, params={})) == "untrusted params"
    assert reason_of(refused(use, service, trust, audience="other.example")) == "untrusted audience"


def test_refuses_a_permission_that_names_an_audience_when_the_shop_names_none(service: LyingService, use: Use) -> None:
    policies = (SIGNED, OutcomePolicy(require="service"), OutcomePolicy(require="signed", challenge="order-17"))
    for scope in ("limited", "timed"):
        service.answer_with(service.receipt(challenge="order-17", scope=scope))
        for policy in policies:
            assert reason_of(refused(use, service, PermissionTrust(policy), audience=None)) == "untrusted audience"


def test_demands_an_audience_or_a_challenge_of_a_permission_for_one_use(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt(audience=None, challenge="order-17"))
    pins = MemoryPinStore()
    pins.add(TEAL, pin_of(service.passkey))
    for trust in (PermissionTrust(SIGNED), PermissionTrust(SIGNED, pins=pins)):
        error = refused(use, service, trust, audience=None)
        assert reason_of(error) == "untrusted audience"
        assert "needs your host name (audience) or a challenge" in str(error)
    with_challenge = PermissionTrust(OutcomePolicy(require="signed", challenge="order-17"))
    assert use(service, trust=with_challenge, audience=None)["active"]
    assert use(service, trust=PermissionTrust(OutcomePolicy(require="service")), audience=None)["active"]
    service.answer_with(service.receipt(audience=None, scope="timed"))
    assert use(service, trust=PermissionTrust(SIGNED), audience=None)["active"]


def test_names_who_asked_as_a_claim_of_the_service(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt())
    used = use(service, trust=PermissionTrust(SIGNED))
    assert "requester" not in used
    assert used["claimed"] == ASKER


def test_accepts_a_one_use_permission_once_although_the_service_calls_it_active_again(
    service: LyingService, use: Use
) -> None:
    trust = PermissionTrust(SIGNED, used=MemoryUsedStore())
    service.answer_with(service.receipt())
    assert use(service, trust=trust)["active"]
    # A new receipt of the same permission is no other permission.
    service.answer_with(service.receipt())
    assert reason_of(refused(use, service, trust)) == "consumed outcome"


def test_accepts_a_permission_for_several_uses_again(service: LyingService, use: Use) -> None:
    trust = PermissionTrust(SIGNED, used=MemoryUsedStore())
    for _ in range(2):
        service.answer_with(service.receipt(scope="timed"))
        assert use(service, trust=trust)["active"]


def test_accepts_one_of_50_simultaneous_uses(service: LyingService) -> None:
    trust = PermissionTrust(SIGNED, used=MemoryUsedStore())
    service.answer_with(service.receipt())
    client = service.client()

    def status(_: int) -> str:
        try:
            client.use_permission(service.token(), PARAMS, audience=SHOP, trust=trust)
            return "accepted"
        except PermissionRefused as error:
            return error.status

    with ThreadPoolExecutor(50) as pool:
        found = list(pool.map(status, range(50)))
    assert (found.count("accepted"), found.count("consumed")) == (1, 49)


def challenging(max_age: timedelta = timedelta(hours=1)) -> PermissionTrust:
    return PermissionTrust(SIGNED, used=MemoryUsedStore(), challenges=ChallengeRule(SECRET, max_age))


def test_accepts_a_challenge_for_one_permission(service: LyingService, use: Use) -> None:
    trust, challenge = challenging(), shop_challenge(SECRET)
    for _ in range(2):
        service.answer_with(service.receipt("PECK-1", scope="standing", grant_seconds=None, challenge=challenge))
        assert use(service, trust=trust)["active"]
    service.answer_with(service.receipt("PECK-2", challenge=challenge))
    assert reason_of(refused(use, service, trust)) == "untrusted challenge"


def test_accepts_any_challenge_of_a_receipt_once_with_a_store(service: LyingService, use: Use) -> None:
    trust = PermissionTrust(SIGNED, used=MemoryUsedStore())
    service.answer_with(service.receipt("PECK-1", challenge="order-17"))
    assert use(service, trust=trust)["active"]
    service.answer_with(service.receipt("PECK-2", challenge="order-17"))
    assert reason_of(refused(use, service, trust)) == "untrusted challenge"


@pytest.mark.parametrize(
    "challenge",
    [None, "order-17", shop_challenge(b"another secret of 16"), shop_challenge(SECRET)[:-1] + "~"],
    ids=["none", "a text", "of another shop", "changed"],
)
def test_refuses_a_challenge_that_the_shop_did_not_make(
    service: LyingService, use: Use, challenge: "str | None"
) -> None:
    service.answer_with(service.receipt(challenge=challenge))
    assert reason_of(refused(use, service, challenging())) == "untrusted challenge"


def test_refuses_an_old_challenge_at_the_first_use_only(service: LyingService, use: Use) -> None:
    old = shop_challenge(SECRET, now=NOW - timedelta(hours=2))
    patient, strict = challenging(timedelta(hours=3)), challenging(timedelta(hours=1))
    service.answer_with(service.receipt(scope="standing", grant_seconds=None, challenge=old))
    assert reason_of(refused(use, service, strict)) == "untrusted challenge"
    # The refusal is final: nobody owns the challenge later.
    assert reason_of(refused(use, service, strict)) == "untrusted challenge"
    assert use(service, trust=patient)["active"]
    later = PermissionTrust(SIGNED, used=patient.used, challenges=strict.challenges)
    assert use(service, trust=later)["active"]


def test_requires_the_code_that_the_person_typed(service: LyingService, use: Use) -> None:
    code = shop_code()
    assert re.fullmatch(r"\d{6}", code["code"])
    assert code["code_hash"] == code_digest(code["salt"], code["code"])
    trust = PermissionTrust(OutcomePolicy(require="signed", code=code))
    other = "000000" if code["code"] != "000000" else "000001"
    wrong: List[Any] = [
        None,
        {"hash": code["code_hash"], "typed": None},
        {"hash": code["code_hash"], "typed": other},
        # A service that chooses the hash itself knows another salt.
        {"hash": code_digest("A" * 22, code["code"]), "typed": code["code"]},
    ]
    for one in wrong:
        service.answer_with(service.receipt(code=one))
        assert reason_of(refused(use, service, trust)) == "untrusted code"
    service.answer_with(service.receipt(code={"hash": code["code_hash"], "typed": code["code"]}))
    assert use(service, trust=trust)["active"]


def test_keeps_the_passkey_of_the_first_contact_and_refuses_others(service: LyingService, use: Use) -> None:
    pins = MemoryPinStore()
    trust = PermissionTrust(SIGNED, pins=pins)
    service.answer_with(service.receipt())
    assert use(service, trust=trust)["active"]
    assert pins.get(TEAL) == [pin_of(service.passkey)]
    service.answer_with(service.receipt(signed_by=Authenticator(URL)))
    assert reason_of(refused(use, service, trust)) == "untrusted trust"
    # Who has pins accepts nothing less, whatever the policy requires.
    weak = PermissionTrust(OutcomePolicy(require="service"), pins=pins)
    service.answer_with(service.receipt(is_signed=False))
    assert reason_of(refused(use, service, weak)) == "untrusted trust"
    service.answer_with(service.receipt())
    assert use(service, trust=weak)["active"]
    assert pins.get(TEAL) == [pin_of(service.passkey)]


def test_stores_no_pin_when_only_the_service_signed(service: LyingService, use: Use) -> None:
    pins = MemoryPinStore()
    service.answer_with(service.receipt(is_signed=False))
    assert use(service, trust=PermissionTrust(OutcomePolicy(require="service"), pins=pins))["active"]
    assert pins.get(TEAL) == []


def test_refuses_people_without_a_pin_when_pins_are_required(service: LyingService, use: Use) -> None:
    pins = MemoryPinStore()
    trust = PermissionTrust(OutcomePolicy(require="pinned"), pins=pins)
    service.answer_with(service.receipt())
    assert reason_of(refused(use, service, trust)) == "untrusted trust"
    pins.add(TEAL, pin_of(service.passkey))
    assert use(service, trust=trust)["active"]


def test_accepts_and_keeps_a_passkey_that_pinned_ones_lead_to(service: LyingService, use: Use) -> None:
    old, middle, new = (Authenticator(URL) for _ in range(3))
    pins = MemoryPinStore()
    pins.add(TEAL, pin_of(old))
    trust = PermissionTrust(SIGNED, pins=pins)
    service.answer_with(
        service.receipt(signed_by=new, endorsements=[endorsement(middle, new), endorsement(old, middle)])
    )
    assert use(service, trust=trust)["active"]
    assert pins.get(TEAL) == [pin_of(old), pin_of(new)]


class SlowPinStore(MemoryPinStore):
    """A store in which another first contact is always faster."""

    def __init__(self, faster: Pin) -> None:
        super().__init__()
        self._faster = faster

    def add_first(self, target: str, pin: Pin) -> None:
        super().add_first(target, self._faster)
        super().add_first(target, pin)


def test_accepts_one_of_two_simultaneous_first_contacts_with_different_passkeys(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt())
    slow = PermissionTrust(SIGNED, pins=SlowPinStore(pin_of(Authenticator(URL))))
    assert reason_of(refused(use, service, slow)) == "untrusted trust"
    same = PermissionTrust(SIGNED, pins=SlowPinStore(pin_of(service.passkey)))
    assert use(service, trust=same)["active"]


OLD, NEW, THIEF = (Authenticator(URL) for _ in range(3))

FORGED: Dict[str, List[Dict[str, Any]]] = {
    "for another person": [endorsement(OLD, NEW, duckling_id="DUCK-VERA")],
    "for another service": [endorsement(OLD, NEW, issuer="https://lake.example")],
    "about another passkey": [endorsement(OLD, THIEF)],
    "about another key of the same id": [endorsement(OLD, NEW, public_key=pin_of(THIEF)["public_key"])],
    "signed by another key": [endorsement(OLD, NEW, signer=THIEF)],
    "on another site": [endorsement(OLD, NEW, rp_id="lake.example")],
    "of another origin": [endorsement(OLD, NEW, signer=Authenticator("https://lake.example"))],
    "with a link that is missing": [endorsement(OLD, THIEF), endorsement(THIEF, NEW)],
    "with another text": [{**endorsement(OLD, NEW), "statement_text": endorsement(OLD, NEW)["statement_text"]}],
    "of a later version": [endorsement(OLD, NEW, version=2)],
    "with one more member": [endorsement(OLD, NEW, note="x")],
    "with too many links": [endorsement(OLD, OLD)] * 21,
}


@pytest.mark.parametrize("name", FORGED)
def test_refuses_a_receipt_with_a_forged_endorsement(service: LyingService, name: str) -> None:
    signer = OLD if name == "with too many links" else NEW
    policy = OutcomePolicy(require="service", issuer=service.issuer, pins=[pin_of(OLD)])
    usual = service.receipt(signed_by=NEW, endorsements=[endorsement(OLD, NEW)])
    assert verify_outcome(usual, policy).trust == "pinned"
    with pytest.raises(VerificationError) as caught:
        verify_outcome(service.receipt(signed_by=signer, endorsements=FORGED[name]), policy)
    assert not isinstance(caught.value, PolicyNotMet)


def test_finds_the_whole_chain_of_passkeys(service: LyingService) -> None:
    receipt = service.receipt(signed_by=NEW, endorsements=[endorsement(OLD, NEW), endorsement(THIEF, OLD)])
    found = verify_outcome(receipt, OutcomePolicy(require="signed", issuer=service.issuer))
    assert found.passkey_chain == [pin_of(NEW), pin_of(OLD), pin_of(THIEF)]
    assert (found.trust, found.version, found.passkey_statement) == ("signed", 3, 3)


HASH = code_digest("A" * 22, "123456")


@pytest.mark.parametrize(
    "facts",
    [
        {"challenge": ""},
        {"challenge": "a" * 65},
        {"challenge": "a b"},
        {"challenge": "é"},
        {"challenge": "a\n"},
        {"code": {"hash": HASH, "typed": "12345"}},
        {"code": {"hash": HASH, "typed": "1234567"}},
        {"code": {"hash": HASH, "typed": "١٢٣٤٥٦"}},
        {"code": {"hash": HASH + "A", "typed": None}},
        {"code": {"hash": HASH}},
        {"test": 0},
        {"test": None},
        {"decided_by": None},
        {"decided_by": {"type": "rule"}},
        {"decided_by": {"type": "person", "name": "Teal"}},
        {"approver": "https://" + "a" * 300},
        {"note": "x"},
    ],
    ids=lambda facts: str(next(iter(facts.items())))[:40].encode("ascii", "replace").decode(),
)
def test_refuses_a_statement_of_another_form_although_everybody_signed_it(
    service: LyingService, facts: Dict[str, Any]
) -> None:
    policy = OutcomePolicy(require="signed", issuer=service.issuer)
    signed = service.receipt(challenge="!~" + "a" * 62, code={"hash": HASH, "typed": "123456"})
    assert verify_outcome(signed, policy).trust == "signed"
    with pytest.raises(VerificationError):
        verify_outcome(service.receipt(**facts), policy)


APPROVER = "https://approve.example:8443"
KEYS = json.loads((Path(__file__).resolve().parents[3] / "docs/receipts/vectors/keys.json").read_text("utf-8"))
VKEYS, WITNESSES = KEYS["vkeys"], KEYS["witnesses"]


def on_approver(service: LyingService, passkey: Authenticator, peck_id: str = "PECK-1") -> Any:
    return service.receipt(peck_id, approver=APPROVER, signed_by=passkey, rp_id="approve.example")


def test_accepts_a_passkey_of_the_approver_that_is_pinned_whatever_is_required(service: LyingService) -> None:
    passkey = Authenticator(APPROVER)
    policy = OutcomePolicy(require="signed", issuer=service.issuer, approver=APPROVER, pins=[pin_of(passkey)])
    assert verify_outcome(on_approver(service, passkey), policy).trust == "pinned"
    with pytest.raises(PolicyNotMet) as caught:
        verify_outcome(on_approver(service, Authenticator(APPROVER)), policy)
    assert caught.value.reason == "trust"


def test_refuses_an_approver_without_pins_because_the_service_can_claim_it(service: LyingService) -> None:
    policy = OutcomePolicy(require="proven", vkeys=VKEYS, witnesses=WITNESSES, issuer=service.issuer, approver=APPROVER)
    with pytest.raises(ValueError, match="An approver proves nothing without pins"):
        verify_outcome(on_approver(service, Authenticator(APPROVER)), policy)
    with pytest.raises(ValueError, match="store of pins"):
        PermissionTrust(policy)
    with pytest.raises(ValueError, match="store of pins"):
        GuardTrust(approver=APPROVER)


def test_accepts_the_origin_of_an_approver_for_another_passkey_only_at_the_first_contact(
    service: LyingService, use: Use
) -> None:
    trust = PermissionTrust(OutcomePolicy(require="signed", approver=APPROVER), pins=MemoryPinStore())
    service.answer_with(service.receipt())
    assert reason_of(refused(use, service, trust)) == "untrusted approver"
    passkey = Authenticator(APPROVER)
    service.answer_with(on_approver(service, passkey))
    assert use(service, trust=trust)["active"]
    service.answer_with(on_approver(service, Authenticator(APPROVER), "PECK-2"))
    assert reason_of(refused(use, service, trust)) == "untrusted trust"
    service.answer_with(on_approver(service, passkey, "PECK-3"))
    assert use(service, trust=trust)["active"]


@pytest.mark.parametrize(
    "approver",
    ["https://approve.example:443", "https://approve.example/page", "", "approve.example", "https://", "https://[", "https://a b", "https://approve.example:99999", "data:,x", "https://é"],
)
def test_refuses_an_approver_that_is_no_site(service: LyingService, approver: str) -> None:
    receipt = service.receipt(approver=approver, signed_by=Authenticator(approver), rp_id="")
    with pytest.raises(VerificationError):
        verify_outcome(receipt, OutcomePolicy(require="service", issuer=service.issuer))


def test_reads_the_receipt_before_the_use_when_asked(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt(is_signed=False))
    assert reason_of(refused(use, service, PermissionTrust(SIGNED, read_first=True))) == "untrusted trust"
    assert service.spent == 0
    service.answer_with(service.receipt())
    trust = PermissionTrust(SIGNED, used=MemoryUsedStore(), read_first=True)
    assert use(service, trust=trust)["active"]
    assert service.spent == 1


def test_spends_nothing_while_the_keys_of_the_service_cannot_be_read(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt())
    service.has_keys = False
    with pytest.raises(BeakConnectionError):
        use(service, trust=PermissionTrust(SIGNED))
    assert service.spent == 0
    # The keys that the shop has need no request.
    assert use(service, trust=PermissionTrust(OutcomePolicy(require="signed", issuer=service.issuer)))["active"]


def test_refuses_a_receipt_with_a_key_that_the_shop_does_not_have(service: LyingService, use: Use) -> None:
    service.answer_with(service.receipt())
    trust = PermissionTrust(OutcomePolicy(require="signed", issuer=LyingService().issuer))
    assert reason_of(refused(use, service, trust)) == "untrusted"


@pytest.mark.parametrize(
    "make",
    [
        lambda: PermissionTrust(OutcomePolicy()),
        lambda: PermissionTrust(OutcomePolicy(require="signed", params={})),
        lambda: PermissionTrust(OutcomePolicy(require="signed", audience=SHOP)),
        lambda: PermissionTrust(OutcomePolicy(require="signed", pins=[pin_of(OLD)])),
        lambda: PermissionTrust(OutcomePolicy(require="pinned")),
        lambda: PermissionTrust(SIGNED, challenges=ChallengeRule(SECRET, timedelta(hours=1))),
        lambda: ChallengeRule(b"too short", timedelta(hours=1)),
        lambda: shop_challenge("too short"),
        lambda: is_own_challenge("too short", "x", None),
        lambda: OutcomePolicy(require="signed", code={"code": "123456", "salt": "\ud83d"}),
    ],
)
def test_refuses_demands_that_nothing_can_meet_when_they_are_made(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        make()


def test_passes_the_demands_of_a_shop_on_to_the_service(service: LyingService) -> None:
    code = shop_code()
    with pytest.raises(BeakError):
        service.client().request_permission(
            target=TEAL, action="pay:invoice", require="signed", challenge="order-17", code_hash=code["code_hash"]
        )
    demands = {"require": "signed", "challenge": "order-17", "code_hash": code["code_hash"]}
    assert {name: service.asked[0].get(name) for name in demands} == demands


# Challenges


def test_recognizes_its_own_challenges_only() -> None:
    challenge = shop_challenge(SECRET)
    assert re.fullmatch(r"[\w-]{22}\.[0-9a-z]{6}\.[\w-]{22}", challenge)
    assert is_own_challenge(SECRET, challenge, timedelta(hours=1))
    assert shop_challenge(SECRET) != challenge
    assert not is_own_challenge(b"another secret of 16", challenge, None)
    for at, letter in enumerate(challenge):
        changed = challenge[:at] + ("A" if letter != "A" else "B") + challenge[at + 1 :]
        assert not is_own_challenge(SECRET, changed, None), at
    for text in ("", ".", challenge + " ", challenge + "\n", "é" * 22, challenge.replace(".", ".0", 1)):
        assert not is_own_challenge(SECRET, text, None)


def test_limits_the_age_of_a_challenge() -> None:
    challenge = shop_challenge(SECRET, now=NOW)
    hour = timedelta(hours=1)
    assert is_own_challenge(SECRET, challenge, hour, now=NOW + hour - timedelta(seconds=1))
    assert not is_own_challenge(SECRET, challenge, hour, now=NOW + hour + timedelta(seconds=2))
    assert is_own_challenge(SECRET, challenge, None, now=NOW + timedelta(days=1000))
    # The clocks of the servers of one shop differ by some seconds.
    assert is_own_challenge(SECRET, challenge, hour, now=NOW - timedelta(seconds=25))
    assert not is_own_challenge(SECRET, challenge, hour, now=NOW - timedelta(seconds=40))


def test_recognizes_a_challenge_that_the_typescript_client_made() -> None:
    challenge = "AAECAwQFBgcICQoLDA0ODw.t3mfk0.v3yX-zPq2xBJlqBRGwFocg"
    assert is_own_challenge(SECRET, challenge, None)
    assert is_own_challenge(SECRET.decode(), challenge, timedelta(0), now=datetime.fromtimestamp(int("t3mfk0", 36), timezone.utc))


# Stores

@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "shop.db")


@pytest.fixture(params=["memory", "sqlite"])
def used(request: pytest.FixtureRequest, database: Database) -> UsedStore:
    if request.param == "memory":
        return MemoryUsedStore()
    return SqlUsedStore(database.run)


@pytest.fixture(params=["memory", "sqlite"])
def pins(request: pytest.FixtureRequest, database: Database) -> PinStore:
    if request.param == "memory":
        return MemoryPinStore()
    return SqlPinStore(database.run)


def simultaneously(work: Callable[[int], Any], count: int = 50) -> List[Any]:
    barrier = threading.Barrier(count)

    def start(number: int) -> Any:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


def test_gives_50_simultaneous_claims_of_a_key_one_owner(used: UsedStore) -> None:
    owners = simultaneously(lambda number: used.claim("use:PECK-1", f"owner-{number}"))
    assert len(set(owners)) == 1
    assert used.claim("use:PECK-1", "late") == owners[0]
    assert used.claim("use:PECK-2", "other") == "other"


def test_stores_when_a_claim_may_be_deleted(database: Database) -> None:
    SqlUsedStore(database.run).claim("a", "one", datetime(2026, 11, 24, 0, 0, 0, 500, timezone.utc))
    SqlUsedStore(database.run).claim("b", "one")
    assert database.run("SELECT key, until FROM beak_used ORDER BY key", []) == [("a", 1795478401), ("b", None)]


def test_deletes_only_expired_claims_from_memory() -> None:
    store = MemoryUsedStore()
    store.CLEANUP_LEAST = store._cleanup_size = 10
    past, future = NOW - timedelta(hours=1), NOW + timedelta(hours=1)
    for number in range(20):
        store.claim(f"past {number}", "one", past)
        store.claim(f"future {number}", "one", future)
        store.claim(f"always {number}", "one")
    assert len(store._entries) < 50
    for number in range(20):
        assert store.claim(f"future {number}", "two", future) == "one"
        assert store.claim(f"always {number}", "two") == "one"


def pins_in(store: PinStore) -> List[Pin]:
    found = store.get(TEAL)
    assert isinstance(found, list)
    return found


def test_adds_each_pin_once(pins: PinStore) -> None:
    one, two = pin_of(OLD), pin_of(NEW)
    mixed: Pin = {"credential_id": one["credential_id"], "public_key": two["public_key"]}
    for pin in (one, two, one, mixed):
        pins.add(TEAL, pin)
    assert sorted(map(str, pins_in(pins))) == sorted(map(str, (one, two, mixed)))
    assert pins.get("DUCK-VERA") == []


def test_adds_one_of_50_simultaneous_first_pins(pins: PinStore) -> None:
    simultaneously(lambda number: pins.add_first(TEAL, {"credential_id": str(number), "public_key": "key"}))
    first = pins_in(pins)
    assert len(first) == 1
    pins.add_first(TEAL, pin_of(OLD))
    assert pins_in(pins) == first
    # A pin that the shop added itself is a first pin, too.
    pins.add("DUCK-VERA", pin_of(OLD))
    pins.add_first("DUCK-VERA", pin_of(NEW))
    assert pins.get("DUCK-VERA") == [pin_of(OLD)]
    pins.add(TEAL, pin_of(OLD))
    assert pin_of(OLD) in pins_in(pins)


def test_uses_stores_in_a_database(service: LyingService, database: Database) -> None:
    trust = PermissionTrust(SIGNED, used=SqlUsedStore(database.run), pins=SqlPinStore(database.run))
    later = PermissionTrust(SIGNED, used=SqlUsedStore(database.run_later), pins=SqlPinStore(database.run_later))
    service.answer_with(service.receipt("PECK-1", challenge="order-17"))
    assert use_asynchronously(service, trust=later)["active"]
    assert reason_of(refused(use_synchronously, service, trust)) == "consumed outcome"
    service.answer_with(service.receipt("PECK-2", signed_by=Authenticator(URL)))
    assert reason_of(refused(use_asynchronously, service, later)) == "untrusted trust"
    newer = Authenticator(URL)
    service.answer_with(service.receipt("PECK-3", signed_by=newer, endorsements=[endorsement(service.passkey, newer)]))
    assert use_asynchronously(service, trust=later)["active"]
    assert len(database.run("SELECT 1 FROM beak_pins", [])) == 2


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
def test_refuses_an_asynchronous_store_in_the_synchronous_client(service: LyingService, database: Database) -> None:
    service.answer_with(service.receipt())
    with pytest.raises(TypeError):
        use_synchronously(service, trust=PermissionTrust(SIGNED, used=SqlUsedStore(database.run_later)))


def test_writes_the_places_of_values_as_the_driver_expects() -> None:
    texts: List[str] = []

    def run(text: str, values: List[object]) -> Sequence[Sequence[object]]:
        texts.append(text)
        assert len(values) == 3
        return [("owner",)]

    SqlUsedStore(run, placeholders="$").claim("key", "owner")
    SqlUsedStore(run, placeholders="%s").claim("key", "owner")
    assert ["VALUES ($1, $2, $3)" in texts[0], "VALUES (%s, %s, %s)" in texts[1]] == [True, True]


def test_refuses_a_table_that_returns_no_owner() -> None:
    with pytest.raises(ValueError):
        SqlUsedStore(lambda text, values: []).claim("key", "owner")
