"""Decides whether a shop acts on what the service says about a permission. Nothing that the service answers is accepted without its receipt."""
import json
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Awaitable, List, Mapping, NoReturn, Optional, Sequence, Union, cast

from . import models
from .errors import PermissionRefused, VerificationError
from .trust import OutcomeVerifier, PermissionTrust, PinStore, is_own_challenge, time_of_challenge
from .verify._encoding import base64url
from .verify.keys import CLOCK_SKEW, read_time
from .verify.outcomes import VerifiedOutcome, verify_outcome
from .verify.policy import OutcomePolicy, Pin, PolicyNotMet, is_same_pin

#: Clocks of servers differ by some seconds.
SKEW = timedelta(seconds=CLOCK_SKEW)


@dataclass(frozen=True)
class Claim:
    """
    An entry that the store of the shop must have, so that the shop may act.

    - `owner`: whom the shop stores. `accepted`: whom the store must have then.
    - `fault`: what is wrong otherwise, and `status` the status of the refusal.
    """

    key: str
    owner: str
    until: Optional[datetime]
    accepted: str
    status: str
    fault: PolicyNotMet


class UseCheck:
    """The checks of one use. Raises `ValueError` for params that are not JSON, before anything is spent."""

    def __init__(
        self,
        trust: PermissionTrust,
        verifier: OutcomeVerifier,
        params: Optional[Mapping[str, object]],
        audience: Optional[str],
        peck: Optional[models.Peck],
    ) -> None:
        self._trust = trust
        self._verifier = trust.verifier or verifier
        self._peck = peck
        # As the request has them: any mapping becomes an object.
        sent = json.loads(json.dumps(dict(params or {}), allow_nan=False, default=dict))
        self._policy = replace(trust.policy, params=sent, audience=audience, outcome=("approved", "consumed"))

    @property
    def reads_first(self) -> bool:
        """Whether the receipt is read before the permission is spent."""
        return self._trust.read_first

    def load_keys(self, token: str) -> Union[None, Awaitable[None]]:
        """Reads the keys that will be needed, so that no permission is spent while the keys cannot be read."""
        # The receipt is probably signed with the same key as the token.
        return self._verifier.load_keys(token) if self._policy.issuer is None else None

    def known_pins(self, answer: models.ConsumedGrant) -> Union[Sequence[Pin], Awaitable[Sequence[Pin]]]:
        """Returns the pins of the person who gave the permission."""
        target = answer.get("target_duckling_id")
        return [] if self._trust.pins is None or not isinstance(target, str) else self._trust.pins.get(target)

    def outcome(
        self, answer: models.ConsumedGrant, pins: Sequence[Pin]
    ) -> Union[VerifiedOutcome, Awaitable[VerifiedOutcome]]:
        """Checks the receipt of an answer. Raises `VerificationError`."""
        # Earlier services send none, whatever the type says.
        receipt: object = answer.get("receipt")
        if not isinstance(receipt, dict):
            raise VerificationError("The service sent no receipt of the permission.")
        # A shop that has pins accepts nothing less, so the service cannot go back to a passkey of its own.
        required: OutcomePolicy = replace(self._policy, pins=pins, require="pinned" if pins else self._policy.require)
        if required.issuer is None:
            return self._verifier.outcome(receipt, required)
        return verify_outcome(receipt, required)

    def require_same(self, found: VerifiedOutcome, answer: models.ConsumedGrant) -> None:
        """Raises `PermissionRefused` unless the receipt is about the permission in the answer, and the permission can be active."""
        if found.version == 1:
            self.refuse(VerificationError("A receipt of version 1 says too little about a permission."))
        if not _is_about(found.statement, answer):
            self.refuse(VerificationError("The receipt is about another permission."))
        rule, challenge = self._trust.challenges, _challenge_of(found)
        if rule is not None and (challenge is None or not is_own_challenge(rule.secret, challenge, None)):
            self.refuse(PolicyNotMet("challenge", "The decision does not name a challenge of this shop.", found))
        end = found.grant_expires_at
        # Python has no time after the year 9999, so the difference of clocks is taken from the present time.
        if end is not None and end <= datetime.now(timezone.utc) - SKEW:
            self.refuse(PolicyNotMet("stale", f"The permission expired at {end.isoformat()}.", found), "expired")

    def claims(self, found: VerifiedOutcome) -> List[Claim]:
        """Returns what the store must have. It decides which of several simultaneous uses may act."""
        if self._trust.used is None:
            return []
        statement, end, claims = found.statement, _latest_end(found), []
        if statement["scope"] == "limited":
            owner = base64url(secrets.token_bytes(16))
            message = "This shop has accepted the permission before, although the service says it is active."
            fault = PolicyNotMet("outcome", message, found)
            claims.append(Claim(f"use:{statement['peck_id']}", owner, end, owner, "consumed", fault))
        challenge = _challenge_of(found)
        if challenge is not None:
            claims.append(self._challenge_claim(found, challenge, end))
        return claims

    def _challenge_claim(self, found: VerifiedOutcome, challenge: str, end: Optional[datetime]) -> Claim:
        rule, peck_id = self._trust.challenges, found.statement["peck_id"]
        is_fresh = rule is None or is_own_challenge(rule.secret, challenge, rule.max_age)
        message = (
            "The challenge was used for another permission."
            if is_fresh
            else "The challenge is too old for the first use of a permission."
        )
        return Claim(
            key=f"challenge:{challenge}",
            # With an old challenge only a permission goes on that has used it before: an empty owner gets nothing, and the store returns
            # who has the challenge.
            owner=peck_id if is_fresh else "",
            until=None if rule is None else _kept_until(challenge, end, rule.max_age),
            accepted=peck_id,
            status="untrusted",
            fault=PolicyNotMet("challenge", message, found),
        )

    def claimed(self, claim: Claim) -> Union[str, Awaitable[str]]:
        """Stores an entry, and returns the owner that the store has."""
        assert self._trust.used is not None
        return self._trust.used.claim(claim.key, claim.owner, claim.until)

    def new_pin(self, found: VerifiedOutcome, known: Sequence[Pin]) -> Optional[Pin]:
        """Returns the passkey that signed when the shop must keep it: that of a first contact, and one that a kept passkey endorses."""
        signer = found.passkey_chain[0] if found.passkey_chain else None
        return None if self._trust.pins is None or signer is None or has_pin(known, signer) else signer

    @property
    def pins(self) -> PinStore:
        """The store of the pins."""
        assert self._trust.pins is not None
        return self._trust.pins

    def require_pinned(self, stored: Sequence[Pin], pin: Pin, found: VerifiedOutcome) -> None:
        """Raises `PermissionRefused` when another first contact was faster, with another passkey."""
        if not has_pin(stored, pin):
            message = "Another passkey of this person was pinned at the same time."
            self.refuse(PolicyNotMet("trust", message, found))

    def refuse(self, fault: VerificationError, status: str = "untrusted") -> NoReturn:
        """Raises `PermissionRefused` for a permission that the service calls active."""
        raise PermissionRefused(status, str(fault), peck=self._peck, fault=fault) from fault


def has_pin(pins: Sequence[Pin], pin: Pin) -> bool:
    """Tells whether a passkey is among pins."""
    return any(is_same_pin(one, pin) for one in pins)


def _is_about(statement: Mapping[str, object], answer: models.ConsumedGrant) -> bool:
    """Compares the receipt with everything that the answer says about the permission."""
    said = cast(Mapping[str, object], answer)
    requester: object = said.get("requester")
    if not isinstance(requester, dict):
        return False
    asked_by = {"duckling_id": requester.get("duckling_id"), "agent_id": requester.get("agent_id")}
    names = ("peck_id", "action", "target_duckling_id")
    return all(statement[name] == said.get(name) for name in names) and statement["requester"] == asked_by


def _challenge_of(found: VerifiedOutcome) -> Optional[str]:
    """Returns the challenge in the statement. Only version 3 has one."""
    return cast(Optional[str], cast(Mapping[str, object], found.statement).get("challenge"))


def _latest_end(found: VerifiedOutcome) -> Optional[datetime]:
    """
    Returns the latest time at which the permission can be active, or None when it is valid until it is revoked. The passkey signed both
    numbers, so the service cannot bring the permission back later with other times.
    """
    seconds = found.statement["grant_seconds"]
    if seconds is None:
        return None
    try:
        return read_time(found.statement["expires_at"]) + timedelta(seconds=seconds) + 2 * SKEW
    except OverflowError:
        return None


def _kept_until(challenge: str, end: Optional[datetime], max_age: timedelta) -> Optional[datetime]:
    """Returns until when a challenge must be kept: while its permission can be active, and while the challenge is not too old."""
    made_at = time_of_challenge(challenge)
    if end is None or made_at is None:
        return None
    try:
        return max(end, made_at + max_age + 2 * SKEW)
    except OverflowError:
        return None
