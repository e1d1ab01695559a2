"""The states of the pecks of a fake, by its clock. Not safe for threads by itself: the fake holds its lock."""
import hashlib
import math
import secrets
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Mapping, Optional, Tuple, Union

from ..verify._encoding import canonical_json
from ._failures import Refused

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#: A request in free text. Its approval is an answer: it gives no permission.
FREE_TEXT = "ask:favour"
_PAUSE_SECONDS = 3600
_UNDOABLE_SECONDS = 30


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
    #: Whether the person paused everything that may happen without asking.
    is_paused: bool = False


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
    #: Whether the approval was undone.
    undone: bool = False
    #: The request that waits in place of an undone one, and the undone one in whose place a request waits.
    superseded_by: Optional[str] = None
    supersedes: Optional[str] = None

    def is_same(self, other: "FakePeck") -> bool:
        """Whether both ask the same of the same person."""
        return (
            self.asker is other.asker
            and self.target is other.target
            and self.params_hash == other.params_hash
            and _identity_of(self.question) == _identity_of(other.question)
        )


def _identity_of(question: Question) -> Tuple[object, ...]:
    return question.action, question.scope, question.audience


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
        now, params_hash = self.now(), _hash_of(question.params)
        made = FakePeck(
            f"PECK-{random_text()}", asker, target, question, params_hash, now, now + question.expires_in
        )
        same = self._identical(made)
        if same is not None:
            return same, True
        self._check_pause(made)
        if spend is not None:
            spend()
        self.all[made.id] = made
        self._answer_by_rule(made)
        self.settle()
        return made, False

    def _identical(self, asked: FakePeck) -> Optional[FakePeck]:
        """Returns the request that waits for the answer to the same question."""
        pending = (peck for peck in self.all.values() if self.status_of(peck) == "pending")
        return next((peck for peck in pending if peck.is_same(asked)), None)

    def _answer_by_rule(self, peck: FakePeck) -> None:
        """Answers one use by an agent, as the service does. Other requests wait for the person."""
        rule = next((one for one in peck.target.rules if one.action == peck.question.action), None)
        if rule is None or peck.target.is_paused:
            return
        if peck.question.scope != "limited" or not isinstance(peck.asker, AgentAccount):
            return
        peck.rule_id = rule.id
        verb = "Approve" if rule.decision == "approved" else "Reject"
        self._decide_at(peck, rule.decision, self.now(), f"{verb} without asking me: {rule.action}.")

    def _check_pause(self, asked: FakePeck) -> None:
        if asked.target.is_automatic:
            return
        ends = [
            peck.decided_at + _PAUSE_SECONDS
            for peck in self.all.values()
            if peck.decision == "rejected" and peck.decided_at is not None
            if owner_of(peck.asker) is owner_of(asked.asker) and peck.target is asked.target
            if peck.question.action == asked.question.action
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
        self._decide_at(peck, decision, self.now(), reason, grant_seconds)

    @staticmethod
    def _decide_at(
        peck: FakePeck, decision: str, at: float, reason: Optional[str], grant_seconds: Optional[float] = None
    ) -> None:
        peck.decision, peck.decided_at, peck.reason = decision, at, reason
        seconds = peck.question.grant_seconds if grant_seconds is None else grant_seconds
        if decision == "approved":
            is_answer = peck.question.action == FREE_TEXT
            peck.grant_expires_at = at if is_answer else None if seconds is None else at + seconds

    def use(
        self, peck: FakePeck, params: Mapping[str, object], audience: Optional[str], *, spend: bool
    ) -> None:
        """Spends a use. Raises `grant_not_active`, `paused`, `grant_mismatch` or `grant_audience_mismatch`."""
        self._require_active(peck)
        if peck.target.is_paused:
            raise Refused("paused", current_status="paused")
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

    def undo(self, peck: FakePeck) -> None:
        """
        Revokes a permission that a person gave in the last seconds, and asks the same again until the same end. What was used is not asked
        again. A second call changes nothing. Raises `peck_not_pending` for another answer, `grant_not_active`, or `nothing_to_undo`.
        """
        if peck.undone:
            return
        status = self.status_of(peck)
        if status == "pending":
            raise Refused("nothing_to_undo")
        if status != "approved" or peck.decided_at is None:
            raise Refused("peck_not_pending", current_status=status)
        # An answer gave no permission that could end.
        if peck.question.action != FREE_TEXT:
            self._require_active(peck)
        if peck.rule_id is not None or peck.decided_at + _UNDOABLE_SECONDS <= self.now():
            raise Refused("nothing_to_undo")
        peck.revoked_at = self.now()
        peck.undone = True
        if peck.uses == 0 and peck.expires_at > self.now():
            peck.superseded_by = self._ask_again(peck).id
        self.settle()

    def _ask_again(self, peck: FakePeck) -> FakePeck:
        """Returns the request that waits in place of an undone one. No rule answers it, and it spends no use of an invitation."""
        sides, now = (peck.asker, peck.target), self.now()
        again = FakePeck(
            f"PECK-{random_text()}", *sides, peck.question, peck.params_hash, now, peck.expires_at, supersedes=peck.id
        )
        same = self._identical(again)
        if same is None:
            self.all[again.id] = again
        return same or again

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
