"""The published test vectors of receipts (docs/receipts/format.md)."""
import copy
import hashlib
import json
from datetime import datetime, timedelta
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

import pytest
from beak.errors import VerificationError
from beak.verify import Issuer, KeySet, OutcomePolicy, PolicyNotMet, verify_outcome, verify_receipt
from beak.verify._encoding import base64url, base64url_bytes, canonical_json, json_object, number_text
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from service import ROOT


def vectors(name: str) -> Any:
    return json.loads((ROOT / "docs/receipts/vectors" / name).read_text(encoding="utf-8"))


KEYS: Dict[str, Any] = vectors("keys.json")
VALID: List[Dict[str, Any]] = vectors("valid.json")
ISSUER = Issuer(KEYS["issuer"], KeySet(KEYS["jwks"]))


def check(receipt: Any) -> Any:
    """Returns what is found in a receipt, whatever a policy would demand."""
    return found_in(receipt, vkeys=KEYS["vkeys"], witnesses=KEYS["witnesses"])


def found_in(receipt: Any, **trust: Any) -> Any:
    with pytest.raises(VerificationError) as refused:
        verify_outcome(receipt, OutcomePolicy(issuer=ISSUER, **trust))
    if not isinstance(refused.value, PolicyNotMet):
        raise refused.value
    assert refused.value.reason == "requirement"
    return refused.value.found


def text_of(time: Any) -> Any:
    return None if time is None else time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def states_of(verified: Any) -> Any:
    """Returns the result for each entry of the log, or None when nobody decided."""
    found = {name: getattr(verified.logged, name) for name in ("decided", "used", "revoked")}
    if found["decided"] is None:
        return None
    return {name: None if facts is None else facts.state for name, facts in found.items()}


def rule_in(verified: Any) -> Any:
    """Returns what was found about the rule that decided, or None."""
    rule = verified.rule
    return rule and {
        "rule_id": rule.rule_id,
        "sentence": rule.sentence,
        "created_at": rule.statement["created_at"],
        "passkey": rule.passkey_id,
        "chain": [pin["credential_id"] for pin in rule.passkey_chain],
        "enrolment": rule.enrolment,
        "cosignatures": [{"witness": one.witness, "time": one.time.timestamp()} for one in rule.cosignatures],
        "budget": rule.budget,
        "within_rule": rule.within_rule,
    }


@pytest.mark.parametrize("vector", VALID, ids=lambda vector: str(vector["name"]))
def test_accepts_a_valid_receipt_with_the_expected_facts(vector: Dict[str, Any]) -> None:
    verified = check(vector["receipt"])
    found = {
        "outcome": verified.outcome,
        "decision": verified.statement["decision"],
        "decided_at": text_of(verified.decided_at),
        "ended_at": text_of(verified.ended_at),
        "uses": verified.uses,
        "last_used_at": text_of(verified.last_used_at),
        "grant_expires_at": text_of(verified.grant_expires_at),
        "signed_at": text_of(verified.signed_at),
        "passkey": verified.passkey_id,
        "passkey_statement": verified.passkey_statement,
        "chain": [pin["credential_id"] for pin in verified.passkey_chain],
        "enrolment": verified.enrolment,
        "cosignatures": [{"witness": one.witness, "time": one.time.timestamp()} for one in verified.cosignatures],
        "rule": rule_in(verified),
        "logged": states_of(verified),
        "params": [{"name": name, "value": value} for name, value in verified.params.items()],
        "hidden_params": verified.hidden_params,
        "shown": verified.shown,
    }
    assert found == vector["expected"]


def test_refuses_every_changed_value() -> None:
    receipts = {vector["name"]: vector["receipt"] for vector in VALID}
    changes = vectors("changed.json")
    assert len(changes) > 70
    for change in changes:
        receipt = copy.deepcopy(receipts[change["name"]])
        inner: Any = receipt
        for name in change["path"][:-1]:
            inner = inner[name]
        if "value" in change:
            inner[change["path"][-1]] = change["value"]
        else:
            del inner[change["path"][-1]]
        with pytest.raises(VerificationError):
            check(receipt)


@pytest.mark.parametrize("vector", vectors("forged.json"), ids=lambda vector: str(vector["name"]))
def test_refuses_a_forged_receipt(vector: Dict[str, Any]) -> None:
    with pytest.raises(VerificationError):
        check(vector["receipt"])


@pytest.mark.parametrize("vector", VALID, ids=lambda vector: str(vector["name"]))
def test_proves_the_enrolment_only_with_trusted_keys_of_the_log_and_of_a_witness(vector: Dict[str, Any]) -> None:
    receipt, expected = vector["receipt"], vector["enrolment_with"]
    assert found_in(receipt, witnesses=KEYS["witnesses"]).enrolment == expected["no_key_of_the_log"]
    assert found_in(receipt, vkeys=KEYS["vkeys"]).enrolment == expected["no_key_of_a_witness"]


def policy_of(vector: Dict[str, Any]) -> OutcomePolicy:
    limits: Dict[str, Any] = {
        name: timedelta(seconds=vector[name]) for name in ("signed_within", "decided_within") if name in vector
    }
    given = {name: value for name, value in vector.items() if name != "now"}
    trusted: Dict[str, Any] = {"issuer": ISSUER, "vkeys": KEYS["vkeys"], "witnesses": KEYS["witnesses"]}
    return OutcomePolicy(**{**trusted, **given, **limits})


def result_of(receipt: Any, vector: Dict[str, Any]) -> str:
    policy = policy_of(vector)
    now = datetime.fromisoformat(vector["now"].replace("Z", "+00:00")) if "now" in vector else None
    try:
        verify_outcome(receipt, policy, now=now)
        return "ok"
    except PolicyNotMet as error:
        return error.reason
    except VerificationError:
        return "invalid"


@pytest.mark.parametrize("vector", VALID + vectors("version-1.json"), ids=lambda vector: str(vector["name"]))
def test_accepts_or_refuses_at_each_level_of_trust_as_expected(vector: Dict[str, Any]) -> None:
    outcome = vector["receipt"].get("outcome", "approved")
    found = {
        level: result_of(vector["receipt"], {"require": level, "outcome": [outcome], "pins": KEYS["pins"]})
        for level in ("service", "signed", "proven", "pinned")
    }
    assert found == vector["accepted_with"]


RULED = [vector for vector in VALID if "accepted_with_rules" in vector]


@pytest.mark.parametrize("vector", RULED, ids=lambda vector: str(vector["name"]))
def test_accepts_rules_at_each_level_of_trust_as_expected(vector: Dict[str, Any]) -> None:
    outcome = vector["receipt"]["outcome"]
    decided_at = vector["expected"]["decided_at"]
    terms = {"outcome": [outcome], "pins": KEYS["pins"], "rules": "accept", "now": decided_at}
    levels = ("service", "signed", "proven", "pinned")
    found = {level: result_of(vector["receipt"], {"require": level, **terms}) for level in levels}
    assert found == vector["accepted_with_rules"]


def test_gives_the_expected_result_for_each_policy() -> None:
    receipts = {vector["name"]: vector["receipt"] for vector in VALID}
    receipts.update({f"version-1/{vector['name']}": vector["receipt"] for vector in vectors("version-1.json")})
    policies = vectors("policy.json")["policies"]
    assert len(policies) > 40
    for one in policies:
        assert (one["about"], result_of(receipts[one["receipt"]], one["policy"])) == (one["about"], one["result"])


@pytest.mark.parametrize("vector", vectors("policy.json")["refused"], ids=lambda vector: str(vector["about"]))
def test_refuses_a_policy_before_it_reads_a_receipt(vector: Dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        verify_outcome({}, policy_of(vector["policy"]))


def test_refuses_a_policy_without_an_issuer() -> None:
    with pytest.raises(ValueError):
        verify_outcome(VALID[0]["receipt"], OutcomePolicy(require="service"))


def test_refuses_a_receipt_of_the_other_version() -> None:
    with pytest.raises(VerificationError):
        verify_receipt(VALID[0]["receipt"], issuer=ISSUER)


@pytest.mark.parametrize(
    "value",
    [json.loads("[" * 900 + "]" * 900), [0] * 100_000, "a" * 1_000_000, float("inf"), 10**400, "\ud83d", {1: 2}],
    ids=["nested", "many", "long", "infinite", "huge", "half a character", "no name"],
)
def test_refuses_what_no_service_makes(value: object) -> None:
    receipt = {**VALID[0]["receipt"], "values": {"params": [{"salt": "A", "name": "a", "value": value}]}}
    with pytest.raises(VerificationError):
        check(receipt)


#: The members of a receipt whose digests the service signs.
SIGNED_PARTS = ("statement", "passkey", "enrolment", "logged", "rule")


def signed_again(receipt: Dict[str, Any], claims: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the receipt as the service would sign it, whatever its parts are."""
    parts = {name: receipt[name] for name in SIGNED_PARTS if name in receipt}
    digests = {
        name: None if part is None else base64url(hashlib.sha256(canonical_json(part).encode()).digest())
        for name, part in parts.items()
    }
    header = receipt["jws"].split(".")[0]
    body = f"{header}.{base64url(json.dumps({**digests, **claims}).encode())}"
    signature = Ed25519PrivateKey.from_private_bytes(bytes([11]) * 32).sign(body.encode())
    return {**receipt, "statement_text": canonical_json(receipt["statement"]), "jws": f"{body}.{base64url(signature)}"}


def nodes(value: Any, path: Tuple[Any, ...] = ()) -> Iterator[Tuple[Any, ...]]:
    """Yields the path of every value in a JSON value, of objects and lists too."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in items:
        yield from nodes(inner, (*path, name))


def accepted_odd_values(vector: str, is_changed: Callable[[Tuple[Any, ...]], bool]) -> Set[str]:
    """Returns the paths of a receipt at which a value of another kind, which the service signed, is not refused."""
    receipt = next(one["receipt"] for one in VALID if one["name"] == vector)
    claims = json_object(base64url_bytes(receipt["jws"].split(".")[1], "claims"), "claims")
    own = {name: value for name, value in claims.items() if name not in SIGNED_PARTS}
    check(signed_again(receipt, own))
    accepted = set()
    parts = {name: receipt[name] for name in (*SIGNED_PARTS, "jwks") if name in receipt}
    whole = {"receipt": parts, "claims": own}
    for path in (path for path in nodes(whole) if len(path) > 1 and is_changed(path)):
        odd: Any
        for odd in (None, 1, -1, True, "x", "\u00e9", [], [1], {}, {"a": 1}):
            changed = copy.deepcopy(whole)
            inner: Any = changed
            for name in path[:-1]:
                inner = inner[name]
            if inner[path[-1]] == odd:
                continue
            inner[path[-1]] = odd
            try:
                forged = signed_again({**receipt, **changed["receipt"]}, changed["claims"])
            except (TypeError, KeyError):
                continue
            try:
                check(forged)
                accepted.add(".".join(map(str, path)))
            except VerificationError:
                pass
    return accepted


def test_refuses_odd_values_of_a_rule_without_another_error() -> None:
    assert accepted_odd_values("rule-endorsed", lambda path: path[:2] == ("receipt", "rule")) == {
        "receipt.rule.enrolment",
        "receipt.rule.enrolment.vkeys",
        "receipt.rule.enrolment.vkeys.0",
        "receipt.rule.passkey.endorsements",
        # Nothing names the oldest passkey but its own signature.
        "receipt.rule.passkey.endorsements.1.credential_id",
    }


@pytest.mark.parametrize(
    ("vector", "more"),
    [
        ("revoked", set()),
        ("version-3-endorsed", {"receipt.passkey.endorsements"}),
        (
            "logged-revoked",
            {"receipt.logged", "receipt.logged.revoked", "receipt.logged.vkeys", "receipt.logged.vkeys.0"},
        ),
    ],
)
def test_refuses_odd_values_that_the_service_signed_without_another_error(vector: str, more: Set[str]) -> None:
    # Each endorsement has the same form.
    accepted = accepted_odd_values(vector, lambda path: path[2:4] != ("endorsements", 1))
    # What nothing in a receipt contradicts: only the service knows it.
    assert accepted == {
        "claims.iat",
        "claims.uses",
        "receipt.enrolment",
        "receipt.enrolment.vkeys",
        "receipt.enrolment.vkeys.0",
    } | more


def test_refuses_numbers_that_are_too_large_without_another_error() -> None:
    receipt = next(vector["receipt"] for vector in VALID if vector["name"] == "approved-es256")
    claims = json_object(base64url_bytes(receipt["jws"].split(".")[1], "claims"), "claims")
    own = {name: value for name, value in claims.items() if name not in SIGNED_PARTS}
    for seconds in (2**53 - 1, 253402300800, 10**30, 1e300):
        with pytest.raises(VerificationError):
            check(signed_again(receipt, {**own, "iat": seconds}))
    for size in ("9" * 5000, "99999999999999999", "07"):
        enrolment = {**receipt["enrolment"]}
        enrolment["checkpoint"] = enrolment["checkpoint"].replace("\n6\n", f"\n{size}\n")
        assert size in enrolment["checkpoint"]
        with pytest.raises(VerificationError):
            check(signed_again({**receipt, "enrolment": enrolment}, own))
    nested = json.loads("[" * 900 + "]" * 900)
    with pytest.raises(VerificationError):
        verify_receipt({**vectors("version-1.json")[0]["receipt"], "statement": nested}, issuer=ISSUER)


@pytest.mark.parametrize("vector", vectors("version-1.json"), ids=lambda vector: str(vector["name"]))
def test_checks_receipts_of_version_1(vector: Dict[str, Any]) -> None:
    if vector["expected"] is None:
        with pytest.raises(VerificationError):
            verify_receipt(vector["receipt"], issuer=ISSUER)
        return
    verified = verify_receipt(vector["receipt"], issuer=ISSUER)
    assert vector["expected"] == {
        "decided_at": text_of(verified.decided_at),
        "grant_expires_at": text_of(verified.grant_expires_at),
        "passkey": verified.passkey_id,
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4.5, "4.5"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (123456789012345680000, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (333333333.33333329, "333333333.3333333"),
        (2**53, "9007199254740992"),
    ],
)
def test_writes_numbers_as_other_languages_do(value: float, text: str) -> None:
    assert number_text(value) == text
