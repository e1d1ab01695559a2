"""Log policies (C2SP tlog-policy): the published test vectors, and receipts that are checked with a policy."""
import base64
import hashlib
import json
import re
from typing import Any, Dict, List

import pytest
from beak.errors import VerificationError
from beak.verify import (
    Issuer,
    KeySet,
    LogPolicy,
    OutcomePolicy,
    PolicyGroup,
    PolicyNotMet,
    parse_log_policy,
    verify_outcome,
)
from beak.verify._encoding import base64_bytes
from beak.verify.log_policy import is_quorum_reached
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from service import ROOT

VECTORS: Dict[str, Any] = json.loads((ROOT / "docs/audit/vectors/policy-files.json").read_text(encoding="utf-8"))
RECEIPTS: List[Dict[str, Any]] = json.loads((ROOT / "docs/receipts/vectors/valid.json").read_text(encoding="utf-8"))
KEYS: Dict[str, Any] = json.loads((ROOT / "docs/receipts/vectors/keys.json").read_text(encoding="utf-8"))
ISSUER = Issuer(KEYS["issuer"], KeySet(KEYS["jwks"]))


def about(vector: Dict[str, Any]) -> str:
    return str(vector["about"])


def public_key(vkey: str) -> bytes:
    return base64_bytes(vkey.split("+", 2)[2], "key")[1:]


def is_reached(policy: LogPolicy, cosigned: List[str]) -> bool:
    keys = [public_key(witness.vkey) for witness in policy.witnesses if witness.name in cosigned]
    return policy.quorum is not None and is_quorum_reached(policy.quorum, keys)


@pytest.mark.parametrize("vector", VECTORS["valid"], ids=about)
def test_reads_a_file(vector: Dict[str, Any]) -> None:
    policy = parse_log_policy(vector["text"])
    assert [log.vkey for log in policy.logs] == vector["logs"]
    assert [witness.name for witness in policy.witnesses] == vector["witnesses"]
    assert (policy.quorum is None) == (vector["quorum"] is None)
    for one in vector["quorum"] or []:
        assert (one["cosigned"], is_reached(policy, one["cosigned"])) == (one["cosigned"], one["reached"])


@pytest.mark.parametrize("vector", VECTORS["invalid"], ids=about)
def test_refuses_a_file_and_names_the_line(vector: Dict[str, Any]) -> None:
    with pytest.raises(ValueError) as refused:
        parse_log_policy(vector["text"] * vector.get("times", 1))
    start = "(A|The) log policy " if vector["line"] is None else f"Line {vector['line']}: "
    assert re.match(start, str(refused.value)), str(refused.value)


def test_never_accepts_an_empty_group() -> None:
    for threshold in (0, -1, 1):
        assert not is_quorum_reached(PolicyGroup("g", threshold, ()), [])


def witness_vkey(name: str, byte: int) -> str:
    """Returns the key of a witness whose private key is 32 equal bytes, as in the vectors."""
    public = Ed25519PrivateKey.from_private_bytes(bytes([byte]) * 32).public_key()
    key = b"\x04" + public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    key_id = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4].hex()
    return f"{name}+{key_id}+{base64.b64encode(key).decode()}"


def file_with(quorum: str) -> LogPolicy:
    lines = [
        *(f"log {vkey}" for vkey in KEYS["vkeys"]),
        f"witness a {KEYS['witnesses'][0]}",
        f"witness b {witness_vkey('other.example/w2', 4)}",
        f"witness c {witness_vkey('third.example/w3', 8)}",
        quorum,
    ]
    return parse_log_policy("\n".join(lines))


def result_of(name: str, **policy: Any) -> str:
    receipt = next(one["receipt"] for one in RECEIPTS if one["name"] == name)
    try:
        verify_outcome(receipt, OutcomePolicy(**{"issuer": ISSUER, "require": "proven", **policy}))
        return "ok"
    except PolicyNotMet as error:
        return error.found.enrolment
    except VerificationError:
        return "invalid"


def test_decides_by_the_groups_of_a_policy_which_witnesses_are_enough() -> None:
    nested = "group some {} b c\ngroup both all some a\nquorum both"
    assert result_of("approved-two-witnesses", log_policy=file_with(nested.format("any"))) == "ok"
    assert result_of("approved-two-witnesses", log_policy=file_with(nested.format("all"))) == "not_witnessed"
    assert result_of("approved-es256", log_policy=file_with(nested.format("any"))) == "not_witnessed"
    assert result_of("approved-es256", log_policy=file_with("quorum a")) == "ok"
    assert result_of("approved-witnessed-late", log_policy=file_with("quorum a")) == "not_witnessed"


def test_trusts_the_keys_of_the_logs_in_a_policy_and_no_others() -> None:
    text = f"log {VECTORS['valid'][0]['logs'][0]}\nwitness a {KEYS['witnesses'][0]}\nquorum a"
    assert result_of("approved-es256", log_policy=parse_log_policy(text)) == "invalid"


def test_proves_nothing_with_a_quorum_of_none() -> None:
    none = file_with("quorum none")
    assert result_of("approved-es256", log_policy=none, require="signed") == "ok"
    assert result_of("approved-es256", log_policy=none, require=None) == "witness_not_trusted"
    with pytest.raises(ValueError, match="names no witness"):
        OutcomePolicy(require="proven", log_policy=none)
    with pytest.raises(ValueError, match="names no log"):
        OutcomePolicy(require="proven", log_policy=LogPolicy((), none.witnesses, none.witnesses[0]))


@pytest.mark.parametrize(
    "more", [{"vkeys": KEYS["vkeys"]}, {"witnesses": KEYS["witnesses"]}, {"quorum": 1}], ids=lambda more: str(next(iter(more)))
)
def test_refuses_a_log_policy_beside_keys(more: Dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Give either a log policy"):
        OutcomePolicy(log_policy=file_with("quorum a"), **more)
