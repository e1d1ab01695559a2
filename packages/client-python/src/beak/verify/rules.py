"""
The judge of rules: whether a request lies within a rule that a person signed. It reads nothing but the rule and the request.

The rules are in docs/rules.md of the service, and the test vectors in docs/receipts/vectors/rules.json. The judge in TypeScript answers the same.
"""
import re
from datetime import datetime, timedelta
from typing import Dict, List, Mapping, Optional, Tuple, cast

from .._exact import is_exact_number
from ..errors import VerificationError
from ._accounts import looks_like_account
from ._bounds import compare_with_bound, is_money_bound
from ._encoding import canonical_json
from ._money import Money, contradicts, looks_like_money, money_of_param, read_money
from ._names import names_reached
from ._places import host_in, is_address, is_below

#: Why a request does not lie within a rule, and the param that is at fault, as in the TypeScript client.
Miss = Tuple[str, Optional[str]]

#: A param that is not there. None is a value of JSON.
MISSING = object()


def _text_of(value: object) -> Optional[str]:
    """Returns the canonical JSON of a value, or None for one that has none, such as an infinite number."""
    try:
        return canonical_json(value, any_number=True)
    except (VerificationError, RecursionError):
        return None


def _is_same(value: object, wanted: object) -> bool:
    text = _text_of(value)
    return text is not None and text == _text_of(wanted)


def satisfies(value: object, constraint: Mapping[str, object], beside: object, is_paid: bool) -> bool:
    """
    Tells whether a value is what a constraint demands. `beside`: the param `currency`, for an amount without one. `is_paid`: the request is
    a payment, so that `any` stands for no number.
    """
    ((kind, wanted),) = constraint.items()
    if kind in ("equals", "unchanged"):
        return _is_same(value, wanted)
    if kind == "one_of":
        return any(_is_same(value, one) for one in cast(List[object], wanted))
    if kind == "at_most":
        return _is_at_most(value, beside, wanted)
    if kind == "at_least":
        return _is_at_least(value, beside, wanted)
    if kind == "between":
        low, high = cast(List[object], wanted)
        return _is_at_least(value, beside, low) and _is_at_most(value, beside, high)
    if kind == "domain":
        host, domain = host_in(value), str(wanted)
        return host is not None and (host == domain or host.endswith(f".{domain}"))
    if kind == "path_below":
        return is_below(value, str(wanted))
    return _is_harmless(value, beside, is_paid)


def _is_at_most(value: object, beside: object, bound: object) -> bool:
    compared = compare_with_bound(value, beside, bound)
    return compared is not None and compared <= 0


def _is_at_least(value: object, beside: object, bound: object) -> bool:
    compared = compare_with_bound(value, beside, bound)
    return compared is not None and compared >= 0


def _is_harmless(value: object, beside: object, is_paid: bool) -> bool:
    """
    Tells whether `any` may stand for a value: a boolean, None, a number that stands beside no payment, or a text that is no amount, no
    address and no account.
    """
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        return beside is MISSING and not is_paid and is_exact_number(value)
    if not isinstance(value, str) or looks_like_money(value, beside is not MISSING):
        return False
    return not is_address(value) and not looks_like_account(value, is_paid)


_PAYING_VERBS = frozenset("buy charge deposit donate pay payout purchase refund remit tip topup transfer wire withdraw".split())
_PAID_THINGS = frozenset("cash fund funds money payment payments payout payouts transfer transfers".split())


def _is_payment(action: str, params: Mapping[str, object]) -> bool:
    """Tells whether a request is a payment: by its action, by a param `amount` or `currency`, or because one of its values is an amount."""
    verb, *objects = re.split("[:_./*-]", action)
    if verb in _PAYING_VERBS or any(word in _PAID_THINGS for word in objects) or "amount" in params or "currency" in params:
        return True
    return any(money_of_param(value, MISSING) is not None for value in params.values())


def _fits_constraint(
    name: str, constraint: Mapping[str, object], value: object, beside: object, is_paid: bool
) -> bool:
    """Tells whether a param is what its constraint demands. `any` stands for no name of what an action reaches."""
    is_open = "any" in constraint and names_reached(name)
    return not is_open and satisfies(value, constraint, beside, is_paid)


def _bounds_of(constraint: Optional[Mapping[str, object]]) -> List[object]:
    """Returns the bounds of a constraint."""
    ((kind, wanted),) = (constraint or {"any": True}).items()
    if kind == "between":
        return cast(List[object], wanted)
    return [wanted] if kind in ("at_most", "at_least") else []


def _is_unreadable(name: str, value: object) -> bool:
    """Tells whether a value that could not be read as an amount may be one."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return name == "amount"
    if isinstance(value, str):
        return looks_like_money(value, name == "amount")
    return name == "amount" or (isinstance(value, dict) and ("amount" in value or "currency" in value))


def _cost_of(
    rule: Mapping[str, object], params: Mapping[str, object], is_part: bool
) -> Tuple[bool, Optional[Money]]:
    """
    Returns whether the cost can be counted, and the sum of all amounts, which must be in one currency. `is_part`: the currency beside
    an amount may be among the params that are not there, so only amounts with a currency of their own count.
    """
    amounts: List[Money] = []
    beside = params.get("currency", MISSING)
    for name, value in params.items():
        # Whatever the constraint is, so that a narrower constraint never fits more.
        if contradicts(value, beside):
            return False, None
        bounds = _bounds_of(_params_of(rule).get(name))
        is_money = name == "amount" or any(map(is_money_bound, bounds))
        amount = money_of_param(value, beside if is_money else MISSING)
        if amount is not None:
            amounts.append(amount)
        # A budget that counts one amount of two would allow more than the person signed.
        elif not is_part and "amount" in budget_of(rule) and _is_unreadable(name, value):
            return False, None
    if not amounts:
        return True, None
    total = sum(amount.minor for amount in amounts)
    is_of_one = all(amount.currency == amounts[0].currency for amount in amounts)
    if not is_of_one or total >= 2**53:
        return False, None
    return True, Money(total, amounts[0].currency)


def _params_of(rule: Mapping[str, object]) -> Dict[str, Mapping[str, object]]:
    return cast(Dict[str, Mapping[str, object]], rule["params"])


def budget_of(rule: Mapping[str, object]) -> Dict[str, object]:
    """Returns the budget of a rule. Empty without one."""
    return cast(Dict[str, object], rule.get("budget", {}))


def budget_amount(rule: Mapping[str, object]) -> Optional[Money]:
    """Returns the amount of money in the budget of a rule, or None."""
    amount = budget_of(rule).get("amount")
    return read_money(amount) if isinstance(amount, str) else None


def cost_of_answer(rule: Mapping[str, object], cost: Optional[Money]) -> Tuple[int, Optional[str]]:
    """Returns what an answer costs: an approval all amounts of the request, a rejection nothing. Without money, there is no currency."""
    if rule["answer"] != "approve" or cost is None or cost.minor == 0:
        return 0, None
    return cost.minor, cost.currency


def _misses_of_call(rule: Mapping[str, object], request: Mapping[str, object]) -> List[Miss]:
    """Returns why a request does not fit whatever its params are."""
    requester = cast(Mapping[str, object], request["requester"])
    agent = requester["agent_id"]
    if "agent_id" in rule:
        is_of_asker = agent == rule["agent_id"]
    else:
        is_of_asker = agent is not None and requester["duckling_id"] == rule["operator_id"]
    misses: List[Miss] = [] if is_of_asker else [("asker", None)]
    if request["action"] not in cast(List[object], rule["actions"]):
        misses.append(("action", None))
    # Only of these, one charge is one use.
    if request["scope"] != "limited":
        misses.append(("scope", None))
    return misses


def judge(
    rule: Mapping[str, object], request: Mapping[str, object], params: Mapping[str, object]
) -> Tuple[List[Miss], Optional[Money]]:
    """
    Judges a request by a rule, without the budget that is left, the time and the risk. Returns every reason why it does not fit, and what
    it costs. Without a reason, it fits.
    """
    constraints = _params_of(rule)
    misses = _misses_of_call(rule, request) + [("unnamed", name) for name in params if name not in constraints]
    beside = params.get("currency", MISSING)
    is_paid = _is_payment(str(request["action"]), params)
    for name, constraint in constraints.items():
        if name not in params:
            if "any" not in constraint:
                misses.append(("missing", name))
        elif not _fits_constraint(name, constraint, params[name], beside, is_paid):
            misses.append(("value", name))
    is_counted, cost = _cost_of(rule, params, False)
    budget = budget_amount(rule)
    if not is_counted or (budget is not None and (cost is None or cost.currency != budget.currency)):
        misses.append(("money", None))
    return misses, cost


def judge_part(
    rule: Mapping[str, object], request: Mapping[str, object], params: Mapping[str, object], hidden: int
) -> Tuple[List[Miss], Optional[Money]]:
    """
    Judges a request of which `hidden` params are not disclosed. Returns only misses that stay, whatever the hidden params are, and the least that the
    request costs.
    """
    constraints = _params_of(rule)
    misses = _misses_of_call(rule, request) + [("unnamed", name) for name in params if name not in constraints]
    # Only a param that the rule names can be among the hidden ones.
    is_currency_hidden = "currency" not in params and "currency" in constraints
    is_paid = _is_payment(str(request["action"]), params)
    missing = 0
    for name, constraint in constraints.items():
        beside = _likely_currency(constraint) if is_currency_hidden else params.get("currency", MISSING)
        if name not in params:
            missing += "any" not in constraint
        elif not _fits_constraint(name, constraint, params[name], beside, is_paid):
            misses.append(("value", name))
    if missing > hidden:
        misses.append(("missing", None))
    if len(params) + hidden > len(constraints):
        misses.append(("unnamed", None))
    is_counted, cost = _cost_of(rule, params, is_currency_hidden)
    budget = budget_amount(rule)
    if not is_counted or (budget is not None and cost is not None and cost.currency != budget.currency):
        misses.append(("money", None))
    return misses, cost


def _likely_currency(constraint: Mapping[str, object]) -> object:
    """Returns a currency with which a constraint may accept a number: the currency of its bound."""
    for bound in _bounds_of(constraint)[:1]:
        money = read_money(bound) if isinstance(bound, str) else None
        if money is not None:
            return money.currency
    return MISSING


def period_of(per: str, time_zone: str, time: datetime) -> Optional[str]:
    """
    Returns the name of the period of a time: the day "2026-11-25", the Monday of its week, or the month "2026-11". None for an unknown
    time zone.
    """
    # Not at the beginning of the file: installations without data of time zones can still verify everything else.
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    # The data of time zones has files with other names, which other languages do not know.
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*", time_zone):
        return None
    try:
        day = time.astimezone(ZoneInfo(time_zone)).date()
    except (ZoneInfoNotFoundError, OSError, ValueError, OverflowError):
        return None
    if per == "month":
        return f"{day.year:04d}-{day.month:02d}"
    if per == "week":
        day -= timedelta(days=day.weekday())
    return f"{day.year:04d}-{day.month:02d}-{day.day:02d}"
