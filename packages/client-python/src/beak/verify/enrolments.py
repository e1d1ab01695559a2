"""
What receipts prove with the transparency log: that it had the passkey that signed, and the decision, the use and the revocation; and which older
passkeys endorse the passkey that signed.
"""
import hashlib
from datetime import datetime, timedelta
from typing import Dict, List, Mapping, Optional, Tuple, cast

from ..errors import VerificationError
from ._encoding import base64_bytes, base64url, canonical_json, digest_of, json_object
from ._shapes import ENDORSEMENT_STATEMENT, read
from .checkpoints import remember
from .keys import object_claim, read_time, text_claim
from .log import (
    Checkpoint,
    Cosignature,
    leaf_hash,
    open_checkpoint,
    read_cosigners,
    read_log_key,
    to_remember,
    verify_inclusion,
)
from .log_policy import is_quorum_reached
from .logged import LoggedFacts, LoggedOutcome, logged_events, not_logged
from .policy import OutcomePolicy, is_same_pin
from .receipts import check_assertion
from .verdicts import Pin

#: A witness cosigns within a minute, and clocks differ.
WITNESS_DELAY = timedelta(minutes=10)


def check_endorsements(proof: Mapping[str, object], issuer: str, duckling_id: object, site: str) -> List[Pin]:
    """
    Returns the chain of passkeys of a person. Each one endorses the one before it, the first endorsement is about the passkey that signed.
    Raises `VerificationError`.
    """
    chain = [_pin_of(proof)]
    for endorsement in cast(List[Dict[str, object]], proof.get("endorsements", [])):
        text, what = text_claim(endorsement, "statement_text"), "endorsement of the passkey"
        signed = read(ENDORSEMENT_STATEMENT, json_object(text.encode("utf-8", "replace"), what), what)
        is_about = (
            canonical_json(signed, any_number=True) == text
            and signed["issuer"] == issuer
            and signed["duckling_id"] == duckling_id
            and is_same_pin(_pin_of(signed), chain[-1])
        )
        if not is_about:
            raise VerificationError("The endorsement is about another passkey.")
        check_assertion(endorsement, text, site)
        chain.append(_pin_of(endorsement))
    return chain


def _pin_of(proof: Mapping[str, object]) -> Pin:
    return {"credential_id": text_claim(proof, "credential_id"), "public_key": text_claim(proof, "public_key")}


def check_enrolment(
    signed: Mapping[str, object], tree: object, duckling_id: object, time: Optional[datetime], policy: OutcomePolicy
) -> "tuple[str, List[Cosignature]]":
    """
    Checks that the log had the passkey of a person in the state `tree`, which the passkey signed at `time`. `signed` has `passkey` and
    `enrolment`. Returns the state and cosignatures. Raises `VerificationError`.
    """
    if signed["enrolment"] is None:
        return ("no_passkey" if signed["passkey"] is None else "not_logged"), []
    enrolment = object_claim(dict(signed), "enrolment")
    passkey = signed["passkey"]
    if not isinstance(passkey, dict) or not isinstance(tree, dict) or "statement_v1" in passkey:
        raise VerificationError("The receipt proves the enrolment of a passkey that did not sign a state of the log.")
    note = text_claim(enrolment, "checkpoint")
    checkpoint = _open_note(note, enrolment["vkeys"], policy)
    named = Checkpoint(
        text_claim(tree, "origin"), whole_number(tree["size"]), base64_bytes(text_claim(tree, "root"), "root")
    )
    if checkpoint != named:
        raise VerificationError("The checkpoint is not the state of the log that the passkey signed.")
    _check_inclusion(enrolment, duckling_id, passkey, checkpoint)
    cosigners = read_cosigners(note, policy.witness_vkeys)
    return _state(cosigners, time, policy), [cosignature for _, cosignature in cosigners]


def check_logged(logged: object, claims: Dict[str, object], policy: OutcomePolicy) -> LoggedOutcome:
    """Checks what the log has about the decision, the newest use and the revocation. `logged` is None when the receipt shows nothing."""
    shown = logged if isinstance(logged, dict) else {}
    events, found = logged_events(claims), {}
    for kind in ("decided", "used", "revoked"):
        event, place = events.get(kind), shown.get(kind)
        if place is None:
            found[kind] = None if event is None else not_logged()
            continue
        if event is None:
            raise VerificationError("The receipt shows an entry of the log for something that did not happen.")
        found[kind] = _check_logged_entry(object_claim(shown, kind), event, shown["vkeys"], policy)
    return LoggedOutcome(**found)


def _check_logged_entry(
    place: Dict[str, object], event: Tuple[str, str], vkeys: object, policy: OutcomePolicy
) -> LoggedFacts:
    """Checks that the log has an entry. `event` is its text and the stated time."""
    entry, time = event[0], read_time(event[1])
    note = text_claim(place, "checkpoint")
    _check_entry(entry, place, _open_note(note, vkeys, policy))
    cosigners = read_cosigners(note, policy.witness_vkeys)
    # A state of the log from before the stated time shows that the time is wrong.
    later = [(key, one) for key, one in cosigners if time - one.time <= WITNESS_DELAY]
    cosignatures = [cosignature for _, cosignature in cosigners]
    return LoggedFacts(_state(later, time, policy), whole_number(place["index"]), cosignatures)


def _open_note(note: str, vkeys: object, policy: OutcomePolicy) -> Checkpoint:
    """
    Opens a checkpoint in a receipt with the trusted keys of the log, and remembers it. Without these keys, `vkeys` of the receipt are
    used, which prove nothing.
    """
    checkpoint = open_checkpoint(note, policy.log_vkeys or _readable_keys(cast(List[str], vkeys)))
    if policy.log_vkeys and policy.checkpoints is not None:
        remember(policy.checkpoints, to_remember(checkpoint, note), "The checkpoint in the receipt")
    return checkpoint


def _state(
    cosigners: List[Tuple[bytes, Cosignature]], time: Optional[datetime], policy: OutcomePolicy
) -> str:
    """
    The log's own key says nothing about the time: with it, somebody can enrol a passkey today and sign a decision of last
    year. Only the clock of a witness contradicts that.
    """
    if not policy.log_vkeys:
        return "log_not_trusted"
    if not policy.witness_vkeys:
        return "witness_not_trusted"
    in_time = [
        (key, one.witness)
        for key, one in cosigners
        if time is not None and one.time - time <= WITNESS_DELAY
    ]
    if policy.log_policy is not None and policy.log_policy.quorum is not None:
        is_enough = is_quorum_reached(policy.log_policy.quorum, [key for key, _ in in_time])
    else:
        is_enough = len({name for _, name in in_time}) >= policy.cosignatures_needed
    return "proven" if is_enough else "not_witnessed"


def _readable_keys(vkeys: List[str]) -> List[str]:
    """Returns the keys of a log among the keys in a receipt. They prove nothing, so they may be of a kind that is new."""
    readable = []
    for vkey in vkeys:
        try:
            read_log_key(vkey)
            readable.append(vkey)
        except VerificationError:
            continue
    return readable


def _check_inclusion(
    enrolment: Dict[str, object], duckling_id: object, passkey: Dict[str, object], checkpoint: Checkpoint
) -> None:
    """The entry is computed, not read: so it is about this account and this key."""
    named = {
        "duckling_id": duckling_id,
        "credential_id": passkey["credential_id"],
        "public_key": passkey["public_key"],
    }
    _check_entry(canonical_json({"digest": digest_of(named), "kind": "passkey_enrolled"}), enrolment, checkpoint)


def _check_entry(entry: str, place: Dict[str, object], checkpoint: Checkpoint) -> None:
    """Checks that the log of the checkpoint has this entry at the `index` of `place`. Raises `VerificationError`."""
    proof = [base64_bytes(one, "hash") for one in cast(List[str], place["inclusion"])]
    if any(len(one) != 32 for one in proof):
        raise VerificationError("A hash of the log has a wrong length.")
    verify_inclusion(leaf_hash(entry.encode("utf-8")), whole_number(place["index"]), checkpoint, proof)


def part_digest(value: object) -> Optional[str]:
    """Returns the SHA-256 of the canonical JSON of a value in base64url, or None for None."""
    if value is None:
        return None
    return base64url(hashlib.sha256(canonical_json(value, any_number=True).encode("utf-8")).digest())


def whole_number(value: object) -> int:
    """Returns a number that has been checked already. JSON does not tell 1 from 1.0."""
    return int(cast(float, value))
