"""Decides whether a shop acts on what the service says about a permission. Nothing that the service answers is accepted without its receipt."""
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Awaitable, List, Mapping, NoReturn, Optional, Sequence, Union, cast

from . import models
from ._exact import plain_json
from ._rule_sum import NO_USE, sum_after, sum_key
from .errors import PermissionRefused, VerificationError
from .trust import OutcomeVerifier, PermissionTrust, PinStore, SummingStore, is_own_challenge, time_of_challenge
from .verify._encoding import base64url
from .verify.keys import CLOCK_SKEW, read_time
from .verify.outcomes import verify_outcome
from .verify.policy import OutcomePolicy, PolicyNotMet, accepted_rule, is_same_pin
from .verify.verdicts import Pin, VerifiedOutcome, VerifiedRule

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


@dataclass(frozen=True)
class RuleUse:
    """One use by a rule, which the shop adds to what it has accepted by this rule."""

    store: SummingStore
    rule: VerifiedRule
    fault: PolicyNotMet

    def kept(self) -> Union[str, Awaitable[str]]:
        """Returns the sum before this use, as it is stored."""
        return self.store.claim(sum_key(self.rule), NO_USE)

    def after(self, kept: str) -> Optional[str]:
        """Returns the sum after this use, or None when the signed rule does not allow it."""
        return sum_after(kept, self.rule)

    def replaced(self, kept: str, after: str) -> Union[bool, Awaitable[bool]]:
        """Stores the sum after this use. Returns whether the sum before was still stored."""
        return self.store.replace(sum_key(self.rule), kept, after)


class UseCheck:
    """The checks of one use. Raises `TypeError` for params that are not JSON, before anything is spent."""

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
        sent = cast(Mapping[str, object], plain_json(params or {}, "params"))
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
        # At the first contact there are no pins, and `require_same` compares the approver, as the word of the service.
        required: OutcomePolicy = replace(
            self._policy,
            pins=pins,
            require="pinned" if pins else self._policy.require,
            approver=self._policy.approver if pins else None,
        )
        if required.issuer is None:
            return self._verifier.outcome(receipt, required)
        return verify_outcome(receipt, required)

    def require_same(self, found: VerifiedOutcome, answer: models.ConsumedGrant, pins: Sequence[Pin]) -> None:
        """Raises `PermissionRefused` unless the receipt is about the permission in the answer, and the permission can be active here."""
        if found.version == 1:
            self.refuse(VerificationError("A receipt of version 1 says too little about a permission."))
        if not _is_about(found.statement, answer):
            self.refuse(VerificationError("The receipt is about another permission."))
        if self._policy.approver is not None and _term_of(found, "approver") != self._policy.approver:
            message = "The decision was not made on the approver that the policy demands."
            self.refuse(PolicyNotMet("approver", message, found))
        if self._policy.audience is None:
            self._require_no_audience(found, believes=self._policy.require == "service" and not pins)
        rule, challenge = self._trust.challenges, _term_of(found, "challenge")
        if rule is not None and (challenge is None or not is_own_challenge(rule.secret, challenge, None)):
            self.refuse(PolicyNotMet("challenge", "The decision does not name a challenge of this shop.", found))
        end = found.grant_expires_at
        # Python has no time after the year 9999, so the difference of clocks is taken from the present time.
        if end is not None and end <= datetime.now(timezone.utc) - SKEW:
            self.refuse(PolicyNotMet("stale", f"The permission expired at {end.isoformat()}.", found), "expired")

    def _require_no_audience(self, found: VerifiedOutcome, *, believes: bool) -> None:
        """
        Raises `PermissionRefused` for a permission that a shop without an audience does not accept. `believes`: whether the shop believes
        the service.
        """
        audience, scope = _term_of(found, "audience"), found.statement["scope"]
        is_bound = believes or self._trust.challenges is not None or self._policy.challenge is not None
        if audience is not None:
            message = (
                f"The permission is for {audience!r}, and this shop names no audience. Give your own host name (audience)."
            )
            self.refuse(PolicyNotMet("audience", message, found))
        if scope == "limited" and not is_bound:
            message = (
                "A permission for one use needs your host name (audience) or a challenge. Otherwise each of several shops"
                " accepts it once."
            )
            self.refuse(PolicyNotMet("audience", message, found))

    def use_claims(self, found: VerifiedOutcome) -> List[Claim]:
        """Returns what the store must have for a one-use permission. It decides which of several simultaneous uses may act."""
        statement = found.statement
        if self._trust.used is None or statement["scope"] != "limited":
            return []
        owner = base64url(secrets.token_bytes(16))
        message = "This shop has accepted the permission before, although the service says it is active."
        fault = PolicyNotMet("outcome", message, found)
        return [Claim(f"use:{statement['peck_id']}", owner, _latest_end(found), owner, "consumed", fault)]

    def challenge_claims(self, found: VerifiedOutcome) -> List[Claim]:
        """
        Returns what the store must have for the challenge. The same permission may claim its challenge again: before its use is spent, and
        after.
        """
        challenge = _term_of(found, "challenge")
        if self._trust.used is None or challenge is None:
            return []
        return [self._challenge_claim(found, challenge, _latest_end(found))]

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

    def rule_use(self, found: VerifiedOutcome) -> Optional[RuleUse]:
        """
        Returns the use that the shop must sum, or None when no rule decided that the policy accepts. The permission was claimed before, so
        each one counts once. It counts even when the shop does not act then: a sum is never too small.
        """
        rule, store = accepted_rule(found.rule, self._policy), self._trust.used
        if rule is None or not isinstance(store, SummingStore):
            return None
        message = "This shop has accepted as much as the rule allows, whatever the service says is left."
        return RuleUse(store, rule, PolicyNotMet("budget", message, found))

    def new_pin(self, found: VerifiedOutcome, known: Sequence[Pin]) -> Optional[Pin]:
        """
        Returns the passkey that signed when the shop must keep it: that of a first contact, and one that a kept passkey endorses. For a
        rule, that is the passkey that signed the rule.
        """
        rule = accepted_rule(found.rule, self._policy)
        chain = found.passkey_chain if rule is None else rule.passkey_chain
        signer = chain[0] if chain else None
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


def _term_of(found: VerifiedOutcome, name: str) -> Optional[str]:
    """Returns a member of the statement that may be missing: only version 3 has a challenge and an approver."""
    return cast(Optional[str], cast(Mapping[str, object], found.statement).get(name))


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
