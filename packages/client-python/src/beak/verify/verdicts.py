"""What a check of a receipt finds: the outcome, the rule that decided, and the passkeys behind it."""
from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Optional, Union

from typing_extensions import TypedDict

from .. import models
from .log import Cosignature
from .logged import LoggedOutcome


class Pin(TypedDict):
    """
    A passkey of a person, as a shop keeps it. Both texts are base64url.

    - `credential_id`: names the passkey.
    - `public_key`: its COSE key.
    """

    credential_id: str
    public_key: str


@dataclass(frozen=True)
class VerifiedRule:
    """
    A rule that answered a request, and its budget. The budget is the word of the service: nobody else counts what the rule has allowed.

    - `sentence`: the rule in words, as the page showed it to the person who signed it.
    - `statement`: what the passkey signed: the rule, when it was made, and until when it is valid.
    - `passkey_id`: the credential that signed the rule. `passkey_chain`: behind it, the older passkeys that endorse it.
    - `enrolment`, `cosignatures`: what the transparency log says about that passkey, at the time of the rule.
    - `budget`: `currency`, `cost`, `period`, `before`, `after` and `limits`. Money is in the minor unit of the currency.
    - `within_rule`: `proven` (the request lies within the rule), or `values_hidden` (the receipt does not disclose all params; what it
      discloses lies within the rule).
    """

    rule_id: str
    sentence: str
    statement: Dict[str, object]
    passkey_id: str
    passkey_chain: List[Pin]
    enrolment: str
    cosignatures: List[Cosignature]
    budget: Dict[str, object]
    within_rule: str


@dataclass(frozen=True)
class VerifiedOutcome:
    """
    The outcome of a request.

    - `trust`: who confirms the receipt: `service`, `signed`, `proven` or `pinned`, as in `OutcomePolicy`.
    - `version`: 2 or 3, or 1 for receipts of approvals without an audience, salted hashes and an enrolment.
    - `outcome`: `approved`, `consumed`, `revoked`, `rejected`, `expired` or `cancelled`, as of `signed_at`.
    - `statement`: what was asked and decided. It has only salted hashes of the params.
    - `passkey_id`: the credential that the person signed with. None: only the service vouches for the decision.
    - `passkey_statement`: 2 or 3, as `version`, when the passkey signed this statement. 1 when it signed an earlier form, which names no
      audience and nothing that the page displayed, and whose params you can compare only when all are disclosed.
    - `passkey_chain`: the passkey that signed, and behind it the older passkeys that endorse it. Each link is checked. A shop that has
      pinned one of them knows the first one. Empty without a passkey, and in version 1.
    - `enrolment`: `proven` (enough trusted witnesses cosigned a state of the transparency log with the passkey, no later than ten
      minutes after the time that the service gives for the decision), `witness_not_trusted` (the log has the passkey, but you
      gave no key of a witness, so only the service says since when), `not_witnessed` (the log has it, but too few trusted
      witnesses confirmed that in time), `log_not_trusted` (you gave no key of the log), `not_logged` (nothing shows it) or
      `no_passkey`. Always `not_logged` or `no_passkey` in version 1.
    - `rule`: the rule that decided. None when a person decided or nobody, and when the receipt leaves the rule out: `decided_by` of the
      statement names the rule then.
    - `logged`: what the transparency log has about the decision, the newest use and the revocation. Only receipts of version 3 show it.
    - `params`: the params that the receipt discloses. `hidden_params` is the number of the others.
    - `shown`: what the page displayed to the person who decided. None when the receipt keeps it to itself.
    """

    trust: str
    version: int
    outcome: str
    statement: Union[models.DecisionStatement, models.DecisionStatement3, models.ApprovalStatement]
    decided_at: Optional[datetime]
    ended_at: Optional[datetime]
    uses: int
    last_used_at: Optional[datetime]
    grant_expires_at: Optional[datetime]
    signed_at: datetime
    issuer: str
    passkey_id: Optional[str]
    passkey_statement: Optional[int]
    passkey_chain: List[Pin]
    enrolment: str
    cosignatures: List[Cosignature]
    rule: Optional[VerifiedRule]
    logged: LoggedOutcome
    params: Dict[str, object]
    hidden_params: int
    shown: Optional[Dict[str, object]]
