"""
What the transparency log has about a receipt: the decision, the newest use and the revocation. With witnesses, the entries limit their
times. The rules are in docs/receipts/format.md of the service ("The log").
"""
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Tuple, cast

from ._encoding import canonical_json, digest_of
from .log import Cosignature


@dataclass(frozen=True)
class LoggedFacts:
    """
    What the log has about a decision, a use or a revocation.

    - `state`: `proven` (enough trusted witnesses cosigned a state of the log that has it, not more than ten minutes before or after its
      stated time), `witness_not_trusted` (the log has it, but you gave no key of a witness, so only the service says when),
      `not_witnessed` (the log has it, but too few trusted witnesses had cosigned that state at its stated time), `log_not_trusted` (you
      gave no key of the log) or `not_logged` (the receipt does not show it in the log, which gets it within a minute).
    - `index`: the entry in the log. None when the receipt shows no entry.
    - `cosignatures`: the trusted witnesses that cosigned that state of the log.
    """

    state: str
    index: Optional[int]
    cosignatures: List[Cosignature]


@dataclass(frozen=True)
class LoggedOutcome:
    """What the log has about a receipt. None: the receipt names no such event, or not its time."""

    decided: Optional[LoggedFacts]
    used: Optional[LoggedFacts]
    revoked: Optional[LoggedFacts]


def not_logged() -> LoggedFacts:
    """Returns the facts of an event that the receipt does not show in the log."""
    return LoggedFacts("not_logged", None, [])


def logged_events(claims: Mapping[str, object]) -> Dict[str, Tuple[str, str]]:
    """
    Returns what the log must have about a receipt: for each kind, the text of the entry and the stated time. The entries are computed,
    not read. `claims` are those of the service, which have been checked.
    """
    statement, decided_at, used_at = claims["statement"], claims["decided_at"], claims["last_used_at"]
    # JSON does not tell 1 from 1.0.
    uses = int(cast(float, claims["uses"]))
    named: List[Tuple[str, object, Dict[str, object]]] = [("decided", decided_at, {"decided_at": decided_at})]
    if uses > 0:
        named.append(("used", used_at, {"used_at": used_at, "uses": uses}))
    if claims["outcome"] == "revoked":
        named.append(("revoked", claims["ended_at"], {"revoked_at": claims["ended_at"]}))
    return {
        kind: (canonical_json({"digest": digest_of({"statement": statement, **more}), "kind": kind}), at)
        for kind, at, more in named
        if isinstance(at, str)
    }
