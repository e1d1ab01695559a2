"""
What a verifier demands of a receipt: what it must say, and who must have confirmed it.

The rules are in docs/receipts/format.md of the service ("Policy"), with test vectors.
"""
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Callable, Dict, Mapping, Optional, Sequence, Union

from typing_extensions import TypedDict

from .._addresses import is_test_allowed
from ..errors import VerificationError
from ._encoding import base64url, canonical_json
from .checkpoints import CheckpointStore
from .keys import CLOCK_SKEW, Issuer, read_time
from .log import COSIGNATURE, public_bytes, read_log_key
from .log_policy import LogPolicy
from .verdicts import Pin, VerifiedOutcome, VerifiedRule

#: Who must have confirmed a receipt, from weak to strong.
REQUIREMENTS = ("service", "signed", "proven", "pinned")

#: How old the decision of an accepted rule may be by default.
_RULE_DECIDED_WITHIN = timedelta(hours=1)

#: A permission by a rule may end so much later than the rule.
_RULE_END_TOLERANCE = timedelta(minutes=10)

#: The outcomes of a request.
OUTCOMES = ("approved", "rejected", "expired", "cancelled", "revoked", "consumed")


class Code(TypedDict):
    """
    A code that a shop shows to the person who approves.

    - `code`: six digits.
    - `salt`: at least 128 random bits. Keep it: nobody else can find the code behind its hash then.
    """

    code: str
    salt: str


def code_digest(salt: str, code: str) -> str:
    """
    Returns the `code_hash` of a request: the salted hash of a code that the shop shows. Whoever does not know the salt cannot find
    the code by trying all. Raises `VerificationError` for a text that is not Unicode.
    """
    return base64url(hashlib.sha256(canonical_json([salt, code]).encode("utf-8")).digest())


def is_same_pin(one: Pin, other: Pin) -> bool:
    """Tells whether two pins are one passkey."""
    return one["credential_id"] == other["credential_id"] and one["public_key"] == other["public_key"]


@dataclass(frozen=True)
class OutcomePolicy:
    """
    What a verifier expects of a receipt, and whom it trusts.

    - `require`: who must have confirmed the receipt. `service`: the service signed it, so the service can make it up. `signed`: a
      passkey signed it too, and only the service says whose passkey that is. `proven`: the log had that passkey in a state
      that your witnesses cosigned in time; the service can still have put its own passkey into the log before. `pinned`: a
      passkey in `pins` signed it, or endorses the passkey that signed it; the service does not have that passkey. Without `require`, no
      receipt is accepted.
    - `issuer`: the service with its keys from a source that you trust. A `Verifier` has its own.
    - `outcome`: the accepted outcomes. Default: `approved` and `consumed`.
    - `action`, `target` (such as `DUCK-…`), `audience` (the host name of the service that the permission is meant for).
    - `params`: all params. The receipt must disclose all of them.
    - `challenge`: the challenge that you gave for this request. Accept each one only once.
    - `code`: the `code` that you showed to the person, and the `salt` that you hashed it with (`code_digest`).
    - `approver`: the origin of the approver on which the passkey must have signed. The service can claim any origin for a passkey of its
      own, so the passkey must be `pinned` then, whatever `require` says. Needs `pins`.
    - `rules`: with `accept`, the signature of a passkey over a rule counts as its signature over a request that lies within the rule. Without
      it, a rule reaches only `service`. The person did not see such a request, and a rule names neither this request nor its audience. How
      much of the budget was spent before is the word of the service, unless you sum yourself (`beak.trust.PermissionTrust`).
    - `logged`: whether the log must have the decision, and the use and the revocation that the receipt names, at their stated times. The
      log gets them after a minute, so ask for it when you check again, not before you act. Only receipts of version 3 show them.
    - `allow_test`: whether receipts of test services, and decisions of people who exist only for tests, are accepted. Default: whether
      `BEAK_ALLOW_TEST` of the environment is `1`, for a service on this computer.
    - `signed_within`: the service must have signed the receipt at most so long ago. Later revocations are not in a receipt.
    - `decided_within`: the decision must be at most so old. Only the service says when it was. Default: an hour for a rule that the policy
      accepts, because nobody asked for such a decision with a challenge. Otherwise no limit. `timedelta.max`: no limit for rules either.
    - `vkeys`: keys of the transparency log that you trust. `witnesses`: keys of witnesses that the service does not run.
      `quorum`: how many of the witnesses must have cosigned the log in time. Default: all of them.
    - `log_policy`: a log policy (`parse_log_policy`), instead of `vkeys`, `witnesses` and `quorum`.
    - `checkpoints`: where the newest checkpoint of the log is remembered. A checkpoint that contradicts a remembered one is refused
      (`LogForkError`). Needs a key of the log.
    - `pins`: passkeys of the person who was asked, which you have kept since an earlier contact.

    What is left out is not compared, except `outcome` and `allow_test`. Only receipts of version 3 have a challenge, a code or an
    approver. Raises `ValueError` for malformed keys, for `proven` and `logged` without keys of
    the log and of a witness, for a quorum that the witnesses cannot reach, and for keys beside a log policy.
    """

    require: Optional[str] = None
    issuer: Optional[Issuer] = None
    outcome: Union[str, Sequence[str]] = ("approved", "consumed")
    action: Optional[str] = None
    params: Optional[Mapping[str, object]] = None
    audience: Optional[str] = None
    target: Optional[str] = None
    challenge: Optional[str] = None
    code: Optional[Code] = None
    approver: Optional[str] = None
    allow_test: Optional[bool] = None
    signed_within: Optional[timedelta] = None
    decided_within: Optional[timedelta] = None
    vkeys: Sequence[str] = ()
    witnesses: Sequence[str] = ()
    quorum: Optional[int] = None
    pins: Sequence[Pin] = ()
    log_policy: Optional[LogPolicy] = None
    checkpoints: Optional[CheckpointStore] = None
    logged: bool = False
    rules: Optional[str] = None

    def __post_init__(self) -> None:
        if self.require is not None and self.require not in REQUIREMENTS:
            raise ValueError(f"{self.require!r} is none of {', '.join(REQUIREMENTS)}.")
        if self.rules not in (None, "accept"):
            raise ValueError('`rules` must be "accept", or be left out.')
        for outcome in self.outcomes:
            if outcome not in OUTCOMES:
                raise ValueError(f"{outcome!r} is not an outcome of a request.")
        for limit in (self.signed_within, self.decided_within):
            if limit is not None and limit < timedelta(0):
                raise ValueError("A time limit must not be negative.")
        try:
            for vkey in self.log_vkeys:
                read_log_key(vkey)
            most = _count_witnesses(self.witness_vkeys)
            if self.params is not None:
                canonical_json(dict(self.params), any_number=True)
            if self.code is not None:
                code_digest(self.code["salt"], self.code["code"])
        except VerificationError as error:
            raise ValueError(str(error)) from error
        if self.log_policy is not None and (self.vkeys or self.witnesses or self.quorum is not None):
            raise ValueError("Give either a log policy (log_policy), or vkeys, witnesses and quorum.")
        if self.quorum is not None and (
            isinstance(self.quorum, bool) or not isinstance(self.quorum, int) or not 1 <= self.quorum <= most
        ):
            raise ValueError(f"The quorum must be a number from 1 to {most}, the number of different witnesses.")
        needs_log = self.require == "proven" or self.logged
        if needs_log and (not self.log_vkeys or not self.witness_vkeys):
            demand = 'that requires "proven"' if self.require == "proven" else 'with "logged"'
            raise ValueError(
                f"A policy {demand} needs a key of the log (vkeys) and a key of a witness (witnesses)."
                f"{self._missing}"
            )
        if self.checkpoints is not None and not self.log_vkeys:
            raise ValueError("Checkpoints are remembered only with a key of the log (vkeys).")

    @property
    def outcomes(self) -> Sequence[str]:
        """The accepted outcomes."""
        return (self.outcome,) if isinstance(self.outcome, str) else self.outcome

    @property
    def log_vkeys(self) -> Sequence[str]:
        """The trusted keys of the log."""
        return self.vkeys if self.log_policy is None else [log.vkey for log in self.log_policy.logs]

    @property
    def witness_vkeys(self) -> Sequence[str]:
        """The trusted keys of witnesses. With `quorum none` no witness is trusted, so nothing is proven."""
        if self.log_policy is None:
            return self.witnesses
        return [] if self.log_policy.quorum is None else [witness.vkey for witness in self.log_policy.witnesses]

    @property
    def _missing(self) -> str:
        """A sentence about what the log policy lacks."""
        if self.log_policy is None:
            return ""
        if not self.log_policy.logs:
            return " The log policy names no log. Add a line: log <vkey>"
        return " The log policy names no witness that must cosign (quorum none)."

    @property
    def cosignatures_needed(self) -> int:
        """How many different witnesses must have cosigned."""
        return _count_witnesses(self.witnesses) if self.quorum is None else self.quorum


def _count_witnesses(vkeys: Sequence[str]) -> int:
    """Returns the number of different witnesses: one key under two names is one, and so are two keys of one name."""
    names: Dict[bytes, str] = {}
    for vkey in vkeys:
        key = read_log_key(vkey, kind=COSIGNATURE)
        names[public_bytes(key)] = key.name
    return len(set(names.values()))


class PolicyNotMet(VerificationError):
    """
    A receipt is consistent, but not as the policy demands.

    - `reason`: `requirement` (the policy has none), `trust` (less than the policy requires confirms the receipt), `test` (the
      person exists only for tests), `outcome`, `action`, `target`, `audience`, `approver`, `challenge`, `code`, `params`, `stale`,
      `logged` or `budget` (the shop has accepted before as much as the rule allows: `beak.trust.PermissionTrust`).
    - `found`: what the receipt says. Do not act on it.
    """

    def __init__(self, reason: str, message: str, found: VerifiedOutcome) -> None:
        super().__init__(message)
        self.reason = reason
        self.found = found


def check_policy(
    found: VerifiedOutcome,
    policy: OutcomePolicy,
    signed: Mapping[str, object],
    has_params: bool,
    now: datetime,
) -> None:
    """
    Raises `PolicyNotMet` for the first demand that a valid receipt does not meet. `signed` is the statement as the required
    signer signed it.
    """

    def refuse(reason: str, message: str) -> PolicyNotMet:
        """Returns the error for a demand that is not met."""
        return PolicyNotMet(reason, message, found)

    if policy.require is None:
        raise refuse("requirement", "The policy does not say who must have confirmed the receipt (require).")
    required = policy.require if policy.approver is None else "pinned"
    if REQUIREMENTS.index(found.trust) < REQUIREMENTS.index(required):
        raise refuse("trust", _trust_text(found, required))
    # Earlier versions have no terms: no test, approver, challenge and code.
    terms = signed if found.version == 3 else {}
    issuer = None if policy.issuer is None else policy.issuer.url
    if terms.get("test") is True and policy.allow_test is not True and not is_test_allowed(policy.allow_test, issuer):
        raise refuse("test", "The decision is of a person who exists only for tests.")
    if found.outcome not in policy.outcomes:
        raise refuse("outcome", f"The outcome is {found.outcome}, which the policy does not accept.")
    if policy.action is not None and signed.get("action") != policy.action:
        raise refuse("action", f"The receipt is about {signed.get('action')!r}.")
    if policy.target is not None and signed.get("target_duckling_id") != policy.target:
        raise refuse("target", f"The receipt is of {signed.get('target_duckling_id')}.")
    if policy.audience is not None and signed.get("audience") != policy.audience:
        raise refuse("audience", "The receipt is for another service, or what was signed names no service.")
    if policy.approver is not None and terms.get("approver") != policy.approver:
        raise refuse("approver", "The decision was not made on the approver that the policy demands.")
    if policy.challenge is not None and terms.get("challenge") != policy.challenge:
        raise refuse("challenge", "The decision does not name your challenge.")
    if policy.code is not None and not _has_code(terms.get("code"), policy.code):
        raise refuse("code", "The person did not type the code that you showed.")
    if policy.params is not None and not has_params:
        raise refuse("params", "The receipt has other params, or does not disclose all of them.")
    if not _is_within(found.signed_at, policy.signed_within, now):
        raise refuse("stale", f"The service signed the receipt at {found.signed_at.isoformat()}.")
    rule = accepted_rule(found.rule, policy)
    decided_within = _RULE_DECIDED_WITHIN if rule is not None and policy.decided_within is None else policy.decided_within
    if not _is_within(found.decided_at, decided_within, now):
        decided = "no time" if found.decided_at is None else found.decided_at.isoformat()
        raise refuse("stale", f"The decision was made at {decided}.")
    if rule is not None and _outlasts(found, str(rule.statement["expires_at"])):
        raise refuse("stale", f"The permission does not end with its rule, at {rule.statement['expires_at']}.")
    _check_logged(found, policy, refuse)


def accepted_rule(rule: Optional[VerifiedRule], policy: OutcomePolicy) -> Optional[VerifiedRule]:
    """Returns the rule that decided, or None unless the policy accepts rules and everything shows that the request lies within it."""
    return rule if policy.rules == "accept" and rule is not None and rule.within_rule == "proven" else None


def _outlasts(found: VerifiedOutcome, rule_end: str) -> bool:
    """Tells whether a permission is valid after the end of its rule. A permission without an end always is."""
    end = found.grant_expires_at
    # A sum of times can be after the last time that Python can represent, a difference cannot.
    return found.statement.get("decision") == "approve" and (
        end is None or end - read_time(rule_end) > _RULE_END_TOLERANCE
    )


def require_approver_pins(policy: OutcomePolicy) -> None:
    """Raises `ValueError` for a policy with an approver and without pins."""
    if policy.approver is not None and not policy.pins:
        raise ValueError(approver_text("passkeys of the person"))


def approver_text(missing: str) -> str:
    """Returns why an approver without pins is refused, and what to give."""
    return (
        "An approver proves nothing without pins, because the service can claim its origin for a passkey of its own."
        f" Give {missing} (pins), or leave the approver out."
    )


def _check_logged(
    found: VerifiedOutcome, policy: OutcomePolicy, refuse: Callable[[str, str], PolicyNotMet]
) -> None:
    """Checks that the log proves when everything happened that the receipt names. Versions 1 and 2 show no entries of the log."""
    if not policy.logged:
        return
    logged = found.logged
    for name, entry in (("decided", logged.decided), ("used", logged.used), ("revoked", logged.revoked)):
        if entry is not None and entry.state != "proven":
            raise refuse("logged", f"The log does not prove when it was {name} ({entry.state}).")
    if logged.decided is None:
        raise refuse("logged", "The receipt does not show the decision in the log.")


def _has_code(found: object, code: Code) -> bool:
    """Tells whether the person typed this code, and whether the request named its hash."""
    if not isinstance(found, dict):
        return False
    typed: object = found["typed"]
    digest: object = found["hash"]
    return typed == code["code"] and digest == code_digest(code["salt"], code["code"])


def _trust_text(found: VerifiedOutcome, required: str) -> str:
    decider: object = found.statement.get("decided_by")
    if isinstance(decider, dict) and decider["type"] == "rule":
        return _rule_text(found)
    if found.passkey_id is None:
        return "Only the service says so: the receipt has no signature of a passkey."
    if found.version == 1:
        return f"A receipt of version 1 is never {required}."
    if required == "pinned":
        return "You have pinned neither the passkey that signed nor one that endorses it."
    return f"The enrolment of the passkey is not proven ({found.enrolment})."


def _rule_text(found: VerifiedOutcome) -> str:
    """Returns why the answer of a rule is not accepted."""
    rule = found.rule
    if rule is None:
        return "A rule answered, and the receipt leaves the rule out. So only the service says so."
    if rule.within_rule == "values_hidden":
        return (
            "A rule answered, and the receipt hides values. So only the service says that the request lies within the rule."
        )
    return (
        "A rule answered, so no passkey signed this request. A policy can accept rules (rules=\"accept\"). The enrolment of the"
        f" passkey that signed the rule: {rule.enrolment}."
    )


def _is_within(time: Optional[datetime], limit: Optional[timedelta], now: datetime) -> bool:
    """A time in the future is not within the limit either, except for a small difference of clocks."""
    if limit is None:
        return True
    return time is not None and timedelta(seconds=-CLOCK_SKEW) <= now - time <= limit
