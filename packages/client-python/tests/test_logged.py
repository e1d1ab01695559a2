"""What the transparency log has about the decision, the use and the revocation in a receipt."""
import hashlib
import json
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Optional

import pytest
from authenticator import base64url
from beak.errors import VerificationError
from beak.verify import (
    LogForkError,
    LoggedFacts,
    LoggedOutcome,
    MemoryCheckpointStore,
    OutcomePolicy,
    PolicyNotMet,
    parse_log_policy,
    verify_outcome,
)
from beak.verify._encoding import base64url_bytes, canonical_json, digest_of, json_object
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from shop import PARAMS, LyingService, digest, text_of
from test_verify import OwnLog, audit_path, base64_text

OTHER_ENTRIES = 4


class Witness:
    """A witness that we play, whose clock we set."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.private = Ed25519PrivateKey.generate()
        key = b"\x04" + self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key_id = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
        self.vkey = f"{name}+{self.key_id.hex()}+{base64_text(key)}"

    def line(self, note: str, time: datetime) -> str:
        seconds = int(time.timestamp())
        text = note.rpartition("\n\n")[0] + "\n"
        signature = self.private.sign(f"cosignature/v1\ntime {seconds}\n{text}".encode())
        return f"\u2014 {self.name} {base64_text(self.key_id + seconds.to_bytes(8, 'big') + signature)}\n"


class Pond:
    """A service with a log and two witnesses. It can sign anything."""

    def __init__(self) -> None:
        self.service = LyingService()
        self.log = OwnLog(OTHER_ENTRIES)
        self.witnesses = [Witness("one.example/w"), Witness("two.example/w")]

    def claims(self, receipt: Dict[str, Any]) -> Dict[str, Any]:
        return json_object(base64url_bytes(receipt["jws"].split(".")[1], "claims"), "claims")

    def place(self, kind: str, named: Dict[str, Any], seen: Dict[Witness, datetime]) -> Dict[str, Any]:
        """Adds an entry, and returns its place in a state of the log that the witnesses cosigned at these times."""
        self.log.entries.append(canonical_json({"digest": digest_of(named), "kind": kind}).encode())
        index = len(self.log.entries) - 1
        note = self.log.checkpoint(index + 1)
        lines = [witness.line(note, time) for witness, time in seen.items()]
        return {
            "index": index,
            "inclusion": [base64_text(one) for one in audit_path(index, self.log.entries)],
            "checkpoint": note + "".join(lines),
        }

    def receipt(
        self,
        kinds: "tuple[str, ...]" = ("decided", "used"),
        *,
        delays: "tuple[int, ...]" = (30, 30),
        claims: Optional[Dict[str, Any]] = None,
        **facts: Any,
    ) -> Dict[str, Any]:
        """Returns a receipt that shows these kinds. The witnesses see each entry so many seconds after its time."""
        receipt = self.service.receipt(claims=claims, **facts)
        signed = self.claims(receipt)
        decided_at, used_at, ended_at = (signed[name] for name in ("decided_at", "last_used_at", "ended_at"))
        named = {
            "decided": (decided_at, {"decided_at": decided_at}),
            "used": (used_at, {"used_at": used_at, "uses": signed["uses"]}),
            "revoked": (ended_at, {"revoked_at": ended_at}),
        }
        logged: Dict[str, Any] = {"used": None, "revoked": None, "vkeys": [self.log.vkey]}
        for kind in kinds:
            at, entry = named[kind]
            time = datetime.fromisoformat(at.replace("Z", "+00:00"))
            seen = {witness: time + timedelta(seconds=delay) for witness, delay in zip(self.witnesses, delays)}
            logged[kind] = self.place(kind, {"statement": signed["statement"], **entry}, seen)
        return self.signed(receipt, logged)

    def signed(self, receipt: Dict[str, Any], logged: Any) -> Dict[str, Any]:
        """Returns the receipt with another `logged`, which the service signed."""
        claims = {**self.claims(receipt), "logged": None if logged is None else digest(logged)}
        return {**receipt, "logged": logged, "jws": self.service.sign("peck-receipt+jwt", claims)}

    def policy(self, **more: Any) -> OutcomePolicy:
        keys = {"vkeys": [self.log.vkey], "witnesses": [witness.vkey for witness in self.witnesses]}
        given: Dict[str, Any] = {"issuer": self.service.issuer, "require": "signed", **keys, **more}
        return OutcomePolicy(**given)

    def logged(self, receipt: Dict[str, Any], **more: Any) -> LoggedOutcome:
        return verify_outcome(receipt, self.policy(**more)).logged

    def reason(self, receipt: Dict[str, Any], **more: Any) -> Optional[str]:
        """Returns why a policy that demands the entries refuses a receipt, or None when it accepts the receipt."""
        try:
            verify_outcome(receipt, self.policy(logged=True, **more))
        except PolicyNotMet as error:
            return error.reason
        return None


@pytest.fixture
def pond() -> Pond:
    return Pond()


def state_of(facts: Optional[LoggedFacts]) -> Optional[str]:
    return None if facts is None else facts.state


REVOKED = {"outcome": "revoked", "uses": 0, "last_used_at": None}


def test_returns_the_entry_and_the_witnesses_of_a_decision_and_a_use(pond: Pond) -> None:
    logged = pond.logged(pond.receipt())
    assert logged.decided is not None
    assert logged.used is not None
    assert (logged.decided.state, logged.used.state, logged.revoked) == ("proven", "proven", None)
    assert (logged.decided.index, logged.used.index) == (OTHER_ENTRIES, OTHER_ENTRIES + 1)
    assert [one.witness for one in logged.used.cosignatures] == ["one.example/w", "two.example/w"]
    assert logged.used.cosignatures[0].time - logged.decided.cosignatures[0].time == timedelta(minutes=2)


def test_returns_the_entry_of_a_revocation(pond: Pond) -> None:
    receipt = pond.receipt(("decided", "revoked"), claims=REVOKED)
    logged = pond.logged(receipt, outcome="revoked")
    assert [state_of(one) for one in (logged.decided, logged.used, logged.revoked)] == ["proven", None, "proven"]
    assert pond.reason(receipt, outcome="revoked") is None


def test_returns_not_logged_without_an_entry(pond: Pond) -> None:
    receipt = pond.service.receipt()
    missing = LoggedFacts("not_logged", None, [])
    assert pond.logged(receipt) == LoggedOutcome(missing, missing, None)
    assert pond.reason(receipt) == "logged"


def test_expects_no_entry_of_an_old_use_without_a_time(pond: Pond) -> None:
    receipt = pond.receipt(("decided",), claims={"last_used_at": None})
    assert pond.logged(receipt).used is None
    assert pond.reason(receipt) is None


@pytest.mark.parametrize(
    ("trust", "state"),
    [({"vkeys": []}, "log_not_trusted"), ({"witnesses": []}, "witness_not_trusted"), ({}, "proven")],
    ids=["no key of the log", "no key of a witness", "both"],
)
def test_proves_an_entry_only_with_keys_of_the_log_and_of_a_witness(pond: Pond, trust: Any, state: str) -> None:
    logged = pond.logged(pond.receipt(), **trust)
    assert (state_of(logged.decided), state_of(logged.used)) == (state, state)


@pytest.mark.parametrize(
    ("delays", "quorum", "state"),
    [
        ((600, -600), None, "proven"),
        ((601, 0), None, "not_witnessed"),
        ((0, -601), None, "not_witnessed"),
        ((0, -601), 1, "proven"),
        ((601, -601), 1, "not_witnessed"),
        ((0,), None, "not_witnessed"),
        ((0,), 1, "proven"),
    ],
    ids=["at the limits", "too late", "too early", "one of two", "none of two", "only one", "one is enough"],
)
def test_counts_witnesses_that_saw_the_entry_within_ten_minutes(
    pond: Pond, delays: "tuple[int, ...]", quorum: Optional[int], state: str
) -> None:
    receipt = pond.receipt(delays=delays)
    logged = pond.logged(receipt, quorum=quorum)
    assert (state_of(logged.decided), state_of(logged.used)) == (state, state)
    assert logged.used is not None
    assert len(logged.used.cosignatures) == len(delays)
    assert pond.reason(receipt, quorum=quorum) == (None if state == "proven" else "logged")


def test_counts_the_first_cosignature_of_a_witness(pond: Pond) -> None:
    receipt = pond.receipt(delays=(30,))
    note = receipt["logged"]["used"]["checkpoint"]
    times = [datetime.fromtimestamp(seconds, timezone.utc) for seconds in (1_600_000_000, 4_000_000_000)]
    early, late = (pond.witnesses[0].line(note, time) for time in times)
    for line, state in ((early, "not_witnessed"), (late, "proven")):
        used = {**receipt["logged"]["used"], "checkpoint": note + line}
        changed = pond.signed(receipt, {**receipt["logged"], "used": used})
        assert state_of(pond.logged(changed, witnesses=[pond.witnesses[0].vkey]).used) == state


def test_applies_the_quorum_of_a_log_policy(pond: Pond) -> None:
    names = [f"witness {name} {witness.vkey}" for name, witness in zip("ab", pond.witnesses)]
    own: Dict[str, Any] = {"vkeys": (), "witnesses": ()}
    receipt = pond.receipt(delays=(30,))
    for quorum, state in (("any", "proven"), ("all", "not_witnessed")):
        text = "\n".join([f"log {pond.log.vkey}", *names, f"group g {quorum} a b", "quorum g", ""])
        assert state_of(pond.logged(receipt, log_policy=parse_log_policy(text), **own).decided) == state
    no_witness = parse_log_policy(f"log {pond.log.vkey}\nquorum none\n")
    with pytest.raises(ValueError, match="quorum none"):
        pond.policy(log_policy=no_witness, logged=True, **own)


def test_remembers_the_checkpoints_of_the_entries(pond: Pond) -> None:
    store = MemoryCheckpointStore()
    receipt = pond.receipt()
    pond.logged(receipt, checkpoints=store)
    assert max(one.size for one in store.get(OwnLog.NAME)) == OTHER_ENTRIES + 2
    # The log shows other entries from now on.
    pond.log.entries = [canonical_json({"digest": "0" * 64, "kind": "chain_head"}).encode()] * OTHER_ENTRIES
    with pytest.raises(LogForkError):
        pond.logged(pond.receipt(), checkpoints=store)


def test_demands_entries_only_when_the_policy_says_so(pond: Pond) -> None:
    receipt = pond.receipt(delays=(3600, 3600))
    verify_outcome(receipt, pond.policy())
    with pytest.raises(PolicyNotMet, match="when it was decided \\(not_witnessed\\)") as refused:
        verify_outcome(receipt, pond.policy(logged=True))
    assert refused.value.reason == "logged"
    assert pond.reason(pond.receipt(("decided",))) == "logged"


def test_names_the_other_faults_of_a_policy_first(pond: Pond) -> None:
    receipt = pond.service.receipt()
    assert pond.reason(receipt, params={**PARAMS, "amount": 1}) == "params"
    assert pond.reason(receipt, decided_within=timedelta(seconds=1)) == "stale"
    assert pond.reason(receipt) == "logged"


def test_refuses_the_demand_for_a_request_that_nobody_decided(pond: Pond) -> None:
    ended = {"outcome": "cancelled", "decided_at": None, "uses": 0, "last_used_at": None, "grant_expires_at": None}
    receipt = pond.service.receipt(is_signed=False, claims=ended, decision=None, decided_by=None)
    trust: Dict[str, Any] = {"require": "service", "outcome": "cancelled"}
    assert pond.logged(receipt, **trust) == LoggedOutcome(None, None, None)
    assert pond.reason(receipt, **trust) == "logged"


@pytest.mark.parametrize("missing", ["vkeys", "witnesses"])
def test_refuses_a_policy_that_demands_entries_without_keys(pond: Pond, missing: str) -> None:
    with pytest.raises(ValueError, match='with "logged" needs'):
        pond.policy(logged=True, **{missing: []})


def refuses(pond: Pond, receipt: Dict[str, Any], message: Optional[str] = None) -> None:
    with pytest.raises(VerificationError, match=message) as refused:
        verify_outcome(receipt, pond.policy(require="service", outcome=[receipt["outcome"]]))
    assert not isinstance(refused.value, PolicyNotMet)


@pytest.mark.parametrize(
    "claims",
    [
        {"decided_at": "2026-01-01T00:00:00.000Z"},
        {"last_used_at": "2026-01-01T00:00:00.000Z"},
        {"uses": 2},
        {"uses": 0, "last_used_at": None},
        {"uses": 0, "last_used_at": None, "outcome": "revoked"},
    ],
    ids=["another decision", "another time of use", "another count", "no use", "revoked instead of used"],
)
def test_refuses_entries_that_are_not_about_the_receipt(pond: Pond, claims: Dict[str, Any]) -> None:
    shown = pond.receipt(scope="timed", grant_seconds=None)
    changed = {**shown, "outcome": claims.get("outcome", shown["outcome"])}
    if "outcome" in claims:
        claims = {**claims, "ended_at": text_of(datetime.now(timezone.utc))}
    changed["jws"] = pond.service.sign("peck-receipt+jwt", {**pond.claims(shown), **claims})
    pond.logged(shown)
    refuses(pond, changed, "entry")


def test_refuses_an_entry_under_another_kind(pond: Pond) -> None:
    receipt = pond.receipt()
    logged = receipt["logged"]
    refuses(pond, pond.signed(receipt, {**logged, "decided": logged["used"]}))
    refuses(pond, pond.signed(receipt, {**logged, "used": logged["decided"]}))
    refuses(pond, pond.signed(receipt, {**logged, "revoked": logged["used"]}))


def test_refuses_an_entry_at_another_place_or_in_another_log(pond: Pond) -> None:
    receipt = pond.receipt()
    logged = receipt["logged"]
    proof: List[str] = logged["used"]["inclusion"]
    for change in (
        {"index": 0},
        {"index": 2**53 - 1},
        {"inclusion": proof[:-1]},
        {"inclusion": [*proof, base64_text(bytes(32))]},
        {"inclusion": [*proof[:-1], base64_text(bytes(31))]},
        {"inclusion": [*proof[:-1], "no hash"]},
        {"checkpoint": logged["decided"]["checkpoint"]},
        {"checkpoint": OwnLog(9).checkpoint(9)},
        {"checkpoint": ""},
    ):
        refuses(pond, pond.signed(receipt, {**logged, "used": {**logged["used"], **change}}))


def test_refuses_what_the_service_did_not_sign(pond: Pond) -> None:
    receipt = pond.receipt()
    logged = receipt["logged"]
    for other in (None, {**logged, "used": None}, {**logged, "vkeys": []}):
        refuses(pond, {**receipt, "logged": other})
        assert pond.logged(pond.signed(receipt, other)) is not None
    for digest_of_it in (None, base64url(bytes(32))):
        claims = {**pond.claims(receipt), "logged": digest_of_it}
        refuses(pond, {**receipt, "jws": pond.service.sign("peck-receipt+jwt", claims)})


def test_refuses_other_members(pond: Pond) -> None:
    receipt = pond.receipt()
    logged = receipt["logged"]
    other: Any
    for other in (
        {name: logged[name] for name in ("decided", "used", "vkeys")},
        {**logged, "decided": None},
        {**logged, "more": 1},
        {**logged, "used": {**logged["used"], "more": 1}},
        {**logged, "used": {**logged["used"], "index": -1}},
        {**logged, "used": {**logged["used"], "inclusion": [base64_text(bytes(32))] * 65}},
        {**logged, "vkeys": [pond.log.vkey] * 21},
        {**logged, "vkeys": ["x" * 601]},
        {},
        [],
        "logged",
    ):
        refuses(pond, pond.signed(receipt, other))
    refuses(pond, {name: value for name, value in receipt.items() if name != "logged"})
    claims = {name: value for name, value in pond.claims(receipt).items() if name != "logged"}
    refuses(pond, {**receipt, "jws": pond.service.sign("peck-receipt+jwt", claims)})


def test_reads_counts_of_uses_that_are_written_with_a_point(pond: Pond) -> None:
    receipt = pond.receipt()
    body = json.dumps(pond.claims(receipt)).replace('"uses": 1,', '"uses": 1.0,')
    assert "1.0" in body
    header = receipt["jws"].split(".")[0]
    start = f"{header}.{base64url(body.encode())}"
    signature = base64url(pond.service.private.sign(start.encode()))
    assert state_of(pond.logged({**receipt, "jws": f"{start}.{signature}"}).used) == "proven"
