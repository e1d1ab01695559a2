"""The states of the pecks of a fake, by its clock. Not safe for threads by itself: the fake holds its lock."""
import hashlib
import math
import secrets
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Mapping, Optional, Union

from ..verify._encoding import canonical_json
from ._failures import Refused

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAUSE_SECONDS = 3600


def random_text(length: int = 26) -> str:
    """Returns a text as in ids, which nobody can guess."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def _hash_of(params: Mapping[str, object]) -> str:
    return hashlib.sha256(canonical_json(params, any_number=True).encode()).hexdigest()


@dataclass(eq=False)
class Account:
    """A person."""

    id: str
    handle: str
    token: str
    #: Seconds after which a test account approves.
    approves_after: Optional[float] = None
    #: The reason with which a test account rejects.
    rejects_with: Optional[str] = None
    #: A test account that decides nothing by itself, or that decides. It has no pause after a rejection.
    is_automatic: bool = False
    #: What answers requests for this person.
    rules: "List[FakeRule]" = field(default_factory=list)


@dataclass
class FakeRule:
    """Answers the requests for one action. `decision` is `approved` or `rejected`."""

    id: str
    action: str
    decision: str


@dataclass(eq=False)
class AgentAccount:
    """An agent of a person."""

    id: str
    name: str
    key: str
    owner: Account


Asker = Union[Account, AgentAccount]


def owner_of(asker: Asker) -> Account:
    """Returns the person who asks, or for whom an agent asks."""
    return asker.owner if isinstance(asker, AgentAccount) else asker


@dataclass
class Question:
    """What is asked. Lifetimes are in seconds."""

    action: str
    scope: str
    params: Dict[str, object]
    message: Optional[str]
    audience: Optional[str]
    expires_in: float
    grant_seconds: Optional[float]


@dataclass(eq=False)
class FakePeck:
    """A request and what became of it. Times are in seconds since 1970."""

    id: str
    asker: Asker
    target: Account
    question: Question
    params_hash: str
    created_at: float
    expires_at: float
    #: `approved`, `rejected` or `cancelled`.
    decision: Optional[str] = None
    decided_at: Optional[float] = None
    reason: Optional[str] = None
    #: The rule that answered. None: a person, or nobody so far.
    rule_id: Optional[str] = None
    grant_expires_at: Optional[float] = None
    revoked_at: Optional[float] = None
    uses: int = 0
    last_used_at: Optional[float] = None
    token: Optional[str] = None


class Pecks:
    """All pecks of a fake."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.all: Dict[str, FakePeck] = {}

    def ask(
        self, asker: Asker, target: Account, question: Question, spend: Optional[Callable[[], None]] = None
    ) -> "tuple[FakePeck, bool]":
        """
        Asks, or returns the identical request that waits, and whether it is that one. A test account answers at once. `spend` is called
        before a new request.
        """
        params_hash = _hash_of(question.params)
        earlier = [
            peck
            for peck in self.all.values()
            if owner_of(peck.asker) is owner_of(asker)
            and peck.target is target
            and peck.question.action == question.action
        ]
        for peck in earlier:
            is_same = peck.asker is asker and peck.question.scope == question.scope
            if is_same and peck.params_hash == params_hash and self.status_of(peck) == "pending":
                return peck, True
        self._check_pause(earlier, target)
        if spend is not None:
            spend()
        now = self.now()
        made = FakePeck(
            f"PECK-{random_text()}", asker, target, question, params_hash, now, now + question.expires_in
        )
        self.all[made.id] = made
        self._answer_by_rule(made)
        self.settle()
        return made, False

    def _answer_by_rule(self, peck: FakePeck) -> None:
        """Answers one use by an agent, as the service does. Other requests wait for the person."""
        rule = next((one for one in peck.target.rules if one.action == peck.question.action), None)
        if rule is None or peck.question.scope != "limited" or not isinstance(peck.asker, AgentAccount):
            return
        peck.rule_id = rule.id
        verb = "Approve" if rule.decision == "approved" else "Reject"
        self._decide_at(peck, rule.decision, self.now(), f"{verb} without asking me: {rule.action}.")

    def _check_pause(self, earlier: List[FakePeck], target: Account) -> None:
        if target.is_automatic:
            return
        ends = [
            peck.decided_at + _PAUSE_SECONDS
            for peck in earlier
            if peck.decision == "rejected" and peck.decided_at is not None
        ]
        seconds = math.ceil(max(ends, default=0.0) - self.now())
        if seconds > 0:
            raise Refused("peck_recently_rejected", retry_after=seconds)

    def find(self, peck_id: str) -> FakePeck:
        """Returns the peck with this id. Raises `peck_not_found`."""
        if peck_id not in self.all:
            raise Refused("peck_not_found")
        return self.all[peck_id]

    def decide(
        self, peck: FakePeck, decision: str, *, reason: Optional[str] = None, grant_seconds: Optional[float] = None
    ) -> None:
        """Decides a pending peck. Raises `peck_not_pending`. `grant_seconds`: another lifetime of the permission."""
        status = self.status_of(peck)
        if status != "pending":
            raise Refused("peck_not_pending", current_status=status)
        if grant_seconds is not None:
            peck.question.grant_seconds = grant_seconds
        self._decide_at(peck, decision, self.now(), reason)

    @staticmethod
    def _decide_at(peck: FakePeck, decision: str, at: float, reason: Optional[str]) -> None:
        peck.decision, peck.decided_at, peck.reason = decision, at, reason
        seconds = peck.question.grant_seconds
        if decision == "approved" and seconds is not None:
            peck.grant_expires_at = at + seconds

    def use(
        self, peck: FakePeck, params: Mapping[str, object], audience: Optional[str], *, spend: bool
    ) -> None:
        """Spends a use. Raises `grant_not_active`, `grant_mismatch` or `grant_audience_mismatch`."""
        self._require_active(peck)
        if _hash_of(params) != peck.params_hash:
            raise Refused("grant_mismatch")
        if None not in (audience, peck.question.audience) and audience != peck.question.audience:
            raise Refused("grant_audience_mismatch")
        if spend:
            peck.uses += 1
            peck.last_used_at = self.now()

    def revoke(self, peck: FakePeck) -> None:
        """Ends a permission. Raises `grant_not_active`."""
        self._require_active(peck)
        peck.revoked_at = self.now()

    def _require_active(self, peck: FakePeck) -> None:
        status = self.grant_status_of(peck)
        if status is None:
            raise Refused("grant_not_active")
        if status != "active":
            raise Refused("grant_not_active", current_status=status)

    def status_of(self, peck: FakePeck) -> str:
        """Returns the status of a request by the clock."""
        return peck.decision or ("expired" if peck.expires_at <= self.now() else "pending")

    def grant_status_of(self, peck: FakePeck) -> Optional[str]:
        """Returns the status of a permission by the clock, or None without an approval."""
        if peck.decision != "approved":
            return None
        if peck.revoked_at is not None:
            return "revoked"
        if peck.question.scope == "limited" and peck.uses > 0:
            return "consumed"
        ends = peck.grant_expires_at
        return "expired" if ends is not None and ends <= self.now() else "active"

    def outcome_of(self, peck: FakePeck) -> str:
        """Returns the outcome for a receipt. Raises `peck_undecided`."""
        status = self.status_of(peck)
        if status == "pending":
            raise Refused("peck_undecided", current_status=status)
        grant = self.grant_status_of(peck)
        return grant if grant in ("revoked", "consumed") else status

    def settle(self) -> None:
        """Lets the test accounts answer what is due. Called when the clock has moved."""
        for peck in self.all.values():
            target = peck.target
            if peck.decision is not None:
                continue
            if target.rejects_with is not None:
                self._decide_at(peck, "rejected", peck.created_at, target.rejects_with)
            elif target.approves_after is not None and peck.created_at + target.approves_after <= self.now():
                self._decide_at(peck, "approved", peck.created_at + target.approves_after, None)
