"""
The check of a receipt whose request a rule answered: the passkey signed the rule and not the request, so the request must lie within the rule.

The format is in docs/receipts/format.md of the service ("A rule").
"""
from datetime import datetime, timedelta
from typing import Dict, List, Mapping, Optional, cast

from ..errors import VerificationError
from ._encoding import canonical_json, json_object
from ._rule_shapes import RULE_STATEMENT
from ._shapes import check_size, read
from .enrolments import check_endorsements, check_enrolment, part_digest, whole_number
from .keys import object_claim, read_time, text_claim
from .policy import OutcomePolicy
from .receipts import check_assertion
from .rules import budget_amount, budget_of, cost_of_answer, judge, judge_part, period_of
from .verdicts import Pin, VerifiedRule

#: A rule may be used a bit before the time that it states, because clocks of servers differ.
_TOLERANCE = timedelta(minutes=10)
_PERIODS = ("day", "week", "month")


def rule_id_in(statement: Mapping[str, object]) -> Optional[str]:
    """Returns the id of the rule that decided, or None when a person decided or nobody."""
    decider = statement.get("decided_by")
    return str(decider["rule_id"]) if isinstance(decider, dict) and decider["type"] == "rule" else None


def check_rule(
    receipt: Dict[str, object],
    claims: Dict[str, object],
    params: Dict[str, object],
    hidden: int,
    policy: OutcomePolicy,
) -> Optional[VerifiedRule]:
    """
    Checks the rule that decided. Returns None without one, and when the receipt leaves the rule out. `params` are the disclosed ones, and
    `hidden` is the number of the others. Raises `VerificationError`.
    """
    statement = object_claim(receipt, "statement")
    if rule_id_in(statement) is None:
        if "rule" in receipt or "rule" in claims:
            raise VerificationError("The receipt has a rule, but no rule decided.")
        return None
    if "rule" not in claims or claims["rule"] != part_digest(receipt.get("rule")):
        raise VerificationError("The rule is not the rule that the service signed.")
    _check_decision(receipt, statement, claims)
    if "rule" not in receipt:
        return None
    proof = object_claim(receipt, "rule")
    signed = _read_statement(text_claim(proof, "statement_text"))
    decided_at = read_time(text_claim(claims, "decided_at"))
    _check_fit(signed, statement, claims, decided_at)
    passkey, issuer = object_claim(proof, "passkey"), text_claim(signed, "issuer")
    check_assertion(passkey, text_claim(proof, "statement_text"), issuer)
    chain = check_endorsements(passkey, issuer, signed["duckling_id"], issuer)
    created_at = read_time(text_claim(signed, "created_at"))
    enrolment, cosignatures = check_enrolment(proof, signed["log"], signed["duckling_id"], created_at, policy)
    rule, budget = object_claim(signed, "rule"), object_claim(proof, "budget")
    _check_request(rule, statement, params, hidden, budget)
    _check_budget(rule, text_claim(signed, "time_zone"), budget, decided_at)
    return VerifiedRule(
        rule_id=text_claim(signed, "rule_id"),
        sentence=text_claim(signed, "sentence"),
        statement=signed,
        passkey_id=text_claim(passkey, "credential_id"),
        passkey_chain=chain,
        enrolment=enrolment,
        cosignatures=cosignatures,
        budget=budget,
        within_rule="proven" if hidden == 0 else "values_hidden",
    )


def _check_decision(receipt: Dict[str, object], statement: Dict[str, object], claims: Dict[str, object]) -> None:
    """A rule answers only requests that demand nothing of the person, and no passkey signed the answer."""
    if receipt["passkey"] is not None or receipt["enrolment"] is not None:
        raise VerificationError("A rule decided, but the receipt has a signature of the person over the decision.")
    if statement["scope"] != "limited":
        raise VerificationError("A rule answers only requests for one use.")
    if any(statement[name] is not None for name in ("challenge", "code", "approver")):
        raise VerificationError("A rule answered a request that demands a signature of the person.")
    seconds, end = statement["grant_seconds"], claims["grant_expires_at"]
    if statement["decision"] != "approve" or seconds is None:
        return
    # A sum of times can be after the last time that Python can represent, a difference cannot.
    decided_at, longest = read_time(text_claim(claims, "decided_at")), timedelta(seconds=whole_number(seconds))
    if end is None or read_time(text_claim(claims, "grant_expires_at")) - decided_at > longest:
        raise VerificationError("The permission is longer than the request asked for.")


def _read_statement(text: str) -> Dict[str, object]:
    what = "statement of the rule"
    value = json_object(text.encode("utf-8", "replace"), what)
    check_size(value)
    signed = read(RULE_STATEMENT, value, what)
    if canonical_json(signed, any_number=True) != text:
        raise VerificationError("The text of the rule is not canonical.")
    return signed


def _check_fit(
    signed: Dict[str, object], statement: Dict[str, object], claims: Dict[str, object], decided_at: datetime
) -> None:
    """Checks that the rule is of this service, this person and this time, and that it gives this answer."""
    rule = object_claim(signed, "rule")
    if signed["issuer"] != claims["iss"]:
        raise VerificationError("The rule is of another service.")
    if signed["rule_id"] != rule_id_in(statement):
        raise VerificationError("Another rule decided.")
    if signed["duckling_id"] != statement["target_duckling_id"]:
        raise VerificationError("The rule is of another person.")
    if rule["answer"] != statement["decision"]:
        raise VerificationError("The rule gives another answer.")
    if rule["mode"] != "on":
        raise VerificationError("The rule only watches.")
    start, end = read_time(text_claim(signed, "created_at")), read_time(text_claim(signed, "expires_at"))
    # A rule that is signed again, to resume it, keeps its end.
    if end - start > timedelta(seconds=whole_number(rule["expires_in"])):
        raise VerificationError("The rule contradicts itself about its end.")
    # A sum of times can be outside of the times that Python can represent, a difference cannot.
    if start - decided_at > _TOLERANCE or decided_at > end:
        raise VerificationError("The rule was not valid at that time.")


def _check_request(
    rule: Dict[str, object],
    statement: Dict[str, object],
    params: Dict[str, object],
    hidden: int,
    budget: Dict[str, object],
) -> None:
    """Checks that the request lies within the rule, and that it costs what the budget says."""
    if hidden == 0:
        misses, amount = judge(rule, statement, params)
    else:
        misses, amount = judge_part(rule, statement, params, hidden)
    if misses:
        why, param = misses[0]
        raise VerificationError(
            f"The request does not lie within the rule ({why if param is None else f'{why}: {param[:64]!r}'})."
        )
    found, found_currency = cost_of_answer(rule, amount)
    cost, currency = whole_number(budget["cost"]), budget["currency"]
    if hidden == 0:
        is_cost = cost == found and currency == found_currency
    else:
        is_cost = cost >= found and _may_be_currency(rule, cost, currency, found_currency)
    if not is_cost:
        raise VerificationError("The request costs something else than the budget says.")


def _may_be_currency(rule: Dict[str, object], cost: int, currency: object, found: Optional[str]) -> bool:
    """Tells whether a request of which only some params are disclosed may cost something in this currency."""
    if rule["answer"] != "approve" or cost == 0:
        return cost == 0 and currency is None
    limit = budget_amount(rule)
    expected = found or (None if limit is None else limit.currency)
    return currency is not None and expected in (None, currency)


def _check_budget(
    rule: Dict[str, object], time_zone: str, budget: Dict[str, object], decided_at: datetime
) -> None:
    """Checks that the budget was charged once, and that neither it nor the signed budget is exceeded."""
    if not _is_period(budget["period"], budget_of(rule), time_zone, decided_at):
        raise VerificationError("The budget is of another period.")
    before, after = _numbers(budget["before"]), _numbers(budget["after"])
    charged = {"uses": 1, "period_uses": 1, "amount": whole_number(budget["cost"])}
    if any(after[name] != before[name] + more for name, more in charged.items()):
        raise VerificationError("The budget was not charged for exactly this request.")
    limits = cast(Dict[str, Optional[int]], budget["limits"])
    amount = budget_amount(rule)
    signed: Dict[str, object] = {**budget_of(rule), "amount": None if amount is None else amount.minor}
    for name in ("uses", "uses_each", "amount"):
        if not _is_within(limits[name], cast(Optional[int], signed.get(name))):
            raise VerificationError("The limits are wider than the person signed.")
    spent = {"uses": after["uses"], "uses_each": after["period_uses"], "amount": after["amount"]}
    if not all(_is_within(spent[name], limits[name]) for name in spent):
        raise VerificationError("The budget of the rule was spent.")


def _numbers(spent: object) -> Dict[str, int]:
    return {name: whole_number(value) for name, value in cast(Dict[str, object], spent).items()}


def _is_within(value: Optional[int], limit: Optional[int]) -> bool:
    """Tells whether a number is within a limit. No number is within a limit only when there is no limit."""
    return limit is None or (value is not None and value <= limit)


def _is_period(period: object, budget: Mapping[str, object], time_zone: str, time: datetime) -> bool:
    """
    Tells whether a text is the name of the period. A rule without periods and without an amount may have got periods later, which make it
    narrower.
    """
    per = budget.get("per")
    if per is None and (period is None or "amount" in budget):
        return period is None
    names = [period_of(one, time_zone, time) for one in (_PERIODS if per is None else (str(per),))]
    return period is not None and period in names
